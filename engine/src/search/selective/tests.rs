use super::*;
use crate::Params;
use crate::search::testing::{QUIET, after, personality};
use crate::types::cp;

/// Whether the move's subtree is cut off at so many plies with alpha `above` score and threat,
/// on the first ply of the static part.
fn pruned(params: &Params, fen: &str, mv: &str, plies: i32, above: i32) -> bool {
    after(params.clone(), fen, &[mv], |worker, ply| {
        worker.plan.null_plies = 0;
        let depth = Depth::plies(plies);
        let Some(judged) = worker.after_move(Value::ZERO, depth, ply) else { return false };
        let alpha = judged.score + judged.threat + Value::new(above);
        worker.is_pruned(&AfterMove { alpha, ..judged })
    })
}

/// SEL-13, SEL-14: the margins by remaining depth.
#[test]
fn static_margins_are_the_papers() {
    let rebel = personality("rebel");
    for (plies, centipawns) in [(2, 10), (3, 15), (4, 20), (5, 25), (12, 25)] {
        let at = |above| pruned(&rebel, QUIET, "b1c3", plies, above);
        let margin = cp(centipawns);
        assert_eq!((at(margin), at(margin - 1)), (true, false), "{plies} plies");
    }
    assert!(!pruned(&rebel, QUIET, "b1c3", 1, 9999), "remaining depth must exceed 1");
}

/// SEL-14, SEL-15: what is searched all the same.
#[test]
fn static_part_spares() {
    let rebel = personality("rebel");
    let at = |fen, mv| pruned(&rebel, fen, mv, 5, 9999);
    assert!(at(QUIET, "b1c3"));
    assert!(!at("4k3/8/8/8/8/8/3P4/K3r3 w - - 0 1", "a1b2"), "out of check");
    assert!(!at("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1a4"), "a check");
    assert!(!at("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5"), "a winning capture");
    let pawns = "4k3/8/1P6/2P5/3P4/8/8/4K3 w - - 0 1";
    assert_eq!(["b6b7", "c5c6", "d4d5"].map(|mv| at(pawns, mv)), [false, false, true]);
    let black = "4k3/8/8/3p4/2p5/1p6/8/4K3 b - - 0 1";
    assert_eq!(["b3b2", "c4c3", "d5d4"].map(|mv| at(black, mv)), [false, false, true]);
}

/// SEL-16: a move that presses the king is searched.
#[test]
fn pressure_is_searched() {
    let mut rebel = personality("rebel");
    (rebel.reductions.king_rise, rebel.reductions.king_level) = (0, 0);
    assert!(!pruned(&rebel, QUIET, "b1c3", 5, 9999));
    rebel.selective.king_pressure = false;
    assert!(pruned(&rebel, QUIET, "b1c3", 5, 9999));
}

/// SEL-02, SEL-05, SEL-12, EXT-18: which plies belong to the null-move part.
#[test]
fn the_two_parts() {
    let part = |params: &Params, ply: usize, extensions: i16| {
        after(params.clone(), QUIET, &[], |worker, _| {
            worker.plan.null_plies = 5;
            worker.ply(ply).counters.extensions = extensions;
            worker.is_null_part(ply)
        })
    };
    let mut rebel = personality("rebel");
    assert_eq!([1, 5, 6].map(|ply| part(&rebel, ply, 0)), [true, true, false]);
    assert_eq!([3, 4].map(|quarters| part(&rebel, 6, quarters)), [false, true]);
    rebel.selective.full_null = true;
    assert!(part(&rebel, 60, 0), "[Selective Search = 0]");
}

/// Whether the side to move may pass behind a move, beta `above` its evaluation.
fn passes(params: &Params, fen: &str, moves: &[&str], above: i32) -> bool {
    after(params.clone(), fen, moves, |worker, ply| {
        let value = worker.value_here(ply);
        let beta = value + Value::new(above);
        worker.may_pass(beta, Depth::plies(4), ply, value)
            && value - worker.threat_against_us(ply) >= beta
    })
}

/// SEL-06, SEL-07, SEL-08: not behind a move out of check, not when the threat reaches alpha.
#[test]
fn when_the_null_move_is_avoided() {
    let rebel = personality("rebel");
    assert!(passes(&rebel, QUIET, &["b1c3"], 0));
    assert!(!passes(&rebel, QUIET, &["b1c3"], 1), "below beta");
    assert!(!passes(&rebel, "4k3/8/8/8/8/8/3P4/K3r3 w - - 0 1", &["a1b2"], -9999));
    let threat = "4k3/8/8/3q4/8/4P3/8/3BK3 w - - 0 1";
    assert!(!passes(&rebel, threat, &["d1b3"], 1 - cp(900)), "the queen is threatened");
    assert!(passes(&rebel, threat, &["d1b3"], -cp(900)));
}

