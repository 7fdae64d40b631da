//! The position after a move as the side that made it sees it. REBEL makes a move, evaluates, and
//! only then decides what to do with it; all its rules speak from that side's view (AMB-01).

use super::line::{PlyInfo, seen_by};
use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::{Depth, Value};

/// What a rule asks of a move that was made and is to be searched on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    /// The evaluation.
    pub(super) score: Value,
    /// What the move must reach.
    pub(super) alpha: Value,
    /// What the move threatens to win: the dearest man of the other side in danger (RED-12).
    pub(super) threat: Value,
    /// Depth that remains behind the move (RED-04).
    pub(super) depth: Depth,
    /// The ply of the position behind the move, which is the paper's current depth (AMB-28).
    pub(super) ply: usize,
}

impl Moved {
    /// Remaining depth in plies.
    #[inline]
    pub(super) fn plies(&self) -> i32 {
        self.depth.to_plies()
    }
}

impl<S: Statistics> Worker<'_, S> {
    /// The move that led to the present position. `None` where there was none, or the side to move is
    /// in check and not evaluated.
    #[inline]
    pub(super) fn moved(&self, beta: Value, depth: Depth, ply: usize) -> Option<Moved> {
        let here = &self.buffers.stack[ply];
        if ply == 0 || here.mv.is_none() {
            return None;
        }
        let turn = self.position.turn();
        let evaluation = here.evaluation.as_ref()?;
        Some(Moved {
            score: -seen_by(turn, evaluation.value),
            alpha: -beta,
            threat: Value::PAWN * evaluation.hanging[turn].highest(),
            depth,
            ply,
        })
    }

    /// The plies before and behind the move that led to `ply`.
    #[inline]
    pub(super) fn around(&self, ply: usize) -> (&PlyInfo, &PlyInfo) {
        (&self.buffers.stack[ply - 1], &self.buffers.stack[ply])
    }

    /// Whether the move that led to `ply` increases the pressure on the enemy king: the danger to it
    /// rises by `rise` and reaches `level`, 1/256 pawn, or a mate threatens that did not before
    /// (RED-06, SEL-16, EXT-11, MISS-14).
    pub(super) fn presses_the_king(&self, ply: usize, rise: i32, level: i32) -> bool {
        let (before, here) = self.around(ply);
        let (Some(before), Some(here)) = (&before.evaluation, &here.evaluation) else {
            return false;
        };
        let them = self.position.turn();
        let danger = here.king_danger[them];
        let us = them.other();
        danger >= level && danger - before.king_danger[them] >= rise
            || here.mates[us].is_some() && before.mates[us].is_none()
    }
}
