use std::sync::Arc;

use super::*;
use crate::eval::Evaluator;
use crate::eval::testing::context;
use crate::{Params, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn found(fen: &str) -> ByColor<Found> {
    found_with(Params::default(), fen)
}

fn found_with(params: Params, fen: &str) -> ByColor<Found> {
    let evaluator = Evaluator::new(&Arc::new(params));
    let position = Position::from_fen(fen).expect(fen);
    let cx = context(&evaluator, &position);
    ByColor::new_with(|color| Found::of(&cx, color))
}

fn steps(fen: &str) -> i32 {
    found(fen).white.steps
}

fn term(params: &Params, fen: &str, term: Term) -> [i32; 2] {
    let evaluator = Evaluator::new(&Arc::new(params.clone()));
    let breakdown = evaluator.breakdown(&Position::from_fen(fen).expect(fen));
    Color::ALL.map(|color| breakdown.of(term, color).mg())
}

/// MOB-01: equal at the start, so nothing.
#[test]
fn start_position() {
    let both = found(START);
    assert_eq!(both.white, both.black);
    assert_eq!(term(&Params::default(), START, Term::Mobility), [0, 0]);
    // Each knight reaches a 4 and a 0; bishops stand behind own pawns; each rook sees the whole
    // back rank, a square of it directly and the rest through own pieces.
    assert_eq!(both.white.steps, 4 + 4 + 7 + 7);
}

/// MOB-02, AMB-54: 0, 2 or 4 a square; nothing for own men and empty squares that an enemy pawn
/// controls; an enemy man counts though a pawn guards it.
#[test]
fn knights() {
    // From e4: c3, c5, d6, f6 are worth 4, d2, f2, g3, g5 are worth 2.
    assert_eq!(steps("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"), 24);
    assert_eq!(steps("4k3/8/8/8/4N3/2P3P1/8/4K3 w - - 0 1"), 24 - 4 - 2);
    assert_eq!(steps("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"), 2 + 2, "b3 and c2");
    // The pawn on e7 controls d6 and f6; a knight on d6, though guarded, may be taken.
    assert_eq!(steps("4k3/4p3/8/8/4N3/8/8/4K3 w - - 0 1"), 24 - 4 - 4);
    assert_eq!(steps("4k3/4p3/3n4/8/4N3/8/8/4K3 w - - 0 1"), 24 - 4);
}

/// MOB-03: the bishop on g2 keeps its diagonal behind the knight on f3, not behind a pawn; an
/// enemy man ends it, and counts.
#[test]
fn bishops() {
    let alone = "4k3/8/8/8/8/6P1/5P1P/6BK w - - 0 1";
    assert_eq!(steps(alone), 0);
    let open = steps("4k3/8/8/8/8/8/6B1/4K3 w - - 0 1");
    assert_eq!(open, 6 + 1 + 1 + 1);
    let knight = found("4k3/8/8/8/8/5N2/6B1/4K3 w - - 0 1").white.steps;
    let knight_moves = steps("4k3/8/8/8/8/5N2/8/4K3 w - - 0 1");
    assert_eq!(knight - knight_moves, open);
    assert_eq!(steps("4k3/8/8/8/8/5P2/6B1/4K3 w - - 0 1"), 3);
    assert_eq!(steps("4k3/8/8/3p4/8/8/6B1/4K3 w - - 0 1"), 3 + 3);
    let mut params = Params::default();
    params.mobility.xray = false;
    let without = found_with(params, "4k3/8/8/8/8/5N2/6B1/4K3 w - - 0 1").white.steps;
    assert_eq!(without - knight_moves, 3 + 1, "f3 is controlled, not beyond");
}

/// MOB-04: 2 a square on the file, 1 on the rank, 1 behind own pieces.
#[test]
fn rooks() {
    let mut params = Params::default();
    params.mobility.open_file = false;
    params.mobility.half_open_file = false;
    let steps = |fen| found_with(params.clone(), fen).white.steps;
    assert_eq!(steps("4k3/8/8/8/2R5/8/8/4K3 w - - 0 1"), 7 * 2 + 7);
    // The queen on c6 is controlled; c7 and c8 lie behind her.
    assert_eq!(steps("7k/8/2Q5/8/2R5/8/8/4K3 w - - 0 1"), 5 * 2 + 7 + 2);
    assert_eq!(steps("4k3/8/2P5/8/2R5/8/8/4K3 w - - 0 1"), 4 * 2 + 7);
    assert_eq!(steps("4k3/8/2p5/8/2R5/8/8/4K3 w - - 0 1"), 5 * 2 + 7);
}

/// MOB-05, MOB-06, AMB-53: own pawns / 2 + 1 and own pawns + 1, the printed code.
#[test]
fn files() {
    let mut without = Params::default();
    without.mobility.open_file = false;
    without.mobility.half_open_file = false;
    let gain = |fen: &str| steps(fen) - found_with(without.clone(), fen).white.steps;
    assert_eq!(gain("4k3/3p4/8/8/8/8/PPP2PPP/3RK3 w - - 0 1"), 6 / 2 + 1);
    assert_eq!(gain("4k3/3p4/8/8/8/8/PP3PPP/3RK3 w - - 0 1"), 5 / 2 + 1);
    assert_eq!(gain("4k3/4pppp/8/8/8/8/PP3PPP/3RK3 w - - 0 1"), 5 + 1);
    assert_eq!(gain("4k3/4pppp/8/8/8/3P4/PP3PPP/3RK3 w - - 0 1"), 0);
}

/// MOB-07: 16 steps are 44, 43 are a pawn, beyond the table 999.
#[test]
fn joint_table() {
    let params = Params::default().mobility;
    let joint = |white, black| points(&params, ByColor { white, black });
    assert_eq!(joint(50, 34), ByColor { white: 44, black: 0 });
    assert_eq!(joint(34, 50), ByColor { white: 0, black: 44 });
    assert_eq!(joint(43, 0).white, 256);
    assert_eq!(joint(500, 0).white, 999);
    assert_eq!(joint(7, 7), ByColor::default());
}

/// MOB-08, PRO-12, AMB-83, MISS-21: each side by itself, the table lowered.
#[test]
fn split_table() {
    let mut params = Params::default().mobility;
    params.split = true;
    params.split_scale = 100;
    let steps = ByColor { white: 43, black: 16 };
    assert_eq!(points(&params, steps), ByColor { white: 256, black: 44 });
    params.split_scale = 50;
    assert_eq!(points(&params, steps), ByColor { white: 128, black: 22 });
}

/// MOB-09, MOB-10, AMB-55: the target squares are tested, the bishop's one by one.
#[test]
fn minimum() {
    let knight = |fen| found(fen).white.knight_penalty;
    // a1: b3 and c2; a pawn on a4 takes b3 away, an own man on c2 the other.
    assert_eq!(knight("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"), 12);
    assert_eq!(knight("4k3/8/8/8/p7/8/8/N3K3 w - - 0 1"), 25);
    assert_eq!(knight("4k3/8/8/8/p7/8/2P5/N3K3 w - - 0 1"), 64);
    assert_eq!(knight("4k3/8/8/8/p7/1p6/2P5/N3K3 w - - 0 1"), 25, "an enemy man may be taken");
    assert_eq!(knight("4k3/8/8/8/8/8/8/3KN3 w - - 0 1"), 0);
    let bishop = |fen| found(fen).white.bishop_penalty;
    assert_eq!(bishop("4k3/8/8/8/8/8/1P1P4/2B1K3 w - - 0 1"), 60);
    assert_eq!(bishop("4k3/8/8/8/8/1P6/3P4/2B1K3 w - - 0 1"), 50, "b2 and a3");
    assert_eq!(bishop("4k3/8/8/8/8/8/3P4/B3K3 w - - 0 1"), 0, "seven squares");
    assert_eq!(bishop("4k3/8/8/6p1/3P4/8/8/B3K3 w - - 0 1"), 50);
    assert_eq!(bishop("4k3/8/8/3P4/8/2N5/8/B3K3 w - - 0 1"), 60, "no look through the knight");
}

#[test]
fn switches() {
    let fen = "4k3/8/8/8/p7/8/1PPP4/N1B1K2Q w - - 0 1";
    let terms = [Term::Mobility, Term::KnightMinimum, Term::BishopMinimum, Term::QueenMobility];
    let mut params = Params::default();
    params.queen_mobility.on = true;
    params.mobility.split = true;
    let values = |params: &Params| terms.map(|name| term(params, fen, name)[0]);
    // No step for anyone; Qh1: f1, g1, h2..h8 and the diagonal to a8.
    assert_eq!(values(&params), [0, -64, -60, 2 + 7 + 7]);
    params.mobility.on = false;
    params.minimum_mobility.knights = false;
    params.minimum_mobility.bishops = false;
    params.queen_mobility.on = false;
    assert_eq!(values(&params), [0; 4]);
    assert!(!Params::default().queen_mobility.on, "MISS-20: off unless asked for");
}
