//! Replays a game, move by move, from the words of its movetext: the quick way from SAN to moves.
//!
//! [`Board`] keeps only what that takes; [`SanPosition`] keeps shakmaty's position besides. A word is
//! taken apart (`spelling`), once for many games ([`KnownWords`]), and resolved by masks of the men that
//! could be meant (`resolve`, `reach`); what they cannot decide (odd spellings,
//! mistakes) goes to shakmaty's legal moves, which decide what is wrong. [`Resolver`] selects the
//! way.

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
