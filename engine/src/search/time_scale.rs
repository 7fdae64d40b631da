//! What the iterations say of the time a move is worth (ROT-04, MISS-30): how long the best move has
//! held, whether its score dropped, how much of the effort it took.

use crate::params;
use crate::types::{Move, Value};

/// Watches the iterations of one search.
#[derive(Debug)]
pub(super) struct TimeScale<'a> {
    params: &'a params::Time,
    /// Best move and score of the last iteration.
    last: Option<(Move, Value)>,
    /// How many iterations in a row it has been best before the last.
    held: usize,
}

impl<'a> TimeScale<'a> {
    pub(super) fn new(params: &'a params::Time) -> TimeScale<'a> {
        TimeScale { params, last: None, held: 0 }
    }

    /// After an iteration whose best move took `effort` per cent of the nodes: the time the move is
    /// worth, in per cent of the usual.
    pub(super) fn after(&mut self, best: Move, score: Value, effort: u32) -> u32 {
        let params = self.params;
        let mut decline = 0;
        match self.last {
            Some((mv, before)) => {
                self.held = if mv == best { self.held + 1 } else { 0 };
                decline = (before - score).binary();
            }
            None => self.held = 0,
        }
        self.last = Some((best, score));
        let stability = params.stability[self.held.min(params.stability.len() - 1)];
        // A mate in sight moves scores by more than the numbers can hold.
        let pawns = i64::from(decline.clamp(0, 100 * Value::PAWN.binary()));
        let drop = pawns * i64::from(params.drop_gain) / i64::from(Value::PAWN.binary());
        let drop = 100 + drop.min(i64::from(params.drop_most));
        let effort = i64::from(params.effort_most)
            - i64::from(params.effort_share) * i64::from(effort.min(100)) / 100;
        let percent = i64::from(stability) * drop * effort.max(LEAST) / 10_000;
        percent.max(LEAST) as u32
    }
}

/// The least any finding leaves of the time, per cent.
const LEAST: i64 = 10;

#[cfg(test)]
mod tests {
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
}
