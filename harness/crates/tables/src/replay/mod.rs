//! Replays a game, move by move, from the words of its movetext.
//!
//! [`Board`] keeps only what that takes. A word is taken apart (`spelling`), once for many games
//! (`known`), and resolved by masks of the men that could be meant (`resolve`, `reach`); what they cannot decide (odd spellings,
//! mistakes) goes to shakmaty's legal moves, which decide what is wrong. [`Resolver`] selects the
//! way.

mod board;
mod known;
mod reach;
mod resolve;
mod spelling;
#[cfg(test)]
mod tests;

pub(super) use board::{Board, Change, EMPTY, squares};
pub(super) use known::{KnownMove, KnownWords};
pub(super) use resolve::MoveError;
pub use resolve::Resolver;
