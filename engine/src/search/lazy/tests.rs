use super::*;
use crate::Params;
use crate::search::testing::{QUIET, after, only};
use crate::types::cp;

/// What lazy evaluation says of a move when alpha lies `above` the paper's guess: I_SCORE behind
/// the move plus 0.50 plus what the last evaluation said beyond I_SCORE.
fn lazy(params: &Params, fen: &str, mv: &str, above: i32) -> Option<i32> {
    after(params.clone(), fen, &[], |worker, ply| {
        let mv = worker.position.parse_uci(mv).expect(mv);
        let turn = worker.position.turn();
        let value = worker.ply(ply).value(turn).unwrap_or_default();
        let before = worker.i_score(turn);
        worker.make(mv, ply);
        let behind = worker.i_score(turn);
        worker.unmake(mv);
        let surplus = match params.lazy.correction {
            0 => Value::ZERO,
            1 => value - before,
            2 => (value - before).max(Value::ZERO),
            _ => (value - before).max(before - value),
        };
        let guess = behind + Value::new(params.lazy.margin) + surplus;
        let checks = worker.position.check_squares();
        let alpha = guess + Value::new(above);
        worker
            .lazy_value(mv, alpha, worker.surplus(ply), ply, &checks)
            .map(|value| (value - guess).binary())
    })
}

/// LAZ-01, LAZ-04..06, LAZ-11, AMB-14: the guess stands while it does not exceed alpha, and is
/// returned with its margin. The position is a middle game on both sides of the move, so that
/// I_SCORE has one phase.
#[test]
fn the_guess_stands_up_to_alpha() {
    let mut params = only("lazy.on");
    assert_eq!(params.lazy.margin, cp(50));
    for correction in 0..=3 {
        params.lazy.correction = correction;
        let at = |above| lazy(&params, QUIET, "b1c3", above);
        assert_eq!([at(0), at(700), at(-1)], [Some(0), Some(0), None], "{correction}");
    }
}

/// LAZ-02, LAZ-03: never in check, never for a move that gives check.
#[test]
fn checks_are_looked_at() {
    let params = only("lazy.on");
    let fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    assert!(lazy(&params, fen, "d1d2", 900).is_some());
    assert_eq!(lazy(&params, fen, "d1a4", 900), None, "gives check");
    assert_eq!(lazy(&params, "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e2", 900), None, "in check");
}

/// LAZ-07, LAZ-08, LAZ-09: nothing is guessed behind an evaluation with special knowledge.
#[test]
fn special_cases() {
    let params = only("lazy.on");
    let known = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1";
    let mate = "6k1/5ppp/6P1/8/8/1P6/1K5Q/8 w - - 0 1";
    for (fen, mv, switch) in [
        ("8/6k1/8/P7/8/8/7p/K7 w - - 0 1", "a1b1", "lazy.spare_quadrant"),
        (known, "e1d1", "lazy.spare_endings"),
        (mate, "b2a2", "lazy.spare_mates"),
    ] {
        let special = after(params.clone(), fen, &[], |worker, ply| {
            let last = worker.ply(ply).evaluation.expect("not in check");
            [last.quadrant, last.known_ending, last.mates.white.is_some()]
        });
        assert!(special.contains(&true), "{fen} {special:?}");
        assert_eq!(lazy(&params, fen, mv, 2000), None, "{switch}");
    }
    let mut reckless = params;
    reckless.lazy.spare_mates = false;
    assert!(lazy(&reckless, mate, "b2a2", 2000).is_some());
}

/// LAZ-09: nor where the enemy threatens mate.
#[test]
fn the_enemys_threat_of_mate() {
    let mut params = only("lazy.on");
    let fen = "3r2k1/pbp2ppp/8/8/8/6Pq/PP2QP1P/R4RK1 w - - 0 1";
    let mates = after(params.clone(), fen, &[], |worker, ply| {
        worker.ply(ply).evaluation.expect("not in check").mates
    });
    assert!(mates.white.is_none() && mates.black.is_some());
    assert_eq!(lazy(&params, fen, "a2a3", 2000), None);
    params.lazy.spare_mates = false;
    assert!(lazy(&params, fen, "a2a3", 2000).is_some());
}

/// LAZ-01, FUT-01: the last ply goes by lazy evaluation, the ones before it by futility; the hash
/// move is spared by either if the parameters say so.
#[test]
fn by_the_depth_behind_the_move() {
    let guessed = |lazy: bool, plies: i32, class: MoveClass, spare: bool| {
        let mut params = Params::default();
        (params.lazy.on, params.futility.on) = (lazy, !lazy);
        (params.lazy.spare_hash, params.futility.spare_hash) = (spare, spare);
        after(params, QUIET, &[], |worker, ply| {
            let mv = worker.position.parse_uci("b1c3").expect("legal");
            let (alpha, checks) = (Value::new(9999), worker.position.check_squares());
            let picked = ScoredMove::new(mv, 0, class);
            let rest = Depth::plies(plies);
            worker.futility_value(&picked, alpha, rest, worker.surplus(ply), ply, &checks).is_some()
        })
    };
    for (lazy, plies) in [(true, 0), (false, 1)] {
        assert!(guessed(lazy, plies, MoveClass::Quiet, true), "{lazy}");
        assert!(!guessed(!lazy, plies, MoveClass::Quiet, true), "{lazy}: the other's ply");
        assert!(!guessed(lazy, plies, MoveClass::Hash, true), "{lazy}");
        assert!(guessed(lazy, plies, MoveClass::Hash, false), "{lazy}");
    }
}

