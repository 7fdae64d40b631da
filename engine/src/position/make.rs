//! Making and unmaking moves in place.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

use super::Position;
use super::castling::{king_target, rook_target};
use super::square_table::Sums;
use super::state::State;
use crate::types::{Move, MoveKind, Piece};

/// Where the pawn stands that an en passant capture to `to` takes.
#[inline]
pub(super) fn en_passant_victim(to: Square) -> Square {
    Square::new(to as u32 ^ 8)
}

impl Position {
    /// Plays a move that is legal here. Key, `I_SCORE`, material, rights and the en passant square
    /// follow; [`Position::unmake`] takes it back.
    ///
    /// What is rare is called last, in place of a return: the usual move then saves no registers.
    pub fn make(&mut self, mv: Move) {
        if mv.is_plain() && !mv.is_capture() {
            self.make_plain::<false>(mv);
        } else {
            self.make_other(mv);
        }
    }

    #[inline(never)]
    fn make_other(&mut self, mv: Move) {
        if mv.is_plain() {
            self.make_plain::<true>(mv);
        } else {
            self.make_special(mv);
        }
    }

    #[inline(always)]
    fn make_plain<const CAPTURE: bool>(&mut self, mv: Move) {
        let us = self.turn();
        let Some((old, new)) = self.states.advance() else {
            return self.make_with_room(mv);
        };
        let (from, to) = (mv.from(), mv.to());
        let piece = self.men.at(from);
        let captured = if CAPTURE { self.men.at(to) } else { Piece::EMPTY };
        let halfmoves = old.halfmoves + 1;
        new.halfmoves = if CAPTURE || piece.is_pawn() { 0 } else { halfmoves };
        new.en_passant = None;
        new.captured = captured;
        if CAPTURE {
            self.men.flip(captured, us.other(), to);
        }
        self.men.relocate(piece, us, from, to, Piece::EMPTY);

        let lost = self.paths.lost(old.rights, from, to);
        new.rights = old.rights.without(lost);
        let table = &*self.table;
        let mut key = old.sums.key ^ table.white_turn ^ table.rights[lost.index()];
        if let Some(sq) = old.en_passant {
            key ^= table.en_passant[sq.file() as usize];
        }
        let (leaves, arrives) = (table.entry(piece, from), table.entry(piece, to));
        let taken = if CAPTURE { table.entry(captured, to) } else { Sums::ZERO };
        // Key first, then lanes: with fewer values at a time no register needs saving.
        new.sums.key = key ^ leaves.key ^ arrives.key ^ taken.key;
        new.sums.lanes = old.sums.lanes - leaves.lanes + arrives.lanes - taken.lanes;
        if !CAPTURE && mv.is_double_push() {
            return self.offer_en_passant(to);
        }
        self.debug_check();
    }

    #[cold]
    #[inline(never)]
    fn make_with_room(&mut self, mv: Move) {
        self.states.grow();
        self.make(mv);
    }

    /// En passant, castling, promotions.
    #[inline(never)]
    fn make_special(&mut self, mv: Move) {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some((old, new)) = self.states.advance() else {
            return self.make_with_room(mv);
        };
        let lost = self.paths.lost(old.rights, from, to);
        *new = State {
            sums: old.sums,
            halfmoves: old.halfmoves + 1,
            rights: old.rights.without(lost),
            en_passant: None,
            captured: Piece::EMPTY,
        };
        new.sums.key ^= self.table.white_turn ^ self.table.rights[lost.index()];
        if let Some(sq) = old.en_passant {
            new.sums.key ^= self.table.en_passant[sq.file() as usize];
        }
        if mv.kind() == MoveKind::Castle {
            self.castle(us, from, to);
        } else {
            if mv.is_capture() {
                let en_passant = mv.kind() == MoveKind::EnPassant;
                let sq = if en_passant { en_passant_victim(to) } else { to };
                let captured = self.men.at(sq);
                self.take(captured, us.other(), sq);
                self.state_mut().captured = captured;
            }
            self.state_mut().halfmoves = 0;
            self.take(Piece::new(us, Role::Pawn), us, from);
            self.put(Piece::new(us, mv.promotion().unwrap_or(Role::Pawn)), us, to);
        }
        self.debug_check();
    }

    /// Takes back the last move, which must be `mv`.
    pub fn unmake(&mut self, mv: Move) {
        if mv.is_plain() && !mv.is_capture() {
            if self.states.retreat() {
                let (from, to) = (mv.from(), mv.to());
                self.men.relocate(self.men.at(to), self.turn(), to, from, Piece::EMPTY);
            }
        } else {
            self.unmake_other(mv);
        }
    }

