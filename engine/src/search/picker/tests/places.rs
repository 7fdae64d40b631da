//! The places of personality `rebel`, with the papers' own numbers, and what other switches do.

use std::sync::Arc;

use super::Bench;
use crate::movegen::{MoveClass, ScoredMove};
use crate::params::Params;
use crate::position::Position;
use crate::search::picker::Wanted;
use crate::types::{Color, Move, Piece, Role, Square, Value};

/// White's pawn and queen can take the queen on a5, pawn and queen the bishop on d5.
const HANGING: &str = "3r2k1/5ppp/8/q2b4/1P2P3/2p5/Q4PPP/R5K1 w - - 0 1";

/// The first moves as text with points: `b4a5 124, …`.
fn first(bench: &Bench, hash_move: Move, count: usize) -> String {
    let list = bench.list(hash_move);
    let texts: Vec<String> =
        list.iter().take(count).map(|(uci, points, _)| format!("{uci} {points}")).collect();
    texts.join(", ")
}

/// ORD-01, HSH-01, ORD-03, ORD-04: hash move 127, the hanging men 124 and 123, pawns take before
/// queens.
#[test]
fn hanging_men_in_their_order() {
    let mut bench = Bench::of("rebel", HANGING);
    let expected = "h2h4 127, b4a5 124, a2a5 124, e4d5 123, a2d5 123";
    assert_eq!(first(&bench, bench.mv("h2h4"), 5), expected);
    bench.evaluate(0);
    assert_eq!(first(&bench, bench.mv("h2h4"), 5), expected, "from the evaluation");
    let classes = bench.picked(Wanted::All, Move::NONE)[..4].iter().map(|s| s.class).min();
    assert_eq!(classes, Some(MoveClass::Winning));
    // Three men hang.
    let three = Bench::of("rebel", "6k1/8/1r6/8/3N2n1/2b5/8/1QR3RK w - - 0 1");
    assert_eq!(first(&three, Move::NONE, 3), "b1b6 124, g1g4 123, c1c3 122");
}

/// ORD-04 can be switched off: then who comes first is a matter of squares, and not of men.
#[test]
fn the_cheapest_first_is_a_switch() {
    let mut params = Params::personality("rebel").expect("known");
    params.order.cheapest_first = false;
    let bench = Bench::new(&params, &Position::from_fen(HANGING).expect("legal"), 4);
    assert_eq!(first(&bench, Move::NONE, 4), "a2a5 124, b4a5 124, a2d5 123, e4d5 123");
    let mirrored = "r5k1/q4ppp/2P5/1p2p3/Q2B4/8/5PPP/3R2K1 b - - 0 1";
    let bench = Bench::new(&params, &Position::from_fen(mirrored).expect("legal"), 4);
    assert_eq!(first(&bench, Move::NONE, 4), "a7a4 124, b5a4 124, a7d4 123, e5d4 123");
}

/// Not even the least points that a losing capture can have bring it to the front.
#[test]
fn a_loss_beyond_all_points_stays_one() {
    let mut params = Params::personality("default").expect("known");
    params.order.losing_capture = -128;
    let bench = Bench::new(&params, &Position::from_fen(HANGING).expect("legal"), 4);
    let losing =
        bench.picked(Wanted::All, Move::NONE).into_iter().filter(|s| s.class == MoveClass::Losing);
    let values: Vec<i16> = losing.map(|s| s.value).collect();
    assert!(!values.is_empty() && values.iter().all(|&value| value < 0), "{values:?}");
}

/// ORD-03 can be switched off: a capture that wins has the points of any other, and is still known
/// as one.
#[test]
fn winning_captures_first_is_a_switch() {
    for (personality, hanging) in [("rebel", true), ("rebel", false), ("default", false)] {
        let mut params = Params::personality(personality).expect("known");
        (params.order.hanging, params.order.winning_first) = (hanging, false);
        let bench = Bench::new(&params, &Position::from_fen(HANGING).expect("legal"), 4);
        let most = params.order.equal_captures[0];
        for capture in ["b4a5", "a2a5", "e4d5"] {
            assert!(i32::from(bench.points(capture)) <= most, "{personality}: {capture}");
        }
        let wins = |s: &&ScoredMove| s.class == MoveClass::Winning;
        // Queen takes bishop loses by exchange.
        let expected = if hanging { 4 } else { 3 };
        let picked = bench.picked(Wanted::All, Move::NONE);
        assert_eq!(picked.iter().filter(wins).count(), expected, "{personality}");
    }
}

