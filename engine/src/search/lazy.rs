//! Lazy evaluation and futility pruning: moves that cannot reach alpha by `I_SCORE` and a margin are
//! not made at all (LAZ-01..12, FUT-01..04, PAR-01).

use super::stack::seen_by;
use super::statistics::{SearchEvent, Statistics};
use super::worker::Worker;
use crate::movegen::{MoveClass, ScoredMove};
use crate::position::CheckSquares;
use crate::types::{Color, Depth, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// `I_SCORE` of the present position seen by a colour (GEN-07).
    #[inline]
    pub(super) fn i_score(&self, color: Color) -> Value {
        seen_by(color, self.setup.evaluator.i_score(&self.position))
    }

    /// Whether a quiet move that was given up for this guess misses alpha by so much that no other quiet
    /// move needs to be looked at.
    #[inline]
    pub(super) fn skips_behind(&self, mv: Move, guess: Value, alpha: Value) -> bool {
        let params = &self.setup.params.skip_quiets;
        params.futile && mv.is_quiet() && guess + Value::new(params.excess) <= alpha
    }

    /// A guess that stands for the value of a move of the main search, so that it need not be made;
    /// `rest` is the depth behind it.
    #[inline]
    pub(super) fn futility_value(
        &mut self,
        picked: &ScoredMove,
        alpha: Value,
        rest: Depth,
        surplus: Option<Value>,
        ply: usize,
        checks: &CheckSquares,
    ) -> Option<Value> {
        let params = &self.setup.params;
        let from_hash = picked.class == MoveClass::Hash;
        if rest < Depth::PLY {
            let spared = from_hash && params.lazy.spare_hash;
            return if spared {
                None
            } else {
                self.lazy_value(picked.mv, alpha, surplus, ply, checks)
            };
        }
        let spared = from_hash && params.futility.spare_hash;
        if spared { None } else { self.futile_value(picked.mv, alpha, rest, surplus, checks) }
    }

    /// A guess that stands for the value of a move to the horizon or behind it, when it does not
    /// reach alpha; the move need not be made then (LAZ-01).
    pub(super) fn lazy_value(
        &mut self,
        mv: Move,
        alpha: Value,
        surplus: Option<Value>,
        ply: usize,
        checks: &CheckSquares,
    ) -> Option<Value> {
        let params = &self.setup.params.lazy;
        let surplus = surplus.filter(|_| params.on)?;
        self.stats.count(SearchEvent::Lazy);
        let surplus = match params.correction {
            0 => Value::ZERO,
            1 => surplus,
            2 => surplus.max(Value::ZERO),
            _ => surplus.max(-surplus),
        };
        let guess = (self.guess(mv) + Value::new(params.margin) + surplus).clamp_evaluation();
        if guess > alpha || self.position.gives_check(mv, checks) {
            return None;
        }
        self.stats.count(SearchEvent::LazyHit);
        if S::ON && self.true_value(mv, ply) > alpha {
            self.stats.count(SearchEvent::LazyError);
        }
        Some(guess)
    }

    /// A value for a quiet move one or two plies before the horizon that cannot reach alpha (FUT-01
    /// to FUT-04); further away too, if the parameters say so. `rest` is the depth behind the move.
    fn futile_value(
        &mut self,
        mv: Move,
        alpha: Value,
        rest: Depth,
        surplus: Option<Value>,
        checks: &CheckSquares,
    ) -> Option<Value> {
        let params = &self.setup.params.futility;
        let surplus = surplus?;
        let plies = rest.to_plies();
        if !params.on || plies < 1 || plies > params.depth || !mv.is_quiet() {
            return None;
        }
        let margin = match plies {
            1 if self.plan.is_endgame() => params.one_endgame,
            1 => params.one,
            more => params.two + (more - 2) * params.further,
        };
        let surplus = if params.correction { surplus } else { Value::ZERO };
        let score = (self.guess(mv) + surplus).clamp_evaluation();
        if alpha < score + Value::new(margin) || self.position.gives_check(mv, checks) {
            return None;
        }
        self.stats.count(SearchEvent::Futility);
        Some(score)
    }

    /// What the last evaluation said beyond `I_SCORE`, seen by the side to move (LAZ-05, AMB-15): the
    /// same for all moves of a node. `None` where it cannot be built on: its side was in check, or
    /// something special made its value (LAZ-02, LAZ-07..09).
    #[inline]
    pub(super) fn surplus(&self, ply: usize) -> Option<Value> {
        let params = &self.setup.params.lazy;
        let last = self.buffers.stack[ply].evaluation.as_ref()?;
        if params.spare_quadrant && last.quadrant
            || params.spare_endings && last.known_ending
            || params.spare_mates && (last.mates.white.is_some() || last.mates.black.is_some())
        {
            return None;
        }
        let turn = self.position.turn();
        Some(seen_by(turn, last.value) - self.i_score(turn))
    }

    /// `I_SCORE` behind a move, seen by the side to move.
    #[inline]
    fn guess(&self, mv: Move) -> Value {
        let after = self.setup.evaluator.i_score_after(&self.position, mv);
        seen_by(self.position.turn(), after)
    }

    /// What the evaluation says behind a move, for the count of errors.
    #[cold]
    fn true_value(&mut self, mv: Move, ply: usize) -> Value {
        self.make(mv, ply);
        let evaluation = self.evaluate_anew(ply + 1);
        self.unmake(mv);
        seen_by(self.position.turn(), evaluation.value)
    }
}

#[cfg(test)]
mod tests;
