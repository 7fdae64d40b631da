//! Time that a busy machine takes away: a search that is not let on, an answer that waits (MISS-30).
//!
//! Nothing can be done about the stall that comes first. But who has met one of a tenth of a second
//! does well not to let the clock run down to less.

use std::time::Duration;

use super::budget::MOST;
use super::limits::ClockLimit;
use crate::params;

/// No longer stall is believed: more is another game's clock, or nothing that one can live with.
const LONGEST: Duration = Duration::from_millis(500);

/// The stalls of a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stalls {
    /// How long a stall is to be expected in the next search.
    expected: Duration,
    /// What the own clock should show next, if nobody but the search takes time.
    next: Option<Duration>,
}

impl Stalls {
    /// A search begins; what is left of its clock when a stall as expected is kept back, half of it
    /// at least. Where not even two such stalls are left, increments are saved up. While pondering the
    /// clock may be a guess: the search after it is compared as well.
    pub(super) fn begin(
        &mut self,
        clock: &ClockLimit,
        pondering: bool,
        params: &params::Time,
    ) -> ClockLimit {
        let next = if pondering { self.next } else { self.next.take() };
        if let Some(next) = next {
            self.meet(next.saturating_sub(clock.remaining), params);
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

    /// The search has ended: it took so long by its clock, and was not let on for `longest` at once.
    pub(super) fn end(
        &mut self,
        clock: &ClockLimit,
        taken: Duration,
        longest: Duration,
        params: &params::Time,
    ) {
        self.meet(longest, params);
        self.expected = self.expected * params.stall_keep as u32 / 100;
        self.next = clock.remaining.saturating_add(clock.increment).checked_sub(taken);
    }

    fn meet(&mut self, stall: Duration, params: &params::Time) {
        if params.stall_keep > 0 {
            self.expected = self.expected.max(stall.min(LONGEST));
        }
    }
}

#[cfg(test)]
mod tests;
