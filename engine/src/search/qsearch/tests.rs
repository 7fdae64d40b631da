use super::*;
use crate::Params;
use crate::search::testing::{after, personality};

fn long(old: bool) -> Params {
    let mut params = Params::default();
    (params.long_checks.on, params.long_checks.old) = (true, old);
    params
}

/// QS-06, QS-08, AMB-32: one legal answer raises the limit by two, two answers by one.
#[test]
fn few_answers_let_the_checks_go_on() {
    let raised = |fen: &str| {
        after(long(false), fen, &[], |worker, ply| {
            worker.ply(ply).counters.check_limit = 7;
            worker.raise_check_limit(ply);
            (worker.count_evasions(), worker.ply(ply).counters.check_limit)
        })
    };
    assert_eq!(raised("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1"), (0, 7), "mate");
    assert_eq!(raised("4k3/8/8/8/8/7P/5PP1/r5K1 w - - 0 1"), (1, 9));
    assert_eq!(raised("4k3/8/8/8/8/6PP/5P2/r5K1 w - - 0 1"), (2, 8));
    assert_eq!(raised("4k3/8/8/8/8/5PPP/8/r5K1 w - - 0 1"), (3, 7));
}

/// QS-07: two plies from where quiescence begins; QS-06: two plies beyond the iteration.
#[test]
fn where_the_limit_begins() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let limit = |old: bool, ply: usize, iteration: u32| {
        after(long(old), fen, &["e2e4", "e8e7", "e4e5"], |worker, _| {
            worker.begin_iteration(iteration);
            let inherited = worker.ply(0).counters;
            worker.ply(ply).counters = inherited;
            worker.quiescence(-Value::INFINITE, Value::INFINITE, ply, Visit::First);
            worker.ply(ply).counters.check_limit
        })
    };
    assert_eq!(limit(false, 3, 9), 5);
    assert_eq!(limit(true, 3, 9), 11);
}

/// QS-07: a check that is answered full-width does not begin the series anew.
#[test]
fn checks_answered_full_width_come_to_an_end() {
    let mut params = personality("winglet");
    params.long_checks.on = true;
    assert!(params.qsearch.full_width);
    let (nodes, deepest) =
        after(params, "6k1/5ppp/8/8/8/8/1R6/R5K1 w - - 0 1", &[], |worker, ply| {
            worker.alpha_beta(-Value::INFINITE, Value::INFINITE, Depth::plies(2), ply);
            (worker.nodes, worker.seldepth)
        });
    assert!(deepest < 30, "{nodes} nodes, {deepest} plies");
}

/// QS-06: a check raises the older rule's limit once, whether it is met in the main search or at
/// the horizon.
#[test]
fn a_check_raises_the_limit_once() {
    let one_reply = "4k3/8/8/8/8/7P/5PP1/r5K1 w - - 0 1";
    for depth in [Depth::ZERO, Depth::PLY] {
        let mut params = long(true);
        params.check_ext.horizon = false;
        let limit = after(params, one_reply, &[], |worker, ply| {
            worker.ply(ply).counters.check_limit = 7;
            worker.alpha_beta(-Value::INFINITE, Value::INFINITE, depth, ply);
            worker.ply(ply).counters.check_limit
        });
        assert_eq!(limit, 9, "{depth:?}");
    }
}

/// What quiescence says of a position, and in how many nodes.
fn searched(params: &Params, fen: &str) -> (Value, u64) {
    after(params.clone(), fen, &[], |worker, ply| {
        let value = worker.quiescence(-Value::INFINITE, Value::INFINITE, ply, Visit::First);
        (value, worker.nodes)
    })
}

/// QS-01, QS-04: a mate by quiet checks is found behind the horizon; QS-02: without long checks
/// it is not.
#[test]
fn a_series_of_checks() {
    let fen = "6k1/5ppp/8/8/8/8/1R6/R5K1 w - - 0 1";
    let mut plain = Params::default();
    plain.mate_threat.on = false;
    let mut checks = plain.clone();
    checks.long_checks.on = true;
    assert_eq!(searched(&checks, fen).0.mate(), Some(1));
    assert_eq!(searched(&plain, fen).0.mate(), None);
    let two = "7k/R7/8/8/8/8/8/1R4K1 w - - 0 1";
    assert_eq!(searched(&checks, two).0.mate(), Some(1), "the rook gives it on b8");
}

/// QS-04, QS-06, QS-07: all moves that give check are searched, those that lose material too, as
/// long as the line allows checks.
#[test]
fn checks_that_lose_material() {
    // Qxh7+ Kxh7 Rh4 mates.
    let sacrifice = "r4q1k/1p2Nrpp/pb6/8/2R5/3Q4/6P1/7K w - - 0 1";
    // Only c8=N mates.
    let knight = "b7/k1P5/p7/8/8/8/8/1R4K1 w - - 0 1";
    let mate = |fen: &str, old: bool, plies: i32| {
        let mut params = long(old);
        params.mate_threat.on = false;
        params.long_checks.plies = plies;
        after(params, fen, &[], |worker, ply| {
            // As the older rule's iteration sets it.
            worker.ply(ply).counters.check_limit = plies as u8;
            worker.quiescence(-Value::INFINITE, Value::INFINITE, ply, Visit::First).mate()
        })
    };
    for old in [false, true] {
        assert_eq!(mate(sacrifice, old, 4), Some(2), "{old}");
        assert_eq!(mate(knight, old, 2), Some(1), "{old}");
        assert_eq!([sacrifice, knight].map(|fen| mate(fen, old, 0)), [None; 2], "{old}");
    }
}

