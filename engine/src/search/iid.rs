//! A shallower search of the same node before the real one, for a move to begin with: REBEL's
//! unsorted trees (ORD-17, ORD-18) and Mediocre's internal iterative deepening (ORD-19).

use super::alpha_beta::Visit;
use super::picker::Picker;
use super::statistics::{SearchEvent, Statistics};
use super::tt::TtHit;
use super::worker::Worker;
use crate::types::{Depth, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// Searches the node less deep if nothing is known of its moves, and gives the picker the move
    /// found. What the hash table then knows.
    #[inline]
    pub(super) fn iid(
        &mut self,
        picker: &mut Picker,
        window: (Value, Value),
        depth: Depth,
        ply: usize,
    ) -> Option<TtHit> {
        let params = &self.setup.params;
        let asks = params.unsorted.on || params.iid.on;
        if asks { self.iid_if_unsorted(picker, window, depth, ply) } else { None }
    }

    #[inline(never)]
    fn iid_if_unsorted(
        &mut self,
        picker: &mut Picker,
        (alpha, beta): (Value, Value),
        depth: Depth,
        ply: usize,
    ) -> Option<TtHit> {
        let depth = self.iid_depth(picker, depth)?;
        self.node(alpha, beta, depth, ply, Visit::Again);
        self.buffers.pv.clear(ply);
        if self.stopped {
            return None;
        }
        let known = self.hash.probe(self.position.key(), ply);
        picker.set_hash_move(known.map_or(Move::NONE, |found| found.mv), &self.position);
        known
    }

    /// How deep: half the depth, whole plies rounded down, or some plies less; `None` for not at all.
    /// A search that is shallower by a step begins with one that is shallower by two, so that the
    /// steps go all the way (ORD-18).
    fn iid_depth(&mut self, picker: &mut Picker, depth: Depth) -> Option<Depth> {
        let params = &self.setup.params;
        let plies = depth.to_plies();
        if params.iid.on && plies >= params.iid.least && picker.has_no_hash_move() {
            return Some(Depth::plies((plies / 2).max(1)));
        }
        let rules = &params.unsorted;
        if !rules.on || plies < rules.least || picker.is_sorted(&mut self.sources()) {
            return None;
        }
        self.stats.count(SearchEvent::UnsortedTree);
        let less = if rules.step == 0 { plies / 2 } else { plies - rules.step };
        Some(Depth::plies(less.max(1)))
    }

    /// What is taken off the depth of a node without a hash move instead.
    pub(super) fn iir(&self, depth: Depth) -> Depth {
        let rules = &self.setup.params.iir;
        let deep = depth >= Depth::plies(rules.least);
        if rules.on && deep { Depth::PLY } else { Depth::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::picker::Wanted;
    use crate::search::testing::{QUIET, after, only};

    /// How deep a node of so many plies without a hash move is searched first.
    fn first(params: &Params, plies: i32) -> Option<i32> {
        after(params.clone(), QUIET, &[], |worker, ply| {
            let start = worker.buffers.moves.len();
            let mut picker = Picker::new(Wanted::All, Move::NONE, ply, &worker.position, start);
            let depth = worker.iid_depth(&mut picker, Depth::plies(plies));
            picker.finish(&mut worker.buffers.moves);
            depth.map(Depth::to_plies)
        })
    }

    /// ORD-17, ORD-18, AMB-36: half as deep, or so many plies less, from two plies on.
    #[test]
    fn unsorted_trees() {
        let mut params = only("unsorted.on");
        let depths = |params: &Params| [1, 2, 3, 6, 7].map(|plies| first(params, plies));
        assert_eq!(depths(&params), [None, Some(1), Some(1), Some(3), Some(3)]);
        params.unsorted.step = 2;
        assert_eq!(depths(&params), [None, Some(1), Some(1), Some(4), Some(5)]);
        params.unsorted.step = 1;
        assert_eq!(depths(&params), [None, Some(1), Some(2), Some(5), Some(6)]);
    }

    /// ORD-19: half as deep without a hash move, from three plies on.
    #[test]
    fn internal_iterative_deepening() {
        let params = only("iid.on");
        let depths = [2, 3, 4, 9].map(|plies| first(&params, plies));
        assert_eq!(depths, [None, Some(1), Some(2), Some(4)]);
    }

    /// ORD-17, EXT-12: what the first search finds is tried first, and is known as the hash move is.
    #[test]
    fn what_it_finds_is_the_hash_move() {
        after(only("unsorted.on"), QUIET, &[], |worker, ply| {
            let start = worker.buffers.moves.len();
            let mut picker = Picker::new(Wanted::All, Move::NONE, ply, &worker.position, start);
            let window = (-Value::INFINITE, Value::INFINITE);
            let known = worker.iid(&mut picker, window, Depth::plies(4), ply);
            let first = picker.next(&mut worker.sources()).map(|picked| picked.mv);
            picker.finish(&mut worker.buffers.moves);
            assert!(known.is_some_and(|found| !found.mv.is_none() && Some(found.mv) == first));
        });
    }
}
