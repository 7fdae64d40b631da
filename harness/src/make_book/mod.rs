//! Makes opening books: EPD, FEN, or PGN (moves from the start position).
//!
//! - [`make()`]: positions after random moves, or with pieces placed at random, whose score is near 0.
//! - [`from_games`]: positions of real games whose score lies in a window, scored by any engine.

pub mod from_games;
mod random;
mod text;

pub use random::{BookTally, MadeBook, MakeOptions, make};
