//! What each rule gives, and where it gives nothing.

use super::*;
use crate::Params;
use crate::search::testing::{self, QUIET, after, personality};
use crate::types::{Color, Role, cp};

fn only(switch: &str) -> Params {
    let mut params = testing::only(switch);
    params.check_ext.on = false;
    params
}

/// What the last of the moves gains, quarter plies.
fn gains(params: &Params, fen: &str, moves: &[&str]) -> i32 {
    let last = moves.len() - 1;
    let stage = after(params.clone(), fen, &moves[..last], |worker, _| {
        let mv = worker.position.parse_uci(moves[last]).expect("legal");
        worker.stage_for_extension(mv)
    });
    after(params.clone(), fen, moves, |worker, ply| {
        worker.extension(Value::ZERO, None, stage, None, ply - 1).to_quarters()
    })
}

/// EXT-01, EXT-02, AMB-23: nothing for the first check on a line, two plies for the fourth.
#[test]
fn checks_by_their_number() {
    let series = |params: Params| {
        after(params, "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", &[], |worker, ply| {
            worker.plan.extensions = Depth::plies(20);
            [(); 6].map(|()| worker.check_extension(ply).to_quarters())
        })
    };
    assert_eq!(series(personality("rebel")), [0, 4, 4, 8, 4, 4]);
    assert_eq!(series(Params::default()), [4; 6], "EXT-03: the plain rule");
}

/// EXT-04, EXT-06: only winning recaptures on the same square, however many.
#[test]
fn recaptures() {
    let params = only("recapture_ext.on");
    let fen = "4k3/4p3/3n4/8/4B3/8/2P5/4K3 b - - 0 1";
    assert_eq!(gains(&params, "4k3/3p4/2n5/8/4B3/8/8/4K3 w - - 0 1", &["e4c6", "d7c6"]), 4);
    assert_eq!(gains(&params, fen, &["d6e4", "c2c4"]), 0, "no recapture");
    let elsewhere = "4k3/3p4/2n5/8/4B3/8/1p6/R3K3 w - - 0 1";
    assert_eq!(gains(&params, elsewhere, &["e4c6", "b2a1q"]), 0, "another square");
    // The queen takes a pawn that is protected: she is lost, and nothing is won.
    let losing = "3qk3/8/8/3p4/4P3/8/8/3RK3 w - - 0 1";
    assert_eq!(gains(&params, losing, &["e4d5", "d8d5"]), 0);
}

/// EXT-02, EXT-04, EXT-10: the first check on a line extends nothing, so that the recapture out of
/// it is; the second extends its answers, and they are not extended again.
#[test]
fn recaptures_out_of_check() {
    let mut params = personality("rebel");
    params.recapture_ext.on = true;
    let fen = "4k3/3p4/2n5/8/4B3/8/8/4K3 w - - 0 1";
    let gain = |checks: u8| {
        after(params.clone(), fen, &["e4c6", "d7c6"], |worker, ply| {
            worker.ply(ply - 1).counters.checks = checks;
            worker.plan.extensions = Depth::plies(20);
            let check = worker.check_extension(ply - 1).to_quarters();
            let own = worker.extension(Value::ZERO, None, None, None, ply - 1);
            (check, own.to_quarters())
        })
    };
    assert_eq!([gain(0), gain(1)], [(0, 4), (4, 0)]);
}

/// EXT-05, AMB-24: I_SCORE must lie in a window around the root's that narrows with each ply.
#[test]
fn the_window_of_recaptures() {
    let params = only("recapture_ext.on");
    let moves = ["e4c6", "d7c6"];
    let fen = "4k3/3p4/2n5/8/4B3/8/8/4K3 w - - 0 1";
    let shifted = |root: i32| {
        after(params.clone(), fen, &moves, |worker, ply| {
            worker.plan.i_score += Value::new(root);
            worker.extension(Value::ZERO, None, None, None, ply - 1).to_quarters()
        })
    };
    // White has just taken a knight: its I_SCORE is some three pawns above the root's.
    assert_eq!(shifted(0), 4);
    assert_eq!(shifted(cp(-900)), 0, "far above the window");
    assert_eq!(shifted(cp(900)), 0, "far below it");
    let sum: i32 = params.recapture_ext.narrow.iter().sum();
    let least = params.recapture_ext.window - sum;
    assert!((least - cp(200)).abs() <= 4, "2.00 from ply 9 on: {least}");
    assert_eq!(params.recapture_ext.narrow[10..], [0, 0]);
}

