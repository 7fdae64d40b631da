//! Chunks that got lost on the way, or whose worker is slow: they are published once more.

use std::collections::BTreeSet;
use std::time::Duration;

use super::open::{Hold, Open, Place};
use super::{Ledger, SILENCE};
use crate::chunk::Chunk;

/// How long a chunk that nobody holds may be in transit: its results are not gathered yet, or its
/// message is not in the list of queued messages yet.
const GRACE: Duration = Duration::from_secs(30);
/// The same after the broker has lost its store, and how long after.
const SHORT_GRACE: Duration = Duration::from_secs(3);
const DISTRUST: Duration = Duration::from_secs(60);

impl Ledger {
    /// The chunks to publish again, each in a higher round: those that are not done, not queued,
    /// and not held by a worker that makes progress. `queued`: first pairs of the chunks that were
    /// at the broker at `now`.
    pub fn reconcile(&mut self, queued: &BTreeSet<u64>, now: Duration) -> Vec<Chunk> {
        let mut lost: Vec<u64> = self.in_doubt(now).collect();
        lost.retain(|number| self.split.at(*number).is_some_and(|it| !queued.contains(&it.first)));
        let again = lost
            .into_iter()
            .filter_map(|number| Some(self.open.get_mut(&number)?.publish_again(now)));
        again.collect()
    }

    /// Whether any chunk is lost, unless it is at the broker.
    pub fn is_in_doubt(&self, now: Duration) -> bool {
        self.in_doubt(now).next().is_some()
    }

    /// Numbers of the chunks that are lost, unless they are at the broker.
    fn in_doubt(&self, now: Duration) -> impl Iterator<Item = u64> {
        let grace = if now < self.distrusted_until { SHORT_GRACE } else { GRACE };
        let gets_on = move |hold: &Hold| {
            now.saturating_sub(hold.seen) <= SILENCE
                && now.saturating_sub(hold.moved) <= self.patience
        };
        let is_in_doubt = move |open: &Open| match open.place {
            Place::Published { since } => {
                now.saturating_sub(since) > grace && !open.holders.values().any(gets_on)
            }
            _ => false,
        };
        self.open.iter().filter(move |(_, open)| is_in_doubt(open)).map(|(number, _)| *number)
    }

    /// The broker has lost its store: for 60 s, chunks in transit are waited for only 3 s.
    pub fn distrust(&mut self, now: Duration) {
        self.distrusted_until = now + DISTRUST;
    }

    /// The chunk that has blocked the gap-free prefix for 60 s, or longer where chunks take long, while
    /// later chunks were finished, to be published in a higher round. Returned once. Only for games that
    /// repeat exactly.
    pub fn hedge(&mut self, now: Duration) -> Option<Chunk> {
        let number = self.split.number_of(self.prefix);
        let since = match self.stalled {
            Some((stalled, since)) if stalled == number => since,
            _ => {
                self.stalled = Some((number, now));
                return None;
            }
        };
        let open = self.open.get_mut(&number)?;
        let is_overtaken =
            self.beyond.last().is_some_and(|game| *game / 2 >= open.chunk.range().end);
        let is_held = matches!(open.place, Place::Published { .. }) && !open.holders.is_empty();
        if !is_held || !is_overtaken || open.hedged || now.saturating_sub(since) <= self.hedge_after
        {
            return None;
        }
        open.hedged = true;
        Some(open.publish_again(now))
    }
}
