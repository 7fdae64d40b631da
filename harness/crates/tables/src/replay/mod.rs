//! Replays a game, move by move, from the words of its movetext.
//!
//! [`Board`] keeps only what that takes. A word is resolved by masks of the men that could be
//! meant; what they cannot decide (odd spellings, mistakes) goes to shakmaty's legal moves, which
//! decide what is wrong. [`Resolver`] selects the way.

mod board;
mod resolve;

pub(super) use board::{Board, Change, squares};
pub(super) use resolve::MoveError;
pub use resolve::Resolver;
