//! The position after a move as the side that made it sees it. REBEL makes a move, evaluates, and
//! only then decides what to do with it; all its rules speak from that side's view (AMB-01).

use super::stack::{StackEntry, seen_by};
use super::statistics::Statistics;
use super::worker::Worker;
use crate::eval::hanging::HangingList;
use crate::types::{Depth, Value};

/// What a rule asks of a move that was made and is to be searched on.
#[derive(Debug, Clone, Copy)]
pub(super) struct AfterMove {
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

impl AfterMove {
    /// Remaining depth in plies.
    #[inline]
    pub(super) fn plies(&self) -> i32 {
        self.depth.to_plies()
    }
}

impl<S: Statistics> Worker<'_, S> {
    /// The move that led to the present position. `None` where there was none, or it gives check: no
    /// rule holds for checks (RED-06, SEL-14).
    #[inline]
    pub(super) fn after_move(&self, beta: Value, depth: Depth, ply: usize) -> Option<AfterMove> {
        let here = &self.buffers.stack[ply];
        if ply == 0 || here.mv.is_none() || here.in_check {
            return None;
        }
        let turn = self.position.turn();
        let evaluation = here.evaluation.as_ref()?;
        Some(AfterMove {
            score: -seen_by(turn, evaluation.value),
            alpha: -beta,
            threat: Value::PAWN * evaluation.hanging.of(turn).map_or(0, HangingList::highest),
            depth,
            ply,
        })
    }

    /// The plies before and behind the move that led to `ply`.
    #[inline]
    pub(super) fn around(&self, ply: usize) -> (&StackEntry, &StackEntry) {
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

#[cfg(test)]
mod tests {
    use crate::Params;
    use crate::search::testing::{QUIET, after};
    use crate::types::{ByColor, Depth, Value, cp};

    /// Whether White's move presses when the danger to both kings goes from one pair to the other.
    fn presses(before: ByColor<i32>, behind: ByColor<i32>) -> bool {
        after(Params::default(), QUIET, &["b1c3"], |worker, ply| {
            let shared = &worker.setup.params.reductions;
            for (ply, danger) in [(ply - 1, before), (ply, behind)] {
                worker.ply(ply).evaluation.as_mut().expect("not in check").king_danger = danger;
            }
            worker.presses_the_king(ply, shared.king_rise, shared.king_level)
        })
    }

    /// MISS-14: the danger to the other king reaches half a pawn and rises by a quarter.
    #[test]
    fn the_danger_must_rise_and_be_great() {
        let to_black = |before, behind| {
            let danger = |black| ByColor { white: 0, black };
            presses(danger(before), danger(behind))
        };
        assert!(to_black(0, cp(50)));
        assert!(!to_black(0, cp(50) - 1), "not great");
        assert!(to_black(cp(75), cp(100)));
        assert!(!to_black(cp(75) + 1, cp(100)), "hardly risen");
        let own = |white| ByColor { white, black: 0 };
        assert!(!presses(own(0), own(cp(300))), "the own king's danger is no pressure");
    }

    /// RED-06, SEL-14: checks are none of them, evaluated or not (SEL-01).
    #[test]
    fn checks_are_left_out() {
        for evaluated in [false, true] {
            after(Params::default(), "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", &["d1a4"], |worker, ply| {
                if evaluated {
                    worker.evaluate(ply);
                }
                assert!(worker.after_move(Value::ZERO, Depth::PLY, ply).is_none(), "{evaluated}");
            });
        }
    }

    /// MISS-14: or a mate threatens that did not before.
    #[test]
    fn a_new_threat_of_mate_is_pressure() {
        let presses = |before: bool, behind: bool, ours: bool| {
            after(Params::default(), QUIET, &["b1c3"], |worker, ply| {
                let mv = worker.ply(ply).mv;
                for (ply, there) in [(ply - 1, before), (ply, behind)] {
                    let evaluation = worker.ply(ply).evaluation.as_mut().expect("not in check");
                    let mate = there.then_some(mv);
                    let (white, black) = if ours { (mate, None) } else { (None, mate) };
                    evaluation.mates = ByColor { white, black };
                }
                worker.presses_the_king(ply, cp(25), cp(50))
            })
        };
        assert!(presses(false, true, true));
        assert!(!presses(true, true, true), "it is not new");
        assert!(!presses(false, true, false), "it is the other side's");
    }
}
