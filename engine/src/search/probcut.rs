//! ProbCut: a capture that exceeds beta by a margin in a shallower search will exceed beta in a deeper one.

use super::alpha_beta::Visit;
use super::picker::{Picker, Wanted};
use super::statistics::Statistics;
use super::tt::{Bound, TtHit};
use super::worker::Worker;
use crate::types::{Depth, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// A lower bound at or above beta, if a capture proves it. `value` is the node's evaluation; `known` what
    /// the hash table has.
    pub(super) fn probcut(
        &mut self,
        beta: Value,
        depth: Depth,
        ply: usize,
        value: Value,
        known: Option<TtHit>,
    ) -> Option<Value> {
        let params = &self.setup.params.probcut;
        let alpha = beta - Value::new(1);
        if self.stopped
            || !params.on
            || depth < Depth::plies(params.min_depth)
            || !self.may_cut_statically(alpha, beta, ply)
        {
            return None;
        }
        let raised = beta + Value::new(params.margin);
        let rest = depth - Depth::plies(params.less);
        let denied =
            |hit: TtHit| hit.depth >= rest && hit.bound != Bound::Lower && hit.value < raised;
        if known.is_some_and(denied) {
            return None;
        }
        let least = raised - value;
        let hash_move = known.map_or(Move::NONE, |hit| hit.mv);
        let start = self.buffers.moves.len();
        let mut picker = Picker::new(Wanted::Captures, hash_move, ply, &self.position, start);
        let mut found = None;
        while let Some(picked) = picker.next(&mut self.sources()) {
            let (exchange, pins) = (&self.setup.exchange, self.setup.pins);
            if !self.position.see_reaches(picked.mv, least, exchange, pins) {
                continue;
            }
            let score = self.proves(picked.mv, raised, rest, ply);
            if self.stopped {
                break;
            }
            if score >= raised {
                let hit = TtHit {
                    mv: picked.mv,
                    value: score,
                    depth: rest + Depth::PLY,
                    bound: Bound::Lower,
                };
                self.hash.store(self.position.key(), hit, ply);
                found = Some(score);
                break;
            }
        }
        picker.finish(&mut self.buffers.moves);
        found
    }

    /// The value of a capture around `raised`: by quiescence, and if that reaches it, `rest` deep.
    fn proves(&mut self, mv: Move, raised: Value, rest: Depth, ply: usize) -> Value {
        let (low, high) = (-raised, Value::new(1) - raised);
        self.make(mv, ply);
        let mut score = -self.quiescence(low, high, ply + 1, Visit::First);
        if score >= raised && rest >= Depth::PLY && !self.stopped {
            self.buffers.stack[ply + 1].cut = !self.buffers.stack[ply].cut;
            score = -self.alpha_beta(low, high, rest, ply + 1);
        }
        self.unmake(mv);
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{QUIET, after};

    /// White may take a queen.
    const QUEEN_HANGS: &str = "3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

    /// What is proved with `plies` left at a beta `above` the evaluation, if the hash table has `known`.
    fn proved(params: &Params, fen: &str, plies: i32, above: i32, known: Option<TtHit>) -> bool {
        after(params.clone(), fen, &[], |worker, _| {
            *worker.ply(1) = *worker.ply(0);
            let value = worker.evaluate(1);
            let beta = value + Value::new(above);
            let found = worker.probcut(beta, Depth::plies(plies), 1, value, known);
            assert!(found.is_none_or(|found| found >= beta));
            found.is_some()
        })
    }

    #[test]
    fn a_capture_far_above_beta() {
        let mut params = Params::default();
        let rules = params.probcut.clone();
        let won = |params: &Params, plies| proved(params, QUEEN_HANGS, plies, 256, None);
        assert!(!won(&params, rules.min_depth), "off");
        params.probcut.on = true;
        assert!(won(&params, rules.min_depth));
        assert!(!won(&params, rules.min_depth - 1), "too near the horizon");
        assert!(!proved(&params, QUEEN_HANGS, rules.min_depth, 20 * 256, None), "a queen is less");
        assert!(!proved(&params, QUIET, rules.min_depth, 0, None), "nothing to win");
    }

    /// A search as deep that came to less is believed.
    #[test]
    fn the_hash_table_denies_it() {
        let mut params = Params::default();
        params.probcut.on = true;
        let plies = params.probcut.min_depth;
        let known = |depth, bound| TtHit {
            mv: Move::NONE,
            value: -Value::PAWN * 9,
            depth: Depth::plies(depth),
            bound,
        };
        let won = |known| proved(&params, QUEEN_HANGS, plies, 256, Some(known));
        assert!(!won(known(plies, Bound::Upper)));
        assert!(won(known(0, Bound::Upper)), "shallower");
        assert!(won(known(plies, Bound::Lower)), "no upper bound");
    }
}
