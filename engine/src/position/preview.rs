//! What a move would do, known before it is made: whether it gives check, and what it makes of
//! `I_SCORE`. Lazy evaluation and futility pruning live on it (LAZ-01, LAZ-03, FUT-04).

use shakmaty::{Bitboard, Role, Square, attacks};

use super::Position;
use super::castling::{king_target, rook_target};
use super::make::{castling_side, en_passant_victim};
use crate::types::{Move, MoveKind, Piece, Score};

/// From where the side to move gives check, worked out once a position.
#[derive(Debug, Clone, Copy)]
pub struct CheckSquares {
    /// The enemy king.
    king: Square,
    /// The squares from which a pawn, knight, bishop, rook or queen attacks it.
    squares: [Bitboard; 5],
    /// Own men that stand between an own slider and the enemy king.
    shields: Bitboard,
}

impl CheckSquares {
    #[inline]
    fn of(&self, role: Role) -> Bitboard {
        match role {
            Role::King => Bitboard::EMPTY,
            role => self.squares[role as usize - 1],
        }
    }
}

impl Position {
    /// Where the side to move gives check from.
    #[must_use]
    pub fn check_squares(&self) -> CheckSquares {
        let (us, them) = (self.turn(), self.turn().other());
        let (king, occupied) = (self.king(them), self.occupied());
        let bishop = attacks::bishop_attacks(king, occupied);
        let rook = attacks::rook_attacks(king, occupied);
        let mut shields = Bitboard::EMPTY;
        for sniper in self.snipers(king, us) {
            let between = attacks::between(king, sniper) & occupied;
            if !between.more_than_one() {
                shields |= between & self.by_color(us);
            }
        }
        let squares = [
            attacks::pawn_attacks(them, king),
            attacks::knight_attacks(king),
            bishop,
            rook,
            bishop | rook,
        ];
        CheckSquares { king, squares, shields }
    }

    /// Whether a legal move gives check. `squares` must be this position's.
    #[inline]
    #[must_use]
    pub fn gives_check(&self, mv: Move, squares: &CheckSquares) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_plain() {
            return self.special_gives_check(mv, squares);
        }
        let role = self.men.at(from).role();
        role.is_some_and(|role| squares.of(role).contains(to))
            || squares.shields.contains(from) && !attacks::aligned(squares.king, from, to)
    }

    /// Castling, en passant and promotions: looked at on the board as it will be.
    #[inline(never)]
    fn special_gives_check(&self, mv: Move, squares: &CheckSquares) -> bool {
        let (us, king) = (self.turn(), squares.king);
        let square = Bitboard::from_square;
        let (from, to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle {
            let side = castling_side(from, to);
            let (king_to, rook_to) = (king_target(us, side), rook_target(us, side));
            let left = self.occupied() & !square(from) & !square(to);
            let occupied = left | square(king_to) | square(rook_to);
            return attacks::rook_attacks(rook_to, occupied).contains(king)
                || self.sliders_see(king, occupied & !square(rook_to), left);
        }
        let mut occupied = self.occupied() & !square(from) | square(to);
        if mv.kind() == MoveKind::EnPassant {
            occupied &= !square(en_passant_victim(to));
        }
        let arriving = mv.promotion().unwrap_or(Role::Pawn);
        attacks::attacks(to, arriving.of(us), occupied).contains(king)
            || self.sliders_see(king, occupied, !square(from))
    }

    /// Whether a slider of the side to move that stands on one of `still` sees the king.
    fn sliders_see(&self, king: Square, occupied: Bitboard, still: Bitboard) -> bool {
        let sliders = self.by_color(self.turn()) & still;
        (self.slider_attackers(king, occupied) & sliders).any()
    }

    /// What `I_SCORE` will be after a legal move, White minus Black (LAZ-01: updated as in make).
    #[inline]
    #[must_use]
    pub fn i_score_after(&self, mv: Move) -> Score {
        let (from, to, us) = (mv.from(), mv.to(), self.turn());
        let mut sums = self.state().sums;
        let piece = self.men.at(from);
        sums.remove(self.table.entry(piece, from));
        if mv.kind() == MoveKind::Castle {
            let side = castling_side(from, to);
            let rook = Piece::new(us, Role::Rook);
            sums.remove(self.table.entry(rook, to));
            sums.add(self.table.entry(rook, rook_target(us, side)));
            sums.add(self.table.entry(piece, king_target(us, side)));
            return sums.i_score();
        }
        if mv.is_capture() {
            let sq = if mv.kind() == MoveKind::EnPassant { en_passant_victim(to) } else { to };
            sums.remove(self.table.entry(self.men.at(sq), sq));
        }
        let arriving = mv.promotion().map_or(piece, |role| Piece::new(us, role));
        sums.add(self.table.entry(arriving, to));
        sums.i_score()
    }

    /// The man that a move takes; [`Piece::EMPTY`] when it takes none.
    #[inline]
    #[must_use]
    pub fn taken_by(&self, mv: Move) -> Piece {
        match mv.kind() {
            MoveKind::EnPassant => self.men.at(en_passant_victim(mv.to())),
            _ if mv.is_capture() => self.men.at(mv.to()),
            _ => Piece::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::params::Params;

    /// Every legal move of every bench position, and of what follows each: the preview says what
    /// making the move then shows.
    #[test]
    fn previews_come_true() {
        let table = Arc::new(crate::eval::square_table(&Params::default()));
        let more = [
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "r3k2r/8/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
            "5k2/P1P5/8/8/8/8/8/K7 w - - 0 1",
            "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
        ];
        let mut checks = 0;
        for fen in crate::bench::POSITIONS.iter().chain(&more) {
            let mut position = Position::from_fen(fen).expect(fen);
            position.set_table(&table);
            checks += compare(&mut position, 2);
        }
        assert!(checks > 500, "{checks}");
    }

    fn compare(position: &mut Position, depth: u32) -> u32 {
        let squares = position.check_squares();
        let mut moves: Vec<Move> = Vec::new();
        position.legal_moves(&mut moves);
        let mut checks = 0;
        for mv in moves {
            let said = (position.gives_check(mv, &squares), position.i_score_after(mv));
            let fen = position.fen();
            position.make(mv);
            assert_eq!(said, (position.in_check(), position.i_score()), "{fen} {mv:?}");
            checks += u32::from(said.0);
            if depth > 1 {
                checks += compare(position, depth - 1);
            }
            position.unmake(mv);
        }
        checks
    }
}
