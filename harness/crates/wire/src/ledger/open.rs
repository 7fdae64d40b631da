//! An open chunk: handed out, and not done.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::chunk::Chunk;
use crate::names::WorkerName;

/// A chunk that was handed out and still has missing pairs.
#[derive(Debug)]
pub(super) struct Open {
    /// As it was handed out last, or will be next.
    pub(super) chunk: Chunk,
    pub(super) place: Place,
    pub(super) holders: BTreeMap<WorkerName, Hold>,
    /// Number of missing pairs.
    pub(super) left: usize,
    /// Missing pairs that were played, but whose games were void.
    pub(super) returned: BTreeSet<u64>,
    pub(super) hedged: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Waiting,
    /// `since`: when it was published or lost its last holder.
    Published {
        since: Duration,
    },
    Own,
    Poisoned,
}

#[derive(Debug)]
pub(super) struct Hold {
    /// When the worker took the chunk, or last finished a pair of it.
    pub(super) moved: Duration,
    pub(super) seen: Duration,
    pub(super) done: u32,
    /// Pairs that are being played.
    pub(super) playing: Vec<u64>,
}

impl Open {
    /// The time since which it is published and no worker holds it.
    pub(super) fn queued_since(&self) -> Option<Duration> {
        match self.place {
            Place::Published { since } if self.holders.is_empty() => Some(since),
            _ => None,
        }
    }

    /// To be called when a holder was removed.
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

    /// If all missing pairs were played and void, the chunk waits for another worker.
    pub(super) fn wait_if_all_returned(&mut self) {
        if self.left > 0 && self.returned.len() == self.left {
            self.wait();
        }
    }

    /// It is to be handed out again, in a higher round, unless it is poison.
    pub(super) fn wait(&mut self) {
        self.returned.clear();
        if self.place != Place::Poisoned {
            self.chunk.round = self.chunk.round.saturating_add(1);
            self.place = Place::Waiting;
        }
    }
}