/// EXT-05, AMB-24: the edges of that window by the ply of the recapture, White's after its capture
/// or Black's after the recapture.
#[test]
fn the_window_narrows_with_the_ply() {
    let fen = "4k3/3p4/2n5/8/4B3/8/8/4K3 w - - 0 1";
    let early: &[&str] = &["e4c6", "d7c6"];
    let later: &[&str] = &["e1e2", "e8f8", "e4c6", "d7c6"];
    for (moves, half, after_it) in [(early, 450, false), (later, 350, false), (early, 450, true)] {
        let mut params = only("recapture_ext.on");
        params.recapture_ext.after = after_it;
        // The root so that I_SCORE lies this far above the middle of the window.
        let at = |distance: i32| {
            after(params.clone(), fen, moves, |worker, ply| {
                let side = if after_it { Color::Black } else { Color::White };
                let before = seen_by(side, worker.ply(ply).i_score_before);
                let i_score = if after_it { worker.i_score(side) } else { before };
                let root = i_score - Value::new(distance);
                worker.plan.i_score = seen_by(side, root);
                worker.extension(Value::ZERO, None, None, None, ply - 1).to_quarters()
            })
        };
        let taken =
            after(params.clone(), fen, &[], |worker, _| worker.setup.exchange.of(Role::Knight));
        assert_eq!([at(-cp(half)), at(-cp(half) - 1)], [4, 0], "{moves:?}");
        assert_eq!([at(cp(half) + taken), at(cp(half) + taken + 1)], [4, 0], "{moves:?}");
    }
}

/// EXT-07.
#[test]
fn far_pawns() {
    let params = only("pawn_ext.on");
    let white = "8/8/2PP4/8/k7/8/8/K7 w - - 0 1";
    assert_eq!(gains(&params, white, &["c6c7"]), 4);
    assert_eq!(gains(&params, "8/8/8/2P5/k7/8/8/K7 w - - 0 1", &["c5c6"]), 0);
    assert_eq!(gains(&params, "k7/8/8/7K/8/2p5/8/8 b - - 0 1", &["c3c2"]), 4);
}

/// EXT-08, EXT-09: the steps into a simple ending and into a pawn ending near equality.
#[test]
fn endings() {
    let mut params = only("endgame_ext.simple");
    params.endgame_ext.pawns = true;
    let queens = "3qk3/ppp5/8/8/8/8/PPP5/R2QK3 w - - 0 1";
    assert_eq!(gains(&params, queens, &["d1d8", "e8d8"]), 4, "a rook ending");
    let knights = "4k3/ppp5/8/3n4/4B3/8/PPP5/4K3 w - - 0 1";
    assert_eq!(gains(&params, knights, &["e4d5"]), 0, "from one simple ending to the next");
    let pawns = "3rk3/ppp5/8/8/8/8/PPP5/3RK3 w - - 0 1";
    assert_eq!(gains(&params, pawns, &["d1d8", "e8d8"]), 12, "a pawn ending");
    let rooks = "r2qk2r/ppp5/8/8/8/8/PPP5/R2QK2R w - - 0 1";
    assert_eq!(gains(&params, rooks, &["d1d8", "a8d8"]), 0, "three rooks are many");
    params.phase.by_kind = true;
    assert_eq!(gains(&params, rooks, &["d1d8", "a8d8"]), 4, "but a rook ending");
    params.recapture_ext.on = true;
    assert_eq!(gains(&params, pawns, &["d1d8", "e8d8"]), 12, "EXT-04, EXT-10: a recapture too");
    params.recapture_ext.on = false;
    let lost = "3rk3/8/8/8/8/8/PPPP4/3RK3 w - - 0 1";
    assert_eq!(gains(&params, lost, &["d2d3", "d8d3", "c2d3"]), 0, "no pawn ending yet");
    let far = "3rk3/8/8/8/8/8/PPPPP3/3RK3 b - - 0 1";
    assert_eq!(gains(&params, far, &["d8d2", "d1d2", "e8e7", "d2d7", "e7d7"]), 0, "not near");
}

