//! Tells a program again what it was told in a game that ended by a fault: every answer is awaited
//! before the next command goes out, as the game did.

use std::sync::Arc;
use std::time::Duration;

use shakmaty::Chess;
use shakmaty::uci::UciMove;

use super::program::{Capsule, Process, ProgramHost, ProgramSpec, Protocol};
use super::{Fault, Thought, uci, xboard};

/// Before the last command: what a program does behind an answer, unasked, needs some time, which
/// in the game its opponent's move gave it.
const OPPONENTS_TURN: Duration = Duration::from_millis(100);

/// A game as one program knew it.
#[derive(Debug, Clone)]
pub struct Story<'a> {
    /// What it was told since its start: a capsule's input.
    pub input: &'a str,
    pub moves: &'a [UciMove],
    /// The positions in which they were played.
    pub positions: &'a [Chess],
    /// How long it may take for each ply and for the one after the last; `None` where no clock
    /// runs.
    pub times: &'a [Option<Duration>],
}

impl Story<'_> {
    /// Whether the game's move at `ply` is this one, which may spell castling otherwise; true where
    /// the game has none.
    fn has(&self, ply: usize, now: UciMove) -> bool {
        let (Some(recorded), Some(position)) = (self.moves.get(ply), self.positions.get(ply))
        else {
            return true;
        };
        is_same_move(position, *recorded, now)
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
pub struct Retold {
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
pub(super) struct Heard {
    /// It was told of a new game.
    pub(super) told_new: bool,
    /// It was ready for the game: from then on a fault is the game's.
    pub(super) playing: bool,
    /// The ply that it was told of last; 0 before the game.
    pub(super) ply: usize,
    pub(super) last: Option<(usize, Thought)>,
    pub(super) strayed: Option<Strayed>,
}

impl Heard {
    pub(super) fn take(&mut self, story: &Story<'_>, ply: usize, thought: Thought) {
        let recorded = story.moves.get(ply).filter(|_| !story.has(ply, thought.best));
        if let (Some(&recorded), None) = (recorded, &self.strayed) {
            self.strayed = Some(Strayed { ply, recorded, now: thought.best });
        }
        self.last = Some((ply, thought));
    }
}

/// Starts the program and tells it `story`; returns when the program has ended. Blocks.
pub fn retell(spec: &ProgramSpec, host: &Arc<ProgramHost>, story: &Story<'_>) -> Retold {
    let mut process = match Process::start(spec, host) {
        Ok(process) => process,
        Err(fault) => {
            let fault = match fault {
                Fault::NotStarted(why) => {
                    Fault::NotStarted(format!("{}: {why}", spec.path.display()))
                }
                other => other,
            };
            let capsule = Capsule::unstarted(spec);
            let (last, strayed) = (None, None);
            return Retold { fault: Some(fault), last, ply: 0, strayed, complete: false, capsule };
        }
    };
    let mut heard = Heard::default();
    let told = match spec.protocol {
        Protocol::Uci => uci::retell(&mut process, story, &mut heard).map(|()| true),
        Protocol::Xboard => xboard::retell(&mut process, story, &mut heard),
    };
    process.end();
    let Heard { told_new, playing, ply, last, strayed } = heard;
    let complete = told.as_ref().is_ok_and(|complete| *complete);
    let fault = told.err().map(|fault| match fault {
        fault @ Fault::Lack(_) => fault,
        fault if playing => fault,
        fault if told_new => fault.before_the_game(),
        fault => Fault::NotStarted(format!("{}: {fault}", spec.path.display())),
    });
    Retold { fault, last, ply, strayed, complete, capsule: process.capsule() }
}

/// Lines of input, put together to the pieces after each of which the program is waited for.
pub(super) fn pieces(input: &str, mut waits: impl FnMut(&str) -> bool) -> Vec<String> {
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
    pieces
}

/// Waits before a piece if it is the last one of several.
pub(super) fn await_turn(number: usize, pieces: &[String]) {
    if number > 0 && number + 1 == pieces.len() {
        std::thread::sleep(OPPONENTS_TURN);
    }
}
