//! Who attacks what: checkers, pins, attackers of a square.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::Position;

/// The men that may not leave the line to their own king, for one position and side to move.
#[derive(Debug, Clone, Copy)]
pub struct Pins {
    pub(super) king: Square,
    pub(super) pinned: Bitboard,
    pub(super) checkers: Bitboard,
}

impl Pins {
    /// The square of the king that moves next.
    #[inline]
    #[must_use]
    pub fn king(&self) -> Square {
        self.king
    }

    /// The side to move's men that shield their king.
    #[inline]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The men that give check.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }
}

impl Position {
    /// The men of both colours that attack a square, through the given occupancy.
    #[inline]
    #[must_use]
    pub fn attackers(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        self.slider_attackers(sq, occupied)
            | attacks::knight_attacks(sq) & self.by_role(Role::Knight)
            | attacks::king_attacks(sq) & self.by_role(Role::King)
            | attacks::pawn_attacks(Color::Black, sq) & self.men_of(Color::White, Role::Pawn)
            | attacks::pawn_attacks(Color::White, sq) & self.men_of(Color::Black, Role::Pawn)
    }

    /// The sliders of both colours that attack a square, through the given occupancy.
    #[inline]
    pub(super) fn slider_attackers(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        attacks::bishop_attacks(sq, occupied) & (self.by_role(Role::Bishop) | queens)
            | attacks::rook_attacks(sq, occupied) & (self.by_role(Role::Rook) | queens)
    }

    /// The men of one colour that attack a square, through the given occupancy.
    #[inline]
    #[must_use]
    pub fn attackers_of(&self, sq: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.men_of(by, Role::Queen);
        attacks::knight_attacks(sq) & self.men_of(by, Role::Knight)
            | attacks::pawn_attacks(by.other(), sq) & self.men_of(by, Role::Pawn)
            | attacks::king_attacks(sq) & self.men_of(by, Role::King)
            | attacks::rook_attacks(sq, occupied) & (self.men_of(by, Role::Rook) | queens)
            | attacks::bishop_attacks(sq, occupied) & (self.men_of(by, Role::Bishop) | queens)
    }

    /// Whether `by` attacks a square, through the given occupancy.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, sq: Square, by: Color, occupied: Bitboard) -> bool {
        let steppers = attacks::knight_attacks(sq) & self.men_of(by, Role::Knight)
            | attacks::pawn_attacks(by.other(), sq) & self.men_of(by, Role::Pawn)
            | attacks::king_attacks(sq) & self.men_of(by, Role::King);
        if steppers.any() {
            return true;
        }
        let queens = self.men_of(by, Role::Queen);
        let straight = self.men_of(by, Role::Rook) | queens;
        let diagonal = self.men_of(by, Role::Bishop) | queens;
        (attacks::rook_attacks(sq, occupied) & straight).any()
            || (attacks::bishop_attacks(sq, occupied) & diagonal).any()
    }

    /// The squares that `by` attacks, through the given occupancy.
    #[inline]
    pub(crate) fn attacked_by(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let pawns = self.men_of(by, Role::Pawn);
        let (east, west) = (pawns & !FILE_H, pawns & !FILE_A);
        let mut attacked = attacks::king_attacks(self.king(by))
            | match by {
                Color::White => Bitboard(east.0 << 9 | west.0 << 7),
                Color::Black => Bitboard(east.0 >> 7 | west.0 >> 9),
            };
        for sq in self.men_of(by, Role::Knight) {
            attacked |= attacks::knight_attacks(sq);
        }
        let queens = self.men_of(by, Role::Queen);
        for sq in self.men_of(by, Role::Rook) | queens {
            attacked |= attacks::rook_attacks(sq, occupied);
        }
        for sq in self.men_of(by, Role::Bishop) | queens {
            attacked |= attacks::bishop_attacks(sq, occupied);
        }
        attacked
    }

    /// Whether the pieces of `of`, all but king and pawns, have `least` moves together; pinned ones
    /// move as the others do.
    #[inline]
    pub(crate) fn pieces_have_moves(&self, of: Color, least: usize) -> bool {
        let (own, occupied) = (self.by_color(of), self.occupied());
        let mut moves = 0;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for sq in self.men_of(of, role) {
                if moves >= least {
                    return true;
                }
                moves += (attacks::attacks(sq, role.of(of), occupied) & !own).count();
            }
        }
        moves >= least
    }

    /// The men that give check to the side to move.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.attackers_of(self.king(self.turn()), self.turn().other(), self.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.turn()), self.turn().other(), self.occupied())
    }

    /// The sliders of `by` that would attack a square if nothing stood between.
    #[inline]
    pub(super) fn snipers(&self, sq: Square, by: Color) -> Bitboard {
        let queens = self.men_of(by, Role::Queen);
        attacks::rook_attacks(sq, Bitboard::EMPTY) & (self.men_of(by, Role::Rook) | queens)
            | attacks::bishop_attacks(sq, Bitboard::EMPTY)
                & (self.men_of(by, Role::Bishop) | queens)
    }

    /// The knights and pawns of `by` that attack a square.
    #[inline]
    pub(super) fn stepping_attackers(&self, sq: Square, by: Color) -> Bitboard {
        attacks::knight_attacks(sq) & self.men_of(by, Role::Knight)
            | attacks::pawn_attacks(by.other(), sq) & self.men_of(by, Role::Pawn)
    }

    /// Checkers and pinned men of the side to move, both from one look along the king's lines.
    #[inline]
    #[must_use]
    pub fn pins(&self) -> Pins {
        let (us, them) = (self.turn(), self.turn().other());
        let king = self.king(us);
        let mut checkers = self.stepping_attackers(king, them);
        let mut pinned = Bitboard::EMPTY;
        let occupied = self.occupied();
        for sniper in self.snipers(king, them) {
            let shield = attacks::between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= Bitboard::from_square(sniper);
            } else if !shield.more_than_one() {
                pinned |= shield & self.by_color(us);
            }
        }
        Pins { king, pinned, checkers }
    }
}

pub(crate) const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
pub(crate) const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
