//! Texts of any number, size and compression as a stream of pieces, cut where games begin.
//!
//! Where a text is cut depends on the text alone: not on its compression, nor on how many threads ask
//! for pieces. So everything said of a piece can be said again by another run.

mod archive;
mod cut;
mod feed;
mod list;

pub(super) use feed::{Content, Feed, Piece, ReadStart};
pub use list::{Input, has_games, list};
