//! Extensions: moves that deserve a deeper look (EXT-01..18). A move is extended once, by the first
//! rule that holds, or by all that do (EXT-10); what a line has gained is counted on it (EXT-15),
//! and moves the border of the null-move part too (EXT-18).

#[cfg(test)]
mod tests;

use super::alpha_beta::Visit;
use super::lmr::LateMove;
use super::plan::by_depth;
use super::stack::seen_by;
use super::statistics::{SearchEvent, Statistics};
use super::tt::{Bound, TtHit};
use super::worker::Worker;
use crate::eval::Stage;
use crate::types::{Depth, Move, Rank, Value};

impl<S: Statistics> Worker<'_, S> {
    /// What a node in check gains: the move out of check is searched that much deeper (EXT-01, by
    /// the number of checks on the line: EXT-02).
    pub(super) fn check_extension(&mut self, ply: usize) -> Depth {
        let params = &self.setup.params.check_ext;
        if !params.on {
            return Depth::ZERO;
        }
        let counters = &mut self.buffers.stack[ply].counters;
        let amount = by_depth(&params.amount, i32::from(counters.checks));
        counters.checks = counters.checks.saturating_add(1);
        let gained = self.extend(ply, amount, SearchEvent::CheckExtension);
        self.buffers.stack[ply].evasions_extended = gained > Depth::ZERO;
        gained
    }

    /// What the move just made gains; `ply` is that of the node it was made at, `before` the stage
    /// there if the rules ask for it, `single` what a search without it found.
    pub(super) fn extension(
        &mut self,
        alpha: Value,
        known: Option<TtHit>,
        before: Option<Stage>,
        single: Option<Single>,
        ply: usize,
    ) -> Depth {
        let params = &self.setup.params;
        let evasion = self.buffers.stack[ply].evasions_extended;
        let barred = evasion && params.extensions.once;
        let found = if barred { None } else { self.find_extension(before, single, ply) };
        let extended = evasion || found.is_some();
        let counts = !(params.pv_ext.once && extended) && self.count_hash_move(alpha, known, ply);
        let full = || counts.then_some((params.pv_ext.amount, SearchEvent::PvExtension));
        if counts {
            self.buffers.stack[ply + 1].counters.hash_moves = 0;
        }
        match self.together(found, full).filter(|_| !barred) {
            Some((amount, event)) => self.extend(ply + 1, amount, event),
            None => Depth::ZERO,
        }
    }

    /// What a rule gives, and another one behind it: the first that holds, or both (EXT-10).
    #[inline]
    fn together(
        &self,
        first: Option<(i32, SearchEvent)>,
        second: impl FnOnce() -> Option<(i32, SearchEvent)>,
    ) -> Option<(i32, SearchEvent)> {
        if first.is_some() && self.setup.params.extensions.once {
            return first;
        }
        match (first, second()) {
            (Some((one, event)), Some((two, _))) => Some((one + two, event)),
            (first, second) => first.or(second),
        }
    }

    /// What the rules give to the move just made, the row of hash moves apart: the amount of the first
    /// that holds, or the sum, told as the first (EXT-10). A recapture comes last, since it must not be
    /// extended already (EXT-04): one that leads to a pawn ending gains the three plies of that (EXT-09).
    #[inline]
    fn find_extension(
        &self,
        before: Option<Stage>,
        single: Option<Single>,
        ply: usize,
    ) -> Option<(i32, SearchEvent)> {
        let params = &self.setup.params;
        let times = match single {
            Some(Single::Alone) => 1,
            Some(Single::FarAlone) => 2,
            _ => 0,
        };
        let amount = params.singular_ext.amount * times;
        let found = (times > 0).then_some((amount, SearchEvent::SingularExtension));
        let found = self.together(found, || {
            let amount = before.and_then(|before| self.ending_amount(&before, ply))?;
            Some((amount, SearchEvent::EndgameExtension))
        });
        let found = self.together(found, || {
            let holds = params.pawn_ext.on && self.reaches_the_seventh(ply);
            holds.then_some((params.pawn_ext.amount, SearchEvent::PawnExtension))
        });
        self.together(found, || {
            let holds = params.recapture_ext.on && self.is_recapture(ply);
            holds.then_some((params.recapture_ext.amount, SearchEvent::RecaptureExtension))
        })
    }

    /// EXT-11: what the move that led to `ply` gains because it increases the pressure on the king;
    /// known only behind the evaluation. Checks are left out: there is none then.
    pub(super) fn king_extension(&mut self, ply: usize) -> Depth {
        let params = &self.setup.params.king_ext;
        let here = &self.buffers.stack[ply];
        if !params.on
            || here.extended && self.setup.params.extensions.once
            || here.in_check
            || !self.presses_the_king(ply, params.rise, params.level)
        {
            return Depth::ZERO;
        }
        self.extend(ply, params.amount, SearchEvent::KingExtension)
    }

    /// Extends by `amount` quarter plies if the line may still be, and notes it on `ply`.
    fn extend(&mut self, ply: usize, amount: i32, event: SearchEvent) -> Depth {
        let here = &mut self.buffers.stack[ply];
        let sum = i32::from(here.counters.extensions) + amount;
        if amount == 0 || Depth::quarters(sum) > self.plan.extensions {
            return Depth::ZERO;
        }
        here.counters.extensions = sum.min(i32::from(i16::MAX)) as i16;
        here.extended = true;
        self.stats.count(event);
        Depth::quarters(amount)
    }

    /// EXT-04, EXT-05: a winning recapture that leaves the material near the root's. The window is
    /// that of the side that captured first, before the recapture (AMB-24).
    fn is_recapture(&self, ply: usize) -> bool {
        let params = &self.setup.params.recapture_ext;
        let (first, second) = self.around(ply + 1);
        if first.taken.is_empty() || second.taken.is_empty() {
            return false;
        }
        if first.mv.to() != second.mv.to() || !second.wins {
            return false;
        }
        let recapturer = self.position.turn().other();
        let side = if params.after { recapturer } else { recapturer.other() };
        let i_score =
            if params.after { self.i_score(side) } else { seen_by(side, second.i_score_before) };
        let narrowed: i32 = params.narrow.iter().take(ply + 2).sum();
        let half = Value::new((params.window - narrowed).max(0));
        let middle = self.plan.i_score_of(side);
        let taken = first.taken.role().map_or(0, |role| self.setup.exchange.of(role));
        i_score >= middle - half && i_score <= middle + half + Value::new(taken)
    }

    /// EXT-07.
    fn reaches_the_seventh(&self, ply: usize) -> bool {
        let moved = &self.buffers.stack[ply + 1];
        let mover = self.position.turn().other();
        moved.piece.is_pawn() && moved.mv.to().rank() == mover.fold_wb(Rank::Seventh, Rank::Second)
    }

    /// The stage before a move, if endgame extensions will ask for it: before captures.
    pub(super) fn stage_for_extension(&self, mv: Move) -> Option<Stage> {
        let params = &self.setup.params.endgame_ext;
        let asks = (params.simple || params.pawns) && mv.is_capture();
        asks.then(|| self.setup.evaluator.stage(&self.position))
    }

    /// EXT-08, EXT-09: the step into a simple ending or a pawn ending.
    fn ending_amount(&self, before: &Stage, ply: usize) -> Option<i32> {
        let params = &self.setup.params.endgame_ext;
        debug_assert!(!self.buffers.stack[ply + 1].taken.is_empty());
        let after = self.setup.evaluator.stage(&self.position);
        if params.pawns && after.pawn_ending && !before.pawn_ending {
            let window = Value::new(params.pawns_window);
            let i_score = self.i_score(self.position.turn());
            if i_score >= -window && i_score <= window {
                return Some(params.pawns_amount);
            }
        }
        let simple = after.is_simple_ending() && !before.is_simple_ending();
        (params.simple && simple).then_some(params.simple_amount)
    }

    /// EXT-12, EXT-14, PAR-03: counts a hash move behind a hash move on the line; whether the count is
    /// full. The stored score must be near, or far by the printed sign (HSH-02).
    fn count_hash_move(&mut self, alpha: Value, known: Option<TtHit>, ply: usize) -> bool {
        let params = &self.setup.params.pv_ext;
        let (before, here) = self.around(ply + 1);
        if !params.on || !before.from_hash || !here.from_hash {
            return false;
        }
        // The page's sign contradicts its text (AMB-25).
        let counts = known.is_some_and(|found| {
            let border = found.value + Value::new(params.margin);
            if params.printed { alpha > border } else { alpha < border }
        });
        if params.margin_on && !counts {
            return false;
        }
        let counters = &mut self.buffers.stack[ply + 1].counters;
        counters.hash_moves += 1;
        i32::from(counters.hash_moves) >= params.count
    }

    /// Searches a node without its hash move, to see whether that move stands alone.
    pub(super) fn singular_search(
        &mut self,
        mv: Move,
        beta: Value,
        known: Option<TtHit>,
        late: &LateMove,
    ) -> Option<Single> {
        let params = &self.setup.params.singular_ext;
        let found = known?;
        let ply = late.ply;
        let extended = self.buffers.stack[ply].evasions_extended;
        if !params.on
            || late.depth < Depth::plies(params.min_depth)
            || found.depth + Depth::plies(3) < late.depth
            || found.bound == Bound::Upper
            || found.value.is_decided()
            || !self.buffers.stack[ply].excluded.is_none()
            || extended && !params.multi_cut
        {
            return None;
        }
        let margin = Value::new(params.margin * late.depth.to_plies());
        let bar = found.value - margin;
        let half = Depth::quarters((late.depth - Depth::PLY).to_quarters() / 2).max(Depth::PLY);
        self.buffers.stack[ply].excluded = mv;
        let best = self.node(bar - Value::new(1), bar, half, ply, Visit::Again);
        self.buffers.stack[ply].excluded = Move::NONE;
        self.buffers.pv.clear(ply);
        let far = bar - Value::new(params.far_margin);
        if !self.stopped && params.far_margin > 0 && !late.is_pv && best < far {
            return Some(Single::FarAlone);
        }
        if self.stopped || best < bar {
            return Some(Single::Alone);
        }
        if params.multi_cut && bar >= beta {
            return Some(Single::Cut(bar));
        }
        (found.value >= beta).then_some(Single::Rivalled)
    }

    /// How much less deep a hash move is searched that has a rival.
    pub(super) fn rivalled(&self, single: Option<Single>) -> Depth {
        match single {
            Some(Single::Rivalled) => Depth::quarters(self.setup.params.singular_ext.rivalled),
            _ => Depth::ZERO,
        }
    }
}

/// What a search without the hash move found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Single {
    /// No other move comes near: it is extended.
    Alone,
    /// All others are further away still.
    FarAlone,
    /// Another one comes near, and the hash move's value reaches beta.
    Rivalled,
    /// Another one reaches beta too.
    Cut(Value),
}
