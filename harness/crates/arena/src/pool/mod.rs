//! A player at the board: where players for a game come from, and one of them in its game.

pub(crate) mod embedded;

use std::sync::{Arc, Mutex};
use std::thread;

use engine::{HashSize, Params, Position, Setup};
use process::lock;

use self::embedded::Embedded;
use crate::build::Hold;
use crate::game::Game;
use crate::player::external::External;
use crate::player::program::{Capsule, ProgramHost, ProgramSpec};
use crate::player::{Fault, Halt, Thought};

pub type PlayerFault = (Fault, Option<Box<Capsule>>);

/// One player, at the board or idle.
pub trait Player: Send {
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

type Make = dyn Fn() -> Result<Box<dyn Player>, PlayerFault> + Send + Sync;

/// Where the players of one side come from. They are made when a game begins, and used again.
pub struct PlayerPool {
    make: Box<Make>,
    idle: Mutex<Vec<Box<dyn Player>>>,
}

impl PlayerPool {
    pub fn new(
        make: impl Fn() -> Result<Box<dyn Player>, PlayerFault> + Send + Sync + 'static,
    ) -> PlayerPool {
        PlayerPool { make: Box::new(make), idle: Mutex::default() }
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
        PlayerPool::new(move || {
            let _hold = &hold;
            let started = External::start(&spec, &host);
            let program = started.map_err(|error| (error.fault, Some(error.capsule)))?;
            Ok(Box::new(ProgramPlayer { program, restart }))
        })
    }

    /// A player for a game that begins.
    pub fn take(&self, game: &Game) -> Result<Box<dyn Player>, PlayerFault> {
        let idle = lock(&self.idle).pop();
        let mut player = idle.map_or_else(&self.make, Ok)?;
        player.new_game(game)?;
        Ok(player)
    }

    /// Takes a player back after a game that it ended without fault.
    pub fn give_back(&self, mut player: Box<dyn Player>) {
        if player.end_game() {
            lock(&self.idle).push(player);
        }
    }

    /// Ends the players that are not in a game; blocks until the programs among them have ended.
    pub fn close(&self) {
        let idle = std::mem::take(&mut *lock(&self.idle));
        let programs = idle.into_iter().filter(|player| player.pid().is_some());
        thread::scope(|scope| {
            for mut player in programs {
                // Where no thread is to be had, the player is dropped, and killed by that.
                let _ = thread::Builder::new().spawn_scoped(scope, move || player.quit());
            }
        });
    }
}

/// A program that plays the games of a pool.
struct ProgramPlayer {
    program: External,
    restart: bool,
}

impl Player for ProgramPlayer {
    fn new_game(&mut self, game: &Game) -> Result<(), PlayerFault> {
        // Whatever keeps it from the game, nothing is played.
        self.program
            .new_game(game.start_fen(), game.is_chess960())
            .map_err(|fault| (fault.before_the_game(), self.capsule()))
    }

    fn think(&mut self, game: &Game, _: &mut SharedBoard, _: Halt<'_>) -> Result<Thought, Fault> {
        self.program.think(game.turn(), game.moves_text(), &game.limit())
    }

    fn end_game(&mut self) -> bool {
        if self.restart || !self.program.is_reusable() {
            self.quit();
            return false;
        }
        self.program.end_game().is_ok()
    }

    fn quit(&mut self) {
        self.program.process_mut().end();
    }

    fn second_answer(&mut self) -> Option<Fault> {
        self.program.second_answer()
    }

    fn pid(&self) -> Option<i32> {
        Some(self.program.pid())
    }

    fn capsule(&self) -> Option<Box<Capsule>> {
        Some(Box::new(self.program.capsule()))
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
