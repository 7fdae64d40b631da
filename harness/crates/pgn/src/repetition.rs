//! How often a position of a game has occurred.

use shakmaty::{Bitboard, Board, Chess, EnPassantMode, Position as _, Square};

/// So many occurrences draw a game.
pub const DRAWN: usize = 3;

#[derive(Debug, Clone)]
pub struct Repetitions {
    /// All positions since the last capture or pawn move, the present one last.
    seen: Vec<Seen>,
}

/// What must be the same in a position that occurs again, but for the side to move. To compare it costs
/// less than a hash.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    board: Board,
    castling: Bitboard,
    en_passant: Option<Square>,
}

impl Seen {
    fn of(position: &Chess) -> Seen {
        Seen {
            board: position.board().clone(),
            castling: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::Legal),
        }
    }
}

impl Repetitions {
    pub fn new(start: &Chess) -> Repetitions {
        Repetitions { seen: vec![Seen::of(start)] }
    }

    /// A move has led here.
    pub fn push(&mut self, position: &Chess) {
        if position.halfmoves() == 0 {
            self.seen.clear();
        }
        self.seen.push(Seen::of(position));
    }

    /// How often the present position has occurred, with the same side to move, castling rights
    /// and en passant captures.
    pub fn occurrences(&self) -> usize {
        let before = self.seen.iter().rev().step_by(2);
        self.seen.last().map_or(0, |now| before.filter(|seen| *seen == now).count())
    }
}
