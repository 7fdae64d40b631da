//! Sets of squares before, behind and beside pawns.

use crate::types::{Bitboard, Color, Square};

/// Every square straight ahead of the given ones, to the board's end.
#[inline]
#[must_use]
pub(super) fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    match color {
        Color::White => {
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
            Bitboard(fill << 8)
        }
        Color::Black => {
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
            Bitboard(fill >> 8)
        }
    }
}

/// The squares one step ahead.
#[inline]
#[must_use]
pub(super) fn step(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(color.fold_wb(squares.0 << 8, squares.0 >> 8))
}

/// The squares one file to the left and right.
#[inline]
#[must_use]
pub(super) fn beside(squares: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    Bitboard((squares.0 & NOT_A) >> 1 | (squares.0 & NOT_H) << 1)
}

/// Every square of the files that the given ones stand on.
#[inline]
#[must_use]
pub(super) fn files(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill >> 32;
    fill |= fill >> 16;
    fill |= fill >> 8;
    Bitboard((fill & 0xff) * 0x0101_0101_0101_0101)
}

/// Every square of one square's file.
#[inline]
#[must_use]
pub(super) fn file_of(sq: Square) -> Bitboard {
    Bitboard(0x0101_0101_0101_0101 << (sq as u32 & 7))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn sets_stay_on_the_board() {
        let corner = set(&[Square::A7, Square::H2]);
        assert_eq!(step(Color::White, corner), set(&[Square::A8, Square::H3]));
        assert_eq!(step(Color::Black, corner), set(&[Square::A6, Square::H1]));
        assert_eq!(ahead(Color::White, set(&[Square::D6])), set(&[Square::D7, Square::D8]));
        assert_eq!(ahead(Color::Black, set(&[Square::D3])), set(&[Square::D2, Square::D1]));
        assert_eq!(beside(corner), set(&[Square::B7, Square::G2]));
        assert_eq!(files(set(&[Square::C4])).count(), 8);
        assert_eq!(files(set(&[Square::H4])), file_of(Square::H7));
    }
}
