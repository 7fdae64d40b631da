//! Castling rights and paths, Chess960 included.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

pub use shakmaty::CastlingSide;

/// The four rights as bits: white king side 1, white queen side 2, black 4 and 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Rights(pub(super) u8);

impl Rights {
    /// The bit of one right, as an index 0..4.
    #[inline]
    pub(super) const fn index(color: Color, side: CastlingSide) -> usize {
        (if matches!(color, Color::White) { 0 } else { 2 })
            + if matches!(side, CastlingSide::KingSide) { 0 } else { 1 }
    }

    #[inline]
    pub(super) const fn has(self, index: usize) -> bool {
        self.0 & 1 << index != 0
    }
}

/// Everything about castling that is fixed when the game starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CastlingPaths {
    /// Rook's start square of each right.
    pub(super) rooks: [Square; 4],
    /// Squares that must be empty for each right, the king and the rook aside.
    pub(super) empty: [Bitboard; 4],
    /// Rights that survive a move from or to each square.
    pub(super) keep: [u8; 64],
    /// Whether kings and rooks start elsewhere than in the usual game.
    pub(super) chess960: bool,
}

/// Where the king ends.
pub(super) const fn king_target(color: Color, side: CastlingSide) -> Square {
    let file = if matches!(side, CastlingSide::KingSide) { File::G } else { File::C };
    Square::from_coords(file, home_rank(color))
}

/// Where the rook ends.
pub(super) const fn rook_target(color: Color, side: CastlingSide) -> Square {
    let file = if matches!(side, CastlingSide::KingSide) { File::F } else { File::D };
    Square::from_coords(file, home_rank(color))
}

const fn home_rank(color: Color) -> Rank {
    if matches!(color, Color::White) { Rank::First } else { Rank::Eighth }
}

impl CastlingPaths {
    /// No castling at all.
    pub(super) fn none() -> CastlingPaths {
        CastlingPaths {
            rooks: [Square::A1; 4],
            empty: [Bitboard::EMPTY; 4],
            keep: [0b1111; 64],
            chess960: false,
        }
    }

    /// Allows one right: the king on `king`, its rook on `rook`.
    pub(super) fn add(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        let index = Rights::index(color, side);
        let (king_to, rook_to) = (king_target(color, side), rook_target(color, side));
        let path = attacks::between(king, king_to)
            | attacks::between(rook, rook_to)
            | Bitboard::from_square(king_to)
            | Bitboard::from_square(rook_to);
        self.rooks[index] = rook;
        self.empty[index] = path & !Bitboard::from_square(king) & !Bitboard::from_square(rook);
        self.keep[king as usize] &= !(1 << index);
        self.keep[rook as usize] &= !(1 << index);
        let usual_rook = if matches!(side, CastlingSide::KingSide) { File::H } else { File::A };
        self.chess960 |= king.file() != File::E || rook.file() != usual_rook;
    }
}
