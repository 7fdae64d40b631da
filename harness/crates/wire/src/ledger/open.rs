//! A chunk that is not done yet.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::chunk::Chunk;
use crate::names::WorkerName;

/// A chunk that was handed out and has missing pairs.
#[derive(Debug)]
pub(super) struct Open {
    /// As it was or will be handed out.
    pub(super) chunk: Chunk,
    pub(super) place: Place,
    pub(super) holders: BTreeMap<WorkerName, Hold>,
    /// Missing pairs.
    pub(super) left: usize,
    /// Those of them that were played and may not be recorded.
    pub(super) returned: BTreeSet<u64>,
    pub(super) hedged: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Waiting,
    /// Since when nobody is known to have it.
    Published {
        since: Duration,
    },
    Own,
}

#[derive(Debug)]
pub(super) struct Hold {
    /// When it came, or last finished a pair.
    pub(super) moved: Duration,
    pub(super) seen: Duration,
    pub(super) done: u32,
    /// Pairs under way.
    pub(super) playing: Vec<u64>,
}

impl Open {
    /// Its last holder has gone, perhaps.
    pub(super) fn unheld(&mut self, now: Duration) {
        if let Place::Published { since } = &mut self.place
            && self.holders.is_empty()
        {
            *since = now;
        }
    }

    pub(super) fn publish_again(&mut self, now: Duration) -> Chunk {
        self.chunk.round = self.chunk.round.saturating_add(1);
        self.place = Place::Published { since: now };
        self.returned.clear();
        self.chunk
    }

    /// Its holder has played all there was: what may not be recorded waits for another.
    pub(super) fn wait_if_all_returned(&mut self) {
        if self.left > 0 && self.returned.len() == self.left {
            self.chunk.round = self.chunk.round.saturating_add(1);
            self.place = Place::Waiting;
            self.returned.clear();
        }
    }
}
