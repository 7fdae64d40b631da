//! Joint ratings: known cases, what must hold of any games, coverage, degenerate games, PGN, runs,
//! and the commands that use them.

#![allow(clippy::unwrap_used)] // In tests a failure is a panic.

mod command;
mod coverage;
mod degenerate;
mod known;
mod pgn;
mod properties;
mod runs;
#[allow(dead_code)] // The records' own tests use the rest.
#[path = "../record/samples.rs"]
mod samples;
mod tournament;
