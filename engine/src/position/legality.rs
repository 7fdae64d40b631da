//! Is a move possible here, and does it leave the king safe? Asked of single moves, on demand
//! (GEN-16, GEN-17).

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use super::Position;
use super::attacks::Pins;
use super::castling::{Rights, king_target};
use super::make::{castling_side, en_passant_victim};
use crate::types::{Move, MoveKind};

/// The squares that a castling king crosses, its target included.
#[inline]
pub(crate) fn castling_path(us: Color, king: Square, rook: Square) -> Bitboard {
    let target = king_target(us, castling_side(king, rook));
    attacks::between(king, target) | Bitboard::from_square(target)
}

impl Position {
    /// Whether a pseudo-legal move leaves the own king safe (GEN-16). `pins` must be this
    /// position's.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, mv: Move, pins: &Pins) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.turn();
        match mv.kind() {
            MoveKind::EnPassant => self.en_passant_is_safe(us, from, to),
            MoveKind::Castle => pins.checkers.is_empty() && self.castling_is_safe(us, from, to),
            _ if from == pins.king => {
                let occupied = self.occupied() ^ Bitboard::from_square(from);
                !self.is_attacked(to, us.other(), occupied)
            }
            _ => {
                let leaves_line =
                    pins.pinned.contains(from) && !attacks::aligned(pins.king, from, to);
                !leaves_line && self.answers_check(to, pins)
            }
        }
    }

    /// Whether a move of a man other than the king to `to` ends every check.
    #[inline]
    fn answers_check(&self, to: Square, pins: &Pins) -> bool {
        match pins.checkers.single_square() {
            None => pins.checkers.is_empty(),
            Some(checker) => to == checker || attacks::between(pins.king, checker).contains(to),
        }
    }

    /// Whether the king of `us` crosses no attacked square when it castles.
    pub(crate) fn castling_is_safe(&self, us: Color, king: Square, rook: Square) -> bool {
        // The rook leaves its square: in Chess960 it may have been the king's shield.
        let occupied = self.occupied() ^ Bitboard::from_square(rook) ^ Bitboard::from_square(king);
        let path = castling_path(us, king, rook);
        path.into_iter().all(|sq| !self.is_attacked(sq, us.other(), occupied))
    }

    /// Whether the rights and the empty squares for castling are there.
    #[inline]
    pub(crate) fn can_castle(&self, side: CastlingSide) -> Option<Square> {
        let index = Rights::bit(self.turn(), side);
        let free = self.paths.empty[index] & self.occupied();
        (self.state().rights.has(index) && free.is_empty()).then(|| self.paths.rooks[index])
    }

    /// Whether a move from elsewhere (hash table, killer slot, another position) is pseudo-legal
    /// here, found without generating moves (GEN-17). Any 16 bits may be asked about.
    #[must_use]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        if Move::new(from, to, kind) != mv {
            return false; // a kind that does not exist
        }
        let us = self.turn();
        let piece = self.men.at(from);
        let (Some(color), Some(role)) = (piece.color(), piece.role()) else {
            return false;
        };
        if color != us {
            return false;
        }
        if kind == MoveKind::Castle {
            return role == Role::King && {
                let side = castling_side(from, to);
                self.can_castle(side) == Some(to)
            };
        }
        let target = self.men.at(to);
        let takes_enemy = target.color() == Some(us.other()) && target.role() != Some(Role::King);
        if mv.is_capture() && kind != MoveKind::EnPassant {
            if !takes_enemy {
                return false;
            }
        } else if !target.is_empty() {
            return false;
        }
        if role == Role::Pawn {
            return self.pawn_could(mv, us);
        }
        matches!(kind, MoveKind::Quiet | MoveKind::Capture)
            && attacks::attacks(from, role.of(us), self.occupied()).contains(to)
    }

    /// The pawn's part of [`Position::is_pseudo_legal`]; what stands on the target is known to fit.
    fn pawn_could(&self, mv: Move, us: Color) -> bool {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let last_rank = us.fold_wb(Rank::Eighth, Rank::First);
        if mv.is_promotion() != (to.rank() == last_rank) {
            return false;
        }
        let step = us.fold_wb(8, -8);
        match kind {
            MoveKind::EnPassant => {
                self.state().en_passant == Some(to)
                    && attacks::pawn_attacks(us, from).contains(to)
                    && self.men.at(en_passant_victim(to)).role() == Some(Role::Pawn)
            }
            MoveKind::DoublePush => {
                from.rank() == us.fold_wb(Rank::Second, Rank::Seventh)
                    && from.offset(2 * step) == Some(to)
                    && from.offset(step).is_some_and(|sq| self.men.at(sq).is_empty())
            }
            _ if mv.is_capture() => attacks::pawn_attacks(us, from).contains(to),
            _ => from.offset(step) == Some(to),
        }
    }
}
