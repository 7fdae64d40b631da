use super::*;
use crate::Params;
use crate::search::stack::StackEntry;
use crate::search::testing::{QUIET, TestWorker, after, only};
use crate::types::cp;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// What REBEL does with the last of the moves at so many plies when alpha lies `above` what
/// `base` says.
fn decide(
    params: &Params,
    fen: &str,
    moves: &[&str],
    plies: i32,
    base: impl Fn(&TestWorker<'_>, usize) -> Value,
    above: i32,
) -> (i32, Vec<SearchEvent>) {
    after(params.clone(), fen, moves, |worker, ply| {
        let alpha = base(worker, ply) + Value::new(above);
        let moved = worker.after_move(-alpha, Depth::plies(plies), ply).expect("not in check");
        worker.plan.last_plies = 8;
        let reduction = worker.reduction(&moved, None);
        let events = [
            SearchEvent::Reduction1,
            SearchEvent::Reduction2a,
            SearchEvent::Reduction2b,
            SearchEvent::Reduction2c,
            SearchEvent::Reduction2d,
            SearchEvent::TwoHanging,
        ];
        let counted = events.into_iter().filter(|&event| worker.stats.of(event) > 0).collect();
        (reduction.to_plies(), counted)
    })
}

/// I_SCORE, score, and score with threat, of the side that has moved.
fn i_score(worker: &TestWorker<'_>, _ply: usize) -> Value {
    worker.i_score(worker.position.turn().other())
}

fn score(worker: &TestWorker<'_>, ply: usize) -> Value {
    worker.after_move(Value::ZERO, Depth::PLY, ply).expect("evaluated").score
}

fn with_threat(worker: &TestWorker<'_>, ply: usize) -> Value {
    let moved = worker.after_move(Value::ZERO, Depth::PLY, ply).expect("evaluated");
    moved.score + moved.threat
}

/// RED-01, RED-02, RED-04: the margin by remaining depth; RED-05, SEL-01: the score is I_SCORE,
/// not the evaluation.
#[test]
fn reduction_1_has_the_papers_margins() {
    let params = only("reduction1.on");
    for (plies, centipawns) in
        [(3, 500), (4, 500), (5, 700), (6, 700), (7, 900), (8, 900), (9, 1500), (30, 1500)]
    {
        let margin = cp(centipawns);
        let at = |above| decide(&params, QUIET, &["b1c3"], plies, i_score, above).0;
        assert_eq!((at(margin), at(margin + 1)), (0, 1), "{plies} plies");
    }
    let near = decide(&params, QUIET, &["b1c3"], 2, i_score, 9999);
    assert_eq!(near.0, 0, "remaining depth must be greater than 2");
}

/// RED-01, RED-03: not for captures, not out of check, not for checks, once on a line.
#[test]
fn reduction_1_spares() {
    let params = only("reduction1.on");
    let at = |fen, moves: &[&str]| decide(&params, fen, moves, 5, i_score, 5000).0;
    assert_eq!(at(QUIET, &["b1c3"]), 1);
    assert_eq!(at(QUIET, &["c4d5"]), 0, "a capture");
    let check = "4k3/8/8/8/8/8/3P4/K3r3 w - - 0 1";
    assert_eq!(at(check, &["a1b2"]), 0, "out of check");
    after(params.clone(), START, &["e2e4"], |worker, ply| {
        worker.ply(ply).counters.reduction1 = true;
        let moved = worker.after_move(-Value::new(5000), Depth::plies(5), ply).expect("evaluated");
        assert_eq!(worker.reduction(&moved, None), Depth::ZERO, "once");
    });
}

/// Bc4 attacks the queen: a threat of nine pawns, so that a quarter is 2.25 (RED-07, AMB-19).
const THREAT: (&str, &[&str]) = ("4k3/8/8/3q4/8/4P3/8/3BK3 w - - 0 1", &["d1b3"]);

#[test]
fn reduction_2a_asks_for_a_quarter_of_the_threat() {
    let params = only("reduction2a.on");
    let (fen, moves) = THREAT;
    let threat = after(params.clone(), fen, moves, |worker, ply| {
        worker.after_move(Value::ZERO, Depth::PLY, ply).expect("evaluated").threat
    });
    assert_eq!(threat, Value::PAWN * 9, "RED-12");
    let at = |above| decide(&params, fen, moves, 5, score, above).0;
    assert_eq!(at(cp(225) - 1), 0, "a quarter reaches alpha");
    assert_eq!(at(cp(225)), 1);
    assert_eq!(at(cp(900) - 1), 1);
    assert_eq!(at(cp(900)), 0, "all of it does not");
}

/// RED-09, RED-11: 2b within its margin beyond the threat, 2c up to twice that, two plies.
#[test]
fn reductions_2b_and_2c_follow_one_another() {
    let mut params = only("reduction2b.on");
    params.reduction2c.on = true;
    for (plies, margin) in [(2, 10), (3, 15), (4, 20), (5, 25), (8, 25)] {
        let at = |above| decide(&params, QUIET, &["b1c3"], plies, with_threat, above);
        let (one, two) = (cp(margin), cp(2 * margin));
        assert_eq!(at(0).0, 0, "{plies}: it reaches alpha");
        assert_eq!(at(1), (1, vec![SearchEvent::Reduction2b]), "{plies}");
        assert_eq!(at(one - 1), (1, vec![SearchEvent::Reduction2b]), "{plies}");
        let further = if plies > 2 { (2, vec![SearchEvent::Reduction2c]) } else { (0, vec![]) };
        assert_eq!(at(one), further, "{plies}");
        assert_eq!(at(two - 1), further, "{plies}");
        assert_eq!(at(two).0, 0, "{plies}");
    }
    let far = decide(&params, QUIET, &["b1c3"], 9, with_threat, 1);
    assert_eq!(far.0, 0, "not in the last x plies");
}

/// RED-13: e5xf6 wins a knight; a2a3 leaves it alone, Bf1-d3 attacks a rook besides.
#[test]
fn reduction_2d_is_the_papers_diagram() {
    let fen = "4k3/6pr/5n2/4P3/8/8/P7/4KB2 w - - 0 1";
    let params = only("reduction2d.on");
    let at = |mv, plies| decide(&params, fen, &[mv], plies, score, 0).0;
    assert_eq!([at("a2a3", 3), at("a2a4", 5)], [1, 1]);
    assert_eq!(at("e5f6", 3), 0, "the capture itself");
    assert_eq!(at("f1d3", 3), 0, "threat progress: the rook on h7");
    assert_eq!(at("a2a3", 2), 0, "remaining depth 2");
    let other = "4k3/6pr/5n2/1p2P3/P7/8/8/4KB2 w - - 0 1";
    let strict = |strict| {
        let mut params = params.clone();
        (params.reduction2d.strict, params.reduction2d.progress) = (strict, false);
        params.set("reductions.hash_guard", "false").expect("known");
        after(params, other, &["a4b5"], |worker, ply| {
            worker.ply(ply).wins = false;
            let moved = worker.after_move(Value::ZERO, Depth::plies(5), ply).expect("evaluated");
            worker.reduction(&moved, None).to_plies()
        })
    };
    assert_eq!((strict(false), strict(true)), (0, 1), "AMB-21: captures elsewhere");
}

/// RED-08, HSH-02, AMB-22: what the hash table says for a move.
#[test]
fn the_hash_table_is_asked() {
    let (fen, moves) = THREAT;
    let with = |value: Option<i32>, from_hash: bool| {
        after(only("reduction2a.on"), fen, moves, |worker, ply| {
            let alpha = score(worker, ply) + Value::new(cp(500));
            worker.ply(ply).from_hash = from_hash;
            let moved = worker.after_move(-alpha, Depth::plies(5), ply).expect("evaluated");
            let known = value.map(|above| TtHit {
                mv: crate::Move::NONE,
                value: -(moved.score + Value::new(above)),
                depth: Depth::ZERO,
                bound: crate::search::tt::Bound::Upper,
            });
            worker.reduction(&moved, known).to_plies()
        })
    };
    assert_eq!(with(None, false), 1, "unknown: reduced");
    assert_eq!(with(None, true), 0, "the hash move");
    assert_eq!(with(Some(cp(501)), false), 0, "above alpha");
    assert_eq!(with(Some(cp(50) + 1), false), 0, "half a pawn above the evaluation");
    assert_eq!(with(Some(cp(50)), false), 1);
}

/// RED-06, MISS-14: a move that presses the king is not reduced.
#[test]
fn pressure_on_the_king_spares() {
    let mut params = only("reduction2b.on");
    let at = |params: &Params| decide(params, QUIET, &["b1c3"], 5, with_threat, 1).0;
    assert_eq!(at(&params), 1);
    (params.reductions.king_rise, params.reductions.king_level) = (0, 0);
    assert_eq!(at(&params), 0, "any danger counts as pressure then");
}

type Base = fn(&TestWorker<'_>, usize) -> Value;

/// By how many plies the one reduction that is on takes the last of the moves back, five plies
/// before the horizon, when alpha lies `above` what `base` says and `change` was made to its ply.
fn plies_of(
    switch: &str,
    (fen, moves): (&str, &[&str]),
    (base, above): (Base, i32),
    change: impl Fn(&mut StackEntry),
) -> i32 {
    after(only(switch), fen, moves, |worker, ply| {
        let alpha = base(worker, ply) + Value::new(above);
        let moved = worker.after_move(-alpha, Depth::plies(5), ply).expect("not in check");
        worker.plan.last_plies = 8;
        change(worker.ply(ply));
        worker.reduction(&moved, None).to_plies()
    })
}

const USUAL: (&str, &[&str]) = (QUIET, &["b1c3"]);

/// RED-06, RED-19: a move that is reduced already, by history (RED-16) or as a late one (LMR-01),
/// or that wins material is not reduced, but by reduction 1, which has exceptions of its own
/// (RED-01, RED-03).
#[test]
fn what_is_reduced_or_wins_is_spared() {
    let marks: [fn(&mut StackEntry); 2] = [|here| here.reduced = true, |here| here.wins = true];
    for (switch, base, plies) in
        [("reduction1.on", (i_score as Base, 5000), 1), ("reduction2b.on", (with_threat, 1), 0)]
    {
        assert_eq!(plies_of(switch, USUAL, base, |_| ()), 1, "{switch}");
        let marked = marks.map(|mark| plies_of(switch, USUAL, base, mark));
        assert_eq!(marked, [plies; 2], "{switch}");
    }
}

/// RED-08: 2a and 2d ask the hash table, 2b and 2c do not.
#[test]
fn who_asks_the_hash_table() {
    let offered = ("4k3/6pr/5n2/4P3/8/8/P7/4KB2 w - - 0 1", &["a2a3"][..]);
    for (switch, line, base, plies) in [
        ("reduction2a.on", THREAT, (score as Base, cp(500)), [1, 0]),
        ("reduction2b.on", USUAL, (with_threat, 1), [1, 1]),
        ("reduction2c.on", USUAL, (with_threat, cp(25)), [2, 2]),
        ("reduction2d.on", offered, (score, 0), [1, 0]),
    ] {
        let hash = |from_hash| plies_of(switch, line, base, |here| here.from_hash = from_hash);
        assert_eq!([hash(false), hash(true)], plies, "{switch}");
    }
}

/// RED-14, RED-15: no more on a line than the limit.
#[test]
fn the_line_has_a_limit() {
    let mut params = only("reduction2b.on");
    let at = |params: &Params| decide(params, QUIET, &["b1c3"], 5, with_threat, 1).0;
    params.reductions.max = 0;
    assert_eq!(at(&params), 0);
    params.reductions.max = 1;
    assert_eq!(at(&params), 1);
    params.reductions.by_iteration = true;
    params.reductions.max_by_iteration = [0; 32];
    assert_eq!(at(&params), 0);
}

/// RED-18, RED-19, PRO-13, MISS-22: knight and rook hang; half of both is four pawns.
#[test]
fn two_hanging_men() {
    let fen = "4k3/8/3p4/1p2N3/R7/8/8/4K3 w - - 0 1";
    let params = only("two_hanging.on");
    let at = |above| decide(&params, fen, &["e1e2"], 5, score, above).0;
    assert_eq!((at(-cp(400)), at(-cp(400) + 1)), (0, 1));
    let one = "4k3/8/8/1p2N3/R7/8/8/4K3 w - - 0 1";
    assert_eq!(decide(&params, one, &["e1e2"], 5, score, 0).0, 0, "only one hangs");
    let check = "4k3/8/3p4/1p2N3/R7/8/8/3K2Q1 w - - 0 1";
    after(params.clone(), check, &["g1g8"], |worker, ply| {
        assert!(worker.after_move(Value::ZERO, Depth::plies(5), ply).is_none(), "a check");
    });
    assert_eq!(decide(&params, fen, &["a4a1"], 5, score, 0).0, 0, "one is saved");
}