/// EXT-10, EXT-15, EXT-16: one extension a move, so many plies on a line.
#[test]
fn limits() {
    let mut params = only("extensions.by_iteration");
    params.pawn_ext.on = true;
    params.pawn_ext.amount = 6;
    let fen = "8/8/2PP4/8/k7/8/8/K7 w - - 0 1";
    let second = |params: &Params, iteration: u32| {
        after(params.clone(), fen, &["c6c7", "a4a5", "d6d7"], |worker, ply| {
            let setup = worker.setup;
            worker.plan.begin(setup, iteration);
            worker.ply(ply).counters.extensions = 6;
            worker.extension(Value::ZERO, None, None, None, ply - 1).to_quarters()
        })
    };
    assert_eq!([2, 3].map(|iteration| second(&params, iteration)), [0, 6], "1.5 plies each");
    params.extensions.by_iteration = false;
    assert_eq!(second(&params, 1), 6);
}

/// EXT-10: the first rule that holds, or all of them.
#[test]
fn once_or_by_every_rule() {
    // The pawn takes back and reaches the seventh.
    let both = "8/1B6/2P5/8/8/7k/1r6/N6K b - - 0 1";
    let gained = |once: bool| {
        let mut params = only("pawn_ext.on");
        (params.recapture_ext.on, params.extensions.once) = (true, once);
        gains(&params, both, &["b2b7", "c6b7"])
    };
    assert_eq!([gained(true), gained(false)], [4, 8]);
    let pressed = |once: bool, extended: bool| {
        let mut params = only("king_ext.on");
        (params.king_ext.rise, params.king_ext.level) = (0, 0);
        params.extensions.once = once;
        after(params, QUIET, &["b1c3"], |worker, ply| {
            worker.ply(ply).extended = extended;
            worker.king_extension(ply).to_quarters()
        })
    };
    assert_eq!([pressed(true, false), pressed(true, true), pressed(false, true)], [4, 0, 4]);
}

/// EXT-11: pressure on the king; checks are left out.
#[test]
fn pressure_on_the_king() {
    let mut params = only("king_ext.on");
    let quiet = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/4PN2/PP2BPPP/RNBQ1RK1 w - - 0 8";
    let gain = |params: &Params| {
        after(params.clone(), quiet, &["b1c3"], |worker, ply| {
            worker.king_extension(ply).to_quarters()
        })
    };
    assert_eq!(gain(&params), 0);
    (params.king_ext.rise, params.king_ext.level) = (0, 0);
    assert_eq!(gain(&params), 4);
    let check = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    let gained = after(params, check, &["d1a4"], |worker, ply| worker.king_extension(ply));
    assert_eq!(gained, Depth::ZERO, "a check");
}

/// EXT-12, EXT-13, EXT-14, AMB-25, AMB-26: the fourth hash move behind a hash move extends, and
/// the eighth again; the margin keeps moves out whose hash score is far below alpha.
#[test]
fn rows_of_hash_moves() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let series = |params: &Params, below: i32| {
        after(params.clone(), start, &["e2e4", "e7e5"], |worker, ply| {
            (worker.ply(ply - 1).from_hash, worker.ply(ply).from_hash) = (true, true);
            let known = TtHit {
                mv: Move::NONE,
                value: Value::ZERO,
                depth: Depth::ZERO,
                bound: Bound::Exact,
            };
            [(); 8].map(|()| {
                let alpha = Value::new(below);
                worker.extension(alpha, Some(known), None, None, ply - 1).to_quarters()
            })
        })
    };
    let mut params = only("pv_ext.on");
    assert_eq!(series(&params, 255), [0, 0, 0, 4, 0, 0, 0, 4]);
    assert_eq!(series(&params, 256), [0; 8], "a pawn below alpha");
    params.pv_ext.printed = true;
    assert_eq!(series(&params, 256), [0; 8], "AMB-25: as printed");
    assert_eq!(series(&params, 257), [0, 0, 0, 4, 0, 0, 0, 4], "more than a pawn below alpha");
    params.pv_ext.margin_on = false;
    assert_eq!(series(&params, 9999), [0, 0, 0, 4, 0, 0, 0, 4]);
    params.pv_ext.count = 3;
    assert_eq!(series(&params, 0)[2], 4, "M37_COUNT");
}

