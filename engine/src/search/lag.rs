//! Stalls: time lost on a busy machine, within a search or between two searches (MISS-30).
//!
//! The first stall cannot be foreseen. After it, time is kept back for another; the amount shrinks by
//! `time.stall_keep` with each search.

use std::time::Duration;

use super::budget::MOST;
use super::limits::ClockLimit;
use crate::params;

/// Maximum expected stall. A longer one is the clock of another game, or too long to reserve for.
const MAX_STALL: Duration = Duration::from_millis(500);

/// Estimates the stalls of a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stalls {
    /// Expected stall in the next search.
    expected: Duration,
    /// What the clock shows before the next search if no stall comes between.
    expected_clock: Option<Duration>,
}

impl Stalls {
    /// Begins a search. Returns its clock without the time kept back for a stall, which is at most
    /// half of the clock. With less than two expected stalls left, the increment shrinks in
    /// proportion. While pondering the clock may be a guess, so the next search compares again.
    pub(super) fn begin(
        &mut self,
        clock: &ClockLimit,
        pondering: bool,
        params: &params::Time,
    ) -> ClockLimit {
        let expected_clock =
            if pondering { self.expected_clock } else { self.expected_clock.take() };
        if let Some(expected_clock) = expected_clock {
            self.note_stall(expected_clock.saturating_sub(clock.remaining), params);
        }
        let kept_back = self.expected.min(clock.remaining / 2);
        let wanted = (2 * self.expected).max(clock.remaining).as_secs_f64();
        let share = if wanted > 0.0 { clock.remaining.as_secs_f64() / wanted } else { 1.0 };
        ClockLimit {
            remaining: clock.remaining - kept_back,
            increment: clock.increment.min(MOST).mul_f64(share),
            ..*clock
        }
    }

    /// Ends a search that took `taken` of its clock; `longest` was the longest stall in it.
    pub(super) fn end(
        &mut self,
        clock: &ClockLimit,
        taken: Duration,
        longest: Duration,
        params: &params::Time,
    ) {
        self.note_stall(longest, params);
        self.expected = self.expected * params.stall_keep as u32 / 100;
        self.expected_clock = clock.remaining.saturating_add(clock.increment).checked_sub(taken);
    }

    fn note_stall(&mut self, stall: Duration, params: &params::Time) {
        if params.stall_keep > 0 {
            self.expected = self.expected.max(stall.min(MAX_STALL));
        }
    }
}

#[cfg(test)]
mod tests;
