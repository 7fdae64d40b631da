//! Material imbalance: games by balance of material (PRO-01, PRO-22).

use engine::eval::{ImbalanceTable, MaterialCounts};

use super::SideWdl;

pub const CELLS: usize = ImbalanceTable::CELLS;

/// Games with each balance of material, by the cell's place in the paper's loops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MitCounts {
    cells: Vec<SideWdl>,
    pub games: u64,
    /// Counted games in which some position was beyond the table's limits; these positions are left
    /// out (AMB-75).
    pub beyond: u64,
}

impl Default for MitCounts {
    fn default() -> MitCounts {
        MitCounts { cells: vec![SideWdl::default(); CELLS], games: 0, beyond: 0 }
    }
}

impl MitCounts {
    /// No cells yet, of so many games.
    pub(crate) fn of_games(games: u64, beyond: u64) -> MitCounts {
        MitCounts { games, beyond, ..MitCounts::default() }
    }

    /// Games of one cell, White's view. Panics when there is no such cell.
    pub fn cell(&self, index: usize) -> SideWdl {
        self.cells[index]
    }

    /// The cells with games, ascending.
    pub fn used(&self) -> impl Iterator<Item = (usize, SideWdl)> + '_ {
        let used = |(_, wdl): &(usize, SideWdl)| wdl.games() > 0;
        self.cells.iter().copied().enumerate().filter(used)
    }

    #[inline]
    pub(crate) fn add(&mut self, index: usize, games: SideWdl) {
        self.cells[index] += games;
    }

    /// Returns whether a counter of a cell is now full.
    pub(crate) fn merge(&mut self, other: &MitCounts) -> bool {
        let mut is_full = false;
        for (index, more) in other.used() {
            self.cells[index] += more;
            is_full |= self.cells[index].is_full();
        }
        self.games = self.games.saturating_add(other.games);
        self.beyond = self.beyond.saturating_add(other.beyond);
        is_full
    }
}

/// A balance of material while men come and go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Balance {
    census: [u8; 12],
}

impl Balance {
    pub(crate) fn new(census: [u8; 12]) -> Balance {
        Balance { census }
    }

    /// A man is captured, or a pawn promotes.
    #[inline]
    pub(crate) fn change(&mut self, gone: u8, come: Option<u8>) {
        self.census[usize::from(gone)] -= 1;
        if let Some(come) = come {
            self.census[usize::from(come)] += 1;
        }
    }

    /// Its cell; none beyond the table's limits.
    #[inline]
    pub(crate) fn cell(&self) -> Option<usize> {
        let of = &self.census;
        MaterialCounts([of[0], of[6], of[1], of[7], of[2], of[8], of[3], of[9], of[4], of[10]])
            .index()
    }

    /// Both sides' pieces together: N 3, B 3, R 5, Q 9.
    #[inline]
    pub(crate) fn pieces(&self) -> i32 {
        let of = |man: usize| i32::from(self.census[man] + self.census[man + 6]);
        3 * (of(1) + of(2)) + 5 * of(3) + 9 * of(4)
    }
}
