//! King safety, shelter, mobility, initiative and mate threats over many positions: both colours
//! are judged alike, and a mate that is announced is one.

use std::sync::Arc;

use crate::common::color_flipped;
use engine::eval::{Evaluation, Evaluator, LineFacts, NoTrace, Term};
use engine::types::{Color, MoveKind, Role};
use engine::{Move, Params, Position};

const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2kr3r/pppq1ppp/2n1bn2/3pp3/1b1PP3/2NBBN2/PPP1QPPP/R4RK1 w - - 0 1",
    "r1b2rk1/pp2qp1p/6pQ/8/3n4/8/PBP2PPP/3R1RK1 b - - 0 1",
    "rnbq1b1r/ppppp1pp/8/3k4/4n1Q1/8/PPPP1PPP/RNB1K1NR w KQ - 4 6",
    "3r2k1/1q3ppp/8/8/8/1Q6/5PPP/3R2K1 w - - 0 1",
];

/// Positions from random games, the same on every machine.
fn positions(games: usize) -> Vec<Position> {
    let mut seed: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut found = Vec::new();
    for game in 0..games {
        let mut position = Position::from_fen(STARTS[game % STARTS.len()]).expect("legal");
        for _ in 0..80 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[random(moves.len())]);
            found.push(position.clone());
        }
    }
    found
}

fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn evaluation(evaluator: &Evaluator, position: &Position) -> Evaluation {
    let mut position = position.clone();
    position.set_table(&evaluator.table);
    evaluator.evaluate(&position, LineFacts::default(), None, &mut NoTrace)
}

/// EVA-12, KSF-11: the flipped position has every term of White for Black and the other way round,
/// and the search is told the same dangers.
#[test]
fn both_colours_are_judged_alike() {
    const TERMS: [Term; 8] = [
        Term::KingSafety,
        Term::Castling,
        Term::OppositeKings,
        Term::Mobility,
        Term::QueenMobility,
        Term::KnightMinimum,
        Term::BishopMinimum,
        Term::Initiative,
    ];
    let mut split = Params::default();
    split.mobility.split = true;
    split.queen_mobility.on = true;
    split.king_safety.endgame = 37;
    for params in [Params::default(), split] {
        let evaluator = Evaluator::new(&Arc::new(params));
        let mut seen = [false; TERMS.len()];
        for position in positions(28) {
            let fen = position.fen();
            let other = Position::from_fen(&color_flipped(&fen)).expect("legal");
            let (here, there) = (evaluator.breakdown(&position), evaluator.breakdown(&other));
            for (index, term) in TERMS.into_iter().enumerate() {
                for color in [Color::White, Color::Black] {
                    let points = here.of(term, color);
                    assert_eq!(points, there.of(term, color.other()), "{term:?} {color} {fen}");
                    seen[index] |= points.mg() != 0 || points.eg() != 0;
                }
            }
            let (here, there) = (evaluation(&evaluator, &position), evaluation(&evaluator, &other));
            assert_eq!(here.king_danger.white, there.king_danger.black, "{fen}");
            assert_eq!(here.mates.white.is_some(), there.mates.black.is_some(), "{fen}");
        }
        let missing =
            TERMS.iter().zip(seen).find(|(term, seen)| !seen && **term != Term::QueenMobility);
        assert_eq!(missing, None, "every term was met");
    }
}

/// Whether the move is legal and leaves no reply to a check.
fn mates(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    legal_moves(position).contains(&mv) && {
        after.play(mv);
        after.in_check() && legal_moves(&after).is_empty()
    }
}

/// EVA-13, ORD-20, MISS-15: what is announced is mate, for the side to move at once and for the
/// other if the move were passed to it.
#[test]
fn announced_mates_are_mates() {
    let evaluator = Evaluator::new(&Arc::new(Params::default()));
    let (mut at_once, mut threats, mut missed) = (0, 0, 0);
    for position in positions(700) {
        let fen = position.fen();
        let found = evaluation(&evaluator, &position).mates;
        let turn = position.turn();
        if let Some(mv) = found[turn] {
            assert!(mates(&position, mv), "{mv:?} {fen}");
            at_once += 1;
        } else if contact_mate(&position) {
            missed += 1;
        }
        let Some(threat) = found[turn.other()] else { continue };
        if position.in_check() {
            continue;
        }
        let turns = [" w ", " b "];
        let (from, to) = if turn == Color::White { (0, 1) } else { (1, 0) };
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[3] = "-";
        let passed = fields.join(" ").replacen(turns[from], turns[to], 1);
        let passed = Position::from_fen(&passed).expect("legal");
        assert!(mates(&passed, threat), "threat {threat:?} {fen}");
        threats += 1;
    }
    assert!(at_once > 50 && threats > 50, "{at_once} mates, {threats} threats");
    assert!(missed * 10 < at_once, "{missed} missed, {at_once} found");
}

/// Whether a queen that moves next to the king mates, with nobody behind to be uncovered.
fn contact_mate(position: &Position) -> bool {
    let king = position.king(position.turn().other());
    legal_moves(position).into_iter().any(|mv| {
        let near = king.distance(mv.to()) == 1;
        let queen = position.piece_at(mv.from()).role() == Some(Role::Queen);
        let plain = matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture);
        near && queen && plain && mates(position, mv)
    })
}

/// KSF-12: the whole evaluation prefers 4...Kg8 to 4...Ke6 and 5...Kd5 by more than a pawn.
#[test]
fn alekhine_line() {
    for personality in ["default", "rebel"] {
        let params = Params::personality(personality).expect("known");
        let evaluator = Evaluator::new(&Arc::new(params));
        let value = |fen| {
            let position = Position::from_fen(fen).expect("legal");
            evaluation(&evaluator, &position).value.binary()
        };
        let centre = value("rnbq1b1r/ppppp1pp/8/3k4/4n1Q1/8/PPPP1PPP/RNB1K1NR w KQ - 4 6");
        let home = value("rnbq1bkr/ppppp1pp/8/7Q/4n3/8/PPPP1PPP/RNB1K1NR w KQ - 3 5");
        assert!(centre - home > 256, "{personality}: {centre} and {home}");
    }
}
