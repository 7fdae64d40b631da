//! Quiescence: captures until the position is quiet, every move when in check.

use super::hash::{Bound, Found};
use super::picker::{Picker, Wanted, is_tactical};
use super::statistics::Statistics;
use super::worker::Worker;
use crate::movegen::ScoredMove;
use crate::types::{Depth, MAX_PLY, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// The value of the present position for the side to move once captures are played out.
    ///
    /// Winning and equal captures and queen promotions (QS-02); all moves in check (QS-03); hash
    /// move first (QS-04). Every other ply takes a man, so lines end without a repetition test
    /// (QS-10).
    pub(super) fn qsearch(&mut self, mut alpha: Value, beta: Value, ply: usize) -> Value {
        if self.enter_node(ply) {
            return Value::ZERO;
        }
        self.buffers.pv.clear(ply);
        if self.position.is_insufficient_material() {
            return Value::ZERO;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(ply);
        }

        // Step 1. The hash table.
        let params = &self.setup.params.qsearch;
        let key = self.position.key();
        let known = if params.hash { self.hash.probe(key, ply) } else { None };
        if let Some(value) = self.hash_cutoff(known, alpha, beta, Depth::ZERO) {
            return value;
        }
        let hash_move = known.map_or(Move::NONE, |found| found.mv);

        // Step 2. Standing pat, unless in check.
        let in_check = self.position.in_check();
        let mut best = -Value::INFINITE;
        if !in_check {
            best = self.evaluate(ply);
            if let Some(value) = self.evaluated_mate(ply) {
                return value;
            }
            if best >= beta {
                return best;
            }
        }
        let (mut best_move, mut bound) = (Move::NONE, Bound::Upper);
        if best > alpha {
            (alpha, bound) = (best, Bound::Exact);
        }

        // Step 3. The moves.
        let wanted = if in_check { Wanted::All } else { Wanted::Captures };
        let start = self.buffers.moves.len();
        let mut picker = Picker::new(wanted, hash_move, ply, &self.position, start);
        let mut tried = 0;
        while let Some(picked) = picker.next(&mut self.sources()) {
            let mv = picked.mv;
            if !in_check && self.is_poor_capture(&picked) {
                continue;
            }
            tried += 1;
            self.make(mv, ply);
            let value = -self.qsearch(-beta, -alpha, ply + 1);
            self.unmake(mv);
            if self.stopped {
                picker.finish(&mut self.buffers.moves);
                return Value::ZERO;
            }
            if value > best {
                best = value;
            }
            if value > alpha {
                (alpha, best_move, bound) = (value, mv, Bound::Exact);
                self.buffers.pv.set(ply, mv);
                if value >= beta {
                    bound = Bound::Lower;
                    break;
                }
            }
        }
        picker.finish(&mut self.buffers.moves);
        if in_check && tried == 0 {
            return Value::mated_in(ply);
        }
        if params.hash {
            let found = Found { mv: best_move, value: best, depth: Depth::ZERO, bound };
            self.hash.store(key, found, ply);
        }
        best
    }

    /// The evaluation's mate in one, if it saw one: no deeper search is needed (ORD-20).
    #[inline]
    pub(super) fn evaluated_mate(&mut self, ply: usize) -> Option<Value> {
        let mate = self.buffers.stack[ply].evaluation.as_ref()?.mates[self.position.turn()]?;
        self.buffers.pv.clear(ply + 1);
        self.buffers.pv.set(ply, mate);
        Some(Value::mate_in(ply + 1))
    }

    /// Whether a capture wins too little by SEE to be worth a look (SEE-11, QS-13).
    #[inline]
    fn is_poor_capture(&self, picked: &ScoredMove) -> bool {
        let params = &self.setup.params.qsearch;
        let see = || self.position.see(picked.mv, &self.setup.exchange, self.setup.pins);
        params.see_prune
            && is_tactical(picked.mv)
            && picked.see().unwrap_or_else(see) < Value::new(params.see_min)
    }
}
