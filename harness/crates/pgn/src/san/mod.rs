//! Replays a game, move by move, from the words of its movetext: the quick way from SAN to moves.
//!
//! [`Board`] keeps only what that takes; [`SanPosition`] keeps shakmaty's position besides. A word is
//! parsed (`spelling`), once for many games ([`KnownWords`]). Attack masks then find the man that it means
//! (`resolve`, `reach`). Words that they cannot decide, odd spellings and mistakes, are compared with
//! shakmaty's legal moves. [`Resolver`] selects the way.

mod board;
mod known;
mod position;
mod reach;
mod resolve;
mod spelling;
#[cfg(test)]
mod tests;

pub use board::{Board, Change, EMPTY, Man, PlainChange, squares};
pub use known::{KnownMove, KnownWords};
pub use position::SanPosition;
pub use resolve::{MoveError, Resolver};
