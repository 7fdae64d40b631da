//! The chunks that a worker has: what is left of each, and what the broker is told meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use async_nats::jetstream::Message;
use wire::chunk::Chunk;
use wire::message::HeldChunk;

struct Held {
    chunk: Chunk,
    message: Message,
    /// Pairs whose results the broker does not have yet.
    left: BTreeSet<u64>,
}

#[derive(Default)]
pub(super) struct Holding(BTreeMap<u64, Held>);

impl Holding {
    pub(super) fn take(&mut self, chunk: Chunk, message: Message, pairs: &[u64]) {
        let left = pairs.iter().copied().collect();
        self.0.insert(chunk.first, Held { chunk, message, left });
    }

    /// The chunk of a pair.
    pub(super) fn chunk_of(&self, pair: u64) -> Option<Chunk> {
        let (_, held) = self.0.range(..=pair).next_back()?;
        held.chunk.range().contains(&pair).then_some(held.chunk)
    }

    /// The broker has a pair's results. If its chunk is ended by that, its message is to be
    /// acknowledged.
    pub(super) fn stored(&mut self, pair: u64) -> Option<Message> {
        let first = self.chunk_of(pair)?.first;
        let held = self.0.get_mut(&first)?;
        held.left.remove(&pair);
        if held.left.is_empty() { self.0.remove(&first).map(|held| held.message) } else { None }
    }

    pub(super) fn chunks(&self) -> Vec<HeldChunk> {
        let held = self.0.values().map(|Held { chunk, left, .. }| {
            let Chunk { first, pairs, round } = *chunk;
            let left = u32::try_from(left.len()).unwrap_or(pairs);
            HeldChunk { first, pairs, round, done: pairs.saturating_sub(left) }
        });
        held.collect()
    }

    /// Says that they are still being played.
    pub(super) fn messages(&self) -> Vec<Message> {
        self.0.values().map(|held| held.message.clone()).collect()
    }

    /// All of them, which are held no longer: others may have them.
    pub(super) fn let_go(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.0).into_values().map(|held| held.message).collect()
    }
}
