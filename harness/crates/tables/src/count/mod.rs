//! What is counted: sums of games that can be added up in any order.

pub mod mit;
pub mod openings;
pub mod pst;
pub mod sample;

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

pub use mit::MitCounts;
pub use openings::{OpeningCounts, OpeningRecord};
use pgn::Outcome;
pub use pst::PstCounts;
pub use sample::PositionSample;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SideWdl {
    /// Won by the side in question.
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl SideWdl {
    pub fn of_white(outcome: Outcome) -> SideWdl {
        let one = |other| u32::from(outcome == other);
        SideWdl {
            wins: one(Outcome::White),
            draws: one(Outcome::Draw),
            losses: one(Outcome::Black),
        }
    }

    /// From the other side's viewpoint.
    pub fn flipped(self) -> SideWdl {
        SideWdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    pub fn games(self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// The score, 0 to 1; a half without games.
    pub fn score(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / self.games() as f64
    }

    /// The score in whole per cents, 0 without games. Rounded half up, but never to 0 or 100 unless
    /// all games were lost or won: that is what the paper's safe way relies on (PRO-03).
    pub fn percent(self) -> u8 {
        let games = self.games();
        if games == 0 {
            return 0;
        }
        let half_points = 2 * u64::from(self.wins) + u64::from(self.draws);
        let percent = (100 * half_points + games) / (2 * games);
        let all_or_nothing = half_points == 0 || half_points == 2 * games;
        (if all_or_nothing { percent } else { percent.clamp(1, 99) }) as u8
    }

    /// Whether a counter has saturated at `u32::MAX`.
    pub(crate) fn is_full(self) -> bool {
        [self.wins, self.draws, self.losses].contains(&u32::MAX)
    }
}

impl AddAssign for SideWdl {
    #[inline]
    fn add_assign(&mut self, more: SideWdl) {
        // Saturates; `Counts::merge` reports it.
        self.wins = self.wins.saturating_add(more.wins);
        self.draws = self.draws.saturating_add(more.draws);
        self.losses = self.losses.saturating_add(more.losses);
    }
}

/// All sums of one pass; `None` is what was not asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MinedCounts {
    pub mit: Option<MitCounts>,
    pub pst: Option<PstCounts>,
    pub openings: Option<OpeningCounts>,
    pub sample: Option<PositionSample>,
}

impl MinedCounts {
    pub fn names(&self) -> Vec<&'static str> {
        let names = [
            ("mit", self.mit.is_some()),
            ("pst", self.pst.is_some()),
            ("openings", self.openings.is_some()),
            ("sample", self.sample.is_some()),
        ];
        names.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect()
    }

    /// Adds only what both sides have, and no openings: `OpeningCounts::sum` adds them up. Returns
    /// whether a counter of games has saturated, so that it may be too low.
    pub fn merge(&mut self, other: &MinedCounts) -> bool {
        let mut is_full = false;
        if let (Some(mine), Some(more)) = (&mut self.mit, &other.mit) {
            is_full |= mine.merge(more);
        }
        if let (Some(mine), Some(more)) = (&mut self.pst, &other.pst) {
            mine.merge(more);
        }
        if let (Some(mine), Some(more)) = (&mut self.sample, &other.sample) {
            mine.merge(more);
        }
        is_full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_all_is_not_all() {
        let percent = |wins, draws, losses| SideWdl { wins, draws, losses }.percent();
        assert_eq!(percent(0, 0, 0), 0);
        assert_eq!((percent(7, 0, 0), percent(0, 0, 7)), (100, 0));
        assert_eq!((percent(999, 1, 0), percent(0, 1, 999)), (99, 1));
        assert_eq!((percent(1, 0, 2), percent(2, 0, 1), percent(0, 3, 0)), (33, 67, 50));
        assert_eq!(percent(1, 0, 7), 13, "12.5 goes up");
    }
}
