//! Piece codes 0..12, unbroken (GEN-05).

use shakmaty::{Color, Role};

/// What stands on a square: 0 empty, 1–6 white P N B R Q K, 7–12 black P N B R Q K (GEN-05).
///
/// Unbroken codes make every table indexed by piece dense, and a `match` a jump table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Piece(u8);

impl Piece {
    /// An empty square.
    pub const EMPTY: Piece = Piece(0);
    /// How many codes there are: the size of tables indexed by piece.
    pub const CODES: usize = 13;

    const LETTERS: [char; Piece::CODES] =
        ['.', 'P', 'N', 'B', 'R', 'Q', 'K', 'p', 'n', 'b', 'r', 'q', 'k'];

    /// The code of a man.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Piece {
        Piece(role as u8 + if matches!(color, Color::White) { 0 } else { 6 })
    }

    /// The code 0..12.
    #[inline]
    #[must_use]
    pub const fn code(self) -> usize {
        self.0 as usize
    }

    /// The code as an index into tables of 16, which needs no bounds check.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The same man, known to the compiler to need no bounds check in tables of 16.
    #[inline]
    pub(crate) const fn bounded(self) -> Piece {
        Piece(self.0 & 15)
    }

    /// Whether it is a pawn, of either colour.
    #[inline]
    #[must_use]
    pub const fn is_pawn(self) -> bool {
        1 << self.index() & 0b1000_0010 != 0
    }

    /// Whether the square is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The man's role; `None` for an empty square.
    #[inline]
    #[must_use]
    pub const fn role(self) -> Option<Role> {
        match self.0 {
            1 | 7 => Some(Role::Pawn),
            2 | 8 => Some(Role::Knight),
            3 | 9 => Some(Role::Bishop),
            4 | 10 => Some(Role::Rook),
            5 | 11 => Some(Role::Queen),
            6 | 12 => Some(Role::King),
            _ => None,
        }
    }

    /// The man's colour; `None` for an empty square.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self.0 {
            1..=6 => Some(Color::White),
            7..=12 => Some(Color::Black),
            _ => None,
        }
    }

    /// All men, white first, in code order.
    pub fn all() -> impl Iterator<Item = (Piece, Color, Role)> {
        [Color::White, Color::Black].into_iter().flat_map(|color| {
            Role::ALL.into_iter().map(move |role| (Piece::new(color, role), color, role))
        })
    }

    /// The letter of a FEN; `.` for an empty square.
    #[must_use]
    pub fn letter(self) -> char {
        Piece::LETTERS[self.code()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_papers() {
        let letters: String = (0..13).map(|code| Piece(code).letter()).collect();
        assert_eq!(letters, ".PNBRQKpnbrqk");
        for (index, (piece, color, role)) in Piece::all().enumerate() {
            assert_eq!(piece.code(), index + 1);
            assert_eq!((piece.color(), piece.role()), (Some(color), Some(role)));
        }
        assert_eq!((Piece::EMPTY.color(), Piece::EMPTY.role()), (None, None));
    }
}
