//! Positions that games reached in their first moves, as many as are asked for (PRO-19, TST-11).

use std::collections::HashMap;

use super::SideWdl;

/// Games by the position that a move leads to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpeningCounts {
    /// By Polyglot's key of the position after the move (en passant only where it is legal): wins,
    /// draws and losses of the side that moved, and games without a decided result.
    positions: HashMap<u64, (SideWdl, u32)>,
    pub games: u64,
}

impl OpeningCounts {
    /// No positions yet, of so many games.
    pub(crate) fn of_games(games: u64) -> OpeningCounts {
        OpeningCounts { games, ..OpeningCounts::default() }
    }

    /// Ascending by key: results of the side that moved, and games without a decided result.
    pub fn sorted(&self) -> Vec<(u64, SideWdl, u32)> {
        let positions = self.positions.iter();
        let mut sorted: Vec<_> =
            positions.map(|(&key, &(wdl, undecided))| (key, wdl, undecided)).collect();
        sorted.sort_unstable_by_key(|&(key, ..)| key);
        sorted
    }

    /// As [`OpeningCounts::sorted`], in any order and without keys.
    pub(crate) fn games_each(&self) -> impl Iterator<Item = (SideWdl, u32)> + '_ {
        self.positions.values().copied()
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns whether a counter of the position is now full.
    pub(crate) fn add(&mut self, key: u64, games: SideWdl, undecided: u32) -> bool {
        let (wdl, without) = self.positions.entry(key).or_default();
        *wdl += games;
        *without = without.saturating_add(undecided);
        wdl.is_full() || *without == u32::MAX
    }

    pub(crate) fn merge(&mut self, other: &OpeningCounts) -> bool {
        let mut is_full = false;
        for (&key, &(wdl, undecided)) in &other.positions {
            is_full |= self.add(key, wdl, undecided);
        }
        self.games = self.games.saturating_add(other.games);
        is_full
    }
}
