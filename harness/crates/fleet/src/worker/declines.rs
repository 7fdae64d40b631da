//! Runs that this worker declines, and when it tries them again.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use wire::names::RunId;

use crate::files::Again;

/// Waits before a new attempt that costs something, and before one that costs nothing.
const LATER: [Duration; 3] =
    [Duration::from_secs(60), Duration::from_secs(5 * 60), Duration::from_secs(15 * 60)];
const SOON: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(super) struct Declines(BTreeMap<RunId, Refusal>);

#[derive(Debug, Default)]
struct Refusal {
    times: usize,
    /// `None`: never.
    again: Option<Instant>,
    /// Why, as it was told last.
    why: String,
}

impl Declines {
    /// Whether the reason is another one than the last time.
    pub(super) fn note(&mut self, run: RunId, why: &str, again: Again, now: Instant) -> bool {
        let refusal = self.0.entry(run).or_default();
        refusal.again = match again {
            Again::Never => None,
            Again::Later => {
                let wait = LATER[refusal.times.min(LATER.len() - 1)];
                refusal.times += 1;
                Some(now + wait)
            }
            Again::Soon => Some(now + SOON),
        };
        let is_new = refusal.why != why;
        why.clone_into(&mut refusal.why);
        is_new
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
            declines.note(run, "late", Again::Later, now);
            let wait = Duration::from_secs(60 * minutes);
            assert_eq!(declines.next(now), Some(now + wait));
            assert!(declines.covers(run, now + wait - Duration::from_secs(1)));
            now += wait;
            assert!(!declines.covers(run, now));
        }
        assert!(declines.note(run, "full", Again::Soon, now));
        assert_eq!(declines.next(now), Some(now + SOON));
        assert!(!declines.note(run, "full", Again::Soon, now), "it is told once");
        assert!(declines.note(run, "never", Again::Never, now));
        assert!(declines.covers(run, now + Duration::from_secs(1_000_000)));
        assert_eq!(declines.next(now), None);
        declines.forget(run);
        assert!(!declines.covers(run, now));
    }
}
