//! How often which man stood where (PRO-21).

use shakmaty::Square;

/// The first ply whose position is counted: what stands before that is the opening's.
pub const FIRST_PLY: u32 = 16;

/// Men: White's pawn to king, Black's pawn to king.
pub const MEN: usize = 12;
/// Letters of the men, as in a FEN.
pub const LETTERS: [char; MEN] = ['P', 'N', 'B', 'R', 'Q', 'K', 'p', 'n', 'b', 'r', 'q', 'k'];

/// Cells of a phase, with room for four codes that are no men: what is counted for these is not
/// looked at.
const ROOM: usize = 16 * 64;
/// The cell of no square.
pub(crate) const NOWHERE: u16 = (MEN * 64) as u16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Phase {
    /// Both sides' pieces together (N 3, B 3, R 5, Q 9) exceed the limit.
    Middlegame,
    Endgame,
}

impl Phase {
    /// The middle game first.
    pub const ALL: [Phase; 2] = [Phase::Middlegame, Phase::Endgame];
}

/// Positions in which a man stood on a square.
#[derive(Debug, Clone)]
pub struct PstCounts {
    /// Middle game, then end game; in each the men in their order; of each the squares from a1.
    cells: Box<[u64; 2 * ROOM]>,
    /// Counted positions by phase.
    pub positions: [u64; 2],
    /// Games with at least one of them.
    pub games: u64,
}

impl PartialEq for PstCounts {
    fn eq(&self, other: &PstCounts) -> bool {
        let totals = |it: &PstCounts| (it.positions, it.games);
        totals(self) == totals(other) && self.cells().eq(other.cells())
    }
}

impl Eq for PstCounts {}

impl Default for PstCounts {
    fn default() -> PstCounts {
        PstCounts { cells: Box::new([0; 2 * ROOM]), positions: [0; 2], games: 0 }
    }
}

impl PstCounts {
    /// No squares yet, of so many positions by phase, and games.
    pub(crate) fn of_positions(positions: [u64; 2], games: u64) -> PstCounts {
        PstCounts { positions, games, ..PstCounts::default() }
    }

    /// Positions with a man (index in [`LETTERS`]) on each square, a1 = 0 to h8 = 63. Panics when
    /// there is no such man.
    pub fn board(&self, phase: Phase, man: usize) -> &[u64] {
        &self.cells_of(phase)[man * 64..][..64]
    }

    /// Positions with a man of this role (0 pawn to 5 king) on each square, colours merged: Black's
    /// men as White's with the board turned upside down.
    pub fn merged(&self, phase: Phase, role: usize) -> [u64; 64] {
        let (white, black) = (self.board(phase, role), self.board(phase, role + 6));
        std::array::from_fn(|square| white[square].saturating_add(black[square ^ 56]))
    }

    pub(crate) fn cells_of(&self, phase: Phase) -> &[u64] {
        &self.cells[phase as usize * ROOM..][..MEN * 64]
    }

    /// All cells, those of the middle game first.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &u64> {
        Phase::ALL.into_iter().flat_map(|phase| self.cells_of(phase))
    }

    pub(crate) fn cells_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.cells.chunks_mut(ROOM).flat_map(|phase| &mut phase[..MEN * 64])
    }

    /// At a ply a man comes to a square. A cell is right when all men have left: a stay is the ply of
    /// leaving less that of coming.
    #[inline]
    pub(crate) fn enter(&mut self, cell: u16, ply: u64) {
        let cell = usize::from(cell) % (2 * ROOM);
        self.cells[cell] = self.cells[cell].wrapping_sub(ply);
    }

    /// At a ply a man leaves a square.
    #[inline]
    pub(crate) fn leave(&mut self, cell: u16, ply: u64) {
        let cell = usize::from(cell) % (2 * ROOM);
        self.cells[cell] = self.cells[cell].wrapping_add(ply);
    }

    /// All men of a game have left, after so many positions of each phase.
    pub(crate) fn end_visits(&mut self, positions: [u64; 2]) {
        for (sum, more) in self.positions.iter_mut().zip(positions) {
            *sum += more;
        }
        self.games += u64::from(positions != [0; 2]);
    }

    pub(crate) fn merge(&mut self, other: &PstCounts) {
        for (cell, more) in self.cells.iter_mut().zip(other.cells.iter()) {
            *cell = cell.saturating_add(*more);
        }
        for (phase, more) in self.positions.iter_mut().zip(other.positions) {
            *phase = phase.saturating_add(more);
        }
        self.games = self.games.saturating_add(other.games);
    }
}

#[inline]
pub(crate) fn index(phase: Phase, man: u8, square: Square) -> u16 {
    phase as u16 * ROOM as u16 + u16::from(man) * 64 + u16::from(u8::from(square))
}
