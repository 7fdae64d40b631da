//! A player at the board: where players for a game come from, and one of them in its game.

use std::{
    mem,
    sync::{Arc, Mutex},
    thread,
};

use engine::{Engine, Params, Position};
use process::lock;

use super::{
    Fault, Halt, Thought,
    embedded::{self, Embedded},
    external::External,
    program::{Capsule, ProgramHost, ProgramSpec},
};
use crate::build::Hold;
use crate::game::Game;

/// Where the players of one side come from. They are made when a game begins, and used again.
pub enum PlayerPool {
    Embedded(Embedded),
    External(Processes),
    /// Engines in this process whose searches never end.
    #[cfg(test)]
    Deaf(Embedded),
    /// Engines in this process that cannot be had so many times, for want of something.
    #[cfg(test)]
    Scarce(Embedded, std::sync::atomic::AtomicU32),
}

/// Running engine processes of one side.
pub struct Processes {
    spec: ProgramSpec,
    host: Arc<ProgramHost>,
    idle: Mutex<Vec<External>>,
    /// Each game is played by a process of its own.
    restart: bool,
    /// Keeps the program where it is as long as it is played with.
    _hold: Option<Hold>,
}

pub enum ActivePlayer {
    Embedded(Box<Engine>),
    External(Box<External>),
    /// An engine in this process whose search never ends.
    #[cfg(test)]
    Deaf(Box<Engine>),
}

pub type Charged = (Fault, Option<Box<Capsule>>);

impl Processes {
    /// Processes of `spec`, none of which runs yet. With `restart` none of them plays more than one
    /// game.
    pub fn new(spec: ProgramSpec, host: Arc<ProgramHost>, restart: bool) -> Processes {
        Processes { spec, host, idle: Mutex::default(), restart, _hold: None }
    }

    /// The same, which keep their build in the cache.
    pub fn holding(self, hold: Option<Hold>) -> Processes {
        Processes { _hold: hold, ..self }
    }

    fn give_back(&self, mut player: External) {
        if self.restart || !player.is_reusable() {
            player.quit();
        } else if player.end_game().is_ok() {
            lock(&self.idle).push(player);
        } // else dropped: nothing vouches for it
    }

    fn take(&self, game: &Game) -> Result<External, Charged> {
        let idle = lock(&self.idle).pop();
        let mut player = match idle {
            Some(player) => player,
            None => External::start(&self.spec, &self.host)
                .map_err(|error| (error.fault, Some(error.capsule)))?,
        };
        match player.new_game(game.start_fen(), game.is_chess960()) {
            Ok(()) => Ok(player),
            // Whatever kept it from the game, nothing was played.
            Err(fault) => Err((fault.before_the_game(), Some(Box::new(player.capsule())))),
        }
    }
}

impl PlayerPool {
    /// A player for a game that begins; it knows nothing of earlier ones.
    pub fn take(&self, game: &Game) -> Result<ActivePlayer, Charged> {
        match self {
            PlayerPool::Embedded(engines) => Ok(ActivePlayer::Embedded(Box::new(engines.take()))),
            PlayerPool::External(processes) => {
                processes.take(game).map(Box::new).map(ActivePlayer::External)
            }
            #[cfg(test)]
            PlayerPool::Deaf(engines) => Ok(ActivePlayer::Deaf(Box::new(engines.take()))),
            #[cfg(test)]
            PlayerPool::Scarce(engines, lacks) => {
                use process::lack::{ERRORS, Lack};
                use std::sync::atomic::Ordering::Relaxed;
                let drawn = lacks.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
                let errno = drawn.ok().map(|drawn| ERRORS[drawn as usize % ERRORS.len()]);
                let error = errno.map(std::io::Error::from_raw_os_error);
                match error.and_then(|error| Lack::of("cannot start a player", &error)) {
                    Some(lack) => Err((Fault::Lack(lack), None)),
                    None => Ok(ActivePlayer::Embedded(Box::new(engines.take()))),
                }
            }
        }
    }

