//! A recorded game as one program knew it, and the progress of its replay.

use std::time::Duration;

use shakmaty::Chess;
use shakmaty::uci::UciMove;

use super::Thought;

/// Before the last command: what a program does behind an answer, unasked, needs some time, which
/// in the game its opponent's move gave it.
const OPPONENTS_TURN: Duration = Duration::from_millis(100);

/// A game as one program knew it.
#[derive(Debug, Clone)]
pub struct RecordedGame<'a> {
    /// What it was told since its start: a capsule's input.
    pub input: &'a str,
    pub moves: &'a [UciMove],
    /// The positions in which they were played.
    pub positions: &'a [Chess],
    /// How long it may take for each ply and for the one after the last; `None` where no clock
    /// runs.
    pub times: &'a [Option<Duration>],
}

impl RecordedGame<'_> {
    /// The difference, if the game has another move at `ply`.
    fn strayed(&self, ply: usize, now: UciMove) -> Option<Strayed> {
        let (recorded, position) = (*self.moves.get(ply)?, self.positions.get(ply)?);
        (!is_same_move(position, recorded, now)).then_some(Strayed { ply, recorded, now })
    }

    pub(super) fn time(&self, ply: usize) -> Option<Duration> {
        self.times.get(ply).or(self.times.last()).copied().flatten()
    }
}

/// Whether two moves are one here, though they may spell castling in two ways.
pub fn is_same_move(position: &Chess, one: UciMove, other: UciMove) -> bool {
    let legal = |uci: UciMove| uci.to_move(position).ok();
    one == other || legal(one).is_some_and(|one| legal(other) == Some(one))
}

/// A move other than the one that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strayed {
    /// The ply, from 0.
    pub ply: usize,
    pub recorded: UciMove,
    pub now: UciMove,
}

#[derive(Debug, Default)]
pub(super) struct ReplayProgress {
    /// It was told of a new game.
    pub(super) new_game_sent: bool,
    /// It was ready for the game: from then on a fault is the game's.
    pub(super) playing: bool,
    /// The ply that it was told of last; 0 before the game.
    pub(super) ply: usize,
    pub(super) last: Option<(usize, Thought)>,
    pub(super) strayed: Option<Strayed>,
}

impl ReplayProgress {
    pub(super) fn take(&mut self, game: &RecordedGame<'_>, ply: usize, thought: Thought) {
        self.strayed = self.strayed.take().or_else(|| game.strayed(ply, thought.best));
        self.last = Some((ply, thought));
    }
}

/// Lines of input, joined to pieces. After each piece the program is waited for. Yielding the last
/// of several pieces sleeps for [`OPPONENTS_TURN`].
pub(super) fn pieces(
    input: &str,
    mut waits: impl FnMut(&str) -> bool,
) -> impl Iterator<Item = String> {
    let mut pieces = vec![String::new()];
    for line in input.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(line);
            piece.push('\n');
        }
        if waits(line) {
            pieces.push(String::new());
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    let last = pieces.len().saturating_sub(1);
    pieces.into_iter().enumerate().map(move |(number, piece)| {
        if number > 0 && number == last {
            std::thread::sleep(OPPONENTS_TURN);
        }
        piece
    })
}

/// The first word of a line.
pub(super) fn word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or_default()
}
