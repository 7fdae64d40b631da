//! What one game adds to the tables, kept until it is known that the game counts.

use super::CountSettings;
use super::dedup::Fingerprint;
use crate::count::mit::Balance;
use crate::count::pst::{self, FIRST_PLY, Phase};
use crate::count::sample::{PositionSample, SampledPosition, priority};
use crate::count::{MitCounts, PstCounts, SideWdl};
use pgn::Outcome;
use pgn::san::{Board, Change, squares};

/// A man goes from a square to one, and one is captured: cells of the square tables, those of
/// [`EMPTY`] among them.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    from: u16,
    to: u16,
    captured: u16,
    /// The plies before it.
    ply: u16,
}

/// A list that is written at its end each time, and keeps that or not: without a branch.
#[derive(Debug)]
struct Kept<T> {
    places: Vec<T>,
    len: usize,
}

impl<T: Copy + Default> Kept<T> {
    fn new() -> Kept<T> {
        Kept { places: vec![T::default(); 256], len: 0 }
    }

    #[inline(always)]
    fn write(&mut self, value: T, is_kept: bool) {
        match self.places.get_mut(self.len) {
            Some(place) => *place = value,
            None => self.places.push(value),
        }
        self.len += usize::from(is_kept);
    }

    fn clear(&mut self) {
        self.len = 0;
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.places[..self.len].iter()
    }
}

/// The plies before the first step that matters: it leads to the first position that counts.
const FIRST_STEP: u32 = FIRST_PLY - 1;

/// Material and squares go by the moves, not by the positions: the work for a move does not grow
/// with the men on the board. Of squares the moves themselves are kept, since a man adds to a cell
/// the ply with which it leaves less that with which it came. Material only ever decreases in one
/// sense (men, then pawns): a balance that was left does not come back, and needs no memory.
#[derive(Debug)]
pub(super) struct Recorder {
    ply: u32,
    balance: Balance,
    phase: Phase,
    steps: Kept<Step>,
    /// Positions of each phase, and the ply at which the current one began.
    positions: [u64; 2],
    counted_since: u32,
    /// The balances that the game left.
    left: Kept<Balance>,
    /// The longest and the current run of positions that count for the balance on the board.
    longest: u32,
    run: u32,
    after_exchange: bool,
    /// The quiet positions, by half-move: which of them are drawn depends on the whole game.
    quiet: Vec<(u32, Board)>,
    wants: CountSettings,
    /// Not every position counts, and which ones is to be looked at.
    is_particular: bool,
    /// The balance counts when it is left.
    stands: bool,
}

impl Recorder {
    pub(super) fn new(wants: CountSettings) -> Recorder {
        Recorder {
            ply: 0,
            balance: Balance::default(),
            phase: Phase::Middlegame,
            steps: Kept::new(),
            positions: [0; 2],
            counted_since: 0,
            left: Kept::new(),
            longest: 0,
            run: 0,
            after_exchange: false,
            quiet: Vec::new(),
            wants,
            is_particular: wants.sample > 0 || wants.quiet || wants.consecutive > 1,
            stands: true,
        }
    }

    pub(super) fn ply(&self) -> u32 {
        self.ply
    }

    pub(super) fn begin(&mut self, board: &Board) {
        self.ply = 0;
        self.balance = Balance::new(board.census());
        self.phase = self.phase_now();
        self.steps.clear();
        self.positions = [0; 2];
        self.counted_since = 0;
        self.left.clear();
        (self.longest, self.run) = (0, 0);
        self.after_exchange = false;
        self.quiet.clear();
    }

    #[inline]
    fn phase_now(&self) -> Phase {
        if self.balance.pieces() > self.wants.phase_limit {
            Phase::Middlegame
        } else {
            Phase::Endgame
        }
    }

    /// Called before a move is made on the board. Without a branch for captures: which moves capture
    /// cannot be foreseen.
    #[inline(always)]
    pub(super) fn play(&mut self, board: &Board, change: &Change) {
        let exchange = change.is_exchange();
        if self.is_particular {
            self.look_at(board, exchange);
        }
        self.leave_balance(exchange);
        self.balance.change(change);
        if self.ply == FIRST_STEP {
            self.begin_steps(board);
        }
        let counts = self.ply >= FIRST_STEP;
        let cell = |man, square| pst::index(self.phase, man, square);
        let step = Step {
            from: cell(change.man, change.from),
            to: cell(change.becomes, change.to),
            captured: cell(change.captured, change.captured_on),
            ply: self.ply as u16,
        };
        self.steps.write(step, counts);
        if let Some((from, to)) = change.rook {
            let (from, to) = (cell(change.man - 2, from), cell(change.man - 2, to));
            self.steps.write(Step { from, to, captured: pst::NOWHERE, ..step }, counts);
        }
        self.ply += 1;
    }

