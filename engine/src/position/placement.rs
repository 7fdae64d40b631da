//! Which man stands where.

use shakmaty::{Bitboard, Color, Square};

use crate::types::Piece;

/// The board, held three times: by colour, by piece code (winglet's twelve bitboards, GEN-20) and
/// by square. Bitboards serve the generator and SEE, the codes by square (GEN-05) serve make,
/// captures and every table. Piece lists (GEN-10..13) were Mediocre's way to avoid scanning 64
/// squares; bitboards give the same walk with nothing to maintain.
#[derive(Debug, Clone)]
pub(super) struct Placement {
    pub(super) colors: [Bitboard; 2],
    /// By piece code; 16 for an index without bounds check.
    pub(super) codes: [Bitboard; 16],
    pub(super) squares: [Piece; 64],
}

impl Placement {
    pub(super) const EMPTY: Placement = Placement {
        colors: [Bitboard::EMPTY; 2],
        codes: [Bitboard::EMPTY; 16],
        squares: [Piece::EMPTY; 64],
    };

    /// What stands on a square.
    #[inline]
    pub(super) const fn at(&self, sq: Square) -> Piece {
        self.squares[sq as usize].bounded()
    }

    /// Adds a man to its bitboards, or takes it out.
    #[inline]
    pub(super) fn flip(&mut self, piece: Piece, color: Color, sq: Square) {
        let bit = Bitboard::from_square(sq);
        self.colors[color as usize] ^= bit;
        self.codes[piece.index()] ^= bit;
    }

    /// Puts a man on an empty square.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, color: Color, sq: Square) {
        self.flip(piece, color, sq);
        self.squares[sq as usize] = piece;
    }

    /// Takes a man off the board.
    #[inline]
    pub(super) fn take(&mut self, piece: Piece, color: Color, sq: Square) {
        self.flip(piece, color, sq);
        self.squares[sq as usize] = Piece::EMPTY;
    }

    /// Moves a man to a square where no bitboard has a man, and leaves another, or none, behind:
    /// what it took, when the move is taken back.
    #[inline]
    pub(super) fn relocate(
        &mut self,
        piece: Piece,
        color: Color,
        from: Square,
        to: Square,
        left: Piece,
    ) {
        let bits = Bitboard(1 << from as u32 | 1 << to as u32);
        self.colors[color as usize] ^= bits;
        self.codes[piece.index()] ^= bits;
        self.squares[from as usize] = left;
        self.squares[to as usize] = piece;
    }
}