/// ORD-05, ORD-06, ORD-13, AMB-34: promotions, and those that take.
#[test]
fn promotions() {
    // The rook on c8 hangs and covers the other two squares.
    let bench = Bench::of("rebel", "2r5/1P2P3/7k/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(bench.points("b7c8q"), 124, "a hanging rook");
    assert_eq!((bench.points("e7e8q"), bench.points("b7b8q")), (122, 122));
    assert_eq!((bench.points("e7e8r"), bench.points("b7c8n")), (101, 101));
    let safe = Bench::of("rebel", "8/1P6/7k/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(safe.points("b7b8q"), 125);
    assert_eq!(safe.picked(Wanted::All, Move::NONE)[0].class, MoveClass::Promotion);
    // The three dearest hang elsewhere: the stamp stays.
    let stamped = Bench::of("rebel", "n5k1/1P6/8/3r4/1qP5/P3r3/5P2/6K1 w - - 0 1");
    assert_eq!(stamped.points("b7a8q"), 121);
}

/// ORD-07, AMB-33: equal captures of guarded men.
#[test]
fn equal_captures() {
    for (fen, capture, points) in [
        ("3r2k1/8/8/3q4/8/8/3Q4/3R2K1 w - - 0 1", "d2d5", 119),
        ("3r2k1/8/8/3r4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 118),
        ("6k1/8/2p5/3b4/8/2N5/8/6K1 w - - 0 1", "c3d5", 117),
        ("6k1/8/2p5/3b4/4B3/8/8/6K1 w - - 0 1", "e4d5", 116),
        ("6k1/8/2p5/3n4/4B3/8/8/6K1 w - - 0 1", "e4d5", 115),
        ("6k1/8/2p5/3n4/8/2N5/8/6K1 w - - 0 1", "c3d5", 116),
        ("6k1/8/2p5/3p4/4P3/8/8/6K1 w - - 0 1", "e4d5", 114),
        ("6k1/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "e5d6", 114),
    ] {
        let bench = Bench::of("rebel", fen);
        assert_eq!(bench.points(capture), points, "{fen}");
        let picked = bench.picked(Wanted::Captures, Move::NONE);
        assert_eq!(picked[0].class, MoveClass::Equal, "{fen}");
    }
}

const QUIET: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";

/// ORD-08, ORD-09, ORD-11, ORD-13: four killers, then castling.
#[test]
fn killers_then_castling() {
    let mut bench = Bench::of("rebel", QUIET);
    for (ply, text) in [(4, "b2b3"), (4, "a2a3"), (2, "d2d3"), (2, "c2c3"), (2, "c2c3")] {
        bench.cut(ply, bench.mv(text), 3, Value::ZERO);
    }
    let expected = "a2a3 110, c2c3 108, b2b3 106, d2d3 104, e1g1 103, e1c1 102";
    assert_eq!(first(&bench, Move::NONE, 6), expected);
    // Mediocre's two, and none at all.
    let mut params = Params::personality("rebel").expect("known");
    params.killers.older = false;
    bench.setup.params = Arc::new(params.clone());
    assert_eq!(first(&bench, Move::NONE, 4), "a2a3 110, b2b3 106, e1g1 103, e1c1 102");
    params.killers.on = false;
    bench.setup.params = Arc::new(params);
    assert_eq!(first(&bench, Move::NONE, 2), "e1g1 103, e1c1 102");
}

/// ORD-02: a killer that brought a mate goes behind the hash move.
#[test]
fn mate_killers() {
    let mut bench = Bench::of("rebel", QUIET);
    bench.cut(4, bench.mv("b2b3"), 3, Value::mate_in(7));
    bench.cut(4, bench.mv("a2a3"), 3, Value::ZERO);
    assert_eq!(first(&bench, bench.mv("h2h3"), 3), "h2h3 127, b2b3 126, a2a3 110");
    let class = bench.picked(Wanted::All, Move::NONE)[0].class;
    assert_eq!(class, MoveClass::MateKiller);
    // The mate was in the slot two plies up.
    let mut older = Bench::of("rebel", QUIET);
    older.cut(2, older.mv("b2b3"), 3, Value::mate_in(7));
    assert_eq!(first(&older, Move::NONE, 2), "b2b3 126, e1g1 103");
}

/// ORD-12, AMB-37: the cell with most remaining depth, by piece and target, between the killers.
#[test]
fn historic_mate_killer() {
    let fen = "4k3/8/8/8/8/2N5/8/1N2K3 w - - 0 1";
    let mut bench = Bench::of("rebel", fen);
    bench.cut(9, bench.mv("b1d2"), 9, Value::mate_in(11));
    bench.cut(11, bench.mv("b1a3"), 5, Value::mate_in(13));
    bench.cut(13, bench.mv("b1a3"), 5, Value::mate_in(15));
    bench.cut(4, bench.mv("e1f1"), 2, Value::ZERO);
    bench.cut(2, bench.mv("e1f2"), 2, Value::ZERO);
    assert_eq!(first(&bench, Move::NONE, 3), "e1f1 110, b1a3 109, e1f2 108");
    // Any knight that reaches the square.
    let cell = bench.heuristics.historic_mate(Color::White).map(|(_, sq)| sq);
    assert_eq!(cell, Some(Square::A3));
    // Being mated is no mate; the next search starts anew.
    let params = bench.setup.params.clone();
    bench.heuristics.begin_search(&params);
    bench.cut(9, bench.mv("b1d2"), 9, Value::mated_in(11));
    assert_eq!(bench.heuristics.historic_mate(Color::White), None);
}

/// ORD-20, ORD-21, AMB-35, MISS-15: White threatens Qg7 mate; after a defence that changes nothing
/// it is tried right after the hash move, in front of mate killers.
#[test]
fn mate_threat_after_the_defence() {
    let fen = "6k1/p4p1p/5PpQ/8/8/8/5PPP/6K1 b - - 0 1";
    let mut bench = Bench::of("rebel", fen);
    bench.evaluate(1);
    assert!(bench.stack[3].evaluation.is_some_and(|found| found.mates.white.is_some()));
    let defence = bench.mv("a7a6");
    bench.position.make(defence);
    bench.cut(4, bench.mv("g1f1"), 3, Value::mate_in(9));
    assert_eq!(first(&bench, bench.mv("h2h3"), 3), "h2h3 127, h6g7 126, g1f1 126");
    let mut params = Params::personality("rebel").expect("known");
    params.order.mate_threat = false;
    bench.setup.params = Arc::new(params);
    assert_eq!(first(&bench, bench.mv("h2h3"), 2), "h2h3 127, g1f1 126");
}

/// GEN-03: the examples on the page, to which the corrections add nothing here.
#[test]
fn ordering_tables() {
    let bench = Bench::of("rebel", "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1");
    assert_eq!((bench.points("g1f3"), bench.points("c3d5")), (26, 14));
    let bench = Bench::of("rebel", "4k3/8/8/8/8/5N2/8/6K1 w - - 0 1");
    assert_eq!((bench.points("f3h4"), bench.points("f3e1")), (-16, -11));
}

/// What the corrections make of a move: its points with them minus its points without.
fn corrected(fen: &str, text: &str) -> i16 {
    let mut params = Params::personality("rebel").expect("known");
    (params.order.give_away, params.order.escape) = (false, false);
    let plain = Bench::new(&params, &Position::from_fen(fen).expect(fen), 4);
    Bench::of("rebel", fen).points(text) - plain.points(text)
}

/// ORD-14: 30 less for a queen that goes where a pawn or a bishop takes it.
#[test]
fn giving_material_away() {
    let fen = "4k1b1/6p1/8/8/8/8/8/3QK2R w K - 0 1";
    assert_eq!(corrected(fen, "d1d5"), -30, "the bishop sees d5");
    assert_eq!(corrected(fen, "d1d3"), 0);
    assert_eq!(corrected(fen, "h1h6"), -30, "the pawn takes a rook");
    // A knight that a knight can take: only when nobody stands behind it.
    assert_eq!(corrected("4k3/8/5n2/8/8/2N5/8/4K3 w - - 0 1", "c3d5"), -30);
    assert_eq!(corrected("4k3/8/5n2/8/4P3/2N5/8/4K3 w - - 0 1", "c3d5"), 0);
    // A pawn's step is covered by others only.
    assert_eq!(corrected("4k3/8/4p3/8/3P4/8/8/4K3 w - - 0 1", "d4d5"), -30);
    assert_eq!(corrected("4k3/8/4p3/8/2PP4/8/8/4K3 w - - 0 1", "d4d5"), 0);
    // AMB-85: losing captures, too.
    assert_eq!(corrected("4k3/6p1/7p/8/8/8/8/2Q1K3 w - - 0 1", "c1h6"), -30);
    // Castling and killers lie above 70.
    assert_eq!(corrected(QUIET, "e1g1"), 0);
}

/// ORD-15, AMB-02: 30 more for a man of the side to move that hangs.
#[test]
fn escaping() {
    let fen = "4k3/8/8/2p5/3N4/8/8/4K2N w - - 0 1";
    assert_eq!(corrected(fen, "d4f3"), 30);
    assert_eq!(corrected(fen, "h1g3"), 0);
    // Both at once.
    assert_eq!(corrected("4k3/6p1/8/2p5/3N4/8/8/4K3 w - - 0 1", "d4f5"), 30);
    assert_eq!(corrected("4k3/8/6p1/2p5/3N4/8/8/4K3 w - - 0 1", "d4f5"), 0);
}

/// ORD-22, ORD-26: by SEE the losing captures come last, with history on too; the caller is told
/// what the exchange wins (SEE once a capture).
#[test]
fn losing_captures_last() {
    let fen = "3r2k1/5ppp/4p3/q2b4/1P2P3/2p5/Q4PPP/R5K1 w - - 0 1";
    for staged in [false, true] {
        let mut params = Params::default();
        params.order.staged = staged;
        let bench = Bench::new(&params, &Position::from_fen(fen).expect(fen), 4);
        let picked = bench.picked(Wanted::All, Move::NONE);
        let last = picked.last().expect("moves");
        assert_eq!(
            (bench.position.uci(last.mv, false).as_str(), last.class),
            ("a2d5", MoveClass::Losing)
        );
        assert_eq!(last.see(), Some(Value::new(-6 * 256)));
        assert_eq!(picked[0].see().map(Value::cp), Some(900));
        assert!(picked.iter().all(|scored| scored.see().is_some() == scored.mv.is_capture()));
    }
}

/// ORD-24, ORD-25, QS-14: most valuable victim first, of several takers the least valuable; in the
/// main search and in quiescence each by its own switch.
#[test]
fn victims_and_attackers() {
    let mut params = Params::default();
    params.order.see = false;
    let counts = |params: &Params, wanted| {
        let bench = Bench::new(params, &Position::from_fen(HANGING).expect("legal"), 4);
        bench.picked(wanted, Move::NONE).iter().any(|scored| scored.class == MoveClass::Losing)
    };
    assert_eq!(
        [Wanted::All, Wanted::Captures].map(|wanted| counts(&params, wanted)),
        [false, true]
    );
    let mut quiet = Params::default();
    quiet.qsearch.see_order = false;
    assert_eq!([Wanted::All, Wanted::Captures].map(|wanted| counts(&quiet, wanted)), [true, false]);
    let bench = Bench::new(&params, &Position::from_fen(HANGING).expect("legal"), 4);
    let order: Vec<String> = bench.list(Move::NONE).into_iter().map(|(uci, ..)| uci).collect();
    assert_eq!(order[..4], ["b4a5", "a2a5", "e4d5", "a2d5"]);
}

/// The answer to the last move, and quiet checks: usual, off by default.
#[test]
fn usual_extras() {
    let mut params = Params::default();
    (params.killers.counter, params.order.checks) = (true, 90);
    let position = Position::from_fen("4k3/8/8/8/8/8/PPP5/4K2R w K - 0 1").expect("legal");
    let mut bench = Bench::new(&params, &position, 4);
    bench.stack[4].mv = Move::from_bits(0x0e38);
    bench.stack[4].piece = Piece::new(Color::Black, Role::Rook);
    bench.stack[8] = bench.stack[4];
    bench.cut(8, bench.mv("a2a3"), 1, Value::ZERO);
    let list = first(&bench, Move::NONE, 4);
    assert!(list.starts_with("a2a3 105, e1g1 103"), "{list}");
    assert!(bench.points("h1h8") > 80, "a check");
}

/// ORD-17: a tree is sorted when there is a hash move or something to win.
#[test]
fn sorted_trees() {
    for staged in [false, true] {
        for (fen, hash_move, sorted) in [
            (QUIET, "", false),
            (QUIET, "a2a3", true),
            (HANGING, "", true),
            ("8/1P6/7k/8/8/8/8/4K3 w - - 0 1", "", true),
            ("6k1/8/2p5/3p4/4P3/8/8/6K1 w - - 0 1", "", false),
        ] {
            let mut params = Params::personality("rebel").expect("known");
            params.order.staged = staged;
            let bench = Bench::new(&params, &Position::from_fen(fen).expect(fen), 4);
            let hash_move = bench.position.parse_uci(hash_move).unwrap_or(Move::NONE);
            let asked = bench.is_sorted(hash_move);
            assert_eq!(asked, sorted, "{fen}");
        }
    }
}
