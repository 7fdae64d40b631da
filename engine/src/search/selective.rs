//! REBEL's selective search: null moves in the first plies of an iteration, pruning by the static
//! evaluation in the others (SEL-01..18). The null move stands where it always does, before the
//! moves of a node; seen from there, "the move that was made" is the opponent's (AMB-29).

use super::after_move::AfterMove;
use super::alpha_beta::Visit;
use super::plan::by_depth;
use super::statistics::{SearchEvent, Statistics};
use super::worker::Worker;
use crate::types::{Depth, Rank, Value};

impl<S: Statistics> Worker<'_, S> {
    /// Whether `ply` lies in the null-move part (SEL-02, SEL-05), or all plies do (SEL-12, PAR-02).
    fn is_null_part(&self, ply: usize) -> bool {
        let params = &self.setup.params.selective;
        if params.full_null {
            return true;
        }
        let extended = Depth::quarters(i32::from(self.buffers.stack[ply].counters.extensions));
        let follow = if params.follow_extensions { extended.to_plies() } else { 0 };
        ply as i32 <= self.plan.null_plies + follow
    }

    /// PART_TWO: whether the whole subtree behind the move that led here is cut off (SEL-13..16).
    pub(super) fn is_pruned(&self, moved: &AfterMove) -> bool {
        let params = &self.setup.params.selective;
        let (before, here) = self.around(moved.ply);
        if !params.static_part
            || moved.plies() < 2
            || before.in_check
            || here.wins
            || self.is_null_part(moved.ply)
        {
            return false;
        }
        let margin = Value::new(by_depth(&params.margin, moved.plies()));
        if moved.alpha < moved.score + moved.threat + margin {
            return false;
        }
        let rank = here.mv.to().rank();
        let mover = self.position.turn().other();
        let pushed = here.piece.is_pawn()
            && rank >= mover.fold_wb(Rank::Sixth, Rank::Second)
            && rank <= mover.fold_wb(Rank::Seventh, Rank::Third);
        let shared = &self.setup.params.reductions;
        !(params.pawn_push && pushed
            || params.king_pressure
                && self.presses_the_king(moved.ply, shared.king_rise, shared.king_level))
    }

    /// A value at or above beta that the side to move reaches even if it passes. `value` is its
    /// evaluation; it is not in check.
    pub(super) fn null_move(
        &mut self,
        beta: Value,
        depth: Depth,
        ply: usize,
        value: Value,
    ) -> Option<Value> {
        if !self.may_pass(beta, depth, ply, value) {
            return None;
        }
        let guarded = self.setup.params.null_move.threat_guard;
        let reaches_alpha = (guarded || S::ON) && value - self.threat_against_us(ply) < beta;
        if reaches_alpha && guarded {
            return None;
        }
        self.stats.count(SearchEvent::NullMove);
        if reaches_alpha {
            self.stats.count(SearchEvent::GuardedNullMove);
        }
        let rest = depth - Depth::PLY - self.null_reduction(beta, depth, value);
        self.make_null(ply);
        self.buffers.stack[ply + 1].cut = !self.buffers.stack[ply].cut;
        let found = -self.alpha_beta(-beta, Value::new(1) - beta, rest, ply + 1);
        self.position.unmake_null();
        if self.stopped {
            return None;
        }
        if found >= beta && self.is_verified(beta, depth, rest, ply) {
            // A mate behind a pass is nobody's.
            return Some(if found.is_decided() { beta } else { found });
        }
        self.stats.count(SearchEvent::NullMoveResearch);
        if reaches_alpha {
            self.stats.count(SearchEvent::GuardedNullMoveResearch);
        }
        None
    }

    /// Everything but the threat (SEL-06, SEL-08, and the field's care about zugzwang).
    fn may_pass(&self, beta: Value, depth: Depth, ply: usize, value: Value) -> bool {
        let params = &self.setup.params;
        let rules = &params.null_move;
        if !params.selective.null_part
            || ply == 0
            || depth < Depth::plies(rules.min_depth)
            || beta.is_decided()
            || !self.is_null_part(ply)
        {
            return false;
        }
        let (before, here) = self.around(ply);
        let turn = self.position.turn();
        let guarded = rules.check_guard && before.in_check || rules.eval_guard && value < beta;
        let behind_a_pass = here.mv.is_none() || here.no_null;
        if guarded || behind_a_pass {
            return false;
        }
        let pieces = self.setup.evaluator.stage(&self.position).pieces[turn];
        let near = ply as i32 <= rules.near_plies && pieces <= rules.near_pieces;
        pieces >= rules.pieces
            && !near
            && self.position.pieces_have_moves(turn, rules.moves as usize)
    }

    /// What the side to move stands to lose: the threat of the move that led here (SEL-07).
    pub(super) fn threat_against_us(&self, ply: usize) -> Value {
        Value::PAWN * self.loss_here(ply, self.position.turn())
    }

    /// R (SEL-09).
    fn null_reduction(&self, beta: Value, depth: Depth, value: Value) -> Depth {
        let rules = &self.setup.params.null_move;
        let r = if self.plan.is_endgame() { rules.r_endgame } else { rules.r_middlegame };
        let by_depth = depth.to_plies().checked_div(rules.depth_divisor).unwrap_or(0);
        let above = (value - beta).binary().max(0);
        let by_value = above.checked_div(rules.value_step).unwrap_or(0).min(3);
        Depth::plies(r + by_depth + by_value)
    }

    /// Where passing is no move to rely on: whether a search without it reaches beta too.
    fn is_verified(&mut self, beta: Value, depth: Depth, rest: Depth, ply: usize) -> bool {
        let rules = &self.setup.params.null_move;
        let turn = self.position.turn();
        let rich = || self.setup.evaluator.stage(&self.position).pieces[turn] > rules.verify_pieces;
        if rules.verify_depth == 0 || depth < Depth::plies(rules.verify_depth) || rich() {
            return true;
        }
        self.buffers.stack[ply].no_null = true;
        let found = self.node(beta - Value::new(1), beta, rest.max(Depth::PLY), ply, Visit::Again);
        self.buffers.stack[ply].no_null = false;
        self.buffers.pv.clear(ply);
        !self.stopped && found >= beta
    }
}

#[cfg(test)]
mod tests;
