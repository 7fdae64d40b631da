use super::*;
use crate::Params;
use crate::search::heuristics::{CutInfo, Searched};
use crate::search::testing::{QUIET, TestWorker, after};
use crate::types::{Move, cp};

fn mediocre() -> Params {
    let mut params = Params::default();
    params.lmr.on = true;
    params
}

fn at(tried: usize, depth: Depth, ply: usize) -> LateMove {
    LateMove { tried, depth, ply, is_pv: false, improving: true, history: 0 }
}

/// A move cuts at the root, another one perhaps tried before it in vain.
fn cut(worker: &mut TestWorker<'_>, mv: &str, in_vain: Option<&str>) {
    let read = |text: &str| worker.position.parse_uci(text).expect(text);
    let mut tried = Searched::default();
    if let Some(text) = in_vain {
        tried.push(read(text));
    }
    let mv = read(mv);
    worker.heuristics.cut(&CutInfo {
        position: &worker.position,
        stack: &worker.buffers.stack[..],
        ply: 0,
        depth: Depth::plies(40),
        mv,
        value: Value::ZERO,
        tried: &tried,
    });
}

/// The reduction of a move as number `tried` of a node of so many plies, quarter plies; alpha is
/// far above what any move reaches.
fn reduction(params: &Params, fen: &str, mv: &str, tried: usize, plies: i32) -> i32 {
    with(params, fen, mv, tried, plies, |_| ())
}

