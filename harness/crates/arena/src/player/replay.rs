//! Replays a game that ended by a fault: a program is told again what it was told in it, and every
//! answer is awaited before the next command goes out, as the game did.

use std::sync::Arc;
use std::time::Duration;

use shakmaty::Chess;
use shakmaty::uci::UciMove;

use super::program::{Capsule, ProgramHost, ProgramSpec, Protocol, start};
use super::{Fault, Thought, uci, xboard};

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
    one == other
        || one
            .to_move(position)
            .is_ok_and(|one| other.to_move(position).is_ok_and(|other| one == other))
}

/// A move other than the one that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strayed {
    /// The ply, from 0.
    pub ply: usize,
    pub recorded: UciMove,
    pub now: UciMove,
}

/// What a program does when it is told the same again.
#[derive(Debug)]
pub struct Replayed {
    pub fault: Option<Fault>,
    /// The ply and the answer of its last search that had one.
    pub last: Option<(usize, Thought)>,
    /// The ply that it was told of last.
    pub ply: usize,
    /// The first of its moves that is not the game's.
    pub strayed: Option<Strayed>,
    /// Whether the game was told to its end: over xboard it cannot go on after another move.
    pub complete: bool,
    pub capsule: Capsule,
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

/// Starts the program and tells it `game`; returns when the program has ended. Blocks.
pub fn replay(spec: &ProgramSpec, host: &Arc<ProgramHost>, game: &RecordedGame<'_>) -> Replayed {
    let mut process = match start(spec, host, |_, _| Ok(())) {
        Ok((process, ())) => process,
        Err(error) => {
            let (fault, capsule) = (Some(error.fault), *error.capsule);
            let (last, strayed) = (None, None);
            return Replayed { fault, last, ply: 0, strayed, complete: false, capsule };
        }
    };
    let mut progress = ReplayProgress::default();
    let replayed = match spec.protocol {
        Protocol::Uci => uci::replay(&mut process, game, &mut progress).map(|()| true),
        Protocol::Xboard => xboard::replay(&mut process, game, &mut progress),
    };
    process.end();
    let ReplayProgress { new_game_sent: told_new, playing, ply, last, strayed } = progress;
    let complete = replayed.as_ref().is_ok_and(|complete| *complete);
    let fault = replayed.err().map(|fault| match fault {
        fault @ Fault::Lack(_) => fault,
        fault if playing => fault,
        fault if told_new => fault.before_the_game(),
        fault => Fault::NotStarted(format!("{}: {fault}", spec.path.display())),
    });
    Replayed { fault, last, ply, strayed, complete, capsule: process.capsule() }
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
