//! Late moves: searched less deep first (LMR-01..11, RED-16), or not at all.

use super::heuristics::HistoryRows;
use super::setup::Setup;
use super::statistics::Statistics;
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::movegen::{MoveClass, ScoredMove};
use crate::position::CheckSquares;
use crate::types::{Color, Depth, Move, Value};

/// How far a node has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct LateMove {
    /// Legal moves searched or given up so far.
    pub(super) tried: usize,
    /// The node's depth.
    pub(super) depth: Depth,
    pub(super) ply: usize,
    pub(super) is_pv: bool,
    /// The side to move stands better than two plies ago.
    pub(super) improving: bool,
    /// What the histories say of the move at hand.
    pub(super) history: i32,
}

impl<S: Statistics> Worker<'_, S> {
    /// How much less deep the move just made is searched first. `extension` is what it gained.
    pub(super) fn lmr_reduction(
        &mut self,
        picked: &ScoredMove,
        alpha: Value,
        late: &LateMove,
        extension: Depth,
    ) -> Depth {
        let params = &self.setup.params;
        let (lmr, history) = (&params.lmr, &params.history_reduction);
        if extension > Depth::ZERO {
            return Depth::ZERO;
        }
        let plies = late.depth.to_plies();
        let moved = &self.buffers.stack[late.ply + 1];
        let is_late = |on: bool, min_move: i32, min_depth: i32| {
            on && late.tried >= min_move as usize && plies >= min_depth
        };
        let may_count = i32::from(moved.counters.reductions) < self.plan.reductions;
        let by_history = is_late(history.on, history.min_move, history.min_depth)
            && may_count
            && self.heuristics.success_share(moved.piece, moved.mv.landing()) < history.share
            && !self.is_loud(late);
        let by_history = by_history && !self.presses_on(late.ply + 1);
        let by_lmr = is_late(lmr.on, lmr.min_move, lmr.min_depth)
            && may_count
            && !self.is_spared(picked, late)
            && self.may_reduce(alpha, late);
        if !by_lmr && !by_history {
            return Depth::ZERO;
        }
        let mut quarters = if by_history { history.amount } else { 0 };
        if by_lmr {
            quarters = quarters.max(self.lmr_quarters(late));
        }
        let rest = late.depth - Depth::PLY;
        Depth::quarters(quarters).min(rest - Depth::PLY).max(Depth::ZERO)
    }

    fn lmr_quarters(&self, late: &LateMove) -> i32 {
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
        if self.buffers.stack[late.ply].cut {
            quarters += lmr.cut_more;
        }
        quarters -= self.spared_by_squares(late);
        let history = late.history;
        quarters - history.checked_div(lmr.history_step).unwrap_or(0).clamp(-8, 8)
    }

    /// What history reductions spare of REBEL's usual exceptions: captures, promotions, moves out of
    /// check and moves that give it (RED-06, RED-16, MISS-02).
    fn is_loud(&self, late: &LateMove) -> bool {
        let stack = &self.buffers.stack;
        !stack[late.ply + 1].mv.is_quiet() || stack[late.ply].in_check || self.position.in_check()
    }

    /// And the last of them: the move that led to `ply`, which gives no check, increases the pressure
    /// on the king (RED-06, MISS-14). Only the evaluation behind it can say so.
    fn presses_on(&mut self, ply: usize) -> bool {
        let shared = &self.setup.params.reductions;
        self.evaluate(ply);
        self.presses_the_king(ply, shared.king_rise, shared.king_level)
    }

    /// Moves that late move reductions spare, by what they are (LMR-02, LMR-04..06, LMR-11).
    fn is_spared(&self, picked: &ScoredMove, late: &LateMove) -> bool {
        let lmr = &self.setup.params.lmr;
        let mv = picked.mv;
        let stack = &self.buffers.stack;
        let gives_check = || self.position.in_check();
        let loses = picked.class == MoveClass::Losing;
        !mv.is_quiet() && (lmr.spare_captures || !loses)
            || lmr.spare_evasions && stack[late.ply].in_check
            || lmr.spare_killers
                && matches!(picked.class, MoveClass::Killer | MoveClass::MateKiller)
            || lmr.spare_history && late.history >= lmr.history_least
            || lmr.spare_checks && gives_check()
    }

    /// Whether nothing in the evaluation behind the move speaks against it (LMR-06; LMR-09, LMR-10 for
    /// ProDeo: PRO-24).
    fn may_reduce(&mut self, alpha: Value, late: &LateMove) -> bool {
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
        picked: &ScoredMove,
        late: &LateMove,
        checks: &CheckSquares,
    ) -> bool {
        let params = &self.setup.params.late_moves;
        let mv = picked.mv;
        let plies = late.depth.to_plies();
        if late.tried == 0 {
            return false;
        }
        let quiet = mv.is_quiet();
        let mut found = self.is_too_late(mv, late);
        if params.history && quiet && plies <= params.history_depth {
            found |= late.history < params.history_limit * plies;
        }
        found |= self.is_to_a_poor_square(mv, late);
        if !found && params.see && plies <= params.see_depth {
            let allowed = if quiet { params.see_quiet } else { params.see_capture } * plies;
            let least = Value::new(-allowed);
            let Setup { exchange, pins, .. } = self.setup;
            let loses = || match picked.see() {
                Some(see) => see < least,
                None => !self.position.see_reaches(mv, least, exchange, *pins),
            };
            // Where the order goes by exchanges, a capture with a good place in it loses nothing.
            let may_lose =
                quiet || picked.class == MoveClass::Losing || !self.setup.params.order.see;
            found |= may_lose && loses();
        }
        found && !self.position.gives_check(mv, checks)
    }

    /// Whether so many moves were tried before it that a quiet move is given up.
    #[inline]
    pub(super) fn is_too_late(&self, mv: Move, late: &LateMove) -> bool {
        let params = &self.setup.params.late_moves;
        let plies = late.depth.to_plies();
        if !params.count || !mv.is_quiet() || plies > params.count_depth {
            return false;
        }
        let full = params.count_base + plies * plies;
        let most = if late.improving { full } else { full / 2 };
        late.tried as i32 >= most
    }

    /// Where a node finds what the histories say of its moves; `None` where nobody asks.
    #[inline]
    pub(super) fn history_rows(&self, ply: usize) -> Option<HistoryRows> {
        let params = &self.setup.params;
        let asks =
            params.late_moves.history || params.lmr.spare_history || params.lmr.history_step > 0;
        let stack = &self.buffers.stack[..];
        asks.then(|| self.heuristics.history_rows(&self.position, stack, ply))
    }

    /// What the histories say of a quiet move not yet made, −2000..2000 for each that is kept; 0 for
    /// other moves, and where nobody asks.
    #[inline]
    pub(super) fn history_of(&self, mv: Move, rows: &Option<HistoryRows>) -> i32 {
        let rows = rows.as_ref().filter(|_| mv.is_quiet());
        rows.map_or(0, |rows| self.heuristics.history(rows, &self.position, mv))
    }
}

#[cfg(test)]
mod tests;
