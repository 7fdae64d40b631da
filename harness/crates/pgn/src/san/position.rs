//! A board, with shakmaty's position going along.

use shakmaty::{Chess, Move, Position as _};

use super::board::Board;
use crate::WrongMove;

/// A position on which the words of a movetext are played. [`Board`] resolves them; the position is
/// for those who need more than it knows: legal moves, FENs, counters. It costs about as much as the
/// board; where it is not needed, use a [`Board`] alone.
#[derive(Debug, Clone)]
pub struct SanPosition {
    board: Board,
    chess: Chess,
}

impl SanPosition {
    pub fn new(start: Chess) -> SanPosition {
        SanPosition { board: Board::new(&start), chess: start }
    }

    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    pub fn into_chess(self) -> Chess {
        self.chess
    }

    /// Plays the move that a word means. Nothing is played if it means none.
    pub fn play(&mut self, word: &[u8]) -> Result<Move, WrongMove> {
        let change = self.board.find_move(word)?;
        let played = change.to_move();
        self.board.play(&change);
        self.chess.play_unchecked(played);
        Ok(played)
    }
}

impl Default for SanPosition {
    /// The usual start position.
    fn default() -> SanPosition {
        SanPosition::new(Chess::default())
    }
}
