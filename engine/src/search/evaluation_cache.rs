//! Evaluations of positions met before, whole (HSH-09): the full evaluation is most of a node's cost.

use crate::eval::Evaluation;
use crate::memory::{filled, prefetch};

/// One position.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    evaluation: Evaluation,
}

/// A table of evaluations, the latest of each place. It changes no result: where an evaluation does
/// not depend on the position alone, nobody asks here.
#[derive(Debug)]
pub(super) struct EvaluationCache {
    entries: Vec<Option<Entry>>,
}

impl EvaluationCache {
    /// As many places as fit into so many bytes, or half, a quarter … as many if the machine has no
    /// more.
    pub(super) fn new(bytes: usize) -> EvaluationCache {
        EvaluationCache { entries: filled((bytes / size_of::<Option<Entry>>()).max(1), None) }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(None);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// A position will be asked for soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.entries[self.index(key)]);
    }

    /// The evaluation of a position, if it is the latest of its place.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Evaluation> {
        self.entries[self.index(key)].filter(|entry| entry.key == key).map(|entry| entry.evaluation)
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, evaluation: Evaluation) {
        let index = self.index(key);
        self.entries[index] = Some(Entry { key, evaluation });
    }
}
