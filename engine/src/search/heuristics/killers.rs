//! Killers: quiet moves that raised alpha on the same ply (ORD-08..11).

use super::CutInfo;
use crate::params;
use crate::types::{MAX_PLY, Move, Value};

/// A quiet move and whether it ever brought a mate score while it sat in its slot (ORD-02).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::search) struct Killer {
    pub(in crate::search) mv: Move,
    pub(in crate::search) mated: bool,
}

impl Killer {
    pub(super) const NONE: Killer = Killer { mv: Move::NONE, mated: false };
}

/// Two killers a ply, the latest first, never equal (ORD-11). Moves that win material, good captures
/// and promotions stay out (ORD-10), and so do sacrifices: Mediocre's reading, quiet moves only.
#[derive(Debug)]
pub(super) struct Killers {
    slots: Box<[[Killer; 2]; MAX_PLY + 2]>,
    keep_raising: bool,
}

impl Killers {
    pub(super) fn new() -> Killers {
        Killers { slots: Box::new([[Killer::NONE; 2]; MAX_PLY + 2]), keep_raising: true }
    }

    pub(super) fn begin_search(&mut self, rules: &params::Killers) {
        self.slots.fill([Killer::NONE; 2]);
        self.keep_raising = rules.raise;
    }

    /// A move raised alpha without a cut: a killer by REBEL's definition (ORD-09).
    pub(super) fn raised(&mut self, info: &CutInfo<'_>) {
        if self.keep_raising {
            self.cut(info);
        }
    }

    /// A move cut: a killer by everybody's definition.
    pub(super) fn cut(&mut self, info: &CutInfo<'_>) {
        if info.mv.is_quiet() {
            self.store(info.ply, info.mv, info.value >= Value::MATE_BOUND);
        }
    }

    pub(super) fn store(&mut self, ply: usize, mv: Move, mated: bool) {
        let slot = &mut self.slots[ply];
        let mated = mated || slot.iter().any(|killer| killer.mv == mv && killer.mated);
        let other = if slot[0].mv == mv { slot[1] } else { slot[0] };
        *slot = [Killer { mv, mated }, other];
    }

    /// The killers of `ply` and of two plies up, each with its points (ORD-08).
    #[inline]
    pub(super) fn of(&self, ply: usize, values: &params::Killers) -> [(Killer, i32); 4] {
        if !values.on {
            return [(Killer::NONE, 0); 4];
        }
        let [first, second] = self.slots[ply];
        let older = values.older && ply >= 2;
        let [first_older, second_older] =
            if older { self.slots[ply - 2] } else { [Killer::NONE; 2] };
        [
            (first, values.first),
            (first_older, values.first_older),
            (second, values.second),
            (second_older, values.second_older),
        ]
    }
}
