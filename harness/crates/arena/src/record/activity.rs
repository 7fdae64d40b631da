//! How long a run was at work: the length of the union of its games' times.

use std::collections::BTreeMap;
use std::time::Duration;

/// A union of time intervals; games that overlap are one interval, so it stays small.
#[derive(Debug, Default)]
pub(super) struct Activity {
    /// Disjoint intervals in milliseconds: start to end.
    intervals: BTreeMap<u64, u64>,
}

impl Activity {
    /// Adds the time from `start` to `end`; nothing when it is unknown (0) or backwards.
    pub(super) fn add(&mut self, start: u64, end: u64) {
        if start == 0 || end < start {
            return;
        }
        let (mut start, mut end) = (start, end);
        while let Some((&s, &e)) = self.intervals.range(..=end).next_back()
            && e >= start
        {
            self.intervals.remove(&s);
            start = start.min(s);
            end = end.max(e);
        }
        self.intervals.insert(start, end);
    }

    pub(super) fn total(&self) -> Duration {
        Duration::from_millis(self.intervals.iter().map(|(start, end)| end - start).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions() {
        for (intervals, expected) in [
            (&[][..], 0),
            (&[(10, 20)], 10),
            (&[(10, 20), (15, 30)], 20),
            (&[(15, 30), (10, 20)], 20),
            (&[(10, 20), (20, 30)], 20),
            (&[(10, 20), (40, 50)], 20),
            (&[(10, 20), (40, 50), (15, 45)], 40),
            (&[(10, 90), (40, 50)], 80),
            (&[(40, 50), (10, 90)], 80),
            (&[(0, 50), (50, 40)], 0),
        ] {
            let mut activity = Activity::default();
            intervals.iter().for_each(|&(start, end)| activity.add(start, end));
            assert_eq!(activity.total(), Duration::from_millis(expected), "{intervals:?}");
        }
    }
}