    #[inline(never)]
    fn unmake_other(&mut self, mv: Move) {
        if !mv.is_plain() {
            return self.unmake_special(mv);
        }
        let captured = self.state().captured.bounded();
        if self.states.retreat() {
            let (from, to) = (mv.from(), mv.to());
            self.men.flip(captured, self.turn().other(), to);
            self.men.relocate(self.men.at(to), self.turn(), to, from, captured);
        }
    }

    /// The counterpart of [`Position::make_special`].
    #[inline(never)]
    fn unmake_special(&mut self, mv: Move) {
        let captured = self.state().captured;
        if !self.states.retreat() {
            return;
        }
        let (us, them) = (self.turn(), self.turn().other());
        let (from, to) = (mv.from(), mv.to());
        let pawn = Piece::new(us, Role::Pawn);
        match mv.kind() {
            MoveKind::Castle => self.uncastle(us, from, to),
            MoveKind::EnPassant => {
                self.men.relocate(pawn, us, to, from, Piece::EMPTY);
                self.men.put(captured, them, en_passant_victim(to));
            }
            _ => {
                self.men.take(self.men.at(to), us, to);
                self.men.put(pawn, us, from);
                if mv.is_capture() {
                    self.men.put(captured, them, to);
                }
            }
        }
    }

    /// Plays a legal move for good, as a game does: like [`Position::make`], and the history keeps
    /// only what repetition still needs.
    pub fn play(&mut self, mv: Move) {
        self.make(mv);
        if self.state().halfmoves == 0 {
            self.plies += self.states.depth();
            self.states.forget_past();
        }
    }

    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let side = castling_side(king, rook);
        let (king_piece, rook_piece) = (Piece::new(us, Role::King), Piece::new(us, Role::Rook));
        self.take(king_piece, us, king);
        self.take(rook_piece, us, rook);
        self.put(king_piece, us, king_target(us, side));
        self.put(rook_piece, us, rook_target(us, side));
    }

    fn uncastle(&mut self, us: Color, king: Square, rook: Square) {
        let side = castling_side(king, rook);
        let (king_piece, rook_piece) = (Piece::new(us, Role::King), Piece::new(us, Role::Rook));
        self.men.take(king_piece, us, king_target(us, side));
        self.men.take(rook_piece, us, rook_target(us, side));
        self.men.put(king_piece, us, king);
        self.men.put(rook_piece, us, rook);
    }

    /// After a double step to `to`: the en passant square, if the side to move can legally use it.
    #[inline(never)]
    fn offer_en_passant(&mut self, to: Square) {
        let us = self.turn();
        let behind = en_passant_victim(to);
        let takers = attacks::pawn_attacks(us.other(), behind) & self.men_of(us, Role::Pawn);
        if takers.any() {
            return self.offer_to(takers, behind);
        }
        self.debug_check();
    }

    #[inline(never)]
    fn offer_to(&mut self, takers: Bitboard, behind: Square) {
        if self.can_take_en_passant(self.turn(), takers, behind) {
            let key = self.table.en_passant[behind.file() as usize];
            let state = self.state_mut();
            state.en_passant = Some(behind);
            state.sums.key ^= key;
        }
        self.debug_check();
    }

    /// Whether one of `takers`, pawns of `color`, can take on `target` without exposing their king.
    pub(super) fn can_take_en_passant(
        &self,
        color: Color,
        takers: Bitboard,
        target: Square,
    ) -> bool {
        takers.into_iter().any(|from| self.en_passant_is_safe(color, from, target))
    }

    /// Whether the king of `color` is safe after its pawn took en passant from `from` to `target`.
    pub(super) fn en_passant_is_safe(&self, color: Color, from: Square, target: Square) -> bool {
        let victim = Bitboard::from_square(en_passant_victim(target));
        let occupied = (self.occupied() ^ Bitboard::from_square(from) ^ victim)
            | Bitboard::from_square(target);
        let (king, them) = (self.king(color), color.other());
        let hidden = |sniper| (attacks::between(king, sniper) & occupied).any();
        (self.stepping_attackers(king, them) & !victim).is_empty()
            && self.snipers(king, them).into_iter().all(hidden)
    }

    /// In debug builds: what is kept incrementally must equal what the board says.
    #[inline]
    fn debug_check(&self) {
        debug_assert_eq!(self.state().sums, self.sums_from_scratch(), "sums of {}", self.fen());
    }
}

/// Which side a king castles to, by where its rook stands.
#[inline]
pub(super) fn castling_side(king: Square, rook: Square) -> CastlingSide {
    if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide }
}