/// However many queens there are, a guess is no mate.
#[test]
fn guesses_are_no_mates() {
    let fen = "8/p5kp/8/8/NN6/PPPB4/QQQK1B2/QQQRR3 b - - 0 1";
    let mut params = Params::default();
    (params.lazy.on, params.futility.on, params.lazy.correction) = (true, true, 0);
    (params.lazy.spare_mates, params.material.queen) = (false, 4096);
    (params.material.rook, params.material.bishop, params.material.knight) = (2560, 1600, 1600);
    after(params, fen, &[], |worker, ply| {
        let mv = worker.position.parse_uci("a7a6").expect("legal");
        let (alpha, checks) = (Value::INFINITE, worker.position.check_squares());
        let lazy = worker.lazy_value(mv, alpha, worker.surplus(ply), ply, &checks);
        let futile = worker.futile_value(mv, alpha, Depth::PLY, worker.surplus(ply), &checks);
        assert!(lazy.is_some_and(|guess| !guess.is_mate()), "{lazy:?}");
        assert!(futile.is_some_and(|guess| !guess.is_mate()), "{futile:?}");
    });
}

/// LAZ-10, LAZ-12, PAR-01: [ChessKnowledge] 100, 200 and 400 are margins of 0.50, 1.00 and 2.00;
/// 500 is the switch.
#[test]
fn chess_knowledge() {
    let usual = only("lazy.on");
    let guess = |params: &Params| {
        after(params.clone(), QUIET, &[], |worker, ply| {
            let mv = worker.position.parse_uci("b1c3").expect("legal");
            let checks = worker.position.check_squares();
            let guess = worker.lazy_value(mv, Value::new(9999), worker.surplus(ply), ply, &checks);
            guess.expect("far behind").binary()
        })
    };
    for (knowledge, centipawns) in [(100, 50), (200, 100), (400, 200)] {
        let mut params = usual.clone();
        params.lazy.margin = usual.lazy.margin * knowledge / 100;
        assert_eq!(guess(&params) - guess(&usual), cp(centipawns - 50));
    }
    let off = Params::default();
    assert!(!off.lazy.on && lazy(&off, QUIET, "b1c3", 5000).is_none());
}

/// What futility pruning says at so many plies with alpha `above` I_SCORE behind the move.
fn futile(params: &Params, fen: &str, mv: &str, plies: i32, above: i32) -> Option<i32> {
    after(params.clone(), fen, &[], |worker, ply| {
        let mv = worker.position.parse_uci(mv).expect(mv);
        let guess = worker.guess(mv);
        let checks = worker.position.check_squares();
        let (alpha, rest) = (guess + Value::new(above), Depth::plies(plies));
        let value = worker.futile_value(mv, alpha, rest, worker.surplus(ply), &checks);
        value.map(|value| (value - guess).binary())
    })
}

/// FUT-01, FUT-02, FUT-03, AMB-16: 3.00, in the end game 5.00, and 5.00; the score comes back
/// without margin.
#[test]
fn futility_has_the_papers_margins() {
    let params = only("futility.on");
    let ending = "3qk3/ppp2ppp/8/8/8/8/PPP2PPP/3QK3 w - - 0 1";
    for (fen, mv, plies, centipawns) in
        [(QUIET, "b1c3", 1, 300), (QUIET, "b1c3", 2, 500), (ending, "a2a3", 1, 500)]
    {
        let at = |above| futile(&params, fen, mv, plies, above);
        let margin = cp(centipawns);
        assert_eq!([at(margin), at(margin - 1)], [Some(0), None], "{fen} {plies}");
    }
    assert_eq!(futile(&params, QUIET, "b1c3", 3, 9999), None, "horizon - 3");
    assert_eq!(futile(&params, QUIET, "b1c3", 0, 9999), None, "the horizon");
}

/// FUT-04.
#[test]
fn futility_spares() {
    let params = only("futility.on");
    assert_eq!(futile(&params, QUIET, "c4d5", 1, 9999), None, "a capture");
    assert_eq!(futile(&params, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1a4", 1, 9999), None);
    assert_eq!(futile(&params, "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e2", 1, 9999), None);
    assert_eq!(futile(&params, "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "e1d1", 1, 9999), None);
}

/// A guess that misses alpha by the excess speaks for the other quiet moves, too.
#[test]
fn a_clear_miss_skips_the_others() {
    let mut params = Params::default();
    params.skip_quiets.excess = 100;
    let skips = |params: &Params, mv: &str, missed: i32| {
        after(params.clone(), QUIET, &[], |worker, _| {
            let mv = worker.position.parse_uci(mv).expect(mv);
            worker.skips_behind(mv, Value::ZERO, Value::new(missed))
        })
    };
    assert!(!skips(&params, "b1c3", 100), "off");
    params.skip_quiets.futile = true;
    assert_eq!([99, 100].map(|missed| skips(&params, "b1c3", missed)), [false, true]);
}
