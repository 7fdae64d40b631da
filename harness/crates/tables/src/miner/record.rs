//! What one game adds to the tables, kept until it is known that the game counts.

use super::CountSettings;
use super::dedup::Fingerprint;
use crate::count::mit::Balance;
use crate::count::pst::{self, FIRST_PLY, Phase};
use crate::count::sample::{PositionSample, SampledPosition, priority};
use crate::count::{MitCounts, PstCounts, SideWdl};
use pgn::Outcome;
use pgn::san::{Board, Change, EMPTY, squares};

/// A man comes to a square, one leaves a square, one is captured: cells of the square tables, or
/// [`pst::NOWHERE`].
#[derive(Debug, Clone, Copy)]
struct Visit {
    from: u16,
    to: u16,
    captured: u16,
    /// The plies before it.
    ply: u16,
}

/// Material and squares go by the moves, not by the positions: the work for a move does not grow
/// with the men on the board. Of squares the moves themselves are kept, since a man adds to a cell
/// the ply with which it leaves less that with which it came. Material only ever decreases in one
/// sense (men, then pawns): a balance that was left does not come back, and needs no memory.
#[derive(Debug)]
pub(super) struct Recorder {
    ply: u32,
    balance: Balance,
    phase: Phase,
    visits: Vec<Visit>,
    /// Positions of each phase, and the ply at which the current one began.
    positions: [u64; 2],
    counted_since: u32,
    /// The balances that the game left, in the front of `balances`.
    left: usize,
    balances: Vec<Balance>,
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
            visits: Vec::new(),
            positions: [0; 2],
            counted_since: 0,
            left: 0,
            balances: vec![Balance::default(); 64],
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
        self.visits.clear();
        let phase = self.phase;
        self.visits.extend(squares(board.occupied()).map(|square| Visit {
            from: pst::NOWHERE,
            to: pst::index(phase, board.man(square), square),
            captured: pst::NOWHERE,
            ply: 0,
        }));
        self.positions = [0; 2];
        self.counted_since = 0;
        self.left = 0;
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
        let cell = |man, square| pst::index(self.phase, man, square);
        let captured = cell(change.captured, change.captured_on);
        let visit = Visit {
            from: cell(change.man, change.from),
            to: cell(change.becomes, change.to),
            captured: if change.captured == EMPTY { pst::NOWHERE } else { captured },
            ply: self.ply as u16,
        };
        self.visits.push(visit);
        if let Some((from, to)) = change.rook {
            let rook = change.man - 2;
            self.visits.push(Visit { from: cell(rook, from), to: cell(rook, to), ..visit });
        }
        self.ply += 1;
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
        self.visits.extend(squares(board.occupied()).map(|square| Visit {
            from: pst::index(old, board.man(square), square),
            to: pst::index(new, board.man(square), square),
            captured: pst::NOWHERE,
            ply: (self.ply - 1) as u16,
        }));
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
        match self.balances.get_mut(self.left) {
            Some(place) => *place = self.balance,
            None => self.balances.push(self.balance),
        }
        self.left += usize::from(leaves & self.stands);
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
        for balance in &self.balances[..self.left] {
            match balance.cell() {
                Some(cell) => counts.add(cell, result),
                None => beyond = true,
            }
        }
        counts.beyond += u64::from(beyond);
    }

    pub(super) fn add_to_pst(&self, counts: &mut PstCounts, board: &Board) {
        let at = |ply: u32| u64::from(ply.max(FIRST_PLY));
        for &Visit { from, to, captured, ply } in &self.visits {
            counts.visit([from, captured], to, at(u32::from(ply) + 1));
        }
        for square in squares(board.occupied()) {
            let from = pst::index(self.phase, board.man(square), square);
            counts.visit([from, pst::NOWHERE], pst::NOWHERE, at(self.ply + 1));
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
