//! Runs that this worker declines, and when it tries them again.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use wire::names::RunId;

/// Waits before a new attempt, if the reason may go away.
const AGAIN: [Duration; 3] =
    [Duration::from_secs(60), Duration::from_secs(5 * 60), Duration::from_secs(15 * 60)];

#[derive(Debug, Default)]
pub(super) struct Declines(BTreeMap<RunId, Refusal>);

#[derive(Debug, Default)]
struct Refusal {
    times: usize,
    /// `None`: never.
    again: Option<Instant>,
}

impl Declines {
    /// `may_change`: whether a later attempt may work.
    pub(super) fn note(&mut self, run: RunId, may_change: bool, now: Instant) {
        let refusal = self.0.entry(run).or_default();
        let wait = AGAIN.get(refusal.times.min(AGAIN.len() - 1));
        refusal.again = wait.filter(|_| may_change).map(|wait| now + *wait);
        refusal.times += 1;
    }

    pub(super) fn forget(&mut self, run: RunId) {
        self.0.remove(&run);
    }

    pub(super) fn covers(&self, run: RunId, now: Instant) -> bool {
        self.0.get(&run).is_some_and(|refusal| refusal.again.is_none_or(|again| now < again))
    }

    /// The earliest time after now at which a run is to be tried again.
    pub(super) fn next(&self, now: Instant) -> Option<Instant> {
        self.0.values().filter_map(|refusal| refusal.again).filter(|again| *again > now).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_come_is_tried_after_one_five_and_fifteen_minutes() {
        let (run, mut now) = ("0123456789abcdef".parse::<RunId>().unwrap(), Instant::now());
        let mut declines = Declines::default();
        assert!(!declines.covers(run, now) && declines.next(now).is_none());
        for minutes in [1, 5, 15, 15] {
            declines.note(run, true, now);
            let wait = Duration::from_secs(60 * minutes);
            assert_eq!(declines.next(now), Some(now + wait));
            assert!(declines.covers(run, now + wait - Duration::from_secs(1)));
            now += wait;
            assert!(!declines.covers(run, now));
        }
        declines.note(run, false, now);
        assert!(declines.covers(run, now + Duration::from_secs(1_000_000)));
        assert_eq!(declines.next(now), None);
        declines.forget(run);
        assert!(!declines.covers(run, now));
    }
}