fn with(
    params: &Params,
    fen: &str,
    mv: &str,
    tried: usize,
    plies: i32,
    prepare: impl FnOnce(&mut TestWorker<'_>),
) -> i32 {
    after(params.clone(), fen, &[], |worker, ply| {
        let mv = worker.position.parse_uci(mv).expect(mv);
        let depth = Depth::plies(plies);
        let mut late = at(tried, depth, ply);
        prepare(worker);
        late.history = worker.history_of(mv, &worker.history_rows(ply));
        let losing = worker.position.see(mv, &worker.setup.exchange, worker.setup.pins);
        let class = match (mv.is_quiet(), losing < Value::ZERO) {
            (true, _) => MoveClass::Quiet,
            (false, true) => MoveClass::Losing,
            (false, false) => MoveClass::Equal,
        };
        worker.make(mv, ply);
        let picked = ScoredMove::new(mv, 30, class);
        worker.lmr_reduction(&picked, Value::new(9999), &late, Depth::ZERO).to_quarters()
    })
}

/// LMR-01, LMR-02, AMB-71: a ply, after four moves, with three plies or more to go.
#[test]
fn late_means_the_fifth_move() {
    let params = mediocre();
    let at = |tried, plies| reduction(&params, QUIET, "b1c3", tried, plies);
    assert_eq!([at(3, 5), at(4, 5), at(4, 3), at(4, 2)], [0, 4, 4, 0]);
    assert_eq!((params.lmr.min_move, params.lmr.min_depth), (4, 3));
}

/// LMR-02..05, LMR-11: captures, checks (clmr), evasions (plmr), extended moves and promotions.
#[test]
fn what_is_spared() {
    let mut params = mediocre();
    assert_eq!(reduction(&params, QUIET, "c4d5", 9, 5), 0, "a capture");
    let losing = "4k3/4p3/3p4/8/8/8/3R4/4K3 w - - 0 1";
    assert_eq!(reduction(&params, losing, "d2d6", 9, 5), 0);
    params.lmr.spare_captures = false;
    assert_eq!(reduction(&params, losing, "d2d6", 9, 5), 4, "a losing capture, perhaps");
    assert_eq!(reduction(&params, QUIET, "c4d5", 9, 5), 0, "no other");
    let queen = "4k3/P7/8/8/8/8/8/3QK3 w - - 0 1";
    assert_eq!(reduction(&params, queen, "a7a8q", 9, 5), 0, "a promotion");
    let check = |spare| {
        let mut params = mediocre();
        params.lmr.spare_checks = spare;
        reduction(&params, queen, "d1a4", 9, 5)
    };
    assert_eq!([check(true), check(false)], [0, 4], "clmr");
    let evasion = |spare| {
        let mut params = mediocre();
        params.lmr.spare_evasions = spare;
        reduction(&params, "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e2", 9, 5)
    };
    assert_eq!([evasion(true), evasion(false)], [0, 4], "plmr");
    after(mediocre(), QUIET, &["b1c3"], |worker, ply| {
        let mv = worker.ply(ply).mv;
        let depth = Depth::plies(5);
        let late = at(9, depth, ply - 1);
        let picked = ScoredMove::new(mv, 30, MoveClass::Quiet);
        let extended = worker.lmr_reduction(&picked, Value::ZERO, &late, Depth::PLY);
        assert_eq!(extended, Depth::ZERO, "an extended move");
    });
}

/// LMR-06, AMB-70: history, the evaluation above alpha, a new threat.
#[test]
fn options() {
    let mut params = mediocre();
    params.lmr.spare_history = true;
    let liked = |worker: &mut TestWorker<'_>| cut(worker, "b1c3", None);
    assert_eq!(with(&params, QUIET, "b1c3", 9, 5, liked), 0);
    assert_eq!(with(&params, QUIET, "b1d2", 9, 5, liked), 4);

    let mut params = mediocre();
    params.lmr.spare_raises = true;
    let raised = |alpha: i32| {
        after(params.clone(), QUIET, &["b1c3"], |worker, ply| {
            let mv = worker.ply(ply).mv;
            let depth = Depth::plies(5);
            let ply = ply - 1;
            let late = at(9, depth, ply);
            let picked = ScoredMove::new(mv, 30, MoveClass::Quiet);
            let alpha = Value::new(alpha);
            worker.lmr_reduction(&picked, alpha, &late, Depth::ZERO).to_quarters()
        })
    };
    assert_eq!([raised(-9999), raised(9999)], [0, 4]);

    let mut params = mediocre();
    params.lmr.spare_threats = true;
    let fen = "4k3/8/8/3q4/8/4P3/8/3BK3 w - - 0 1";
    assert_eq!(reduction(&params, fen, "d1b3", 9, 5), 0, "attacks the queen");
    assert_eq!(reduction(&params, fen, "d1a4", 9, 5), 0, "a check");
    assert_eq!(reduction(&params, fen, "e3e4", 9, 5), 0, "a pawn attacks the queen");
    assert_eq!(reduction(&params, fen, "e1f2", 9, 5), 4);
}

/// LMR-07: the growing reduction; LMR-08 is about what it leaves to the null move.
#[test]
fn growing() {
    let mut params = mediocre();
    params.lmr.growing = true;
    let at = |tried, plies| reduction(&params, QUIET, "b1c3", tried, plies);
    assert!(at(30, 12) > at(8, 12) && at(8, 12) > at(8, 5), "{} {}", at(30, 12), at(8, 5));
    assert!(at(60, 3) <= 4, "a ply at least is left");
}

/// A move that raises what an exception looks at is spared where it exceeds the level and has
/// risen enough, and only there.
fn spares(
    mut params: Params,
    (fen, mv): (&str, &str),
    part: impl Fn(&Evaluation) -> i32,
    set: impl Fn(&mut Params, i32, i32),
) {
    let (before, now) = after(params.clone(), fen, &[mv], |worker, ply| {
        let mut at = |ply| part(&worker.ply(ply).evaluation.expect("evaluated"));
        (at(ply - 1), at(ply))
    });
    assert!(now > before, "{before} {now}");
    let mut at = |level, rise| {
        set(&mut params, level, rise);
        reduction(&params, fen, mv, 9, 5)
    };
    assert_eq!(at(now - 1, now - before), 0);
    assert_eq!(at(now - 1, now - before + 1), 4);
    assert_eq!(at(now, now - before), 4, "more than the level");
}

/// LMR-09, PRO-24, AMB-79: no reduction when a king's danger exceeds the level and has risen.
#[test]
fn the_kings_exception() {
    let mut params = mediocre();
    params.lmr.king = true;
    assert_eq!(reduction(&params, QUIET, "b1c3", 9, 5), 4);
    assert_eq!((params.lmr.king_level, params.lmr.king_rise), (cp(50), cp(25)));
    let attack = "r1bq1rk1/pppn1ppp/4p3/3pP3/3P4/3B1N2/PPP2PPP/R2QK2R w KQ - 0 10";
    let danger = |evaluation: &Evaluation| evaluation.king_danger.black;
    spares(params, (attack, "f3g5"), danger, |params, level, rise| {
        (params.lmr.king_level, params.lmr.king_rise) = (level, rise);
    });
}

/// LMR-10: the same with passed pawns.
#[test]
fn the_passed_pawns_exception() {
    let mut params = mediocre();
    params.lmr.passed = true;
    let pawn = "6k1/5ppp/8/2P5/1P6/8/5PPP/6K1 w - - 0 1";
    spares(
        params,
        (pawn, "c5c6"),
        |evaluation| evaluation.passed.white,
        |params, level, rise| {
            (params.lmr.passed_level, params.lmr.passed_rise) = (level, rise);
        },
    );
}

/// RED-16, MISS-02: late quiet moves with a bad history.
#[test]
fn history_reductions() {
    let mut params = Params::default();
    params.history_reduction.on = true;
    let disliked = |worker: &mut TestWorker<'_>| cut(worker, "b1d2", Some("b1c3"));
    let at = |mv, tried| with(&params, QUIET, mv, tried, 5, disliked);
    assert_eq!([at("b1c3", 9), at("b1c3", 3), at("b1d2", 9)], [4, 0, 0]);
    params.history_reduction.amount = 6;
    assert_eq!(with(&params, QUIET, "b1c3", 9, 5, disliked), 6);
}

/// RED-14: they count among the reductions of their line.
#[test]
fn history_reductions_are_limited() {
    let mut params = Params::default();
    params.history_reduction.on = true;
    let disliked = |worker: &mut TestWorker<'_>| cut(worker, "b1d2", Some("b1c3"));
    let mut at = |most| {
        params.reductions.max = most;
        with(&params, QUIET, "b1c3", 9, 5, disliked)
    };
    assert_eq!([at(99), at(0)], [4, 0]);
}

/// MISS-02: the usual exceptions, whatever late move reductions spare.
#[test]
fn history_reductions_spare_loud_moves() {
    let mut params = Params::default();
    params.history_reduction.on = true;
    (params.lmr.spare_checks, params.lmr.spare_captures) = (false, false);
    let tried = |fen: &str, mv: &str, other: &str| {
        with(&params, fen, mv, 9, 5, |worker| cut(worker, other, Some(mv)))
    };
    let queen = "4k3/P7/8/8/8/8/8/3QK3 w - - 0 1";
    assert_eq!(tried(queen, "d1b3", "d1d2"), 4);
    assert_eq!(tried(queen, "d1a4", "d1d2"), 0, "a check");
    assert_eq!(tried("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e2", "e1d2"), 0, "out of check");
    (params.reductions.king_rise, params.reductions.king_level) = (0, 0);
    let tried = with(&params, queen, "d1b3", 9, 5, |worker| cut(worker, "d1d2", Some("d1b3")));
    assert_eq!(tried, 0, "any danger counts as pressure then");
}

/// The field's pruning spares checks and first moves.
#[test]
fn skipping() {
    let mut params = Params::default();
    (params.late_moves.count, params.late_moves.see) = (true, true);
    let skips = |fen: &str, mv: &str, tried, plies| {
        after(params.clone(), fen, &[], |worker, ply| {
            let mv: Move = worker.position.parse_uci(mv).expect(mv);
            let depth = Depth::plies(plies);
            let late = at(tried, depth, ply);
            let checks = worker.position.check_squares();
            worker.is_skipped(&ScoredMove::new(mv, 30, MoveClass::Quiet), &late, &checks)
        })
    };
    assert!(skips(QUIET, "b1c3", 4, 1) && !skips(QUIET, "b1c3", 3, 1));
    assert!(!skips(QUIET, "b1c3", 30, 9), "too deep");
    let queen = "4k3/8/3p4/8/8/8/8/3QK3 w - - 0 1";
    assert!(skips("4k3/4p3/8/8/8/8/3Q4/4K3 w - - 0 1", "d2d6", 1, 2), "she is lost");
    assert!(!skips(queen, "d1a4", 40, 1), "a check");
    assert!(!skips(QUIET, "b1c3", 0, 1), "the first move");
}

/// An order by victims calls no capture losing: whether it loses is asked of SEE.
#[test]
fn losing_captures_are_skipped_whatever_the_order() {
    let skips = |see: bool, mv: &str, class: MoveClass| {
        let mut params = Params::default();
        (params.late_moves.see, params.order.see) = (true, see);
        after(params, "4k3/4p3/3p4/8/8/8/3R4/4K3 w - - 0 1", &[], |worker, ply| {
            let mv: Move = worker.position.parse_uci(mv).expect(mv);
            let (late, checks) = (at(1, Depth::PLY, ply), worker.position.check_squares());
            worker.is_skipped(&ScoredMove::new(mv, 30, class), &late, &checks)
        })
    };
    assert!(skips(true, "d2d6", MoveClass::Losing) && skips(false, "d2d6", MoveClass::Winning));
    assert!(!skips(true, "d2d6", MoveClass::Winning), "the order has asked already");
}
