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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{after, personality};

    const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/4PN2/PP2BPPP/RNBQ1RK1 w - - 0 8";
    /// The pawn can take a knight.
    const CAPTURE: &str = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1";

    /// The move found for a node of so many plies, and how often an unsorted tree was met, the one
    /// of the node itself first.
    fn look(params: &Params, fen: &str, plies: i32) -> (bool, u64) {
        after(params.clone(), fen, &[], |worker, ply| {
            let (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
            let found = worker.internal_move(alpha, beta, Depth::plies(plies), ply);
            (!found.is_none(), worker.stats.of(Event::UnsortedTree))
        })
    }

    /// ORD-17, AMB-36: only where neither hash move nor winning capture is known.
    #[test]
    fn unsorted_trees() {
        let rebel = personality("rebel");
        assert!(rebel.iid.unsorted && rebel.iid.step == 0 && !rebel.iid.on);
        let (found, met) = look(&rebel, QUIET, 4);
        assert!(found && met >= 1);
        let mut plain = Params::default();
        plain.iid.unsorted = true;
        plain.iid.min_depth = 4;
        assert_eq!(look(&plain, CAPTURE, 4), (false, 0));
        assert_eq!(look(&plain, QUIET, 3), (false, 0), "too near the horizon");
        assert_eq!(look(&plain, QUIET, 4), (true, 1), "half of four is two: no further one");
    }

    /// ORD-18: in steps of two plies.
    #[test]
    fn in_steps() {
        let mut params = Params::default();
        (params.iid.unsorted, params.iid.step) = (true, 2);
        assert!(look(&params, QUIET, 5).0);
    }

    /// ORD-19: without asking for captures.
    #[test]
    fn internal_deepening() {
        let mut params = Params::default();
        assert_eq!(look(&params, CAPTURE, 4), (false, 0));
        params.iid.on = true;
        assert_eq!(look(&params, CAPTURE, 4), (true, 0));
    }
}
