//! A game while it is played, for whoever watches.

use serde::{Deserialize, Serialize};

use crate::record::{MoveNote, Side};

/// A game up to its last move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveGame {
    /// Number in the schedule, from 0.
    pub game: u64,
    pub white: Side,
    /// The start position, FEN.
    pub fen: String,
    /// As UCI writes them, book moves among them.
    pub moves: String,
    pub book_plies: usize,
    /// Of each move after the book.
    pub notes: Vec<MoveNote>,
    /// Thinking time of each move after the book, in microseconds.
    pub moves_us: Vec<u64>,
}
