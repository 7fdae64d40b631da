use std::sync::Arc;

use super::*;
use crate::eval::testing::context;
use crate::eval::{Evaluator, NoTrace};
use crate::{Params, Position};

/// PRO-08: nothing up to two advantages, then the printed row.
#[test]
fn bonus_by_count() {
    let mut params = Params::default().initiative;
    let of = |params: &params::Initiative, scores, pair| bonus(params, scores, pair);
    assert_eq!(of(&params, [63, 63, 63], true), 0);
    assert_eq!(of(&params, [128, 0, 0], false), 0);
    assert_eq!(of(&params, [128, 64, 0], false), 32);
    assert_eq!(of(&params, [64, 64, 127], true), 64);
    assert_eq!(of(&params, [128, 128, 64], false), 128);
    assert_eq!(of(&params, [128, 200, 999], false), 192);
    assert_eq!(of(&params, [128, 200, 999], true), 256);
    params.scale = 25;
    assert_eq!(of(&params, [128, 200, 999], true), 64);
}

/// White's points when Black's king is in danger by `black`, White's own by `white`, White's
/// passed pawns are worth a pawn, and White alone has the pair.
fn white(params: Params, white: i32, black: i32) -> i32 {
    let evaluator = Evaluator::new(&Arc::new(params));
    let fen = "4k1n1/8/8/8/8/8/8/4KBB1 w - - 0 1";
    let position = Position::from_fen(fen).expect(fen);
    let cx = context(&evaluator, &position);
    let mut trace = NoTrace;
    let mut sum = Sum::new(&mut trace);
    let passed = ByColor { white: 256, black: 0 };
    evaluate(&cx, &mut sum, &ByColor { white, black }, &passed, &ByColor::default());
    sum.total.mg()
}

/// AMB-77: the attack on the enemy king counts, the own king must be safe.
#[test]
fn only_with_a_safe_king() {
    let params = Params::default;
    assert_eq!(white(params(), 0, 0), 32, "passed pawns twice, the pair once");
    assert_eq!(white(params(), 63, 128), 128, "and the attack twice");
    assert_eq!(white(params(), 64, 128), 0);
    let mut off = params();
    off.initiative.on = false;
    assert_eq!(white(off, 0, 128), 0);
    let rebel = Params::personality("rebel").expect("known");
    assert!(!rebel.initiative.on, "ProDeo's, not on the page of 2007");
}
