//! The only clock of the engine: how long a move may take, and whether it has (ROT-03, MISS-30).

use std::time::{Duration, Instant};

use super::limits::{ClockLimit, Limits, Observer};
use crate::params;

/// The time budget of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// No new iteration begins after this.
    pub(super) soft: Duration,
    /// The search ends at this.
    pub(super) hard: Duration,
}

/// The least time a move is given.
const LEAST: Duration = Duration::from_millis(1);

impl Budget {
    /// The budget of a move; `None` when time does not matter.
    pub(super) fn new(limits: &Limits, params: &params::Time) -> Option<Budget> {
        let fixed = limits.movetime.map(|time| {
            // A tenth at most: a time for a move is no clock that must not run out.
            let time = time.saturating_sub(limits.overhead.min(time / 10)).max(LEAST);
            Budget { soft: time, hard: time }
        });
        let clock = limits.clock.map(|clock| Budget::of_clock(&clock, limits.overhead, params));
        match (fixed, clock) {
            (Some(a), Some(b)) => {
                Some(Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }

    /// A share of the clock and of the increment; of a control in so many moves an even share. The
    /// overhead is kept back from the clock as a whole, not from every share of it.
    fn of_clock(clock: &ClockLimit, overhead: Duration, params: &params::Time) -> Budget {
        let safe = clock.remaining.saturating_sub(overhead);
        let share = match clock.moves_to_go {
            Some(moves) if moves > 0 => {
                clock.remaining / moves.min(1000 / params.permille.max(1) as u32).max(1)
            }
            _ => clock.remaining * params.permille as u32 / 1000,
        };
        let wanted = share + clock.increment * params.increment as u32 / 100;
        let most = match clock.moves_to_go {
            Some(1) => safe,
            _ => safe * params.reserve as u32 / 100,
        };
        let soft = wanted.min(most).max(LEAST.min(safe));
        let hard = (soft * params.hard as u32 / 100).min(most).max(LEAST.min(safe));
        Budget { soft: soft.min(hard), hard }
    }
}

/// Time since the search began, and since its budget began.
#[derive(Debug)]
pub(super) struct Clock {
    started: Instant,
    budget: Option<Budget>,
    /// When the budget began; `None` while pondering.
    charged: Option<Instant>,
}

impl Clock {
    pub(super) fn start(limits: &Limits, params: &params::Time) -> Clock {
        let started = Instant::now();
        let charged = (!limits.ponder).then_some(started);
        Clock { started, budget: Budget::new(limits, params), charged }
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the hard limit is over. While the observer ponders it cannot be.
    pub(super) fn hard_is_over(&mut self, observer: &dyn Observer) -> bool {
        self.is_over(observer, |budget| budget.hard)
    }

    /// Whether the soft limit is over: no new iteration.
    pub(super) fn soft_is_over(&mut self, observer: &dyn Observer) -> bool {
        // The next iteration takes longer than this one: past half of the time it will not end.
        self.is_over(observer, |budget| {
            if budget.soft < budget.hard { budget.soft / 2 } else { budget.soft }
        })
    }

    /// Whether the move is played on a clock.
    pub(super) fn is_limited(&self) -> bool {
        self.budget.is_some()
    }

    fn is_over(&mut self, observer: &dyn Observer, limit: impl Fn(&Budget) -> Duration) -> bool {
        let Some(budget) = &self.budget else { return false };
        if self.charged.is_none() && !observer.pondering() {
            self.charged = Some(Instant::now());
        }
        self.charged.is_some_and(|start| start.elapsed() >= limit(budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> Budget {
        let limits = Limits {
            clock: Some(ClockLimit {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            overhead: Duration::from_millis(overhead),
            ..Limits::default()
        };
        Budget::new(&limits, &Params::default().time).expect("a clock")
    }

    #[test]
    fn never_more_than_the_clock_has() {
        for remaining in [0, 1, 5, 9, 10, 11, 50, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(10_000)] {
                    for overhead in [0, 10, 500] {
                        let budget = budget(remaining, increment, moves, overhead);
                        let safe = Duration::from_millis(remaining.saturating_sub(overhead));
                        assert!(budget.soft <= budget.hard && budget.hard <= safe, "{budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_papers_share() {
        // ROT-03: 2.5 % of the clock and half the increment.
        assert_eq!(budget(60_000, 1_000, None, 0).soft, Duration::from_millis(2_000));
        assert_eq!(budget(60_000, 0, Some(10), 0).soft, Duration::from_secs(6));
    }
}
