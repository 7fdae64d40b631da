//! Each pattern by positions: where it mates, and where one man more or less lets the king live.

use std::sync::Arc;

use super::*;
use crate::eval::{Evaluator, LineFacts, NoTrace};
use crate::{Params, Position};

/// The mates of both colours as text.
fn mates_with(params: Params, fen: &str) -> [Option<String>; 2] {
    let evaluator = Evaluator::new(&Arc::new(params));
    let mut position = Position::from_fen(fen).expect(fen);
    position.set_table(&evaluator.table);
    let found = evaluator.evaluate(&position, LineFacts::default(), None, &mut NoTrace).mates;
    Color::ALL.map(|color| found[color].map(|mv| mv.to_uci(false).to_string()))
}

fn white(fen: &str) -> Option<String> {
    mates_with(Params::default(), fen)[0].clone()
}

const QG7: &str = "r4rk1/pp2qp1p/6pQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1";

/// The paper's mate, ORD-20: White mates with Qg7; with Black to move it is a threat, which
/// 1...f6, 1...Qe5 and 1...Qf6 meet and other moves do not.
#[test]
fn the_papers_mate() {
    assert_eq!(white(QG7).as_deref(), Some("h6g7"));
    assert_eq!(white(&QG7.replace(" w ", " b ")).as_deref(), Some("h6g7"));
    assert_eq!(white("r4rk1/pp2q2p/5ppQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1"), None, "f6");
    assert_eq!(white("r4rk1/pp3p1p/6pQ/4q3/8/8/PBP2PPP/3R2K1 w - - 0 1"), None, "Qe5");
    assert_eq!(white("r4rk1/pp3p1p/5qpQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1"), None, "Qf6");
    let other = "r4rk1/p3qp1p/1p4pQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1";
    assert_eq!(white(other).as_deref(), Some("h6g7"));
}

#[test]
fn the_queen_must_be_safe_and_the_king_shut_in() {
    let plain = "5rk1/7p/5Q1P/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(white(plain).as_deref(), Some("f6g7"));
    assert_eq!(white("6k1/7p/5Q1P/8/8/8/8/4K3 w - - 0 1"), Some("f6g7".to_owned()));
    // Without the pawn's support, with the queen pinned, with a bishop behind her that takes
    // once she has moved, with a flight on d8.
    assert_eq!(white("5rk1/7p/5Q2/8/8/8/8/4K3 w - - 0 1"), None);
    assert_eq!(white("5rk1/7p/5Q1P/8/8/8/8/5K2 w - - 0 1"), None);
    assert_eq!(white("5rk1/5p1p/5Q1P/4b3/8/8/8/1K6 w - - 0 1"), None);
    assert_eq!(white("4k3/5p2/6Q1/6N1/8/8/8/4K3 w - - 0 1"), None);
}

