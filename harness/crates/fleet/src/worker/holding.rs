//! Chunks that a worker holds, with their messages and unfinished pairs.

use std::collections::{BTreeMap, BTreeSet};

use async_nats::jetstream;
use wire::chunk::Chunk;
use wire::message::HeldChunk;

struct Held<M> {
    chunk: Chunk,
    message: M,
    /// Pairs whose results the broker does not have yet.
    left: BTreeSet<u64>,
}

/// By the first pair of the chunk. `M`: the broker's message.
pub(super) struct Holding<M = jetstream::Message>(BTreeMap<u64, Held<M>>);

/// What is to be done with a chunk that was taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TakenChunk<M> {
    /// Pairs to play: none that are under way here already.
    pub(super) pairs: Vec<u64>,
    /// The message of an earlier round of the chunk, which is to be acknowledged: it is held by the
    /// later one.
    pub(super) earlier: Option<M>,
}

impl<M> Default for Holding<M> {
    fn default() -> Holding<M> {
        Holding(BTreeMap::new())
    }
}

impl<M: Clone> Holding<M> {
    /// `missing`: pairs of it that the coordinator does not have.
    pub(super) fn take(&mut self, chunk: Chunk, message: M, missing: &[u64]) -> TakenChunk<M> {
        let is_under_way = |pair: &u64| self.0.values().any(|held| held.left.contains(pair));
        let pairs = missing.iter().copied().filter(|pair| !is_under_way(pair)).collect();
        let mut left: BTreeSet<u64> = missing.iter().copied().collect();
        let earlier = self.0.remove(&chunk.first).map(|mut held| {
            left.append(&mut held.left);
            held.message
        });
        self.0.insert(chunk.first, Held { chunk, message, left });
        TakenChunk { pairs, earlier }
    }

    /// The chunk of a pair whose result the broker does not have.
    pub(super) fn chunk_of(&self, pair: u64) -> Option<Chunk> {
        self.0.values().find(|held| held.left.contains(&pair)).map(|held| held.chunk)
    }

    /// The broker has a pair's results. The messages of chunks that are ended by that are to be
    /// acknowledged.
    pub(super) fn stored(&mut self, pair: u64) -> Vec<M> {
        self.0.values_mut().for_each(|held| _ = held.left.remove(&pair));
        let (ended, held): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.0).into_iter().partition(|(_, held)| held.left.is_empty());
        self.0 = held;
        ended.into_values().map(|held| held.message).collect()
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
    pub(super) fn messages(&self) -> Vec<M> {
        self.0.values().map(|held| held.message.clone()).collect()
    }

    /// All of them, which are held no longer: others may have them.
    pub(super) fn let_go(&mut self) -> Vec<M> {
        std::mem::take(&mut self.0).into_values().map(|held| held.message).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(first: u64, pairs: u32, round: u32) -> Chunk {
        Chunk { first, pairs, round }
    }

    #[test]
    fn a_pair_is_under_way_once() {
        let mut holding: Holding<&str> = Holding::default();
        let taken = holding.take(chunk(0, 4, 0), "a", &[0, 1, 2, 3]);
        assert_eq!(taken, TakenChunk { pairs: vec![0, 1, 2, 3], earlier: None });
        assert!(holding.stored(0).is_empty());
        // The same chunk, published again: what the broker has may have been lost there.
        let taken = holding.take(chunk(0, 4, 1), "b", &[0, 1, 2, 3]);
        assert_eq!(taken, TakenChunk { pairs: vec![0], earlier: Some("a") });
        // Of a coordinator that cuts otherwise.
        let taken = holding.take(chunk(2, 4, 2), "c", &[2, 3, 4, 5]);
        assert_eq!(taken, TakenChunk { pairs: vec![4, 5], earlier: None });
        assert_eq!(holding.messages(), ["b", "c"]);
        let ended: Vec<_> = [0, 1, 2, 3, 4, 5].map(|pair| holding.stored(pair)).concat();
        assert_eq!(ended, ["b", "c"]);
        assert!(holding.chunks().is_empty() && holding.chunk_of(3).is_none());
    }

    #[test]
    fn a_pair_belongs_to_the_chunk_that_waits_for_it() {
        let mut holding: Holding<&str> = Holding::default();
        holding.take(chunk(0, 4, 0), "a", &[1, 3]);
        assert_eq!(holding.chunk_of(0), None);
        assert_eq!(holding.chunk_of(3), Some(chunk(0, 4, 0)));
        assert_eq!(holding.chunks(), [HeldChunk { first: 0, pairs: 4, round: 0, done: 2 }]);
        assert_eq!(holding.let_go(), ["a"]);
        assert_eq!(holding.chunk_of(3), None);
    }
}
