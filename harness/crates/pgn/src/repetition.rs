//! How often a position of a game has occurred.

use shakmaty::{Bitboard, Board, Chess, EnPassantMode, Position as _, Square};

/// So many occurrences draw a game.
pub(crate) const DRAWN: usize = 3;

#[derive(Debug, Clone)]
pub(crate) struct Repetitions {
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
    pub(crate) fn new(start: &Chess) -> Repetitions {
        Repetitions { seen: vec![Seen::of(start)] }
    }

    /// A move has led here.
    pub(crate) fn push(&mut self, position: &Chess) {
        if position.halfmoves() == 0 {
            self.seen.clear();
        }
        self.seen.push(Seen::of(position));
    }

    /// How often the present position has occurred.
    pub(crate) fn occurrences(&self) -> usize {
        let Some((now, before)) = self.seen.split_last() else { return 0 };
        // Those before with the same side to move.
        let before = before.rchunks_exact(2).map(|moves| &moves[0]);
        1 + before.filter(|seen| *seen == now).count()
    }
}
