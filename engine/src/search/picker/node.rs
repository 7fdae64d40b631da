//! A node as the raters of its moves see it.

use super::Sources;
use crate::eval::Evaluation;
use crate::eval::hanging::HangingList;
use crate::movegen::{ScoredMove, Sink, Stamp};
use crate::position::{CheckSquares, Position};
use crate::search::heuristics::Heuristics;
use crate::search::setup::Setup;
use crate::search::stack::StackEntry;
use crate::types::{Color, Move, Role};

/// What is known at a node, the moves apart.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) position: &'a Position,
    pub(super) setup: &'a Setup,
    pub(super) heuristics: &'a Heuristics,
    pub(super) stack: &'a [StackEntry],
    pub(super) ply: usize,
}

impl<'a> Node<'a> {
    #[inline]
    pub(super) fn new(from: &Sources<'a>, ply: usize) -> Node<'a> {
        let Sources { position, setup, heuristics, stack, .. } = *from;
        Node { position, setup, heuristics, stack, ply }
    }

    /// The evaluation so many plies up the line, if there was one.
    #[inline]
    pub(super) fn evaluation(&self, back: usize) -> Option<&'a Evaluation> {
        let ply = self.ply.checked_sub(back)?;
        self.stack.get(ply)?.evaluation.as_ref()
    }

    /// The men of `color` that stand to be lost: from the evaluation where the node has one.
    pub(super) fn hanging(&self, color: Color) -> HangingList {
        let listed = self.evaluation(0).and_then(|evaluation| evaluation.hanging.of(color));
        listed.copied().unwrap_or_else(|| self.setup.evaluator.hanging(self.position, color))
    }

    /// A sink that gives moves their byte values (GEN-03, GEN-04).
    #[inline]
    pub(super) fn stamp<'b>(&self, moves: &'b mut Vec<ScoredMove>) -> Stamp<'b>
    where
        'a: 'b,
    {
        let Setup { order, stamps, .. } = self.setup;
        Stamp { position: self.position, table: order, stamps, moves }
    }
}

/// Lets moves pass that give check (QS-04).
pub(super) struct ChecksOnly<'a, 'b> {
    pub(super) squares: &'a CheckSquares,
    pub(super) stamp: &'a mut Stamp<'b>,
    /// Promotions too: they are not among the captures, which come before.
    pub(super) promotions: bool,
}

impl Sink for ChecksOnly<'_, '_> {
    #[inline]
    fn push(&mut self, role: Role, mv: Move) {
        let is_new = self.promotions || !mv.is_promotion();
        if is_new && self.stamp.position.gives_check(mv, self.squares) {
            self.stamp.push(role, mv);
        }
    }
}
