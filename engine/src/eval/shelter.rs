//! The king's shelter: its pawns as steps of king safety, castling, and storms between kings that
//! castled to opposite wings. The papers name these and leave them out (KSF-10).

use super::context::Context;
use super::king_ring::Ring;
use super::spans::{beside, files, step};
use super::trace::{Sum, Term, Trace};
use crate::position::CastlingSide;
use crate::types::{Bitboard, ByColor, Color, Role, Score, relative_square};

/// Steps of king safety for the pawns before the king of `color`: shield (MISS-03) and rams
/// (MISS-04).
#[inline]
pub(super) fn steps(cx: &Context<'_>, color: Color, ring: &Ring) -> i32 {
    let params = &cx.params.shelter;
    let pawns = cx.men(color, Role::Pawn);
    let (first, second) = (pawns & ring.front, pawns & ring.outer);
    let count = |squares: Bitboard| squares.count() as i32;
    let mut halves = 0;
    // At the board's end there is no room for a shield (AMB-13).
    if params.shield && ring.front.any() {
        let enemy = color.other();
        let covered = step(enemy, first);
        let advanced = step(enemy, step(enemy, second)) & !covered;
        halves += params.advanced * count(advanced);
        halves += params.missing * count(ring.band & !covered & !advanced);
    }
    if params.rams {
        let (stable, levers) = rams(cx, color, first | second);
        halves += params.ram * count(stable) + params.lever * count(levers);
    }
    // Halves are dropped alike for both colours.
    halves >> 1
}

/// Of the pawns of `color` in `shield`: those that stand head-on against an enemy pawn, and those
/// that an enemy pawn can take now or after one step, which would open the file.
#[inline]
fn rams(cx: &Context<'_>, color: Color, shield: Bitboard) -> (Bitboard, Bitboard) {
    let enemy = color.other();
    let enemies = cx.men(enemy, Role::Pawn);
    let facing = step(enemy, enemies);
    let soon = step(enemy, beside(facing & !cx.occupied));
    (shield & facing, shield & (cx.pawn_control(enemy) | soon))
}

/// Castling and opposite kings, each as long as the enemy has a queen: without one REBEL leaves the
/// king to its search (KSF-08).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    if !cx.params.castling.on && !cx.params.opposite_kings.on {
        return;
    }
    let queens = ByColor::new_with(|color| cx.men(color, Role::Queen).any());
    if !queens.white && !queens.black {
        return;
    }
    let wing = ByColor::new_with(|color| castled(cx, color));
    if cx.params.castling.on {
        let points = ByColor::new_with(|color: Color| {
            if queens[color.other()] { castling(cx, color, wing[color]) } else { 0 }
        });
        sum.add_both(Term::Castling, points.map(|value| Score::new(value, 0)));
    }
    let opposite = wing.white.is_some() && wing.black.is_some() && wing.white != wing.black;
    if cx.params.opposite_kings.on && opposite {
        let points = ByColor::new_with(|color| if queens[color] { storm(cx, color) } else { 0 });
        sum.add_both(Term::OppositeKings, points.map(|value| Score::new(value, 0)));
    }
}

/// The wing where the king of `color` stands as if castled: a-, b-, c- or g-, h-file, on its first
/// two ranks, no own rook shut in behind it.
#[inline]
fn castled(cx: &Context<'_>, color: Color) -> Option<CastlingSide> {
    let king = relative_square(color, cx.position.king(color)) as u32;
    if king >= 16 {
        return None;
    }
    let rooks = cx.men(color, Role::Rook).0;
    let back = color.fold_wb(rooks, rooks >> 56) & 0xff;
    match king & 7 {
        file @ 0..=2 => (back & ((1 << file) - 1) == 0).then_some(CastlingSide::QueenSide),
        file @ 6..=7 => (back >> (file + 1) == 0).then_some(CastlingSide::KingSide),
        _ => None,
    }
}

/// Points of `color` for castling, 1/256 pawn (MISS-05).
#[inline]
fn castling(cx: &Context<'_>, color: Color, wing: Option<CastlingSide>) -> i32 {
    let params = &cx.params.castling;
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    if sides.iter().any(|&side| cx.position.castling_rook(color, side).is_some()) {
        params.rights
    } else if wing.is_some() {
        params.castled
    } else if centre_is_open(cx) {
        -params.lost
    } else {
        0
    }
}

/// Whether no pawn is left on the d-file or on the e-file.
#[inline]
fn centre_is_open(cx: &Context<'_>) -> bool {
    const D_FILE: u64 = 0x0808_0808_0808_0808;
    let pawns = cx.position.by_role(Role::Pawn).0;
    pawns & D_FILE == 0 || pawns & (D_FILE << 1) == 0
}