    /// Takes a player back after a game that it ended without fault.
    pub fn give_back(&self, seat: ActivePlayer) {
        match (self, seat) {
            (PlayerPool::Embedded(engines), ActivePlayer::Embedded(engine)) => {
                engines.give_back(*engine)
            }
            (PlayerPool::External(processes), ActivePlayer::External(player)) => {
                processes.give_back(*player)
            }
            _ => {} // of another source: dropped
        }
    }

    /// Ends all processes that are not in a game; blocks until they have ended.
    pub fn close(&self) {
        if let PlayerPool::External(processes) = self {
            let idle = mem::take(&mut *lock(&processes.idle));
            thread::scope(|scope| {
                for player in idle {
                    // Where no thread is to be had, the player is dropped, and killed by that.
                    let _ = thread::Builder::new().spawn_scoped(scope, || player.quit());
                }
            });
        }
    }
}

impl ActivePlayer {
    /// The player's answer in the position of `game`. When `halt` was set meanwhile it is worth
    /// nothing; only engines in this process hear of it.
    pub fn think(
        &mut self,
        game: &Game,
        board: &mut Board,
        halt: Halt<'_>,
    ) -> Result<Thought, Fault> {
        match self {
            ActivePlayer::Embedded(engine) => {
                let position = board.catch_up(game)?;
                let (turn, limit, details) = (game.turn(), game.limit(), game.wants_details());
                let thought = embedded::think(engine, position, turn, limit, halt, details)?;
                board.played += 1;
                Ok(thought)
            }
            ActivePlayer::External(player) => {
                player.think(game.turn(), game.moves_text(), &game.limit())
            }
            #[cfg(test)]
            ActivePlayer::Deaf(_) => loop {
                std::thread::park();
            },
        }
    }

    /// Prepares for a turn at a processor that another game had: see [`Engine::warm`].
    pub fn warm(&self) {
        if let ActivePlayer::Embedded(engine) = self {
            engine.warm();
        }
    }

    /// See [`External::second_answer`].
    pub fn second_answer(&mut self) -> Option<Fault> {
        match self {
            ActivePlayer::External(player) => player.second_answer(),
            _ => None,
        }
    }

    pub fn params(&self) -> Option<&Arc<Params>> {
        match self {
            ActivePlayer::Embedded(engine) => Some(engine.params()),
            #[cfg(test)]
            ActivePlayer::Deaf(engine) => Some(engine.params()),
            ActivePlayer::External(_) => None,
        }
    }

    pub fn pid(&self) -> Option<i32> {
        match self {
            ActivePlayer::External(player) => Some(player.pid()),
            _ => None,
        }
    }

    pub fn capsule(&self) -> Option<Box<Capsule>> {
        match self {
            ActivePlayer::External(player) => Some(Box::new(player.capsule())),
            _ => None,
        }
    }
}

/// The embedded engines' own position of a game. Both sides share it: between two of them every
/// move is played on it once, as the engine's own move.
#[derive(Default)]
pub struct Board {
    position: Option<Position>,
    /// How many of the game's moves were played on it.
    played: usize,
}

impl Board {
    /// The position with all moves of `game` played.
    fn catch_up(&mut self, game: &Game) -> Result<&mut Position, Fault> {
        let refused = |what: &dyn std::fmt::Display, error: &dyn std::fmt::Display| {
            Fault::Garbage(format!("refuses {what}: {error}"))
        };
        let position = match &mut self.position {
            Some(position) => position,
            empty => {
                let fen = game.start_fen();
                empty.insert(Position::from_fen(fen).map_err(|error| refused(&fen, &error))?)
            }
        };
        for uci in game.moves().iter().skip(self.played) {
            let found = position.parse_uci(&uci.to_string());
            position.play(found.map_err(|error| refused(uci, &error))?);
            self.played += 1;
        }
        Ok(position)
    }
}
