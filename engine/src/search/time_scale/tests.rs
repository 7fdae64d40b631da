use super::*;
use crate::params::{Params, Time};
use crate::types::cp;

const A: Move = Move::from_bits(0x123);
const B: Move = Move::from_bits(0x321);

fn score(centipawns: i32) -> Value {
    Value::new(cp(centipawns))
}

/// Only one finding speaks, the others say 100 per cent.
fn silent() -> Time {
    Time {
        stability: [100; 5],
        drop_gain: 0,
        effort_most: 100,
        effort_share: 0,
        ..Params::default().time
    }
}

#[test]
fn a_move_that_holds_is_worth_less() {
    let params = Time { stability: [140, 115, 100, 90, 80], ..silent() };
    let mut patience = TimeScale::new(&params);
    let found = [A, A, A, B, B, B, B, B, B].map(|mv| patience.after(mv, Value::ZERO, 50));
    assert_eq!(found, [140, 115, 100, 140, 115, 100, 90, 80, 80]);
}

#[test]
fn a_drop_is_worth_more() {
    let params = Time { drop_gain: 100, drop_most: 150, ..silent() };
    let mut patience = TimeScale::new(&params);
    let found = [0, 50, 0, -100, -400, -400].map(|cp| patience.after(A, score(cp), 50));
    assert_eq!(found, [100, 100, 150, 200, 250, 100]);
    assert_eq!(patience.after(B, Value::mated_in(6), 50), 250, "the most");
    assert_eq!(patience.after(B, Value::mate_in(6), 50), 100, "a rise is no drop");
}

#[test]
fn effort_on_one_move_is_worth_less() {
    let params = Time { effort_most: 150, effort_share: 100, ..silent() };
    let mut patience = TimeScale::new(&params);
    let found = [0, 50, 90, 100, 250].map(|effort| patience.after(A, Value::ZERO, effort));
    assert_eq!(found, [150, 100, 60, 50, 50]);
}

#[test]
fn findings_multiply_and_never_vanish() {
    let params = Time { stability: [200; 5], drop_gain: 100, drop_most: 100, ..silent() };
    let mut patience = TimeScale::new(&params);
    patience.after(A, score(100), 50);
    assert_eq!(patience.after(A, score(0), 50), 400);
    let mean = Time { stability: [20; 5], effort_most: 50, effort_share: 200, ..silent() };
    assert_eq!(TimeScale::new(&mean).after(A, Value::ZERO, 100), 10);
}
