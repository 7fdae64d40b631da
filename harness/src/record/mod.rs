//! What is kept of a game and everything rendered from it.
//!
//! A [`GameRecord`] is one line of `games.jsonl`, the only source of the PGN, the summary and the
//! statistics. Everything in it that depends on the clock is inside [`GameRecord::time`]; the rest
//! is a pure function of the plan when players think by nodes or depth.

mod game;

pub use game::{GameRecord, MoveNote, Outcome, Score, Side, Termination, TimeRecord};
