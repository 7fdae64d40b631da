//! Replays a game that ended by a fault: a program is told again what it was told in it, and every
//! answer is awaited before the next command goes out, as the game did.

use std::sync::Arc;

use super::program::{Capsule, ProgramHost, ProgramSpec, Protocol, start};
use super::recorded_game::ReplayProgress;
pub use super::recorded_game::{RecordedGame, Strayed, is_same_move};
use super::{Fault, Thought, uci, xboard};

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
    let ReplayProgress { new_game_sent, playing, ply, last, strayed } = progress;
    let complete = replayed.as_ref().is_ok_and(|complete| *complete);
    let fault = replayed.err().map(|fault| match fault {
        fault @ Fault::Lack(_) => fault,
        fault if playing => fault,
        fault if new_game_sent => fault.before_the_game(),
        fault => Fault::NotStarted(format!("{}: {fault}", spec.path.display())),
    });
    Replayed { fault, last, ply, strayed, complete, capsule: process.capsule() }
}
