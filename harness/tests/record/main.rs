//! The files of a run: what is written, what is read back, what survives.

#![allow(clippy::unwrap_used)] // In tests a failure is a panic.

mod canonical;
mod journal;
mod kill;
mod pgn;
mod prefix;
mod run_file;
mod samples;
mod summary;
mod tally;
