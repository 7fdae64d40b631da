//! Castling rights and paths, Chess960 included.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

pub use shakmaty::CastlingSide;

/// The four rights as bits: white king side 1, white queen side 2, black 4 and 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Rights(pub(super) u8);

impl Rights {
    /// The bit of one right, as an index 0..4.
    #[inline]
    pub(super) const fn bit(color: Color, side: CastlingSide) -> usize {
        (if matches!(color, Color::White) { 0 } else { 2 })
            + if matches!(side, CastlingSide::KingSide) { 0 } else { 1 }
    }

    /// The set as an index into tables of 16, which needs no bounds check.
    #[inline]
    pub(super) const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The set without the rights that are lost.
    #[inline]
    pub(super) const fn without(self, lost: Rights) -> Rights {
        Rights(self.0 & !lost.0)
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
    /// Rights that a move from or to each square loses.
    loses: [u8; 64],
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
            loses: [0; 64],
            chess960: false,
        }
    }

    /// Those of some rights that a move loses.
    #[inline]
    pub(super) const fn lost(&self, rights: Rights, from: Square, to: Square) -> Rights {
        Rights(rights.0 & (self.loses[from as usize] | self.loses[to as usize]))
    }

    /// Allows one right: the king on `king`, its rook on `rook`.
    pub(super) fn add(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        let index = Rights::bit(color, side);
        let (king_to, rook_to) = (king_target(color, side), rook_target(color, side));
        let path = attacks::between(king, king_to)
            | attacks::between(rook, rook_to)
            | Bitboard::from_square(king_to)
            | Bitboard::from_square(rook_to);
        self.rooks[index] = rook;
        self.empty[index] = path & !Bitboard::from_square(king) & !Bitboard::from_square(rook);
        self.loses[king as usize] |= 1 << index;
        self.loses[rook as usize] |= 1 << index;
        let usual_rook = if matches!(side, CastlingSide::KingSide) { File::H } else { File::A };
        self.chess960 |= king.file() != File::E || rook.file() != usual_rook;
    }
}
