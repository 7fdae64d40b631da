//! The search with every way of ordering moves: the order changes how long it takes, never what is
//! true.

use std::sync::Arc;

use crate::common::orderings::orderings;
use engine::{Engine, HashSize, Limits, Position, SearchReport};

fn engines() -> impl Iterator<Item = (String, Engine)> {
    orderings().map(|(name, params)| (name, Engine::new(&Arc::new(params), HashSize::from_mib(1))))
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn facts(report: &SearchReport) -> (u64, String, String) {
    (report.nodes, report.score.to_string(), format!("{:?}", report.pv))
}

#[test]
fn mates_are_found() {
    for (name, mut engine) in engines() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
            ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ] {
            engine.new_game();
            let report = engine.search(&position(fen), &depth(5), &());
            assert_eq!(report.score.mate(), Some(moves), "{name}: {fen}");
        }
    }
}

/// A line that can be played, and nothing left over from one game to the next.
#[test]
fn equal_searches_are_equal() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    for (name, mut engine) in engines() {
        let once = facts(&engine.search(&position(fen), &depth(4), &()));
        // The second search of a game knows more than the first.
        engine.search(&position(fen), &depth(4), &());
        engine.new_game();
        let report = engine.search(&position(fen), &depth(4), &());
        assert_eq!(facts(&report), once, "{name}");
        let mut board = position(fen);
        for mv in report.pv {
            let text = board.uci(mv, false);
            board.play(board.parse_uci(&text).unwrap_or_else(|error| panic!("{name}: {error}")));
        }
    }
}
