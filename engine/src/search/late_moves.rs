//! Late moves: searched less deep first (LMR-01..11, RED-16), or not at all.

use super::alpha_beta::is_quiet;
use super::picker::is_tactical;
use super::statistics::Statistics;
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::movegen::ScoredMove;
use crate::position::CheckSquares;
use crate::types::{Color, Depth, Value};

/// How far a node has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    /// Legal moves searched or given up so far.
    pub(super) tried: usize,
    /// The node's depth.
    pub(super) depth: Depth,
    pub(super) ply: usize,
    /// The node's side to move.
    pub(super) turn: Color,
    pub(super) is_pv: bool,
    /// The side to move stands better than two plies ago.
    pub(super) improving: bool,
}

impl<S: Statistics> Worker<'_, S> {
    /// How much less deep the move just made is searched first. `extension` is what it gained.
    pub(super) fn late_reduction(
        &mut self,
        picked: ScoredMove,
        alpha: Value,
        late: &Late,
        extension: Depth,
    ) -> Depth {
        let params = &self.setup.params;
        let (lmr, history) = (&params.lmr, &params.history_reduction);
        let plies = late.depth.to_plies();
        let is_late = |on: bool, min_move: i32, min_depth: i32| {
            on && late.tried >= min_move as usize && plies >= min_depth
        };
        let by_lmr = is_late(lmr.on, lmr.min_move, lmr.min_depth);
        let by_history = is_late(history.on, history.min_move, history.min_depth)
            && self.history_of(picked, late) < history.least;
        if !by_lmr && !by_history
            || extension > Depth::ZERO
            || self.is_spared(picked, late)
            || !self.may_reduce(alpha, late)
        {
            return Depth::ZERO;
        }
        let mut quarters = if by_history { Depth::PLY.to_quarters() } else { 0 };
        if by_lmr {
            quarters = quarters.max(self.lmr_quarters(picked, late));
        }
        let rest = late.depth - Depth::PLY;
        Depth::quarters(quarters).min(rest - Depth::PLY).max(Depth::ZERO)
    }

    fn lmr_quarters(&self, picked: ScoredMove, late: &Late) -> i32 {
        let lmr = &self.setup.params.lmr;
        let mut quarters = lmr.amount;
        if lmr.growing {
            quarters = self.setup.late_quarters(late.depth.to_plies(), late.tried);
        }
        if late.is_pv {
            quarters -= lmr.pv_less;
        }
        if !late.improving {
            quarters += lmr.worse_more;
        }
        let history = self.history_of(picked, late);
        quarters - history.checked_div(lmr.history_step).unwrap_or(0).clamp(-8, 8)
    }

    /// Moves that are never reduced, by what they are (LMR-02, LMR-04..06, LMR-11).
    fn is_spared(&self, picked: ScoredMove, late: &Late) -> bool {
        let lmr = &self.setup.params.lmr;
        let mv = picked.mv;
        let stack = &self.buffers.stack;
        let gives_check = || self.position.in_check();
        let loses = is_tactical(mv) && picked.value < 0;
        !is_quiet(mv) && (lmr.spare_captures || !loses)
            || lmr.spare_evasions && stack[late.ply].in_check
            || lmr.spare_killers && self.heuristics.killers.of(late.ply).contains(&mv)
            || lmr.spare_history && self.history_of(picked, late) >= lmr.history_least
            || lmr.spare_checks && gives_check()
    }

    /// Whether nothing in the evaluation behind the move speaks against it (LMR-06, LMR-09, LMR-10).
    fn may_reduce(&mut self, alpha: Value, late: &Late) -> bool {
        let lmr = &self.setup.params.lmr;
        let asks = lmr.spare_raises || lmr.spare_threats || lmr.king || lmr.passed;
        let next = late.ply + 1;
        if !asks || self.position.in_check() {
            return true;
        }
        let score = -self.evaluate(next);
        let (before, here) = self.around(next);
        let (Some(before), Some(after)) = (&before.evaluation, &here.evaluation) else {
            return true;
        };
        let them = self.position.turn();
        let threats = |evaluation: &Evaluation| evaluation.hanging[them].highest();
        let grows = |level: i32, rise: i32, part: fn(&Evaluation, Color) -> i32| {
            Color::ALL.into_iter().any(|color| {
                let now = part(after, color);
                now > level && now - part(before, color) >= rise
            })
        };
        !(lmr.spare_raises && score > alpha
            || lmr.spare_threats && threats(after) > threats(before)
            || lmr.king && grows(lmr.king_level, lmr.king_rise, |e, color| e.king_danger[color])
            || lmr.passed && grows(lmr.passed_level, lmr.passed_rise, |e, color| e.passed[color]))
    }

    /// Whether a move not yet made is given up unseen.
    pub(super) fn is_skipped(
        &self,
        picked: ScoredMove,
        late: &Late,
        checks: &CheckSquares,
    ) -> bool {
        let params = &self.setup.params.late_moves;
        let mv = picked.mv;
        let plies = late.depth.to_plies();
        if late.tried == 0 {
            return false;
        }
        let quiet = is_quiet(mv);
        let mut found = false;
        if params.count && quiet && plies <= params.count_depth {
            let full = params.count_base + plies * plies;
            let most = if late.improving { full } else { full / 2 };
            found |= late.tried as i32 >= most;
        }
        if params.history && quiet && plies <= params.history_depth {
            found |= self.history_of(picked, late) < params.history_limit * plies;
        }
        if !found && params.see && plies <= params.see_depth {
            let allowed = if quiet { params.see_quiet } else { params.see_capture } * plies;
            let see = || self.position.see(mv, &self.setup.exchange, self.setup.pins);
            // A capture with a good place in the order loses nothing.
            found |= (quiet || picked.value < 0) && see() < Value::new(-allowed);
        }
        found && !self.position.gives_check(mv, checks)
    }

    /// A quiet move's history score.
    fn history_of(&self, picked: ScoredMove, late: &Late) -> i32 {
        self.heuristics.history.of(late.turn, picked.mv)
    }
}