/// SEL-07, SEL-11: no null move is tried where the threat reaches alpha, unless the guard is off.
#[test]
fn the_threat_keeps_null_moves_away() {
    let tried = |guard: bool, above: i32| {
        let mut rebel = personality("rebel");
        rebel.null_move.threat_guard = guard;
        after(rebel, "4k3/8/8/3q4/8/4P3/8/3BK3 w - - 0 1", &["d1b3"], |worker, ply| {
            let value = worker.value_here(ply);
            worker.null_move(value + Value::new(above), Depth::plies(4), ply, value);
            [SearchEvent::NullMove, SearchEvent::GuardedNullMove]
                .map(|event| worker.stats.of(event))
        })
    };
    // The queen is threatened.
    let (reaches, does_not) = (1 - cp(900), -cp(900));
    assert_eq!([tried(true, does_not), tried(true, reaches)], [[1, 0], [0, 0]]);
    assert_eq!([tried(false, does_not), tried(false, reaches)], [[1, 0], [1, 1]]);
}

/// SEL-10: a null move that does not cut is counted as one that was searched again.
#[test]
fn failed_passes_are_counted() {
    let counted = |above: i32| {
        let mut rebel = personality("rebel");
        rebel.null_move.eval_guard = false;
        after(rebel, QUIET, &["b1c3"], |worker, ply| {
            let value = worker.value_here(ply);
            let beta = value + Value::new(above);
            let cut = worker.null_move(beta, Depth::plies(4), ply, value + Value::new(9999));
            let count = |event| worker.stats.of(event);
            (cut.is_some(), count(SearchEvent::NullMove), count(SearchEvent::NullMoveResearch))
        })
    };
    assert_eq!(counted(-cp(300)), (true, 1, 0));
    assert_eq!(counted(cp(300)), (false, 1, 1));
}

/// SEL-09, AMB-29: R = 3 in the middle game, 2 in the end game.
#[test]
fn null_move_reductions() {
    let r = |fen: &str| {
        after(personality("rebel"), fen, &[], |worker, _| {
            worker.null_reduction(Value::ZERO, Depth::plies(9), Value::PAWN * 9).to_plies()
        })
    };
    assert_eq!(r(QUIET), 3);
    assert_eq!(r("3qk3/ppp2ppp/8/8/8/8/PPP2PPP/3QK3 w - - 0 1"), 2);
}

/// No second pass behind a pass, and none without pieces where the parameters ask for them.
#[test]
fn never_twice_and_never_without_pieces() {
    let mut params = personality("rebel");
    after(params.clone(), QUIET, &["b1c3"], |worker, ply| {
        worker.make_null(ply);
        let value = worker.value_here(ply + 1);
        assert!(!worker.may_pass(value, Depth::plies(4), ply + 1, value));
    });
    let pawns = "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1";
    assert!(passes(&params, pawns, &["e1e2"], -9999), "rebel does not ask");
    params.null_move.pieces = 1;
    assert!(!passes(&params, pawns, &["e1e2"], -9999));
}

/// Near the root passing waits for more pieces: there a zugzwang decides the move.
#[test]
fn near_the_root_it_needs_more_pieces() {
    let mut params = personality("rebel");
    let rooks = "r3k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1";
    let tried = |params: &Params| passes(params, rooks, &["e1e2"], -9999);
    assert!(tried(&params));
    (params.null_move.near_plies, params.null_move.near_pieces) = (3, 9);
    assert!(!tried(&params));
    params.null_move.near_pieces = 4;
    assert!(tried(&params), "a rook is worth more");
    (params.null_move.near_plies, params.null_move.near_pieces) = (0, 9);
    assert!(tried(&params), "not the root, whose ply is nought");
}

/// Pieces that cannot move are no better at passing than none.
#[test]
fn pieces_that_cannot_move_do_not_count() {
    let mut params = personality("rebel");
    let buried = "6Q1/8/8/7k/8/8/3p1pp1/3Kbrrb w - - 0 1";
    assert!(passes(&params, buried, &["g8g7"], -9999));
    params.null_move.moves = 1;
    assert!(!passes(&params, buried, &["g8g7"], -9999));
    let one = "4k3/8/1p6/p1p5/8/1n6/8/4K3 w - - 0 1";
    let tried = |params: &Params| passes(params, one, &["e1e2"], -9999);
    params.null_move.moves = 4;
    assert!(tried(&params), "the knight goes to a1, c1, d2 and d4");
    params.null_move.moves = 5;
    assert!(!tried(&params), "a5 and c5 are its own pawns'");
}
