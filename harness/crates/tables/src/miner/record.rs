//! What one game adds to the tables, kept until it is known that the game counts.

use super::CountSettings;
use super::dedup::Fingerprint;
use crate::count::mit::Balance;
use crate::count::pst::{self, FIRST_PLY, Phase};
use crate::count::sample::{PositionSample, SampledPosition, priority};
use crate::count::{MitCounts, PstCounts, SideWdl};
use crate::replay::{Board, Change, squares};
use pgn::Outcome;

/// Men stand still while others move: each stay on a square is noted once, when it ends. So the
/// work for a move does not grow with the men on the board. Material only ever decreases in one
/// sense (men, then pawns): a balance that was left does not come back, and needs no memory.
#[derive(Debug)]
pub(super) struct Recorder {
    ply: u32,
    balance: Balance,
    phase_limit: i32,
    phase: Phase,
    /// The ply with which the man on each square came there, or the phase began.
    since: [u32; 64],
    /// Cells of the square tables and the positions that they get.
    stays: Vec<(u16, u32)>,
    /// Positions of each phase, and the ply at which the current one began.
    positions: [u64; 2],
    counted_since: u32,
    cells: Vec<usize>,
    beyond: bool,
    /// The longest and the current run of positions that count for the balance on the board.
    longest: u32,
    run: u32,
    after_exchange: bool,
    /// The quiet positions, by half-move: which of them are drawn depends on the whole game.
    quiet: Vec<(u32, Board)>,
    wants: CountSettings,
}

impl Recorder {
    pub(super) fn new(wants: CountSettings) -> Recorder {
        Recorder {
            ply: 0,
            balance: Balance::default(),
            phase_limit: wants.phase_limit,
            phase: Phase::Middlegame,
            since: [0; 64],
            stays: Vec::new(),
            positions: [0; 2],
            counted_since: 0,
            cells: Vec::new(),
            beyond: false,
            longest: 0,
            run: 0,
            after_exchange: false,
            quiet: Vec::new(),
            wants,
        }
    }

    pub(super) fn ply(&self) -> u32 {
        self.ply
    }

    pub(super) fn begin(&mut self, board: &Board) {
        self.ply = 0;
        self.balance = Balance::new(board.census());
        self.phase = self.phase_now();
        self.since.fill(0);
        self.stays.clear();
        self.positions = [0; 2];
        self.counted_since = 0;
        self.cells.clear();
        self.beyond = false;
        (self.longest, self.run) = (0, 0);
        self.after_exchange = false;
        self.quiet.clear();
    }

    fn phase_now(&self) -> Phase {
        if self.balance.pieces() > self.phase_limit { Phase::Middlegame } else { Phase::Endgame }
    }

    /// Called before a move is made on the board.
    #[inline]
    pub(super) fn play(&mut self, board: &Board, change: &Change) {
        let exchange = change.captured.is_some() || change.becomes != change.man;
        if self.wants.sample > 0 {
            self.keep_quiet(board, exchange);
        }
        if self.wants.mit {
            self.pass_position(board, exchange);
            if exchange {
                self.leave_balance();
            }
        }
        self.after_exchange = exchange;
        self.ply += 1;
        if self.wants.pst {
            self.leave(change.man, change.from.into());
            if let Some((man, square)) = change.captured {
                self.leave(man, square.into());
            }
            if let Some((from, to)) = change.rook {
                self.leave(change.man - 2, from.into());
                self.since[usize::from(to)] = self.ply;
            }
            self.since[usize::from(change.to)] = self.ply;
        }
        if exchange {
            if let Some((man, _)) = change.captured {
                self.balance.change(man, None);
            }
            if change.becomes != change.man {
                self.balance.change(change.man, Some(change.becomes));
            }
        }
    }

    /// Called after the move is made.
    #[inline]
    pub(super) fn played(&mut self, board: &Board, change: &Change) {
        if self.wants.pst && (change.captured.is_some() || change.becomes != change.man) {
            let now = self.phase_now();
            if self.phase != now {
                self.leave_phase(board, self.ply);
                self.phase = now;
                self.since.fill(self.ply);
                self.counted_since = self.ply;
            }
        }
    }

    /// Keeps the position on the board, if it may be drawn and is quiet.
    #[inline]
    fn keep_quiet(&mut self, board: &Board, exchange: bool) {
        let is_loud = exchange || self.after_exchange;
        if self.ply >= FIRST_PLY && !is_loud && !board.is_check() {
            self.quiet.push((self.ply, board.clone()));
        }
    }

    /// The position on the board ends by a move, or by the game's end.
    #[inline]
    fn pass_position(&mut self, board: &Board, exchange: bool) {
        let counts = !self.wants.quiet || !(self.after_exchange || exchange || board.is_check());
        self.run = if counts { self.run + 1 } else { 0 };
        self.longest = self.longest.max(self.run);
    }

    fn leave_balance(&mut self) {
        if self.longest >= self.wants.consecutive {
            match self.balance.cell() {
                Some(cell) => self.cells.push(cell),
                None => self.beyond = true,
            }
        }
        (self.longest, self.run) = (0, 0);
    }

    /// Ends a man's stay on a square, with the move to the position of the current ply.
    #[inline]
    fn leave(&mut self, man: u8, square: usize) {
        self.stay(man, square, self.ply);
    }

    #[inline]
    fn stay(&mut self, man: u8, square: usize, until: u32) {
        let begin = self.since[square].max(FIRST_PLY);
        if until > begin {
            let square = shakmaty::Square::new(square as u32);
            let cell = pst::index(self.phase, usize::from(man), square);
            self.stays.push((cell as u16, until - begin));
        }
    }

    /// Ends all stays, before the position of ply `until`.
    fn leave_phase(&mut self, board: &Board, until: u32) {
        for square in squares(board.occupied()) {
            self.stay(board.man(square), usize::from(square), until);
        }
        let begin = self.counted_since.max(FIRST_PLY);
        self.positions[self.phase as usize] += u64::from(until.saturating_sub(begin));
    }

    pub(super) fn end(&mut self, board: &Board) {
        if self.wants.mit {
            self.pass_position(board, false);
            self.leave_balance();
        }
        if self.wants.pst {
            self.leave_phase(board, self.ply + 1);
        }
    }

    pub(super) fn add_to_mit(&self, counts: &mut MitCounts, result: SideWdl) {
        counts.games += 1;
        counts.beyond += u64::from(self.beyond);
        for &cell in &self.cells {
            counts.add(cell, result);
        }
    }

    pub(super) fn add_to_pst(&self, counts: &mut PstCounts) {
        for &(cell, positions) in &self.stays {
            counts.add(usize::from(cell), u64::from(positions));
        }
        for (phase, more) in counts.positions.iter_mut().zip(self.positions) {
            *phase += more;
        }
        counts.games += u64::from(self.positions != [0; 2]);
    }

    pub(super) fn add_to_sample(
        &self,
        sample: &mut PositionSample,
        game: Fingerprint,
        outcome: Outcome,
    ) {
        for (ply, board) in &self.quiet {
            let priority = priority(game.word(), *ply);
            if priority > sample.limit() {
                continue;
            }
            if let Some(position) = SampledPosition::new(priority, board, outcome) {
                sample.add(position);
            }
        }
    }
}
