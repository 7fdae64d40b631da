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
        let sliders = self.slider_attackers(sq, occupied);
        let white_pawns =
            attacks::pawn_attacks(Color::Black, sq) & self.colors[Color::White as usize];
        let black_pawns =
            attacks::pawn_attacks(Color::White, sq) & self.colors[Color::Black as usize];
        sliders
            | attacks::knight_attacks(sq) & self.roles[Role::Knight as usize]
            | attacks::king_attacks(sq) & self.roles[Role::King as usize]
            | (white_pawns | black_pawns) & self.roles[Role::Pawn as usize]
    }

    /// The sliders of both colours that attack a square, through the given occupancy.
    #[inline]
    pub(super) fn slider_attackers(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.roles[Role::Queen as usize];
        attacks::bishop_attacks(sq, occupied) & (self.roles[Role::Bishop as usize] | queens)
            | attacks::rook_attacks(sq, occupied) & (self.roles[Role::Rook as usize] | queens)
    }

    /// Whether `by` attacks a square, through the given occupancy.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, sq: Square, by: Color, occupied: Bitboard) -> bool {
        let them = self.colors[by as usize];
        let steppers = attacks::knight_attacks(sq) & self.roles[Role::Knight as usize]
            | attacks::pawn_attacks(by.other(), sq) & self.roles[Role::Pawn as usize]
            | attacks::king_attacks(sq) & self.roles[Role::King as usize];
        if (steppers & them).any() {
            return true;
        }
        let queens = self.roles[Role::Queen as usize];
        let straight = them & (self.roles[Role::Rook as usize] | queens);
        let diagonal = them & (self.roles[Role::Bishop as usize] | queens);
        (attacks::rook_attacks(sq, occupied) & straight).any()
            || (attacks::bishop_attacks(sq, occupied) & diagonal).any()
    }

    /// The men that give check to the side to move.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), self.occupied())
            & self.colors[self.turn.other() as usize]
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.turn), self.turn.other(), self.occupied())
    }

    /// Checkers and pinned men of the side to move.
    #[inline]
    #[must_use]
    pub fn pins(&self) -> Pins {
        let king = self.king(self.turn);
        Pins { king, pinned: self.pinned_to(king, self.turn), checkers: self.checkers() }
    }

    /// The men of `color` that alone stand between `king` and an enemy slider.
    #[inline]
    pub(super) fn pinned_to(&self, king: Square, color: Color) -> Bitboard {
        let them = self.colors[color.other() as usize];
        let queens = self.roles[Role::Queen as usize];
        let snipers = them
            & (attacks::rook_attacks(king, Bitboard::EMPTY)
                & (self.roles[Role::Rook as usize] | queens)
                | attacks::bishop_attacks(king, Bitboard::EMPTY)
                    & (self.roles[Role::Bishop as usize] | queens));
        let occupied = self.occupied();
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & occupied;
            if shield.any() && !shield.more_than_one() {
                pinned |= shield & self.colors[color as usize];
            }
        }
        pinned
    }
}
