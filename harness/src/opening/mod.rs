//! Opening books: read, checked, made, put in order.

use shakmaty::{Chess, uci::UciMove};

/// One checked opening: a start position and moves from it.
#[derive(Debug, Clone)]
pub struct Opening {
    fen: String,
    start: Chess,
    moves: Vec<UciMove>,
}

impl Opening {
    /// An opening; the moves are taken as checked.
    #[must_use]
    pub fn new(fen: String, start: Chess, moves: Vec<UciMove>) -> Opening {
        Opening { fen, start, moves }
    }
    /// The start position as FEN.
    #[must_use]
    pub fn fen(&self) -> &str {
        &self.fen
    }
    /// The start position.
    #[must_use]
    pub fn start(&self) -> &Chess {
        &self.start
    }
    /// The moves from it.
    #[must_use]
    pub fn moves(&self) -> &[UciMove] {
        &self.moves
    }
}
