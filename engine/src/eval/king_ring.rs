//! The squares around a king, for king safety and the shelter; those off the board are missing
//! (AMB-13).

use shakmaty::attacks;

use super::spans::{beside, step};
use crate::types::{Bitboard, Color, Square};

/// The squares around a king.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring {
    /// The king's square and its neighbours on the rank.
    pub(super) band: Bitboard,
    /// Beside and behind the king (KSF-04).
    pub(super) near: Bitboard,
    /// The three squares before it (KSF-05).
    pub(super) front: Bitboard,
    /// The three squares two ranks before it (KSF-03).
    pub(super) outer: Bitboard,
}

impl Ring {
    /// Around a king of a colour.
    #[inline]
    pub(super) fn of(color: Color, king: Square) -> Ring {
        let square = Bitboard::from_square(king);
        let band = square | beside(square);
        let front = step(color, band);
        Ring { band, near: attacks::king_attacks(king) & !front, front, outer: step(color, front) }
    }
}
