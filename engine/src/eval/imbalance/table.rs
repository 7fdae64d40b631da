//! The paper's table in two files: number of games and White's score for each material balance.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::packed::{PackedError, Provenance};

/// Piece counts, White's and Black's in turn: pawns, knights, bishops, rooks, queens. The order is
/// that of the paper's loops: wp bp wn bn wb bb wr br wq bq. Its Dutch names are the same (AMB-74).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialCounts(pub [u8; 10]);

/// Cells of the table.
pub(super) const CELLS: usize = 9 * 9 * 3 * 3 * 3 * 3 * 3 * 3 * 2 * 2;

impl MaterialCounts {
    /// Number of possible values of each count, 0 included.
    pub const DIMENSIONS: [u8; 10] = [9, 9, 3, 3, 3, 3, 3, 3, 2, 2];

    /// Index of the cell in the files; `None` above eight pawns, two knights, bishops or rooks, or
    /// one queen of a colour (AMB-75).
    #[inline]
    #[must_use]
    pub fn index(self) -> Option<usize> {
        let mut index = 0;
        let mut inside = true;
        for (count, dimension) in self.0.into_iter().zip(MaterialCounts::DIMENSIONS) {
            inside &= count < dimension;
            index = index * usize::from(dimension) + usize::from(count);
        }
        inside.then_some(index)
    }

    /// The counts of a cell, an index below [`ImbalanceTable::CELLS`].
    #[must_use]
    pub fn of_cell(mut index: usize) -> MaterialCounts {
        let mut counts = [0; 10];
        for (count, dimension) in counts.iter_mut().zip(MaterialCounts::DIMENSIONS).rev() {
            *count = (index % usize::from(dimension)) as u8;
            index /= usize::from(dimension);
        }
        MaterialCounts(counts)
    }

    /// The same with colours swapped.
    #[must_use]
    pub fn flipped(self) -> MaterialCounts {
        let [wp, bp, wn, bn, wb, bb, wr, br, wq, bq] = self.0;
        MaterialCounts([bp, wp, bn, wn, bb, wb, br, wr, bq, wq])
    }

    /// White's men less Black's: pawns, knights, bishops, rooks, queens.
    pub(super) fn difference(self) -> [i32; 5] {
        let [wp, bp, wn, bn, wb, bb, wr, br, wq, bq] = self.0.map(i32::from);
        [wp - bp, wn - bn, wb - bb, wr - br, wq - bq]
    }
}

/// Result of the games with one material balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ImbalanceCell {
    /// Number of games, at most `u16::MAX`.
    pub(super) games: u16,
    /// White's score, per cent.
    pub(super) percent: u8,
}

/// The material imbalance table (PRO-01), less than a megabyte.
#[derive(Clone, PartialEq, Eq)]
pub struct ImbalanceTable {
    cells: Box<[ImbalanceCell]>,
    provenance: Provenance,
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ImbalanceError {
    /// The system's reason.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        reason: io::Error,
    },
    /// Not the size of a table.
    #[error("{}: {found} bytes, expected {expected} ({CELLS} numbers of four bytes)", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: u64,
        /// The length of a table.
        expected: u64,
    },
    /// A number out of range.
    #[error("{}: cell {cell} holds {found}, expected {expected}", path.display())]
    Number {
        /// The file.
        path: PathBuf,
        /// Index, from 0.
        cell: usize,
        /// The number.
        found: i32,
        /// What it should be.
        expected: &'static str,
    },
    /// Not a packed table.
    #[error(
        "{}: {reason}; a material table is a file written by `verdict tables mit`, or a folder with \
         pos.mat and perc.mat", path.display()
    )]
    Packed {
        /// The file.
        path: PathBuf,
        /// Where, and what was expected.
        #[source]
        reason: PackedError,
    },
}

impl ImbalanceTable {
    /// Number of cells.
    pub const CELLS: usize = CELLS;

    /// A table of all cells.
    pub(super) fn of(cells: Box<[ImbalanceCell]>, provenance: Provenance) -> ImbalanceTable {
        ImbalanceTable { cells, provenance }
    }

    /// Where it comes from; nothing of a table in the paper's two files.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// Reads a table as users name it: the folder of the paper's two files
    /// ([`read`](ImbalanceTable::read)), or a packed file ([`unpack`](ImbalanceTable::unpack)).
    ///
    /// # Errors
    /// Names the file and what was expected of it.
    pub fn load(path: &Path) -> Result<ImbalanceTable, ImbalanceError> {
        /// Larger than any packed table.
        const MOST: u64 = 16 << 20;
        let file = |reason| ImbalanceError::File { path: path.to_owned(), reason };
        let facts = fs::metadata(path).map_err(file)?;
        if facts.is_dir() {
            return ImbalanceTable::read(path);
        }
        let bytes = if facts.len() <= MOST { fs::read(path).map_err(file)? } else { Vec::new() };
        ImbalanceTable::unpack(&bytes)
            .map_err(|reason| ImbalanceError::Packed { path: path.to_owned(), reason })
    }

    /// Number of games, by cell.
    pub const GAMES_FILE: &str = "pos.mat";
    /// White's score in per cent, by cell.
    pub const PERCENT_FILE: &str = "perc.mat";

