//! Quiescence: captures until the position is quiet, every move when in check, and long series of
//! checks (QS-01..15).

use super::alpha_beta::Visit;
use super::picker::{Picker, Wanted, is_tactical};
use super::statistics::{SearchEvent, Statistics};
use super::tt::{Bound, TtHit};
use super::worker::Worker;
use crate::movegen::{MoveList, ScoredMove};
use crate::types::{Depth, MAX_PLY, Move, Role, Value};

impl<S: Statistics> Worker<'_, S> {
    /// Quiescence at the root, in place of a search.
    pub(crate) fn quiescence_at_root(mut self) -> Value {
        self.quiescence(-Value::INFINITE, Value::INFINITE, 0, Visit::First)
    }

    /// Enters quiescence from the main search: quiet checks are searched for so many plies from here
    /// (QS-07), or from the iteration's depth (QS-06); behind a check that is answered full-width the
    /// series goes on instead. A node that was searched already is not counted again.
    pub(super) fn quiescence(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        visit: Visit,
    ) -> Value {
        let params = &self.setup.params.long_checks;
        if params.on && !params.old && self.answering == 0 {
            let limit = (ply as i32 + params.plies).min(MAX_PLY as i32);
            self.buffers.stack[ply].counters.check_limit = limit as u8;
        }
        self.qsearch(alpha, beta, ply, visit)
    }

    /// The value of the present position for the side to move once captures are played out.
    ///
    /// Each move as the paper has it (QS-05): winning and equal captures and queen promotions (QS-02),
    /// then checks, quiet ones and those that lose material (QS-04); all moves in check (QS-03); the
    /// hash move first, if it is one of these (HSH-01). Draws by repetition are asked for only where
    /// checks can go on (QS-10). The principal variation goes on here, and nodes are counted (QS-11).
    fn qsearch(&mut self, mut alpha: Value, beta: Value, ply: usize, visit: Visit) -> Value {
        self.buffers.pv.clear(ply);
        let checks = self.setup.params.long_checks.on;
        let in_check = self.position.in_check();
        self.buffers.stack[ply].in_check = in_check;
        if self.position.is_insufficient_material() || checks && self.is_draw(ply, in_check) {
            return self.draw_value(ply);
        }
        let params = &self.setup.params.qsearch;
        if in_check && params.full_width {
            self.raise_check_limit(ply);
            self.answering += 1;
            let value = self.node(alpha, beta, Depth::PLY, ply, Visit::Again);
            self.answering -= 1;
            return value;
        }
        if visit == Visit::First && self.enter_node(ply) {
            return Value::ZERO;
        }
        if visit == Visit::First {
            self.stats.count(SearchEvent::QuiescenceNode);
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(ply);
        }

        // Step 1. The hash table.
        let key = self.position.key();
        let known = if params.hash { self.hash.probe(key, ply) } else { None };
        if let Some(value) = self.hash_cutoff(known, alpha, beta, Depth::ZERO) {
            return value;
        }
        let hash_move = known.map_or(Move::NONE, |found| found.mv);

        // Step 2. Standing pat, unless in check.
        let mut best = -Value::INFINITE;
        if in_check {
            if self.setup.params.horizon.trick_one {
                let value = self.value_here(ply);
                if self.is_hopeless(value, alpha, ply) {
                    return value;
                }
            }
            self.raise_check_limit(ply);
        } else {
            best = self.static_eval(ply);
            best = self.refined_by_tt(best, known);
            if let Some(value) = self.evaluated_mate(ply) {
                return value;
            }
            if best >= beta || self.is_hopeless(best, alpha, ply) {
                return best;
            }
        }
        let (mut best_move, mut bound) = (Move::NONE, Bound::Upper);
        if best > alpha {
            (alpha, bound) = (best, Bound::Exact);
        }

        // Step 3. The moves.
        let limit = usize::from(self.buffers.stack[ply].counters.check_limit);
        let with_checks = !in_check && checks && ply < limit;
        let wanted = match in_check {
            true => Wanted::All,
            false if with_checks => Wanted::CapturesThenChecks,
            false => Wanted::Captures,
        };
        let start = self.buffers.moves.len();
        let mut picker = Picker::new(wanted, hash_move, ply, &self.position, start);
        let squares = self.position.check_squares();
        let surplus = if in_check { None } else { self.surplus(ply) };
        let mut tried = 0;
        while let Some(picked) = picker.next(&mut self.sources()) {
            let mv = picked.mv;
            let left_out = promotes_to_less(mv) && !params.underpromotions;
            let poor = !in_check && (left_out || self.is_poor_capture(&picked));
            if poor && !(with_checks && self.position.gives_check(mv, &squares)) {
                continue;
            }
            tried += 1;
            if let Some(guess) = self.lazy_value(mv, alpha, surplus, ply, &squares) {
                best = best.max(guess);
                continue;
            }
            self.make(mv, ply);
            let value = -self.qsearch(-beta, -alpha, ply + 1, Visit::First);
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
            let found = TtHit { mv: best_move, value: best, depth: Depth::ZERO, bound };
            self.hash.store(key, found, ply);
        }
        best
    }

    /// A check that leaves one answer, or two, lets the series go on (QS-06..08, AMB-32).
    pub(super) fn raise_check_limit(&mut self, ply: usize) {
        let params = &self.setup.params.long_checks;
        if !params.on {
            return;
        }
        let more = match self.count_evasions() {
            1 => params.one_reply,
            2 => params.two_replies,
            _ => 0,
        };
        let limit = &mut self.buffers.stack[ply].counters.check_limit;
        *limit = (i32::from(*limit) + more).min(MAX_PLY as i32) as u8;
    }

    /// Legal answers to a check (QS-08, GEN-18).
    fn count_evasions(&self) -> usize {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        moves.as_slice().len()
    }

    /// The evaluation's mate in one, if it saw one: no deeper search is needed (ORD-20).
    #[inline]
    pub(super) fn evaluated_mate(&mut self, ply: usize) -> Option<Value> {
        let mate = self.buffers.stack[ply].evaluation.as_ref()?.mates[self.position.turn()]?;
        self.buffers.pv.clear(ply + 1);
        self.buffers.pv.set(ply, mate);
        Some(Value::mate_in(ply + 1))
    }

    /// Whether a capture or promotion wins too little by SEE to be worth a look (SEE-11, QS-13). A queen promotion
    /// is none of them, covered or not (QS-02, AMB-34).
    #[inline]
    fn is_poor_capture(&self, picked: &ScoredMove) -> bool {
        let params = &self.setup.params.qsearch;
        let see = || self.position.see(picked.mv, &self.setup.exchange, self.setup.pins);
        params.see_prune
            && (is_tactical(picked.mv) || picked.mv.is_promotion())
            && !(params.promotions && picked.mv.promotion() == Some(Role::Queen))
            && picked.see().unwrap_or_else(see) < Value::new(params.see_min)
    }
}

/// REBEL's quiescence promotes to queens only (QS-02), winglet's to all pieces (QS-15).
fn promotes_to_less(mv: Move) -> bool {
    mv.promotion().is_some_and(|role| role != Role::Queen)
}

#[cfg(test)]
mod tests;
