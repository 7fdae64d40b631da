//! A worker, as `fleet::worker` has it: one chunk after another is fetched, its games go through a
//! short queue to the slots, and finished pairs go in batches to the broker.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use arena::record::Side;
use wire::batch::Batcher;
use wire::chunk::Chunk;
use wire::message::{Beat, HeldChunk, Playing};
use wire::names::RunId;

use crate::broker::{Delivery, Process};
use crate::network::Line;

/// `CHANNEL` of `fleet::worker::play`: finished games that wait to be sent.
pub(crate) const FINISHED: usize = 256;

/// What the part of it does that fetches chunks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Feeder {
    Off,
    Pulls,
    /// Asks what is missing of a chunk, by the number of its question.
    AsksMissing(Delivery, u64),
    /// Its queue is full.
    Feeds,
}

#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) number: u64,
    pub(crate) chunk: Chunk,
    /// Pairs whose results the broker does not have.
    pub(crate) left: BTreeSet<u64>,
}

/// A batch that is being sent, by chunks.
pub(crate) type Sending = VecDeque<(Chunk, Vec<u64>)>;

pub(crate) struct Worker {
    pub(crate) epoch: u32,
    pub(crate) is_alive: bool,
    pub(crate) is_leaving: bool,
    pub(crate) is_stopped: bool,
    pub(crate) since: Duration,
    pub(crate) slots: usize,
    /// To the broker.
    pub(crate) up: Line,
    pub(crate) down: Line,
    pub(crate) feeder: Feeder,
    /// Games of the fetched chunk that the queue has no place for.
    pub(crate) to_feed: VecDeque<u64>,
    pub(crate) fed: VecDeque<u64>,
    /// Games under way, with their begin.
    pub(crate) playing: BTreeMap<u64, Duration>,
    pub(crate) finished: VecDeque<u64>,
    /// Finished games that keep their slots until `finished` has room.
    pub(crate) blocked: VecDeque<u64>,
    /// Pairs of which one game is finished.
    pub(crate) half: BTreeSet<u64>,
    pub(crate) batcher: Batcher<u64>,
    /// When `batcher` is asked next.
    pub(crate) due: Option<Duration>,
    pub(crate) sending: Vec<Option<Sending>>,
    /// By first pair.
    pub(crate) holding: BTreeMap<u64, Held>,
    /// Pairs that were begun and are not with the broker.
    pub(crate) begun: BTreeSet<u64>,
    pub(crate) beats: u64,
    pub(crate) questions: u64,
}

impl Worker {
    pub(crate) fn new(slots: usize, batches: usize, line: &Line) -> Worker {
        Worker {
            epoch: 0,
            is_alive: false,
            is_leaving: false,
            is_stopped: false,
            since: Duration::ZERO,
            slots,
            up: line.clone(),
            down: line.clone(),
            feeder: Feeder::Off,
            to_feed: VecDeque::new(),
            fed: VecDeque::new(),
            playing: BTreeMap::new(),
            finished: VecDeque::new(),
            blocked: VecDeque::new(),
            half: BTreeSet::new(),
            batcher: Batcher::default(),
            due: None,
            sending: (0..batches).map(|_| None).collect(),
            holding: BTreeMap::new(),
            begun: BTreeSet::new(),
            beats: 0,
            questions: 0,
        }
    }

    /// As another process on a machine like it, at that time.
    pub(crate) fn started(&self, now: Duration) -> Worker {
        let fresh = Worker::new(self.slots, self.sending.len(), &self.up);
        let (up, down) = (self.up.again(), self.down.again());
        Worker { epoch: self.epoch + 1, is_alive: true, since: now, up, down, ..fresh }
    }

    /// Whether it takes further games.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_alive && !self.is_leaving && !self.is_stopped
    }

    pub(crate) fn process(&self, worker: usize) -> Process {
        Process { worker, epoch: self.epoch }
    }

    pub(crate) fn has_free_slot(&self) -> bool {
        self.playing.len() + self.blocked.len() < self.slots
    }

    pub(crate) fn free_sender(&self) -> Option<usize> {
        self.sending.iter().position(Option::is_none)
    }

    /// Slot time and busy time until now of what still runs.
    pub(crate) fn times(&self, now: Duration) -> (Duration, Duration) {
        if !self.is_alive {
            return (Duration::ZERO, Duration::ZERO);
        }
        let busy = self.playing.values().map(|began| now - *began).sum();
        ((now - self.since) * u32::try_from(self.slots).unwrap_or(u32::MAX), busy)
    }

    /// The chunk of a pair whose results the broker does not have.
    pub(crate) fn chunk_of(&self, pair: u64) -> Option<Chunk> {
        let (_, held) = self.holding.range(..=pair).next_back()?;
        held.left.contains(&pair).then_some(held.chunk)
    }

    /// The broker has a pair's results. Returns the chunk's number in the stream if it is ended.
    pub(crate) fn stored(&mut self, pair: u64) -> Option<u64> {
        self.begun.remove(&pair);
        let first = self.chunk_of(pair)?.first;
        let held = self.holding.get_mut(&first)?;
        held.left.remove(&pair);
        if held.left.is_empty() {
            self.holding.remove(&first).map(|held| held.number)
        } else {
            None
        }
    }

    /// Takes a chunk with these missing pairs. Returns those that are not under way here already, and
    /// the number of an earlier message of the chunk.
    pub(crate) fn hold(&mut self, delivery: Delivery, missing: &[u64]) -> (Vec<u64>, Option<u64>) {
        let Delivery { number, chunk, .. } = delivery;
        let mut left: BTreeSet<u64> = missing.iter().copied().collect();
        let earlier = self.holding.remove(&chunk.first);
        let is_new = |pair: &u64| earlier.as_ref().is_none_or(|held| !held.left.contains(pair));
        let pairs = missing.iter().copied().filter(is_new).collect();
        let earlier = earlier.map(|mut held| {
            left.append(&mut held.left);
            held.number
        });
        self.holding.insert(chunk.first, Held { number, chunk, left });
        (pairs, earlier)
    }

    /// A batch, by the chunks that it holds; what it no longer holds is left out.
    pub(crate) fn grouped(&self, pairs: Vec<u64>) -> Sending {
        let mut groups = Sending::new();
        for pair in pairs {
            let Some(chunk) = self.chunk_of(pair) else { continue };
            match groups.iter_mut().find(|(known, _)| *known == chunk) {
                Some((_, group)) => group.push(pair),
                None => groups.push_back((chunk, vec![pair])),
            }
        }
        groups
    }

    pub(crate) fn beat(&mut self, run: RunId, leaving: bool) -> Beat {
        self.beats += 1;
        let chunks = self.holding.values().map(|Held { chunk, left, .. }| {
            let Chunk { first, pairs, round } = *chunk;
            let left = u32::try_from(left.len()).unwrap_or(pairs);
            HeldChunk { first, pairs, round, done: pairs.saturating_sub(left) }
        });
        let chunks = chunks.collect();
        let slots = u32::try_from(self.slots).unwrap_or(u32::MAX);
        let playing = self.playing.keys();
        let playing =
            playing.map(|&game| Playing { game, plies: 0, to_move: Side::Base }).collect();
        Beat { run: Some(run), seq: self.beats - 1, chunks, playing, leaving, ..Beat::new(slots) }
    }
}
