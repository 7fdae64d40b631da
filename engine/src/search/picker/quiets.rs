//! The order of quiet moves and lesser promotions: killers first, then by the ordering tables, the
//! corrections and the histories (GEN-03, ORD-08..15, ORD-23).

use super::corrections::Corrections;
use super::node::Node;
use super::refutations::Refutations;
use crate::movegen::{ScoredMove, points};
use crate::position::CheckSquares;
use crate::search::heuristics::QuietScores;

/// Rates moves that neither take nor make a queen.
pub(super) struct Quiets<'a> {
    node: Node<'a>,
    refutations: &'a Refutations,
    corrections: Option<&'a Corrections>,
    /// `None` when no history is on.
    scores: Option<QuietScores<'a>>,
    /// Where checks are given from, and what they add.
    checks: Option<(CheckSquares, i32)>,
}

impl<'a> Quiets<'a> {
    #[inline]
    pub(super) fn new(
        node: &Node<'a>,
        corrections: Option<&'a Corrections>,
        refutations: &'a Refutations,
    ) -> Quiets<'a> {
        let Node { position, stack, ply, .. } = *node;
        let params = &node.setup.params;
        let history = params.order.history
            || params.history.piece_to
            || params.history.reply
            || params.history.follow_up;
        let checks = params.order.checks;
        Quiets {
            node: *node,
            refutations,
            corrections,
            scores: history.then(|| node.heuristics.quiet_scores(position, stack, ply, params)),
            checks: (checks != 0).then(|| (position.check_squares(), i32::from(points(checks)))),
        }
    }

    /// Gives a stamped move its value and class. Inlined, so that a list of moves finds what all of
    /// them need in registers.
    #[inline(always)]
    pub(super) fn rate(&self, scored: &mut ScoredMove) {
        let mv = scored.mv;
        let position = self.node.position;
        if let Some(place) = self.refutations.of_quiet(mv, position) {
            (scored.value, scored.class) = place;
            return;
        }
        if self.corrections.is_some() || self.checks.is_some() {
            self.correct(scored);
        }
        if let Some(scores) = &self.scores
            && mv.is_plain()
            && mv.is_quiet()
        {
            add(scored, scores.of(mv));
        }
    }

    /// The corrections that need a look at the board.
    #[inline(never)]
    fn correct(&self, scored: &mut ScoredMove) {
        if let Some(corrections) = self.corrections {
            corrections.apply(&self.node, scored);
        }
        let mv = scored.mv;
        if let Some((squares, bonus)) = &self.checks
            && mv.is_quiet()
            && self.node.position.gives_check(mv, squares)
        {
            add(scored, *bonus);
        }
    }
}

/// Adds to a value, which stays below the killers'.
#[inline]
fn add(scored: &mut ScoredMove, more: i32) {
    let (floor, ceiling) = (i32::from(points(-127)), i32::from(points(100)));
    scored.value = (i32::from(scored.value) + more).clamp(floor, ceiling) as i16;
}
