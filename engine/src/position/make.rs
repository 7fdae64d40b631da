//! Making and unmaking moves in place.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

use super::Position;
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
        self.history.push(self.state);
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let piece = self.squares[from as usize];
        let rights = self.state.rights;
        self.state.captured = Piece::EMPTY;
        self.state.halfmoves += 1;
        if let Some(sq) = self.state.en_passant.take() {
            self.state.sums.key ^= self.table.en_passant[sq.file() as usize];
        }
        if mv.is_plain() {
            let mut sums = self.state.sums;
            if mv.is_capture() {
                let captured = self.squares[to as usize];
                self.state.captured = captured;
                self.state.halfmoves = 0;
                sums.remove(self.table.entry(captured, to));
                self.flip(captured, us.other(), to);
            } else if piece.is_pawn() {
                self.state.halfmoves = 0;
            }
            sums.remove(self.table.entry(piece, from));
            sums.add(self.table.entry(piece, to));
            sums.key ^= self.table.white_turn;
            self.state.sums = sums;
            self.relocate(piece, us, from, to);
            if mv.is_double_push() {
                self.offer_en_passant(us, to);
            }
        } else {
            self.state.sums.key ^= self.table.white_turn;
            self.make_special(mv, us, piece);
        }
        let kept = rights.0 & self.paths.keep[from as usize] & self.paths.keep[to as usize];
        if kept != rights.0 {
            self.state.sums.key ^= self.rights_key(Rights(rights.0 ^ kept));
            self.state.rights = Rights(kept);
        }
        self.plies += 1;
        self.turn = us.other();
        self.debug_check(mv);
    }

    /// The rare kinds of moves: en passant, castling, promotions.
    #[inline(never)]
    fn make_special(&mut self, mv: Move, us: Color, piece: Piece) {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::EnPassant => {
                self.capture(us, en_passant_victim(to));
                self.shift(piece, us, from, to);
            }
            MoveKind::Castle => self.castle(us, from, to),
            _ => {
                if mv.is_capture() {
                    self.capture(us, to);
                }
                self.state.halfmoves = 0;
                self.take(piece, us, from);
                self.put(Piece::new(us, mv.promotion().unwrap_or(Role::Queen)), us, to);
            }
        }
    }

    /// Takes back the last move, which must be `mv`.
    pub fn unmake(&mut self, mv: Move) {
        let captured = self.state.captured;
        let Some(state) = self.history.pop() else {
            debug_assert!(false, "nothing to unmake");
            return;
        };
        let us = self.turn.other();
        self.turn = us;
        self.plies -= 1;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_plain() {
            self.relocate(self.squares[to as usize], us, to, from);
            if mv.is_capture() {
                self.restore(captured, us.other(), to);
            }
        } else {
            self.unmake_special(mv, us, captured);
        }
        self.state = state;
    }

    #[inline(never)]
    fn unmake_special(&mut self, mv: Move, us: Color, captured: Piece) {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Castle => self.uncastle(us, from, to),
            MoveKind::EnPassant => {
                self.relocate(Piece::new(us, Role::Pawn), us, to, from);
                self.restore(captured, us.other(), en_passant_victim(to));
            }
            _ => {
                let (standing, pawn) = (self.squares[to as usize], Piece::new(us, Role::Pawn));
                let bit = Bitboard::from_square(to);
                self.codes[standing.index()] ^= bit;
                self.codes[pawn.index()] ^= bit;
                self.relocate(pawn, us, to, from);
                if mv.is_capture() {
                    self.restore(captured, us.other(), to);
                }
            }
        }
    }

    /// Puts a captured man back on the board, and nothing else.
    #[inline]
    fn restore(&mut self, captured: Piece, color: Color, sq: Square) {
        self.flip(captured, color, sq);
        self.squares[sq as usize] = captured;
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
    fn capture(&mut self, us: Color, sq: Square) {
        let captured = self.squares[sq as usize];
        self.take(captured, us.other(), sq);
        self.state.halfmoves = 0;
        self.state.captured = captured;
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

    /// The keys of rights that are lost.
    fn rights_key(&self, lost: Rights) -> u64 {
        (0..4)
            .filter(|&index| lost.has(index))
            .fold(0, |key, index| key ^ self.table.castling[index])
    }

    /// After a double step of `us` to `to`: the en passant square, if somebody can legally use it.
    #[inline]
    fn offer_en_passant(&mut self, us: Color, to: Square) {
        let behind = en_passant_victim(to);
        let takers = attacks::pawn_attacks(us, behind) & self.men_of(us.other(), Role::Pawn);
        if takers.any() && self.can_take_en_passant(us.other(), takers, behind) {
            self.state.en_passant = Some(behind);
            self.state.sums.key ^= self.table.en_passant[behind.file() as usize];
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
        debug_assert_eq!(self.state.sums, self.sums_from_scratch(), "key and sums after {mv:?}");
    }
}

/// Which side a king castles to, by where its rook stands.
#[inline]
pub(super) fn castling_side(king: Square, rook: Square) -> CastlingSide {
    if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide }
}
