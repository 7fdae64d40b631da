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
mod tests;
