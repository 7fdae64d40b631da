//! The only clock of the engine: how long the search has taken, and whether it must end.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use super::budget::Budget;
use super::limits::{Limits, Observer};
use crate::params;

/// Time since the search was asked for, and since its budget began.
#[derive(Debug)]
pub(super) struct SearchClock<'a> {
    params: &'a params::Time,
    started: Instant,
    budget: Option<Budget>,
    /// When the budget began, and the nodes searched by then; `None` while pondering.
    charged: Option<(Instant, u64)>,
    /// Nodes that count as a millisecond of the budget; `None`: time counts.
    nodes_per_ms: Option<NonZeroU64>,
    /// What the iterations so far say of the time the move is worth, per cent of the usual.
    patience: u32,
    /// The root failed low in this iteration.
    trouble: bool,
    /// The last look at the time, and the longest way from one look to the next.
    looked: Instant,
    longest: Duration,
}

impl<'a> SearchClock<'a> {
    /// Starts the clock; without a budget yet.
    pub(super) fn start(limits: &Limits, params: &'a params::Time) -> SearchClock<'a> {
        let now = Instant::now();
        let started = limits.since.unwrap_or(now);
        let charged = (!limits.ponder).then_some((started, 0));
        SearchClock {
            params,
            started,
            budget: None,
            charged,
            nodes_per_ms: limits.nodes_per_ms,
            patience: 100,
            trouble: false,
            looked: now,
            longest: Duration::ZERO,
        }
    }

    /// Sets the budget, counted from the start.
    pub(super) fn set_budget(&mut self, budget: Option<Budget>) {
        self.budget = budget;
    }

    /// The move needs no more time: the search ends as soon as it is on its own clock.
    pub(super) fn spend_no_more(&mut self) {
        self.budget = self.budget.take().map(|_| Budget::NOTHING);
    }

    /// How much the iterations so far make the move worth, in per cent of the usual.
    pub(super) fn set_patience(&mut self, percent: u32) {
        self.patience = percent;
    }

    /// Whether the present iteration has failed low at the root.
    pub(super) fn set_trouble(&mut self, trouble: bool) {
        self.trouble = trouble;
    }

    /// Time since the search was asked for.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Nodes between two looks at the clock and the observer, a power of two: about a millisecond's;
    /// on a clock a fraction of that, for a millisecond may be all that is kept back.
    pub(super) fn look_interval(&self) -> u64 {
        if self.budget.is_some() { 128 } else { 1024 }
    }

    /// Whether the search must end after so many nodes. While the observer ponders it need not.
    pub(super) fn end_is_over(&mut self, observer: &dyn Observer, nodes: u64) -> bool {
        let (params, patience, trouble) = (self.params, self.patience, self.trouble);
        self.is_over(observer, nodes, |budget| budget.end(params, patience, trouble))
    }

    /// Whether it is too late for a new iteration after so many nodes.
    pub(super) fn begin_is_over(&mut self, observer: &dyn Observer, nodes: u64) -> bool {
        let (params, patience) = (self.params, self.patience);
        self.is_over(observer, nodes, |budget| budget.begin(params, patience))
    }

    /// Whether the move is played on a clock.
    pub(super) fn is_limited(&self) -> bool {
        self.budget.is_some()
    }

    fn is_over(
        &mut self,
        observer: &dyn Observer,
        nodes: u64,
        limit: impl Fn(&Budget) -> Duration,
    ) -> bool {
        let Some(budget) = &self.budget else { return false };
        let now = Instant::now();
        if self.charged.is_none() && !observer.pondering() {
            self.charged = Some((now, nodes));
            self.looked = now;
        }
        let Some((start, before)) = self.charged else { return false };
        self.longest = self.longest.max(now - self.looked);
        self.looked = now;
        let taken = match self.nodes_per_ms {
            Some(rate) => node_time(nodes - before, rate),
            None => now - start,
        };
        taken >= limit(budget)
    }

    /// What the move has taken of its own clock, and the longest time between two looks at it;
    /// `None` where time does not count, or not yet.
    pub(super) fn taken(&self) -> Option<(Duration, Duration)> {
        let (start, _) = self.charged.filter(|_| self.nodes_per_ms.is_none())?;
        Some((start.elapsed(), self.longest.max(self.looked.elapsed())))
    }
}

/// What so many nodes cost on a clock that counts them, rounded down to a nanosecond.
fn node_time(nodes: u64, per_ms: NonZeroU64) -> Duration {
    let nanos = u128::from(nodes) * 1_000_000 / u128::from(per_ms.get());
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::params::Params;

    const HOUR: Duration = Duration::from_secs(3600);

    struct Pondering(Cell<bool>);

    impl Observer for Pondering {
        fn pondering(&self) -> bool {
            self.0.get()
        }
    }

    fn budget(soft: Duration, hard: Duration) -> Option<Budget> {
        Some(Budget { soft, hard, dynamic: true })
    }

    #[test]
    fn the_opponents_time_is_free() {
        let params = Params::default().time;
        let limits = Limits { ponder: true, ..Limits::default() };
        let mut clock = SearchClock::start(&limits, &params);
        clock.set_budget(budget(Duration::ZERO, Duration::ZERO));
        let observer = Pondering(Cell::new(true));
        assert!(!clock.end_is_over(&observer, 0) && !clock.begin_is_over(&observer, 0));
        observer.0.set(false);
        assert!(clock.end_is_over(&observer, 0) && clock.begin_is_over(&observer, 0));
    }

    #[test]
    fn without_a_budget_time_does_not_matter() {
        let params = Params::default().time;
        let mut clock = SearchClock::start(&Limits::default(), &params);
        assert!(!clock.is_limited() && !clock.end_is_over(&(), 0) && !clock.begin_is_over(&(), 0));
        let without = clock.look_interval();
        clock.set_budget(budget(HOUR, HOUR));
        assert!(clock.is_limited() && clock.look_interval() < without);
        assert!(clock.look_interval().is_power_of_two() && without.is_power_of_two());
    }

    /// What the search had to wait for is its own time; the wait is no stall of the search.
    #[test]
    fn waiting_costs_time() {
        const SECOND: Duration = Duration::from_secs(1);
        let params = Params::default().time;
        let since = Instant::now().checked_sub(SECOND).expect("a clock that runs");
        let limits = Limits { since: Some(since), ..Limits::default() };
        let mut clock = SearchClock::start(&limits, &params);
        clock.set_budget(budget(SECOND / 2, SECOND / 2));
        assert!(clock.end_is_over(&(), 0) && clock.begin_is_over(&(), 0));
        let (taken, longest) = clock.taken().expect("on a clock");
        assert!(taken >= SECOND && longest < taken, "{taken:?} {longest:?}");
        assert!(clock.elapsed() >= SECOND);
    }

    /// MISS-30: a calm iteration ends early, one whose root failed low may go on.
    #[test]
    fn trouble_takes_the_hard_limit() {
        let params = Params::default().time;
        let mut clock = SearchClock::start(&Limits::default(), &params);
        clock.set_budget(budget(Duration::ZERO, HOUR));
        assert!(clock.end_is_over(&(), 0));
        clock.set_trouble(true);
        assert!(!clock.end_is_over(&(), 0) && clock.begin_is_over(&(), 0));
        clock.set_trouble(false);
        assert!(clock.end_is_over(&(), 0));
    }

    #[test]
    fn a_clock_of_nodes_knows_no_time() {
        let params = Params::default().time;
        let limits = Limits { nodes_per_ms: NonZeroU64::new(1_000), ..Limits::default() };
        let mut clock = SearchClock::start(&limits, &params);
        clock.set_budget(budget(Duration::from_millis(2), Duration::from_millis(2)));
        clock.set_trouble(true);
        std::thread::sleep(Duration::from_millis(5));
        assert!(!clock.end_is_over(&(), 1_999) && clock.end_is_over(&(), 2_000));
        // The opponent's nodes are as free as his time.
        let limits = Limits { ponder: true, ..limits };
        let mut clock = SearchClock::start(&limits, &params);
        clock.set_budget(budget(Duration::from_millis(2), Duration::from_millis(2)));
        clock.set_trouble(true);
        let observer = Pondering(Cell::new(true));
        assert!(!clock.end_is_over(&observer, 50_000));
        observer.0.set(false);
        assert!(!clock.end_is_over(&observer, 51_000) && clock.end_is_over(&observer, 53_000));
    }
}
