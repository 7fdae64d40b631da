//! A shallower search of the same node before the real one, for a move to begin with: REBEL's
//! unsorted trees (ORD-17, ORD-18) and Mediocre's internal iterative deepening (ORD-19).

use super::alpha_beta::Visit;
use super::picker::Picker;
use super::statistics::{Event, Statistics};
use super::worker::Worker;
use crate::types::{Depth, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// Searches the node less deep if nothing is known of its moves, and gives the picker the move
    /// found.
    #[inline]
    pub(super) fn presearch(
        &mut self,
        picker: &mut Picker,
        window: (Value, Value),
        depth: Depth,
        ply: usize,
    ) {
        let params = &self.setup.params;
        if params.unsorted.on || params.iid.on {
            self.presearch_if_unsorted(picker, window, depth, ply);
        }
    }

    #[inline(never)]
    fn presearch_if_unsorted(
        &mut self,
        picker: &mut Picker,
        (alpha, beta): (Value, Value),
        depth: Depth,
        ply: usize,
    ) {
        let Some(depth) = self.presearch_depth(picker, depth) else { return };
        self.node(alpha, beta, depth, ply, Visit::Again);
        self.buffers.pv.clear(ply);
        if !self.stopped {
            let known = self.hash.probe(self.position.key(), ply);
            picker.set_hash_move(known.map_or(Move::NONE, |found| found.mv), &self.position);
        }
    }

    /// How deep: half the depth, whole plies rounded down, or some plies less; `None` for not at all.
    /// A search that is shallower by a step begins with one that is shallower by two, so that the
    /// steps go all the way (ORD-18).
    fn presearch_depth(&mut self, picker: &mut Picker, depth: Depth) -> Option<Depth> {
        let params = &self.setup.params;
        let plies = depth.to_plies();
        if params.iid.on && plies >= params.iid.least && picker.has_no_hash_move() {
            return Some(Depth::plies((plies / 2).max(1)));
        }
        let rules = &params.unsorted;
        if !rules.on || plies < rules.least || picker.is_sorted(&mut self.sources()) {
            return None;
        }
        self.stats.count(Event::UnsortedTree);
        let less = if rules.step == 0 { plies / 2 } else { plies - rules.step };
        Some(Depth::plies(less.max(1)))
    }

    /// What is taken off the depth of a node without a hash move instead.
    pub(super) fn internal_reduction(&self, depth: Depth) -> Depth {
        let rules = &self.setup.params.iir;
        let deep = depth >= Depth::plies(rules.least);
        if rules.on && deep { Depth::PLY } else { Depth::ZERO }
    }
}