    /// The men come to their squares.
    #[cold]
    fn begin_steps(&mut self, board: &Board) {
        for square in squares(board.occupied()) {
            let to = pst::index(self.phase, board.man(square), square);
            let ply = self.ply as u16;
            self.steps.write(Step { from: pst::NOWHERE, to, captured: pst::NOWHERE, ply }, true);
        }
    }

    /// Called after the move is made.
    #[inline(always)]
    pub(super) fn played(&mut self, board: &Board) {
        if self.phase != self.phase_now() {
            self.change_phase(board);
        }
    }

    /// All men leave their squares, and come to the same ones in the other phase.
    #[cold]
    fn change_phase(&mut self, board: &Board) {
        let (old, new) = (self.phase, self.phase_now());
        for square in squares(board.occupied()) {
            let [from, to] = [old, new].map(|phase| pst::index(phase, board.man(square), square));
            let step = Step { from, to, captured: pst::NOWHERE, ply: (self.ply - 1) as u16 };
            self.steps.write(step, self.ply > FIRST_STEP);
        }
        self.leave_phase(self.ply);
        self.phase = new;
        self.counted_since = self.ply;
    }

    /// What not every position is counted for: a sample, and balances that must stand for a while.
    #[inline(never)]
    fn look_at(&mut self, board: &Board, exchange: bool) {
        if self.wants.sample > 0 {
            self.keep_quiet(board, exchange);
        }
        self.pass_position(board, exchange);
        self.after_exchange = exchange;
    }

    /// Keeps the position on the board, if it may be drawn and is quiet.
    fn keep_quiet(&mut self, board: &Board, exchange: bool) {
        let is_loud = exchange || self.after_exchange;
        if self.ply >= FIRST_PLY && !is_loud && !board.is_check() {
            self.quiet.push((self.ply, board.clone()));
        }
    }

    /// The position on the board ends by a move, or by the game's end.
    fn pass_position(&mut self, board: &Board, exchange: bool) {
        let counts = !self.wants.quiet || !(self.after_exchange || exchange || board.is_check());
        self.run = if counts { self.run + 1 } else { 0 };
        self.longest = self.longest.max(self.run);
        self.stands = self.longest >= self.wants.consecutive;
        if exchange {
            (self.longest, self.run) = (0, 0);
        }
    }

    /// Keeps the balance on the board if it is left, and has stood for long enough.
    #[inline(always)]
    fn leave_balance(&mut self, leaves: bool) {
        self.left.write(self.balance, leaves & self.stands);
    }

    /// Before the position of ply `until`.
    fn leave_phase(&mut self, until: u32) {
        let begin = self.counted_since.max(FIRST_PLY);
        self.positions[self.phase as usize] += u64::from(until.saturating_sub(begin));
    }

    pub(super) fn end(&mut self, board: &Board) {
        if self.is_particular {
            self.pass_position(board, false);
        }
        self.leave_balance(true);
        self.leave_phase(self.ply + 1);
    }

    pub(super) fn add_to_mit(&self, counts: &mut MitCounts, result: SideWdl) {
        counts.games += 1;
        let mut beyond = false;
        for balance in self.left.iter() {
            match balance.cell() {
                Some(cell) => counts.add(cell, result),
                None => beyond = true,
            }
        }
        counts.beyond += u64::from(beyond);
    }

    pub(super) fn add_to_pst(&self, counts: &mut PstCounts, board: &Board) {
        for &Step { from, to, captured, ply } in self.steps.iter() {
            let after = u64::from(ply) + 1;
            counts.leave(from, after);
            counts.leave(captured, after);
            counts.enter(to, after);
        }
        if self.ply > FIRST_STEP {
            for square in squares(board.occupied()) {
                let cell = pst::index(self.phase, board.man(square), square);
                counts.leave(cell, u64::from(self.ply) + 1);
            }
        }
        counts.end_visits(self.positions);
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
