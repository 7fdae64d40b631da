//! Moves as text: UCI's coordinates.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Role, Square};

use super::Position;
use super::castling::king_target;
use crate::types::{Move, MoveKind};

/// Why a move text is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// Not UCI coordinates.
    #[error("'{0}' is not a move in UCI coordinates like e2e4 or e7e8q")]
    Syntax(String),
    /// Coordinates of a move that cannot be played.
    #[error("illegal move '{text}' in {fen}")]
    Illegal {
        /// The move as given.
        text: String,
        /// Where it cannot be played.
        fen: String,
    },
}

impl Position {
    /// The legal move that a UCI text means. Castling is understood as king's step of two squares
    /// and as king takes rook.
    ///
    /// # Errors
    /// When the text is no UCI move, or the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveTextError> {
        let syntax = || MoveTextError::Syntax(text.to_owned());
        let uci: UciMove = text.parse().map_err(|_| syntax())?;
        let UciMove::Normal { from, to, promotion } = uci else { return Err(syntax()) };
        let pins = self.pins();
        self.candidates(from, to, promotion)
            .into_iter()
            .find(|&mv| self.is_pseudo_legal(mv) && self.is_legal(mv, &pins))
            .ok_or_else(|| MoveTextError::Illegal { text: text.to_owned(), fen: self.fen() })
    }

    /// Every move that coordinates could mean.
    fn candidates(&self, from: Square, to: Square, promotion: Option<Role>) -> Vec<Move> {
        let us = self.turn();
        if let Some(role) = promotion {
            if matches!(role, Role::Pawn | Role::King) {
                return Vec::new();
            }
            return [false, true]
                .map(|capture| Move::new(from, to, MoveKind::promotion(role, capture)))
                .to_vec();
        }
        let mut moves: Vec<Move> =
            [MoveKind::Quiet, MoveKind::Capture, MoveKind::DoublePush, MoveKind::EnPassant]
                .map(|kind| Move::new(from, to, kind))
                .to_vec();
        if from == self.king(us) {
            moves.push(Move::new(from, to, MoveKind::Castle));
            let castled = CastlingSide::ALL
                .into_iter()
                .filter(|&side| king_target(us, side) == to && from.distance(to) > 1)
                .filter_map(|side| self.castling_rook(us, side))
                .map(|rook| Move::new(from, rook, MoveKind::Castle));
            moves.extend(castled);
        }
        moves
    }

    /// UCI's text of a move that is legal here: castling as the king's step of two squares, or, in
    /// `chess960`, as king takes rook.
    #[must_use]
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        mv.to_uci(chess960).to_string()
    }
}

impl Move {
    /// The move in UCI's form: castling as the king's step to its target square, or, in
    /// `chess960`, as king takes rook.
    #[must_use]
    pub fn to_uci(self, chess960: bool) -> UciMove {
        if self.is_none() {
            return UciMove::Null;
        }
        let to = if chess960 { self.to() } else { self.landing() };
        UciMove::Normal { from: self.from(), to, promotion: self.promotion() }
    }
}