/// QS-10: a perpetual check is a draw, and that is better than what stands.
#[test]
fn repetitions_count() {
    let mut params = long(false);
    (params.long_checks.plies, params.long_checks.one_reply) = (8, 0);
    // Qe8+ Kh7 Qh5+ Kg8 and again; Black is far ahead and has no other answers.
    let fen = "6k1/6p1/8/7Q/8/8/rq6/7K w - - 0 1";
    assert_eq!(searched(&params, fen).0, Value::ZERO);
    params.long_checks.on = false;
    assert!(searched(&params, fen).0 < Value::ZERO, "nothing to take");
}

/// QS-10: a check that is the fiftieth move without progress draws, unless it mates.
#[test]
fn fifty_moves_count() {
    let mut params = long(false);
    (params.mate_threat.on, params.scaling.fifty_moves) = (false, false);
    (params.long_checks.plies, params.long_checks.one_reply) = (2, 0);
    let value = |board: &str, clock: u32| searched(&params, &format!("{board} w - - {clock} 80")).0;
    let behind = "6k1/6p1/8/7Q/8/8/rq6/7K";
    assert!(value(behind, 20) < Value::ZERO);
    assert_eq!(value(behind, 99), Value::ZERO);
    assert_eq!(value("6k1/5ppp/8/8/8/8/1R6/R5K1", 99).mate(), Some(1));
}

/// QS-11: the principal variation goes on through the captures, and each of their nodes counts.
#[test]
fn the_line_goes_on() {
    let fen = "4k3/8/4p3/3q4/8/4N3/2P5/4K3 w - - 0 1";
    let (line, nodes) = after(Params::default(), fen, &[], |worker, ply| {
        worker.quiescence(-Value::INFINITE, Value::INFINITE, ply, Visit::First);
        (worker.buffers.pv.line(ply).to_vec(), worker.nodes)
    });
    let line: Vec<String> = line.iter().map(|mv| mv.to_uci(false).to_string()).collect();
    assert_eq!(line, ["e3d5", "e6d5"]);
    assert_eq!(nodes, 3, "here, behind the capture, behind the answer");
}

/// QS-03, AMB-30: in check every move is searched, inside quiescence or by a full-width ply.
#[test]
fn in_check_everything_is_searched() {
    let fen = "k7/8/8/8/8/8/6PP/r5K1 w - - 0 1";
    for full_width in [false, true] {
        let mut params = Params::default();
        params.qsearch.full_width = full_width;
        let (value, _) = searched(&params, fen);
        assert!(!value.is_mate() && value < Value::ZERO, "{full_width}: {value}");
    }
    let mate = "k7/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
    assert_eq!(searched(&Params::default(), mate).0.mate(), Some(0));
}

/// QS-02: promotions to a queen, with and without a capture, and no lesser ones.
#[test]
fn promotions_to_queens_only() {
    let fen = "n7/1P5k/8/8/8/P7/8/K7 w - - 0 1";
    for name in ["rebel", "printed", "prodeo", "mediocre", "winglet", "default"] {
        let mut params = Params::personality(name).expect(name);
        (params.lazy.on, params.mate_threat.on, params.long_checks.on) = (false, false, false);
        (params.horizon.trick_one, params.horizon.trick_two) = (false, false);
        assert_eq!(searched(&params, fen).1, 3, "{name}: here, b8=Q and bxa8=Q");
    }
}

/// QS-02, QS-05, QS-09, QS-13, SEE-11: losing captures are left out, and equal ones where only
/// gains count.
#[test]
fn which_captures() {
    let losing = "4k3/4p3/3p4/8/8/8/3R4/4K3 w - - 0 1";
    let equal = "4k3/2p5/3n4/8/4N3/8/3P4/4K3 w - - 0 1";
    let nodes = |params: &Params, fen: &str| searched(params, fen).1;
    let qsp = Params::default();
    let mut qs = qsp.clone();
    qs.qsearch.see_prune = false;
    assert!(nodes(&qsp, losing) == 1 && nodes(&qs, losing) > 1);
    let mut gains = qsp.clone();
    gains.qsearch.see_min = 1;
    assert!(nodes(&gains, equal) == 1 && nodes(&qsp, equal) > 1);
    // AMB-34: b8=Q loses the queen for a pawn.
    let covered = "7r/1P6/8/8/8/8/8/K6k w - - 0 1";
    gains.qsearch.promotions = true;
    assert!(nodes(&gains, covered) > 1 && nodes(&qsp, covered) == 1);
}