#[test]
fn back_rank() {
    assert_eq!(white("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").as_deref(), Some("a1a8"));
    assert_eq!(white("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1").as_deref(), Some("a1a8"));
    assert_eq!(white("r5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Some("a1a8".to_owned()), "takes");
    // Luft, a knight that guards a8, a bishop that interposes on d8, a rook that comes back.
    assert_eq!(white("6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1"), None);
    assert_eq!(white("6k1/2n2ppp/8/8/8/8/8/R5K1 w - - 0 1"), None);
    assert_eq!(white("6k1/5ppp/8/6b1/8/8/8/R5K1 w - - 0 1"), None);
    assert_eq!(white("6k1/5ppp/8/8/8/3r4/8/R5K1 w - - 0 1"), None);
    // A bishop covers the luft.
    let covered = "6k1/5pp1/7p/8/8/3B4/8/R5K1 w - - 0 1";
    assert_eq!(white(covered).as_deref(), Some("a1a8"));
    // Black, too.
    let black = "r5k1/8/8/8/8/8/5PPP/6K1 w - - 0 1";
    assert_eq!(mates_with(Params::default(), black)[1].as_deref(), Some("a8a1"));
}

#[test]
fn switches() {
    let back_rank = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let mut params = Params::default();
    params.mate_threat.queen = false;
    assert_eq!(mates_with(params.clone(), QG7)[0], None);
    assert!(mates_with(params.clone(), back_rank)[0].is_some());
    params.mate_threat.queen = true;
    params.mate_threat.back_rank = false;
    assert_eq!(mates_with(params.clone(), back_rank)[0], None);
    assert!(mates_with(params.clone(), QG7)[0].is_some());
    params.mate_threat.on = false;
    assert_eq!(mates_with(params, QG7)[0], None);
}

/// Where each pattern of the table mates, and a neighbour of that position where it does not.
const BY_PATTERN: [(&str, &str, &str, &str); 12] = [
    // The rook on b3 keeps the king on its file; on b4 it is lost.
    ("two_rooks", "8/8/8/k7/8/1R6/8/2R4K w - - 0 1", "c1a1", "8/8/8/k7/1R6/8/8/2R4K w - - 0 1"),
    // The knight takes g6 and g8; elsewhere it does not.
    ("two_rooks", "8/4N1pk/8/8/8/3R4/8/K7 w - - 0 1", "d3h3", "8/6pk/4N3/8/8/3R4/8/K7 w - - 0 1"),
    // A pawn that promotes comes between.
    ("two_rooks", "8/8/8/8/8/R4N2/5K2/7k w - - 0 1", "a3a1", "8/8/8/8/8/R4N2/2p2K2/7k w - - 0 1"),
    ("rook", "7k/1R6/5N2/8/8/8/8/K7 w - - 0 1", "b7h7", "7k/1R6/8/5N2/8/8/8/K7 w - - 0 1"),
    ("rook", "6rk/1R6/8/8/4B3/8/8/K7 w - - 0 1", "b7h7", "5r1k/1R6/8/8/4B3/8/8/K7 w - - 0 1"),
    (
        "battery",
        "5rk1/5pp1/8/8/8/3Q4/2B5/6K1 w - - 0 1",
        "d3h7",
        "5rk1/5pp1/8/8/8/3Q4/3B4/6K1 w - - 0 1",
    ),
    ("battery", "5rk1/5pp1/8/8/8/7Q/8/6KR w - - 0 1", "h3h7", "5rk1/5pp1/8/8/8/7Q/8/6KN w - - 0 1"),
    ("smothered", "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "g5f7", "7k/6pp/8/6N1/8/8/8/6K1 w - - 0 1"),
    (
        "smothered",
        "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
        "g5f7",
        "6rk/6pp/8/6N1/8/5r2/8/6K1 w - - 0 1",
    ),
    (
        "bishop",
        "2kr4/p2p4/8/8/5B2/8/4B3/6K1 w - - 0 1",
        "e2a6",
        "2kr4/p2p4/8/8/6B1/8/4B3/6K1 w - - 0 1",
    ),
    ("queen_far", "3rkr2/8/8/8/8/7Q/8/6K1 w - - 0 1", "h3e6", "3rk3/8/8/8/8/7Q/8/6K1 w - - 0 1"),
    ("queen_far", "3rkr2/8/8/8/8/7Q/8/6K1 w - - 0 1", "h3e6", "3rkr2/8/8/2n5/8/7Q/8/6K1 w - - 0 1"),
];

/// The plain parameters without a pattern, and one of them.
fn only_pattern(name: &str) -> Params {
    let mut params = Params::default();
    (params.mate_threat.queen, params.mate_threat.back_rank) = (false, false);
    if !name.is_empty() {
        params.set(&format!("mate_threat.{name}"), "true").expect(name);
    }
    params
}

/// Each by its own switch.
#[test]
fn every_pattern_of_the_table() {
    for (name, mates, mv, lives) in BY_PATTERN {
        let found = |params, fen: &str| mates_with(params, fen)[0].clone();
        assert_eq!(found(only_pattern(name), mates).as_deref(), Some(mv), "{name}: {mates}");
        assert_eq!(found(only_pattern(""), mates), None, "off: {mates}");
        assert_eq!(found(only_pattern(name), lives), None, "{name}: {lives}");
    }
}

/// Whatever the patterns call a mate is one: in games of chance from positions with bare kings and
/// many pieces, where mates abound.
#[test]
fn what_they_find_is_mate() {
    let mut params = only_pattern("");
    for (name, ..) in BY_PATTERN {
        params.set(&format!("mate_threat.{name}"), "true").expect(name);
    }
    params.mate_threat.back_rank = true;
    let evaluator = Evaluator::new(&Arc::new(params));
    let mut chance = 1_u64;
    let mut found = 0;
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/2R1B3/3N4/8/RB2K1NQ w - - 0 1",
        "r1b1kn1q/3n4/2r1b3/8/8/5P2/3PP3/3RKR2 b - - 0 1",
        "2r1k1r1/ppp2ppp/2nb1n2/8/8/2NB1N2/PPP2PPP/2R1K1R1 w - - 0 1",
    ] {
        for _ in 0..300 {
            let mut position = Position::from_fen(fen).expect(fen);
            position.set_table(&evaluator.table);
            for _ in 0..60 {
                let mut moves: Vec<Move> = Vec::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let us = position.turn();
                let facts = LineFacts::default();
                let mates = evaluator.evaluate(&position, facts, None, &mut NoTrace).mates;
                if let Some(mv) = mates[us] {
                    found += 1;
                    assert!(moves.contains(&mv), "{mv:?} is legal in {}", position.fen());
                    let mut mated = position.clone();
                    mated.make(mv);
                    let mut answers: Vec<Move> = Vec::new();
                    mated.legal_moves(&mut answers);
                    assert!(mated.in_check() && answers.is_empty(), "{mv:?} in {}", position.fen());
                }
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.make(moves[(chance >> 33) as usize % moves.len()]);
            }
        }
    }
    assert!(found > 100, "only {found} mates");
}
