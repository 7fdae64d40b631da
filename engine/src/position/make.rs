//! Making and unmaking moves in place.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

use super::Position;
use super::board::State;
use super::castling::{Rights, king_target, rook_target};
use crate::types::{Move, MoveKind, Piece};

/// Where the pawn stands that an en passant capture to `to` takes.
#[inline]
pub(super) fn en_passant_victim(to: Square) -> Square {
    Square::new(to as u32 ^ 8)
}

impl Position {
    /// Plays a move that is legal here. Key, `I_SCORE`, material, rights and the en passant square
    /// follow; [`Position::unmake`] takes it back.
    pub fn make(&mut self, mv: Move) {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let piece = self.squares[from as usize];
        let mut before = self.state;
        self.state.halfmoves += 1;
        self.state.key ^= self.table.white_turn;
        if let Some(sq) = self.state.en_passant.take() {
            self.state.key ^= self.table.en_passant[sq.file() as usize];
        }
        match mv.kind() {
            MoveKind::Quiet => {
                if piece.is_pawn() {
                    self.state.halfmoves = 0;
                }
                self.shift(piece, us, from, to);
            }
            MoveKind::Capture => {
                before.captured = self.capture(us, to);
                self.shift(piece, us, from, to);
            }
            MoveKind::DoublePush => {
                self.state.halfmoves = 0;
                self.shift(piece, us, from, to);
                self.offer_en_passant(us, to);
            }
            MoveKind::EnPassant => {
                before.captured = self.capture(us, en_passant_victim(to));
                self.shift(piece, us, from, to);
            }
            MoveKind::Castle => self.castle(us, from, to),
            _ => {
                if mv.is_capture() {
                    before.captured = self.capture(us, to);
                }
                self.state.halfmoves = 0;
                self.take(piece, us, from);
                let role = mv.promotion().unwrap_or(Role::Queen);
                self.put(Piece::new(us, role), us, to);
            }
        }
        let kept = before.rights.0 & self.paths.keep[from as usize] & self.paths.keep[to as usize];
        if kept != before.rights.0 {
            self.change_rights(before.rights, Rights(kept));
        }
        self.fullmoves += us.fold_wb(0, 1);
        self.turn = us.other();
        self.history.push(before);
        self.debug_check(mv);
    }

    /// Takes back the last move, which must be `mv`.
    pub fn unmake(&mut self, mv: Move) {
        let Some(state) = self.history.pop() else {
            debug_assert!(false, "nothing to unmake");
            return;
        };
        let us = self.turn.other();
        self.turn = us;
        self.fullmoves -= us.fold_wb(0, 1);
        let (from, to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle {
            self.uncastle(us, from, to);
        } else {
            let moved = self.squares[to as usize];
            if mv.is_promotion() {
                let (pawn, bit) = (Piece::new(us, Role::Pawn), Bitboard::from_square(to));
                self.codes[moved.index()] ^= bit;
                self.codes[pawn.index()] ^= bit;
                self.relocate(pawn, us, to, from);
            } else {
                self.relocate(moved, us, to, from);
            }
            if mv.is_capture() {
                let sq =
                    if mv.kind() == MoveKind::EnPassant { en_passant_victim(to) } else { to };
                let bit = Bitboard::from_square(sq);
                self.colors[us.other() as usize] ^= bit;
                self.codes[state.captured.index()] ^= bit;
                self.squares[sq as usize] = state.captured;
            }
        }
        self.state = State { captured: Piece::EMPTY, ..state };
    }

    /// Plays a legal move for good, as a game does: like [`Position::make`], and the history keeps
    /// only what repetition still needs.
    pub fn play(&mut self, mv: Move) {
        self.make(mv);
        if self.state.halfmoves == 0 {
            self.history.clear();
        }
    }

    #[inline]
    fn capture(&mut self, us: Color, sq: Square) -> Piece {
        let captured = self.squares[sq as usize];
        self.take(captured, us.other(), sq);
        self.state.halfmoves = 0;
        captured
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
        self.take(king_piece, us, king_target(us, side));
        self.take(rook_piece, us, rook_target(us, side));
        self.put(king_piece, us, king);
        self.put(rook_piece, us, rook);
    }

    #[inline(never)]
    fn change_rights(&mut self, before: Rights, after: Rights) {
        for index in 0..4 {
            if before.has(index) && !after.has(index) {
                self.state.key ^= self.table.castling[index];
            }
        }
        self.state.rights = after;
    }

    /// After a double step of `us` to `to`: the en passant square, if somebody can legally use it.
    #[inline]
    fn offer_en_passant(&mut self, us: Color, to: Square) {
        let behind = en_passant_victim(to);
        let takers = attacks::pawn_attacks(us, behind) & self.men_of(us.other(), Role::Pawn);
        if takers.any() && self.can_take_en_passant(us.other(), takers, behind) {
            self.state.en_passant = Some(behind);
            self.state.key ^= self.table.en_passant[behind.file() as usize];
        }
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
        let them = self.colors[color.other() as usize] & !victim;
        (self.attackers(self.king(color), occupied) & them).is_empty()
    }

    /// In debug builds: what is kept incrementally must equal what the board says.
    #[inline]
    fn debug_check(&self, mv: Move) {
        debug_assert_eq!(self.state.key, self.key_from_scratch(), "key after {mv:?}");
        debug_assert_eq!(
            (self.state.i_score, self.state.material, self.state.men),
            self.sums_from_scratch(),
            "I_SCORE, material and men after {mv:?}"
        );
    }
}

/// Which side a king castles to, by where its rook stands.
#[inline]
pub(super) fn castling_side(king: Square, rook: Square) -> CastlingSide {
    if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide }
}
