//! REBEL's reductions (RED-01..15) and ProDeo's of two hanging men (RED-18, PRO-13) with its
//! exceptions (RED-19); of the others only 2d outlived ProDeo's null moves (RED-17). All are decided
//! by the full evaluation behind a move, before its subtree is searched (RED-05). They reduce for
//! good, without a second search.

use super::after_move::AfterMove;
use super::plan::by_depth;
use super::statistics::{SearchEvent, Statistics};
use super::tt::TtHit;
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::types::{Color, Depth, Value};

impl<S: Statistics> Worker<'_, S> {
    /// How much less deep the move that led here is searched; `known` is what the hash table says
    /// of the position behind it. Counts the reduction on the line (RED-14, PAR-04).
    pub(super) fn reduction(&mut self, moved: &AfterMove, known: Option<TtHit>) -> Depth {
        let (before, here) = self.around(moved.ply);
        let most = self.plan.reductions;
        if before.in_check || here.in_check || i32::from(here.counters.reductions) >= most {
            return Depth::ZERO;
        }
        let Some((event, plies)) = self.find_reduction(moved, known) else {
            return Depth::ZERO;
        };
        self.stats.count(event);
        let counters = &mut self.buffers.stack[moved.ply].counters;
        counters.reductions = counters.reductions.saturating_add(1);
        counters.reduction1 |= event == SearchEvent::Reduction1;
        Depth::plies(plies)
    }

    /// The first of the reductions that holds; reduction 1 first, since the others spare moves that
    /// are reduced already (RED-06), and 2b before 2c (AMB-20).
    fn find_reduction(
        &self,
        moved: &AfterMove,
        known: Option<TtHit>,
    ) -> Option<(SearchEvent, i32)> {
        let params = &self.setup.params;
        if params.reduction1.on && self.is_far_behind(moved) {
            return Some((SearchEvent::Reduction1, 1));
        }
        let here = &self.buffers.stack[moved.ply];
        if here.wins || here.reduced {
            return None;
        }
        if params.two_hanging.on && self.leaves_two_hanging(moved) {
            return Some((SearchEvent::TwoHanging, 1));
        }
        let shared = &params.reductions;
        let candidate = || {
            let (event, plies, guarded) = self.static_reduction(moved)?;
            let spared = guarded && shared.hash_guard && self.hash_speaks_for(moved, known);
            (!spared).then_some((event, plies))
        };
        let found = candidate()?;
        let presses = self.presses_the_king(moved.ply, shared.king_rise, shared.king_level);
        (!presses).then_some(found)
    }

    /// Reductions 2a to 2d: which, by how many plies, and whether the hash table has a say.
    fn static_reduction(&self, moved: &AfterMove) -> Option<(SearchEvent, i32, bool)> {
        let params = &self.setup.params;
        let &AfterMove { score, alpha, threat, .. } = moved;
        let plies = moved.plies();
        if params.reduction2a.on
            && alpha >= score
            && alpha < score + threat
            && alpha >= score + threat / params.reduction2a.divisor
        {
            return Some((SearchEvent::Reduction2a, 1, true));
        }
        let missed = alpha - score - threat;
        let misses_by =
            |margin: &[i32]| missed > Value::ZERO && missed < Value::new(by_depth(margin, plies));
        let near = plies <= self.plan.last_plies;
        if params.reduction2b.on && near && plies > 1 && misses_by(&params.reduction2b.margin) {
            return Some((SearchEvent::Reduction2b, 1, false));
        }
        if params.reduction2c.on && near && plies > 2 && misses_by(&params.reduction2c.margin) {
            return Some((SearchEvent::Reduction2c, 2, false));
        }
        let leaves = params.reduction2d.on && self.leaves_a_capture(moved);
        leaves.then_some((SearchEvent::Reduction2d, 1, true))
    }

    /// RED-01: by material and squares alone the mover is so far below alpha that a ply more or less
    /// does not matter.
    fn is_far_behind(&self, moved: &AfterMove) -> bool {
        let params = &self.setup.params.reduction1;
        let here = &self.buffers.stack[moved.ply];
        let quiet = here.taken.is_empty();
        if !quiet || moved.plies() <= 2 || params.once && here.counters.reduction1 {
            return false;
        }
        let i_score = self.i_score(self.position.turn().other());
        moved.alpha > i_score + Value::new(by_depth(&params.margin, moved.plies()))
    }

    /// RED-13: there was something to win and the move took nothing, nor does it threaten more.
    ///
    /// DIFFERS from MISS-27, which compares with two plies before: a man that the opponent has just
    /// put in danger would count as a threat made by any move. What stood to be won when the move
    /// was made is what its threats must exceed.
    fn leaves_a_capture(&self, moved: &AfterMove) -> bool {
        let params = &self.setup.params.reduction2d;
        let (before, here) = self.around(moved.ply);
        if moved.plies() < params.min_depth || !params.strict && !here.taken.is_empty() {
            return false;
        }
        let them = self.position.turn();
        let (Some(before), Some(after)) = (&before.evaluation, &here.evaluation) else {
            return false;
        };
        let offered = &before.hanging[them];
        if offered.highest() == 0 {
            return false;
        }
        let sum = |color: Color, evaluation: &Evaluation| -> i32 {
            evaluation.hanging[color].iter().map(|man| i32::from(man.loss)).sum()
        };
        !(params.progress && sum(them, after) > sum(them, before))
    }

    /// RED-18: the mover has two men in danger; what that costs drops the score below alpha.
    fn leaves_two_hanging(&self, moved: &AfterMove) -> bool {
        let params = &self.setup.params.two_hanging;
        let us = self.position.turn().other();
        let Some(evaluation) = &self.buffers.stack[moved.ply].evaluation else { return false };
        let own = &evaluation.hanging[us];
        let cost = own.highest() * params.first + own.second() * params.second;
        own.second() > 0 && moved.score - Value::PAWN * cost / 100 < moved.alpha
    }

    /// RED-08, HSH-02: the move was the hash move, or the hash table thinks better of the position than
    /// the evaluation does. Bounds are ignored, as the author does (AMB-22).
    fn hash_speaks_for(&self, moved: &AfterMove, known: Option<TtHit>) -> bool {
        let excess = Value::new(self.setup.params.reductions.hash_excess);
        let here = &self.buffers.stack[moved.ply];
        here.from_hash
            || known.is_some_and(|found| {
                let hash_score = -found.value;
                moved.alpha < hash_score || hash_score - moved.score > excess
            })
    }
}

#[cfg(test)]
mod tests;
