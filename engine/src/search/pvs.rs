//! How a move just made is searched: reduced, with a null window, in full.

use super::statistics::{SearchEvent, Statistics};
use super::worker::Worker;
use crate::types::{Depth, Value};

impl<S: Statistics> Worker<'_, S> {
    /// The value of a move just made: in haste where the game is won, with its opening bonus where moves inside
    /// of the tree have one (PRO-19), otherwise as [`search_windows`](Self::search_windows).
    #[inline]
    pub(super) fn search_move(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: Depth,
        reduction: Depth,
        ply: usize,
        tried: usize,
    ) -> Value {
        let bonus = self.setup.params.opening.whole_tree.then(|| self.bonus());
        let haste = self.haste(ply);
        let (alpha, beta) = haste.map_or((alpha, beta), |haste| haste.window(alpha, beta));
        let removed = |bound| bonus.map_or(bound, |bonus| bonus.removed(bound));
        let (alpha, beta) = (removed(alpha), removed(beta));
        let value = self.search_windows(alpha, beta, depth, reduction, ply, tried);
        let value = bonus.map_or(value, |bonus| bonus.added(value));
        haste.map_or(value, |haste| haste.applied(value))
    }

    /// The value of a move just made, as move number `tried` of its node. A reduced move is searched
    /// with a null window first (LMR-01), or with the node's own (ASP-01); where PVS is on, so is every
    /// move but the first with a null window (ASP-06).
    #[inline]
    fn search_windows(
        &mut self,
        alpha: Value,
        beta: Value,
        mut depth: Depth,
        reduction: Depth,
        ply: usize,
        tried: usize,
    ) -> Value {
        let lmr = &self.setup.params.lmr;
        let above = alpha + Value::new(1);
        let mut line = self.buffers.stack[ply + 1].mark();
        let is_cut_next = !self.buffers.stack[ply].cut;
        if reduction > Depth::ZERO {
            self.stats.count(SearchEvent::LateMove);
            let next = &mut self.buffers.stack[ply + 1];
            // RED-14: every reduction is counted.
            next.counters.reductions = next.counters.reductions.saturating_add(1);
            (next.reduced, next.cut) = (true, true);
            let top = if lmr.null_window { above } else { beta };
            let scout = -self.alpha_beta(-top, -alpha, depth - reduction, ply + 1);
            if self.stopped || scout <= alpha || !lmr.null_window && !lmr.research {
                return scout;
            }
            if lmr.research {
                self.stats.count(SearchEvent::LateMoveResearch);
            } else {
                depth = depth - reduction;
            }
            let next = &mut self.buffers.stack[ply + 1];
            next.rewind(line);
            next.reduced = !lmr.research;
            if next.reduced {
                next.counters.reductions = next.counters.reductions.saturating_add(1);
                line = next.mark();
            }
        }
        if self.setup.params.search.pvs && tried > 0 {
            self.buffers.stack[ply + 1].cut = is_cut_next;
            let scout = -self.alpha_beta(-above, -alpha, depth, ply + 1);
            if self.stopped || scout <= alpha || scout >= beta {
                return scout;
            }
            self.buffers.stack[ply + 1].rewind(line);
        }
        self.buffers.stack[ply + 1].cut = is_cut_next && beta == above;
        -self.alpha_beta(-beta, -alpha, depth, ply + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{QUIET, after, personality};

    /// EXT-02, AMB-23: a check counts once on its line, however often its position is searched.
    #[test]
    fn searched_again_nothing_counts_twice() {
        let fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
        let mut params = personality("rebel");
        params.search.pvs = true;
        let checks = after(params, fen, &["d1a4"], |worker, ply| {
            let (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
            let (depth, reduction) = (Depth::plies(3), Depth::PLY);
            worker.search_move(alpha, beta, depth, reduction, ply - 1, 1);
            worker.ply(ply).counters.checks
        });
        assert_eq!(checks, 1);
    }

    /// LMR-01, LMR-07: a late move that reaches alpha is searched again in full, unless switched off.
    #[test]
    fn late_moves_are_searched_again() {
        let again = |research: bool| {
            let mut params = Params::default();
            (params.lmr.on, params.lmr.research) = (true, research);
            after(params, QUIET, &["b1c3"], |worker, ply| {
                let (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
                worker.search_move(alpha, beta, Depth::plies(3), Depth::PLY, ply - 1, 4);
                (worker.stats.of(SearchEvent::LateMoveResearch), worker.ply(ply).reduced)
            })
        };
        assert_eq!([again(true), again(false)], [(1, false), (0, true)]);
    }

    /// ASP-01: without null windows, a reduced move that is not searched again is one search.
    #[test]
    fn late_moves_without_null_windows() {
        let nodes = |null_window: bool, depth: i32, reduction: Depth| {
            let mut params = personality("rebel");
            (params.lmr.research, params.lmr.null_window) = (false, null_window);
            after(params, QUIET, &["b1c3"], |worker, ply| {
                let (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
                worker.search_move(alpha, beta, Depth::plies(depth), reduction, ply - 1, 4);
                worker.nodes
            })
        };
        let reduced = |null_window| nodes(null_window, 4, Depth::PLY);
        let plain = |null_window| nodes(null_window, 3, Depth::ZERO);
        assert_eq!(reduced(false), plain(false));
        assert!(reduced(true) > plain(true));
    }
}