/// EXT-14: for ProDeo a move that another rule extends does not count; the page knows no such
/// exception (EXT-12).
#[test]
fn extended_moves_in_a_row() {
    let counted = |once: bool, fen: &str, mv: &str| {
        let mut params = only("pv_ext.on");
        (params.pv_ext.margin_on, params.pv_ext.once) = (false, once);
        params.pawn_ext.on = true;
        after(params, fen, &[mv], |worker, ply| {
            (worker.ply(ply - 1).from_hash, worker.ply(ply).from_hash) = (true, true);
            worker.extension(Value::ZERO, None, None, None, ply - 1);
            worker.ply(ply).counters.hash_moves
        })
    };
    let pawn = "8/8/2P5/8/k7/8/8/K7 w - - 0 1";
    assert_eq!([false, true].map(|once| counted(once, pawn, "c6c7")), [1, 0]);
    assert_eq!([false, true].map(|once| counted(once, pawn, "a1b1")), [1, 1]);
}

/// AMB-27: a move that is taken back takes its count with it; the next one counts from the same.
#[test]
fn rows_belong_to_their_line() {
    let mut params = only("pv_ext.on");
    params.pv_ext.margin_on = false;
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    after(params, start, &["e2e4"], |worker, ply| {
        worker.ply(ply).from_hash = true;
        worker.ply(ply).counters.hash_moves = 1;
        for reply in ["e7e5", "c7c5"] {
            let mv = worker.position.parse_uci(reply).expect("legal");
            worker.make(mv, ply);
            worker.ply(ply + 1).from_hash = true;
            worker.extension(Value::ZERO, None, None, None, ply);
            assert_eq!(worker.ply(ply + 1).counters.hash_moves, 2, "{reply}");
            worker.unmake(mv);
            assert_eq!(worker.ply(ply).counters.hash_moves, 1, "{reply}");
        }
    });
}

/// What a search without the hash move tells of it, and how much deeper it is searched then.
#[test]
fn single_moves_and_their_rivals() {
    let quarters = |params: &Params, fen: &str, mv: &str, value: i32, beta: i32, is_pv: bool| {
        after(params.clone(), fen, &[], |worker, ply| {
            let mv = worker.position.parse_uci(mv).expect(mv);
            let depth = Depth::plies(8);
            let known = TtHit { mv, value: Value::new(value), depth, bound: Bound::Lower };
            let late = LateMove { tried: 0, depth, ply, is_pv, improving: false, history: 0 };
            let single = worker.singular_search(mv, Value::new(beta), Some(known), &late);
            if let Some(Single::Cut(value)) = single {
                return Err(value);
            }
            worker.make(mv, ply);
            let extension = worker.extension(Value::ZERO, Some(known), None, single, ply);
            Ok((extension - worker.rivalled(single)).to_quarters())
        })
    };
    let queens = "4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1";
    let takes = |params: &Params, is_pv| quarters(params, queens, "d1d5", 2300, 0, is_pv);
    let mut params = only("singular_ext.on");
    assert_eq!(takes(&params, false), Ok(4));
    params.singular_ext.far_margin = 512;
    assert_eq!([false, true].map(|is_pv| takes(&params, is_pv)), [Ok(8), Ok(4)]);
    params.singular_ext.far_margin = 10_000;
    assert_eq!(takes(&params, false), Ok(4), "not so far");
    // At the start, many moves reach a value that is bad enough.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let e4 = |params: &Params, beta| quarters(params, start, "e2e4", -500, beta, false);
    assert_eq!(e4(&params, -600), Ok(0));
    params.singular_ext.rivalled = 6;
    assert_eq!(
        [-600, -520, -500, -499].map(|beta| e4(&params, beta)),
        [Ok(-6), Ok(-6), Ok(-6), Ok(0)]
    );
    params.singular_ext.multi_cut = true;
    assert_eq!([-600, -520].map(|beta| e4(&params, beta)), [Err(Value::new(-564)), Ok(-6)]);
}
