//! The files of a run: what is written, what is read back, what survives.

mod canonical;
mod hidden;
mod journal;
mod kill;
mod pgn;
mod prefix;
mod run_file;
mod summary;
mod tally;
