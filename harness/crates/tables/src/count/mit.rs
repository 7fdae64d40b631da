//! Material imbalance: games by balance of material (PRO-01, PRO-22).

use engine::eval::{ImbalanceTable, MaterialCounts};

use super::SideWdl;
use pgn::san::Change;

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

/// A balance of material while men come and go: a byte for each man's code, the lowest first; above
/// these both sides' pieces together, and the cell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Balance(u128);

/// Where the sum of the pieces stands, in ten bits.
const PIECES: u32 = 96;
/// Where the cell stands, wrong beyond the table's limits.
const CELL: u32 = 106;

const DIMENSIONS: [u8; 10] = MaterialCounts::DIMENSIONS;

/// The code of the man that a count of [`MaterialCounts`] is of.
const fn man_of(count: usize) -> usize {
    count / 2 + 6 * (count % 2)
}

/// One man in a balance: N 3, B 3, R 5, Q 9 among the pieces. No man is nothing.
static MEN: [u128; 16] = {
    const WORTH: [u128; 6] = [0, 3, 3, 5, 9, 0];
    let mut men = [0; 16];
    let mut man = 0;
    while man < 12 {
        men[man] = 1 << (8 * man) | WORTH[man % 6] << PIECES;
        man += 1;
    }
    // The last count changes fastest: that of Black's queens.
    let (mut stride, mut count) = (1, DIMENSIONS.len());
    while count > 0 {
        count -= 1;
        men[man_of(count)] |= stride << CELL;
        stride *= DIMENSIONS[count] as u128;
    }
    assert!(stride == CELLS as u128);
    men
};

/// Added to the counts, `TO_LIMIT` sets the highest bit of each byte whose count is beyond the limit.
const BEYOND: u128 = 0x8080_8080_8080_8080_8080_8080;
const TO_LIMIT: u128 = {
    let mut bytes = 0;
    let mut count = 0;
    while count < DIMENSIONS.len() {
        bytes |= (0x80 - DIMENSIONS[count] as u128) << (8 * man_of(count));
        count += 1;
    }
    bytes
};

impl Balance {
    pub(crate) fn new(census: [u8; 12]) -> Balance {
        Balance(census.into_iter().zip(MEN).map(|(count, one)| one * u128::from(count)).sum())
    }

    /// After a move.
    #[inline(always)]
    pub(crate) fn change(&mut self, change: &Change) {
        let of = |man: u8| MEN[usize::from(man & 15)];
        if change.becomes != change.man {
            self.0 = self.0 + of(change.becomes) - of(change.man);
        }
        self.0 -= of(change.captured);
    }

    /// Its cell; none beyond the table's limits.
    #[inline]
    pub(crate) fn cell(&self) -> Option<usize> {
        let is_within = (self.0 + TO_LIMIT) & BEYOND == 0;
        is_within.then_some((self.0 >> CELL) as usize)
    }

    /// Both sides' pieces together: N 3, B 3, R 5, Q 9.
    #[inline]
    pub(crate) fn pieces(&self) -> i32 {
        (self.0 >> PIECES) as i32 & 0x3ff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_those_of_the_engine() {
        for cell in 0..CELLS {
            let [wp, bp, wn, bn, wb, bb, wr, br, wq, bq] = MaterialCounts::of_cell(cell).0;
            let census = [wp, wn, wb, wr, wq, 1, bp, bn, bb, br, bq, 1];
            assert_eq!(Balance::new(census).cell(), Some(cell));
        }
        for (man, values) in DIMENSIONS.into_iter().enumerate().map(|(at, it)| (man_of(at), it)) {
            for count in 0..=63 {
                let mut census = [0; 12];
                census[man] = count;
                let within = count < values;
                assert_eq!(Balance::new(census).cell().is_some(), within, "{count} of {man}");
            }
        }
        let queens = Balance::new([0, 0, 0, 0, 31, 1, 0, 0, 0, 0, 31, 1]);
        assert_eq!((queens.pieces(), queens.cell()), (62 * 9, None));
    }
}
