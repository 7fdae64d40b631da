//! Evaluations of positions met before, whole (HSH-09): the full evaluation is most of a node's cost.

use crate::eval::Evaluation;
use crate::memory::{filled, prefetch};

/// One position.
#[derive(Debug, Clone, Copy)]
struct CachedEvaluation {
    key: u64,
    evaluation: Evaluation,
}

/// A table of evaluations, the latest of each place. It changes no result: what an evaluation depends
/// on besides the position goes into its key, see [`super::worker::Worker::evaluation_key`], or
/// nobody asks here.
#[derive(Debug)]
pub(super) struct EvaluationCache {
    entries: Vec<Option<CachedEvaluation>>,
}

impl EvaluationCache {
    /// As many places as fit into so many bytes, or half, a quarter … as many if the machine has no
    /// more.
    pub(super) fn new(bytes: usize) -> EvaluationCache {
        EvaluationCache {
            entries: filled((bytes / size_of::<Option<CachedEvaluation>>()).max(1), || None),
        }
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
        self.entries[index] = Some(CachedEvaluation { key, evaluation });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::search::testing::{QUIET, personality};
    use crate::search::{
        Buffers, HashSize, HashTable, Heuristics, Limits, NoStatistics, Setup, Worker,
    };
    use crate::{Params, Position};

    /// Nodes and scores of some searches in a row, with so many bytes for evaluations.
    fn searches(params: &Params, bytes: usize) -> Vec<(u64, i32)> {
        let setup = Setup::new(&Arc::new(params.clone()));
        let (hash, mut heuristics) = (HashTable::new(HashSize::MIN), Heuristics::new());
        let mut buffers = Buffers::new(bytes);
        let mut position = Position::from_fen(QUIET).expect("legal");
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let mut found = Vec::new();
        for _ in 0..4 {
            let memory = (&hash, &mut heuristics, &mut buffers);
            let mut counts = NoStatistics;
            let worker = Worker::new(&setup, &position, memory, &limits, &(), &mut counts);
            let report = worker.deepen(found.is_empty());
            found.push((report.nodes, report.score.binary()));
            position.make(report.pv[0]);
        }
        found
    }

    /// HSH-09: it changes no result, neither where shuffling moves are charged (PRO-07) nor where
    /// each search, or each iteration, has square tables of its own (PRO-09, PRO-10).
    #[test]
    fn it_changes_no_result() {
        let mut prodeo = personality("prodeo");
        // So that short lines cost something, and few cuts teach the tables much.
        prodeo.shuffle.penalty = std::array::from_fn(|count| 20 * count as i32);
        prodeo.history.square = 256;
        let mut between_iterations = prodeo.clone();
        between_iterations.history_pst.each_iteration = true;
        for params in [personality("default"), personality("rebel"), prodeo, between_iterations] {
            assert_eq!(searches(&params, 1 << 22), searches(&params, 1));
        }
    }
}
