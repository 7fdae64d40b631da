//! A game played again, move by move, from the words of its movetext.
//!
//! [`Board`] keeps what that takes and no more. A word is looked up by masks of the men that could
//! be meant; only what they cannot decide (odd spellings, mistakes) goes to shakmaty's list of
//! legal moves, which has the last word on what is wrong. [`Resolver`] says which way is gone.

mod board;
mod resolve;

pub(super) use board::{Board, Change, squares};
pub(super) use resolve::{Resolver, Trouble};