/// Points of `color` for its pawns that can still run at the enemy king, 1/256 pawn (MISS-06).
#[inline]
fn storm(cx: &Context<'_>, color: Color) -> i32 {
    let enemy = color.other();
    let king = Bitboard::from_square(cx.position.king(enemy));
    let rammed = step(enemy, cx.men(enemy, Role::Pawn));
    let runners = cx.men(color, Role::Pawn) & files(king | beside(king)) & !rammed;
    let rank = |sq| relative_square(color, sq).rank() as usize;
    runners.into_iter().map(|sq| cx.params.opposite_kings.storm[rank(sq)]).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::Evaluator;
    use crate::eval::testing::context;
    use crate::{Params, Position};

    /// Steps of the white king's shelter.
    fn white_steps(params: &Params, fen: &str) -> i32 {
        let evaluator = Evaluator::new(&Arc::new(params.clone()));
        let position = Position::from_fen(fen).expect(fen);
        let cx = context(&evaluator, &position);
        steps(&cx, Color::White, &Ring::of(Color::White, position.king(Color::White)))
    }

    fn points(params: &Params, fen: &str, term: Term) -> [i32; 2] {
        let evaluator = Evaluator::new(&Arc::new(params.clone()));
        let breakdown = evaluator.breakdown(&Position::from_fen(fen).expect(fen));
        Color::ALL.map(|color| breakdown.of(term, color).mg())
    }

    /// MISS-03, KSF-10: two half steps a missing pawn, one an advanced one, halves dropped.
    #[test]
    fn shield() {
        let steps = |fen| white_steps(&Params::default(), fen);
        assert_eq!(steps("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1"), 0);
        assert_eq!(steps("4k3/8/8/8/8/7P/5PP1/6K1 w - - 0 1"), 0, "one luft is free");
        assert_eq!(steps("4k3/8/8/8/8/6PP/5P2/6K1 w - - 0 1"), 1);
        assert_eq!(steps("4k3/8/8/8/6P1/8/5P1P/6K1 w - - 0 1"), 1, "the g-pawn is gone too far");
        assert_eq!(steps("4k3/8/8/8/8/7P/8/6K1 w - - 0 1"), 2);
        assert_eq!(steps("4k3/8/8/8/8/8/8/6K1 w - - 0 1"), 3);
        assert_eq!(steps("4k3/8/8/8/8/8/8/7K w - - 0 1"), 2, "two files at the edge");
        assert_eq!(steps("6K1/8/8/8/8/8/8/4k3 w - - 0 1"), 0, "AMB-13");
        let mut off = Params::default();
        off.shelter.shield = false;
        assert_eq!(white_steps(&off, "4k3/8/8/8/8/8/8/6K1 w - - 0 1"), 0);
    }

    /// MISS-04.
    #[test]
    fn rams_and_levers() {
        let mut params = Params::default();
        params.shelter.shield = false;
        // h3 is blocked by h4: half a step less, which floors to a whole one.
        let ram = "4k3/8/8/8/7p/7P/5PP1/6K1 w - - 0 1";
        assert_eq!(white_steps(&params, ram), -1);
        // g4 attacks h3 now, and f2 after a step; g5 attacks h3 after a step; g6 is too far.
        for (fen, steps) in [
            ("4k3/8/8/8/6p1/7P/5PP1/6K1 w - - 0 1", 2),
            ("4k3/8/8/6p1/8/7P/5PP1/6K1 w - - 0 1", 1),
            ("4k3/8/6p1/8/8/7P/5PP1/6K1 w - - 0 1", 0),
            ("4k3/8/8/6p1/6N1/7P/5PP1/6K1 w - - 0 1", 0),
        ] {
            assert_eq!(white_steps(&params, fen), steps, "{fen}");
        }
        params.shelter.rams = false;
        assert_eq!(white_steps(&params, ram), 0);
    }

    /// MISS-05.
    #[test]
    fn castling_by_what_is_left_of_it() {
        let mut params = Params::default();
        let points = |params: &Params, fen| points(params, fen, Term::Castling);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(points(&params, start), [12, 12]);
        // White castled; Black walked with a closed centre, then with an open d-file.
        let closed = "3q1k1r/ppp2ppp/3p4/4p3/4P3/3P4/PPP2PPP/3Q1RK1 w - - 0 1";
        let open = "3q1k1r/ppp2ppp/8/4p3/4P3/8/PPP2PPP/3Q1RK1 w - - 0 1";
        assert_eq!(points(&params, closed), [32, 0]);
        assert_eq!(points(&params, open), [32, -24]);
        // A rook shut in is no castling; nor does it matter without the enemy's queen.
        let shut_in = "3q2k1/ppp2ppp/8/4p3/4P3/8/PPP2PPP/6KR w - - 0 1";
        assert_eq!(points(&params, shut_in), [-24, 0]);
        params.castling.on = false;
        assert_eq!(points(&params, open), [0, 0]);
    }

    /// MISS-06: pawns on the enemy king's files, by their ranks, unless an enemy pawn stops them.
    #[test]
    fn storms_at_opposite_wings() {
        let mut params = Params::default();
        let points = |params: &Params, fen| points(params, fen, Term::OppositeKings);
        // White: f3, g4, h5 against Kg8: 4 + 12 + 24. Black: a5, b5 against Kc1: 12, c7: 0; its
        // pawn b5 on the fourth rank seen from its side counts 12, too.
        let opposite = "r4rk1/2p2ppp/8/pp5P/3q2P1/3Q1P2/PPP5/2KR3R w - - 0 1";
        assert_eq!(points(&params, opposite), [40, 12]);
        let rammed = "r4rk1/2p2pp1/7p/pp5P/3q2P1/3Q1P2/PPP5/2KR3R w - - 0 1";
        assert_eq!(points(&params, rammed), [16, 12]);
        let same = "2kr3r/2p2ppp/8/pp5P/3q2P1/3Q1P2/PPP5/2KR3R w - - 0 1";
        assert_eq!(points(&params, same), [0, 0]);
        params.opposite_kings.on = false;
        assert_eq!(points(&params, opposite), [0, 0]);
    }
}
