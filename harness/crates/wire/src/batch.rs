//! When a worker sends its results: many pairs in one message, but no pair later than 2 s.

use std::time::Duration;

/// Most pairs in a batch.
const PAIRS: usize = 16;
/// Most bytes of JSON in a batch; they compress to about 256 KiB.
const BYTES: usize = 1 << 20;
/// How long a finished pair waits for others at most.
const WAIT: Duration = Duration::from_secs(2);

/// Collects finished pairs. `T` holds one pair.
#[derive(Debug)]
pub struct Batcher<T> {
    pairs: Vec<T>,
    bytes: usize,
    /// When the first of `pairs` was added.
    since: Duration,
    /// When the last batch was returned.
    sent: Option<Duration>,
}

impl<T> Default for Batcher<T> {
    fn default() -> Batcher<T> {
        Batcher { pairs: Vec::new(), bytes: 0, since: Duration::ZERO, sent: None }
    }
}

impl<T> Batcher<T> {
    /// Adds a finished pair with so many bytes of JSON. Returns the batch to send now, if there is
    /// one. If no batch was sent in the last 2 s, the pair is returned at once, so that slow games
    /// are not delayed.
    pub fn add(&mut self, pair: T, bytes: usize, now: Duration) -> Option<Vec<T>> {
        if self.pairs.is_empty() {
            self.since = now;
        }
        self.pairs.push(pair);
        self.bytes = self.bytes.saturating_add(bytes);
        let paused = self.sent.is_none_or(|sent| now.saturating_sub(sent) >= WAIT);
        let full = self.pairs.len() >= PAIRS || self.bytes >= BYTES;
        if paused || full { self.flush(now) } else { self.due(now) }
    }

    /// When to call [`due`](Batcher::due); `None` while there are no pairs.
    pub fn due_at(&self) -> Option<Duration> {
        (!self.pairs.is_empty()).then(|| self.since.saturating_add(WAIT))
    }

    /// The batch, if its first pair has waited for 2 s.
    pub fn due(&mut self, now: Duration) -> Option<Vec<T>> {
        self.due_at().filter(|due| now >= *due).and_then(|_| self.flush(now))
    }

    /// All pairs that are waiting; for the end of a chunk or of the worker.
    pub fn flush(&mut self, now: Duration) -> Option<Vec<T>> {
        if self.pairs.is_empty() {
            return None;
        }
        self.bytes = 0;
        self.sent = Some(now);
        Some(std::mem::take(&mut self.pairs))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn slow_pairs_go_at_once_and_quick_ones_together() {
        let mut batcher = Batcher::default();
        assert_eq!(batcher.add(0, 1, ms(0)), Some(vec![0]));
        assert_eq!(batcher.due_at(), None);
        assert_eq!(batcher.add(1, 1, ms(100)), None);
        assert_eq!(batcher.add(2, 1, ms(1500)), None);
        assert_eq!((batcher.due_at(), batcher.due(ms(1999))), (Some(ms(2100)), None));
        assert_eq!(batcher.due(ms(2100)), Some(vec![1, 2]));
        assert_eq!(batcher.add(3, 1, ms(5000)), Some(vec![3]));
        assert_eq!(batcher.add(4, 1 << 20, ms(5001)), Some(vec![4]));
        for pair in 5..20 {
            assert_eq!(batcher.add(pair, 1, ms(5002)), None);
        }
        assert_eq!(batcher.add(20, 1, ms(5003)).map(|batch| batch.len()), Some(16));
        assert_eq!(batcher.add(21, 1, ms(5004)), None);
        assert_eq!(batcher.flush(ms(5005)), Some(vec![21]));
        assert_eq!(batcher.flush(ms(5006)), None);
    }

    proptest! {
        #[test]
        fn every_pair_is_sent_once_in_order_and_within_two_seconds(
            steps in prop::collection::vec((0_u64..900, 0_usize..400_000), 1..200),
        ) {
            let mut batcher = Batcher::default();
            let mut now = Duration::ZERO;
            let mut sent = Vec::new();
            let mut take = |batch: Option<Vec<(usize, Duration)>>, now: Duration| {
                let batch = batch.unwrap_or_default();
                let late = batch.iter().any(|(_, came)| now - *came > WAIT);
                sent.extend(batch.iter().map(|(number, _)| *number));
                (batch.len(), late)
            };
            for (number, &(wait, bytes)) in steps.iter().enumerate() {
                let next = now + ms(wait);
                while let Some(due) = batcher.due_at().filter(|due| *due <= next) {
                    prop_assert!(!take(batcher.due(due), due).1);
                }
                now = next;
                let (pairs, late) = take(batcher.add((number, now), bytes, now), now);
                prop_assert!(!late && pairs <= PAIRS);
            }
            take(batcher.flush(now), now);
            prop_assert_eq!(sent, (0..steps.len()).collect::<Vec<_>>());
        }
    }
}