    /// Reads `pos.mat` and `perc.mat` of a folder: four-byte numbers, low byte first, in the order
    /// of [`MaterialCounts`] with the last changing fastest.
    ///
    /// # Errors
    /// Names the file and what was expected of it.
    pub fn read(folder: &Path) -> Result<ImbalanceTable, ImbalanceError> {
        let (games_path, percent_path) =
            (folder.join(Self::GAMES_FILE), folder.join(Self::PERCENT_FILE));
        let (games, percent) = (numbers(&games_path)?, numbers(&percent_path)?);
        let mut cells = vec![ImbalanceCell::default(); CELLS].into_boxed_slice();
        for (index, cell) in cells.iter_mut().enumerate() {
            let (games, percent) = (games[index], percent[index]);
            if games < 0 {
                return Err(ImbalanceError::Number {
                    path: games_path,
                    cell: index,
                    found: games,
                    expected: "a number of games",
                });
            }
            if games == 0 {
                continue;
            }
            if !(0..=100).contains(&percent) {
                return Err(ImbalanceError::Number {
                    path: percent_path,
                    cell: index,
                    found: percent,
                    expected: "0 to 100 per cent",
                });
            }
            *cell = ImbalanceCell {
                games: games.min(i32::from(u16::MAX)) as u16,
                percent: percent as u8,
            };
        }
        Ok(ImbalanceTable::of(cells, Provenance::default()))
    }

    /// One cell.
    pub(super) fn cell(&self, index: usize) -> ImbalanceCell {
        self.cells[index]
    }

    /// All cells, in the files' order.
    pub(super) fn cells(&self) -> &[ImbalanceCell] {
        &self.cells
    }

    /// White's score in per cent of every cell with games.
    pub fn percents(&self) -> impl Iterator<Item = u8> {
        self.cells.iter().filter(|cell| cell.games > 0).map(|cell| cell.percent)
    }

    /// The figures by which the paper describes its five tables (PRO-06).
    #[must_use]
    pub fn statistics(&self) -> ImbalanceStatistics {
        let mut statistics =
            ImbalanceStatistics { cells: 0, percent_used: 0, lowest: [0; 4], highest: [0; 4] };
        for cell in self.cells.iter().filter(|cell| cell.games > 0) {
            statistics.cells += 1;
            match cell.percent {
                low @ 0..=3 => statistics.lowest[usize::from(low)] += 1,
                high @ 97.. => statistics.highest[usize::from(high) - 97] += 1,
                _ => {}
            }
        }
        statistics.percent_used = statistics.cells * 100 / CELLS as u32;
        statistics
    }
}

/// Fill statistics of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImbalanceStatistics {
    /// Cells with games.
    pub cells: u32,
    /// Their share of all cells, per cent, rounded down as the paper does.
    pub percent_used: u32,
    /// Cells with a score of 0, 1, 2 and 3 per cent.
    pub lowest: [u32; 4],
    /// Cells with a score of 97, 98, 99 and 100 per cent.
    pub highest: [u32; 4],
}

impl std::fmt::Display for ImbalanceStatistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ImbalanceStatistics { cells, percent_used, lowest, highest } = self;
        write!(f, "{cells} of {CELLS} cells used ({percent_used} %), ")?;
        write!(f, "{} at 0 %, {} at 100 %", lowest[0], highest[3])
    }
}

/// The numbers of a file of the right size.
fn numbers(path: &Path) -> Result<Vec<i32>, ImbalanceError> {
    const EXPECTED: u64 = 4 * CELLS as u64;
    let file = |reason| ImbalanceError::File { path: path.to_owned(), reason };
    let size = |found| ImbalanceError::Size { path: path.to_owned(), found, expected: EXPECTED };
    // Asked for first, so that a huge file is not read.
    let found = fs::metadata(path).map_err(file)?.len();
    if found != EXPECTED {
        return Err(size(found));
    }
    let bytes = fs::read(path).map_err(file)?;
    let (numbers, rest) = bytes.as_chunks::<4>();
    if numbers.len() != CELLS || !rest.is_empty() {
        return Err(size(bytes.len() as u64));
    }
    Ok(numbers.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect())
}

/// The cells are too many to print.
impl std::fmt::Debug for ImbalanceTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImbalanceTable").field("statistics", &self.statistics()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_the_files() {
        assert_eq!(CELLS, 236_196);
        // Innermost loop first: one black queen is cell 1, one white queen 2, one black rook 4.
        let mut counts = [0; 10];
        for (place, expected) in
            [(9, 1), (8, 2), (7, 4), (6, 12), (5, 36), (4, 108), (3, 324), (2, 972), (1, 2916)]
        {
            counts[place] = 1;
            assert_eq!(MaterialCounts(counts).index(), Some(expected), "PRO-01, place {place}");
            counts[place] = 0;
        }
        assert_eq!(MaterialCounts([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]).index(), Some(9 * 2916));
        assert_eq!(MaterialCounts([8, 8, 2, 2, 2, 2, 2, 2, 1, 1]).index(), Some(CELLS - 1));
        for index in (0..CELLS).step_by(7) {
            assert_eq!(MaterialCounts::of_cell(index).index(), Some(index));
        }
    }

    #[test]
    fn promoted_men_have_no_cell() {
        for (place, count) in [(0, 9), (2, 3), (5, 3), (6, 3), (8, 2), (9, 2)] {
            let mut counts = [0; 10];
            counts[place] = count;
            assert_eq!(MaterialCounts(counts).index(), None, "AMB-75, place {place}");
        }
    }

    /// The printed shares of used cells go with this number of cells (PRO-06, AMB-75).
    #[test]
    fn printed_shares_agree() {
        for (cells, percent) in
            [(54_703, 23), (61_863, 26), (71_678, 30), (80_429, 34), (119_154, 50)]
        {
            assert_eq!(cells * 100 / CELLS, percent);
        }
    }
}
