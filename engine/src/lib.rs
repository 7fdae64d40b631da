//! mutineer: the chess engine that Ed Schröder described, REBEL and its successor ProDeo.
//!
//! The way of the data: [`position`] → [`search`] (orders moves, asks [`eval`]) → move.
//!
//! - [`types`]: pieces as codes, moves in 16 bits, values in 1/256 pawn, depth in quarter plies.
//! - [`position`]: the board, make and unmake, keys, draws, SEE. Knows no parameters.
//! - [`movegen`]: generators, byte values of moves, perft.
//! - [`params`]: the one table of every tunable number, and the personalities.
//! - [`eval`]: the terms and their trace.
//! - [`tablebase`]: Syzygy endgame tablebases.
//! - [`search`]: iterative deepening, alpha-beta, quiescence, hash table, ordering.
//! - [`Engine`]: all of it as a value to embed. [`protocol`] puts it behind UCI and xboard,
//!   [`mod@bench`] measures it, [`suite`] counts the test positions it solves.
//!
//! Ids like `ORD-08` number the mechanisms described in the papers; `REBEL.md` lists them, each with
//! its parameters, its file, what was claimed of it and what it measured.

#![warn(missing_docs)]

pub mod bench;
mod engine;
pub mod eval;
mod memory;
pub mod movegen;
mod packed;
pub mod params;
pub mod position;
pub mod protocol;
pub mod search;
pub mod suite;
pub mod tablebase;
mod text;
pub mod types;

pub use engine::{Engine, SearchReport};
pub use packed::{PackedError, Provenance};
pub use params::Params;
pub use position::Position;
pub use search::{ClockLimit, HashSize, IterationInfo, Limits, Observer, Setup};
pub use tablebase::{Probing, Tablebases};
pub use types::{Move, Value};

/// The engine's name and version.
pub const NAME: &str = concat!("mutineer ", env!("CARGO_PKG_VERSION"));
