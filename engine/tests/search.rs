//! What the search must do whatever its parameters: obey limits, find mates, always have a move,
//! repeat itself exactly.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use engine::{Engine, HashSize, IterationInfo, Limits, Observer, Params, Position, SearchReport};

fn engine(personality: &str) -> Engine {
    let params = Params::personality(personality).expect("known");
    Engine::new(&Arc::new(params), HashSize::from_mib(1))
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn best(report: &SearchReport) -> String {
    report.best.expect("a move").to_uci(false).to_string()
}

const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

#[test]
fn node_limits_are_never_exceeded_and_always_bring_a_move() {
    for personality in ["default", "rebel"] {
        let mut engine = engine(personality);
        for limit in [1, 2, 3, 10, 100, 999, 1024, 1025, 5000, 20_000] {
            engine.new_game();
            let report = engine.search(&position(MIDDLEGAME), &nodes(limit), &());
            assert!(report.nodes <= limit, "{} of {limit}", report.nodes);
            assert!(report.best.is_some() && !report.pv.is_empty());
            if limit >= 100 {
                assert_eq!(report.nodes, limit, "the whole budget is used");
            }
        }
    }
}

#[test]
fn equal_searches_are_equal() {
    for personality in ["default", "rebel"] {
        let mut once = engine(personality);
        let mut twice = engine(personality);
        let start = position(MIDDLEGAME);
        for limits in [nodes(30_000), depth(5)] {
            // The second engine has another game behind it.
            twice.search(&Position::startpos(), &depth(5), &());
            once.new_game();
            twice.new_game();
            let (a, b) = (once.search(&start, &limits, &()), twice.search(&start, &limits, &()));
            assert_eq!((a.nodes, a.score, &a.pv, a.depth), (b.nodes, b.score, &b.pv, b.depth));
        }
    }
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, moves, first) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, "d1d8"),
        ("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", 1, "b1b7"),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2, "d2h6"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
    ] {
        // What default prunes it finds some iterations later.
        for (personality, limits) in [("default", nodes(20_000)), ("rebel", depth(5))] {
            let report = engine(personality).search(&position(fen), &limits, &());
            assert_eq!(report.score.mate(), Some(moves), "{fen}");
            assert_eq!(best(&report), first, "{fen}");
        }
    }
    let mated = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let report = engine("default").search(&mated, &depth(3), &());
    assert!(report.best.is_none(), "stalemate has no move");
    assert_eq!(report.score.cp(), 0);
    let mated = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    let report = engine("default").search(&mated, &depth(3), &());
    assert_eq!((report.best, report.score.mate()), (None, Some(0)));
}

#[test]
fn go_mate_stops_when_it_is_found() {
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let report =
        engine("default").search(&position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), &limits, &());
    assert_eq!(report.score.mate(), Some(2));
}

#[test]
fn only_wanted_moves_are_searched() {
    let start = Position::startpos();
    let wanted: Vec<_> = ["a2a3", "h2h4"].map(|text| start.parse_uci(text).expect(text)).to_vec();
    let limits = Limits { searchmoves: wanted.clone(), ..depth(4) };
    let report = engine("default").search(&start, &limits, &());
    assert!(wanted.contains(&report.best.expect("a move")));
}

/// HSH-07.
#[test]
fn the_line_can_be_played() {
    for fen in engine::bench::POSITIONS {
        let report = engine("default").search(&position(fen), &depth(5), &());
        let mut board = position(fen);
        for mv in report.pv {
            let text = board.uci(mv, true);
            board.play(board.parse_uci(&text).unwrap_or_else(|error| panic!("{fen}: {error}")));
        }
    }
}

/// A queen and a rook down, White draws by checking on e8 and h5 for ever.
#[test]
fn perpetual_check_is_a_draw() {
    let board = position("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1");
    for personality in ["default", "rebel"] {
        let report = engine(personality).search(&board, &depth(7), &());
        assert_eq!((report.score.cp(), best(&report).as_str()), (0, "h5e8"));
    }
}

/// What stood twice in the game is a draw as soon as it stands again.
#[test]
fn the_games_history_counts() {
    let mut board = position("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1");
    for text in ["h5e8", "g8h7", "e8h5", "h7g8", "h5e8", "g8h7"] {
        board.play(board.parse_uci(text).expect(text));
    }
    // One ply brings the start position for the third time: seen at depth 2.
    assert_eq!(engine("default").search(&board, &depth(2), &()).score.cp(), 0);
}

#[test]
fn fifty_moves_draw_unless_mate() {
    let quiet = position("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    assert_eq!(engine("default").search(&quiet, &depth(4), &()).score.cp(), 0);
    let mate = position("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    let report = engine("default").search(&mate, &depth(4), &());
    assert_eq!((best(&report).as_str(), report.score.mate()), ("a1a8", Some(1)));
}

/// Counts what the observer hears and stops after some iterations.
struct Counter {
    iterations: AtomicU64,
    stop_after: u64,
}

impl Observer for Counter {
    fn stop(&self) -> bool {
        self.iterations.load(Ordering::Relaxed) >= self.stop_after
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        assert!(!info.pv.is_empty(), "a line has at least one move");
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn an_observer_can_stop_an_endless_search() {
    let counter = Counter { iterations: AtomicU64::new(0), stop_after: 6 };
    let report = engine("default").search(&position(MIDDLEGAME), &Limits::default(), &counter);
    assert!(report.best.is_some() && report.depth >= 1);
}

/// KSF-12: 1.e4 Nf6 2.Bc4 Nxe4 3.Bxf7+ Kxf7 4.Qh5+, and the king goes home, not into the centre.
#[test]
fn alekhine_line() {
    for personality in ["default", "rebel", "printed", "prodeo", "mediocre", "winglet"] {
        let check = position("rnbq1b1r/pppppkpp/8/7Q/4n3/8/PPPP1PPP/RNB1K1NR b KQ - 1 4");
        assert_eq!(
            best(&engine(personality).search(&check, &depth(4), &())),
            "f7g8",
            "{personality}"
        );
    }
}
