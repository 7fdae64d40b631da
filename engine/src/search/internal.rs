//! Internal searches: where nothing says which move to begin with, a shallower search of the same
//! node finds one (ORD-17..19).

use super::alpha_beta::Visit;
use super::statistics::{Event, Statistics};
use super::worker::Worker;
use crate::types::{Depth, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// The move to begin with at a node without a hash move; [`Move::NONE`] when none is looked for.
    pub(super) fn internal_move(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: Depth,
        ply: usize,
    ) -> Move {
        let params = &self.setup.params.iid;
        let unsorted = params.unsorted && !self.has_winning_capture(ply);
        if !(params.on || unsorted) || depth < Depth::plies(params.min_depth) {
            return Move::NONE;
        }
        if unsorted {
            self.stats.count(Event::UnsortedTree);
        }
        let step = if unsorted { params.step } else { 0 };
        if step == 0 {
            // Half of the depth, rounded down, at least a ply (AMB-36).
            let half = Depth::plies((depth.to_plies() / 2).max(1));
            self.look_ahead(alpha, beta, half, ply);
        } else {
            let mut less = 1;
            while less < depth.to_plies() && !self.stopped {
                self.look_ahead(alpha, beta, Depth::plies(less), ply);
                less += step;
            }
        }
        let found = self.hash.probe(self.position.key(), ply);
        found.map_or(Move::NONE, |found| found.mv)
    }

    fn look_ahead(&mut self, alpha: Value, beta: Value, depth: Depth, ply: usize) {
        self.node(alpha, beta, depth, ply, Visit::Again);
        self.buffers.pv.clear(ply);
    }

    /// What is taken off the depth of a node without a hash move instead.
    pub(super) fn internal_reduction(&self, depth: Depth) -> Depth {
        let params = &self.setup.params.iid;
        let deep = depth >= Depth::plies(params.reduce_depth);
        if params.reduce && deep { Depth::PLY } else { Depth::ZERO }
    }

    /// Whether the evaluation sees something to win; in check it sees nothing.
    fn has_winning_capture(&self, ply: usize) -> bool {
        let them = self.position.turn().other();
        let evaluation = self.buffers.stack[ply].evaluation.as_ref();
        evaluation.is_some_and(|evaluation| evaluation.hanging[them].highest() > 0)
    }
}
