//! The broker's stream of chunks with the consumer that all workers share, as `fleet::link` and
//! `fleet::server::streams` set it up.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use wire::chunk::Chunk;

/// `ACK_WAIT` of `fleet::link::consumers`.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(30);
/// `CHUNK_WITHIN` of `fleet::worker::play`.
pub(crate) const PULL_WITHIN: Duration = Duration::from_secs(5);

/// Which process of which worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) worker: usize,
    pub(crate) epoch: u32,
}

#[derive(Debug)]
struct Stored {
    chunk: Chunk,
    was_delivered: bool,
    /// When it comes again; `None`: nobody has it.
    again_at: Option<Duration>,
}

/// A chunk on its way to a worker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Delivery {
    pub(crate) to: Process,
    /// Its number in the stream.
    pub(crate) number: u64,
    pub(crate) chunk: Chunk,
    pub(crate) is_first: bool,
}

#[derive(Default)]
pub(crate) struct Broker {
    next: u64,
    /// Until they are acknowledged.
    stored: BTreeMap<u64, Stored>,
    fresh: VecDeque<u64>,
    /// Given back or not acknowledged in time: they go first.
    again: VecDeque<u64>,
    /// Who waits for a chunk, until when.
    pulls: VecDeque<(Process, Duration)>,
}

impl Broker {
    pub(crate) fn publish(&mut self, chunk: Chunk) {
        self.next += 1;
        self.stored.insert(self.next, Stored { chunk, was_delivered: false, again_at: None });
        self.fresh.push_back(self.next);
    }

    pub(crate) fn pull(&mut self, by: Process, now: Duration) {
        self.pulls.push_back((by, now + PULL_WITHIN));
    }

    /// Its process is no longer connected.
    pub(crate) fn drop_pulls(&mut self, by: Process) {
        self.pulls.retain(|(process, _)| *process != by);
    }

    /// Whether such a pull waited still. It does no longer.
    pub(crate) fn expire(&mut self, by: Process, at: Duration) -> bool {
        let before = self.pulls.len();
        self.pulls.retain(|(process, until)| *process != by || *until > at);
        self.pulls.len() < before
    }

    /// What is to be sent now.
    pub(crate) fn deliver(&mut self, now: Duration) -> Option<Delivery> {
        self.pulls.front()?;
        let number = loop {
            let number = self.again.pop_front().or_else(|| self.fresh.pop_front())?;
            if self.stored.contains_key(&number) {
                break number;
            }
        };
        let stored = self.stored.get_mut(&number)?;
        let is_first = !std::mem::replace(&mut stored.was_delivered, true);
        stored.again_at = Some(now + ACK_WAIT);
        let (to, _) = self.pulls.pop_front()?;
        Some(Delivery { to, number, chunk: stored.chunk, is_first })
    }

    pub(crate) fn ack(&mut self, number: u64) {
        self.stored.remove(&number);
    }

    pub(crate) fn nak(&mut self, number: u64) {
        if let Some(stored) = self.stored.get_mut(&number)
            && stored.again_at.take().is_some()
        {
            self.again.push_back(number);
        }
    }

    pub(crate) fn progress(&mut self, number: u64, now: Duration) {
        if let Some(again_at) = self.stored.get_mut(&number).and_then(|it| it.again_at.as_mut()) {
            *again_at = now + ACK_WAIT;
        }
    }

    /// The time of a delivery may be over. Returns when to ask again.
    pub(crate) fn look(&mut self, number: u64, now: Duration) -> Option<Duration> {
        let again_at = self.stored.get(&number)?.again_at?;
        if again_at > now {
            return Some(again_at);
        }
        self.nak(number);
        None
    }

    /// The first stored chunk from that number on.
    pub(crate) fn next(&self, from: u64) -> Option<(u64, Chunk)> {
        let (number, stored) = self.stored.range(from..).next()?;
        Some((*number, stored.chunk))
    }

    pub(crate) fn purge(&mut self) {
        self.stored.clear();
        self.fresh.clear();
        self.again.clear();
    }
}
