//! A player at the board: where players for a game come from, and one of them in its game.

pub(crate) mod embedded;
mod program;

use std::sync::{Arc, Mutex};
use std::thread;

use engine::{HashSize, Params, Position, Setup};
use process::lock;

use self::embedded::Embedded;
use self::program::ProgramPlayer;
use crate::build::Hold;
use crate::game::Game;
use crate::player::external::External;
use crate::player::program::{Capsule, GameOptions, ProgramHost, ProgramSpec};
use crate::player::{Fault, Halt, Thought};

pub type PlayerFault = (Fault, Option<Box<Capsule>>);

/// One player, at the board or idle.
pub trait Player: Send {
    /// Between two games: it plays the next one with these options.
    fn set_options(&mut self, _options: &GameOptions) -> Result<(), PlayerFault> {
        Ok(())
    }

    /// Prepares for a game; it knows nothing of earlier ones then.
    fn new_game(&mut self, game: &Game) -> Result<(), PlayerFault>;

    /// Its answer in the position of `game`. When `halt` was set meanwhile it is worth nothing;
    /// only engines in this process hear of it.
    fn think(
        &mut self,
        game: &Game,
        board: &mut SharedBoard,
        halt: Halt<'_>,
    ) -> Result<Thought, Fault>;

    /// After a game that it ended without fault: whether it may play another. If not it is dropped.
    fn end_game(&mut self) -> bool {
        true
    }

    /// Ends it; blocks until it has ended.
    fn quit(&mut self) {}

    /// Prepares for a turn at a processor that another game had: see [`engine::Engine::warm`].
    fn warm(&self) {}

    /// See [`Program::second_answer`](crate::player::protocol::Program::second_answer).
    fn second_answer(&mut self) -> Option<Fault> {
        None
    }

    /// Those of an engine in this process.
    fn params(&self) -> Option<&Arc<Params>> {
        None
    }

    fn pid(&self) -> Option<i32> {
        None
    }

    fn capsule(&self) -> Option<Box<Capsule>> {
        None
    }
}

type Make = dyn Fn(&GameOptions) -> Result<Box<dyn Player>, PlayerFault> + Send + Sync;

/// Where the players of one side come from. They are made when a game begins, and used again.
pub struct PlayerPool {
    source: Arc<PlayerSource>,
    options: GameOptions,
}

/// Makes players, and keeps those that are in no game.
struct PlayerSource {
    make: Box<Make>,
    idle: Mutex<Vec<Box<dyn Player>>>,
}

impl PlayerPool {
    pub fn new(
        make: impl Fn() -> Result<Box<dyn Player>, PlayerFault> + Send + Sync + 'static,
    ) -> PlayerPool {
        PlayerPool::making(move |_| make())
    }

    fn making(
        make: impl Fn(&GameOptions) -> Result<Box<dyn Player>, PlayerFault> + Send + Sync + 'static,
    ) -> PlayerPool {
        let source = PlayerSource { make: Box::new(make), idle: Mutex::default() };
        PlayerPool { source: Arc::new(source), options: GameOptions::default() }
    }

    /// Engines in this process: equal parameters, one for each game in progress.
    pub fn embedded(params: Params, hash: HashSize) -> PlayerPool {
        let setup = Arc::new(Setup::new(&Arc::new(params)));
        PlayerPool::new(move || Ok(Box::new(Embedded::new(&setup, hash))))
    }

    /// Processes of a program. With `restart` none of them plays more than one game. `hold` keeps
    /// the program where it is as long as it is played with.
    pub fn programs(
        spec: ProgramSpec,
        host: Arc<ProgramHost>,
        restart: bool,
        hold: Option<Hold>,
    ) -> PlayerPool {
        PlayerPool::making(move |options| {
            let _hold = &hold;
            // Engines may read some options only before their first game.
            let spec = spec.clone().with_options(options.values());
            let started = External::start(&spec, &host);
            let program = started.map_err(|error| (error.fault, Some(error.capsule)))?;
            Ok(Box::new(ProgramPlayer::new(program, restart, options.clone())))
        })
    }

    /// A pool whose players have these options in its games. Both use the same processes, each
    /// told what changes between two of its games. Options of which a pool says nothing are as the
    /// last game of the process had them.
    pub fn with_options(&self, options: GameOptions) -> PlayerPool {
        PlayerPool { source: Arc::clone(&self.source), options }
    }

    /// A player for a game that begins.
    pub fn take(&self, game: &Game) -> Result<Box<dyn Player>, PlayerFault> {
        let idle = lock(&self.source.idle).pop();
        let mut player = match idle {
            Some(mut player) => {
                player.set_options(&self.options)?;
                player
            }
            None => (self.source.make)(&self.options)?,
        };
        player.new_game(game)?;
        Ok(player)
    }

    /// Takes a player back after a game that it ended without fault.
    pub fn give_back(&self, mut player: Box<dyn Player>) {
        if player.end_game() {
            lock(&self.source.idle).push(player);
        }
    }

    /// Ends the players that are not in a game; blocks until the programs among them have ended.
    pub fn close(&self) {
        let idle = std::mem::take(&mut *lock(&self.source.idle));
        let programs = idle.into_iter().filter(|player| player.pid().is_some());
        thread::scope(|scope| {
            for mut player in programs {
                // Where no thread is to be had, the player is dropped, and killed by that.
                let _ = thread::Builder::new().spawn_scoped(scope, move || player.quit());
            }
        });
    }
}

/// The embedded engines' own position of a game. Both sides share it: between two of them every
/// move is played on it once, as the engine's own move.
#[derive(Default)]
pub struct SharedBoard {
    position: Option<Position>,
    /// How many of the game's moves were played on it.
    played: usize,
}

impl SharedBoard {
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
