//! What a node takes its position for before it searches: the evaluation, corrected by what searches
//! of positions with the same pawns came to, or what the hash table knows better.

use super::statistics::Statistics;
use super::tt::{Bound, TtHit};
use super::worker::Worker;
use crate::types::Value;

impl<S: Statistics> Worker<'_, S> {
    /// The evaluation for the side to move, corrected; what is known of an ending stands as it is. A correction
    /// grows while a win comes nearer, so that it counts more to search a line late than to come closer to mate.
    #[inline]
    pub(super) fn static_eval(&mut self, ply: usize) -> Value {
        let value = self.value_here(ply);
        let params = &self.setup.params.correction;
        if !params.on || self.is_known_ending(ply) {
            return value;
        }
        (value + self.heuristics.error(&self.position, params.weight)).clamp_evaluation()
    }

    /// A judgement, or what is stored if that bounds it.
    #[inline]
    pub(super) fn refined_by_tt(&self, judged: Value, known: Option<TtHit>) -> Value {
        match known {
            Some(found) if self.setup.params.search.hash_value => found.narrows(judged),
            _ => judged,
        }
    }

    fn is_known_ending(&self, ply: usize) -> bool {
        self.buffers.stack[ply].evaluation.is_some_and(|evaluation| evaluation.known_ending)
    }

    /// A search of a quiet position came to something else than it was judged to be: that is
    /// remembered of its pawns.
    pub(super) fn learn_error(&mut self, judged: Value, found: &TtHit, ply: usize) {
        let params = &self.setup.params.correction;
        let unknown = match found.bound {
            Bound::Lower => found.value <= judged,
            Bound::Upper => found.value >= judged,
            Bound::Exact => false,
        };
        let loud = !found.mv.is_none() && !found.mv.is_quiet();
        if params.on && !unknown && !loud && !found.value.is_decided() && !self.is_known_ending(ply)
        {
            let error = (found.value - judged).binary();
            self.heuristics.learn_error(&self.position, error, found.depth);
        }
    }
}

impl TtHit {
    /// A guess, no further off than what is known.
    fn narrows(&self, guess: Value) -> Value {
        match self.bound {
            _ if self.value.is_decided() => guess,
            Bound::Exact => self.value,
            Bound::Lower => guess.max(self.value),
            Bound::Upper => guess.min(self.value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{QUIET, after};
    use crate::types::{Depth, Move};

    fn found(value: i32, bound: Bound) -> TtHit {
        TtHit { mv: Move::NONE, value: Value::new(value), depth: Depth::plies(8), bound }
    }

    #[test]
    fn what_is_stored_narrows_a_guess() {
        let narrowed =
            |bound| [40, 60].map(|value| found(value, bound).narrows(Value::new(50)).binary());
        assert_eq!(narrowed(Bound::Exact), [40, 60]);
        assert_eq!(narrowed(Bound::Lower), [50, 60]);
        assert_eq!(narrowed(Bound::Upper), [40, 50]);
        let mate = TtHit { value: Value::mate_in(3), ..found(0, Bound::Exact) };
        assert_eq!(mate.narrows(Value::new(50)), Value::new(50));
    }

    /// What is learned holds for the same pawns and the same side to move, and only says what a
    /// bound can say.
    #[test]
    fn errors_are_learned() {
        let mut params = Params::default();
        params.correction.on = true;
        after(params, QUIET, &[], |worker, ply| {
            let before = worker.static_eval(ply);
            let above = before + Value::new(200);
            worker.learn_error(before, &found(above.binary(), Bound::Upper), ply);
            assert_eq!(worker.static_eval(ply), before, "at most more says nothing");
            for _ in 0..3 {
                worker.learn_error(before, &found(above.binary(), Bound::Lower), ply);
            }
            let after = worker.static_eval(ply);
            assert!(after > before && after < above, "{before} {after} {above}");
            let own = worker.heuristics.error(&worker.position, 256);
            let mv = worker.position.parse_uci("b1c3").expect("legal");
            worker.make(mv, ply);
            assert_eq!(worker.heuristics.error(&worker.position, 256), Value::ZERO, "Black's");
            let back = worker.position.parse_uci("b8d7").or(worker.position.parse_uci("f8e8"));
            worker.make(back.expect("legal"), ply + 1);
            assert_eq!(worker.heuristics.error(&worker.position, 256), own, "the same pawns");
        });
    }
}
