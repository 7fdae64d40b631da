//! Numbers that rise with success and fall with failure.

use crate::memory::touch;

/// Scores from −2000 to 2000 (MISS-29), one a cell; none at all while switched off.
#[derive(Debug, Default)]
pub(super) struct Scores {
    cells: Box<[i16]>,
    /// Whether a block of cells has a score. Most of a large table has none, and short searches would
    /// spend more time on reading it than on their nodes.
    used: Box<[bool]>,
}

/// Cells of a block.
const BLOCK: usize = 256;

impl Scores {
    /// The greatest score either way.
    pub(super) const MAX: i32 = 2000;
    /// A cell that no table has, nor those behind it.
    pub(super) const NOWHERE: usize = usize::MAX / 2;

    /// Has so many cells from now on, or none. What is there stays if the number is right.
    pub(super) fn fit(&mut self, on: bool, cells: usize) {
        let wanted = if on { cells } else { 0 };
        if self.cells.len() != wanted {
            self.cells = vec![0; wanted].into_boxed_slice();
            self.used = vec![false; wanted.div_ceil(BLOCK)].into_boxed_slice();
        }
    }

    /// A cell's score; 0 when nothing is kept.
    #[inline]
    pub(super) fn of(&self, cell: usize) -> i32 {
        self.cells.get(cell).map_or(0, |&score| i32::from(score))
    }

    /// A row of cells; empty when nothing is kept.
    #[inline]
    pub(super) fn row(&self, start: usize, length: usize) -> &[i16] {
        self.cells.get(start..start + length).unwrap_or_default()
    }

    /// Rewards or punishes a cell. With gravity it moves less the nearer it is to the limit, else it
    /// stops there.
    pub(super) fn add(&mut self, cell: usize, bonus: i32, gravity: bool) {
        let Some(score) = self.cells.get_mut(cell) else { return };
        let bonus = bonus.clamp(-Scores::MAX, Scores::MAX);
        let old = i32::from(*score);
        let pull = if gravity { old * bonus.abs() / Scores::MAX } else { 0 };
        *score = (old + bonus - pull).clamp(-Scores::MAX, Scores::MAX) as i16;
        self.used[cell / BLOCK] = true;
    }

    /// Keeps so many per cent of every score.
    pub(super) fn fade(&mut self, keep: i32) {
        if keep == 100 {
            return;
        }
        for (cells, used) in self.cells.chunks_mut(BLOCK).zip(&mut self.used) {
            if *used {
                let mut any = 0;
                for score in cells {
                    *score = (i32::from(*score) * keep / 100) as i16;
                    any |= *score;
                }
                *used = any != 0;
            }
        }
    }

    /// See [`crate::Engine::warm`].
    pub(super) fn warm(&self) {
        touch(&self.cells);
    }
}
