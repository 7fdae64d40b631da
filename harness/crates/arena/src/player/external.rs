//! A program that plays, by the protocol of its spec.

use std::sync::Arc;

use shakmaty::Color;

use super::program::{Capsule, Identity, Process, ProgramHost, ProgramSpec, Protocol, StartError};
use super::uci::UciPlayer;
use super::xboard::XboardPlayer;
use super::{Fault, GoLimit, Thought};

/// After a [`Fault`] take the [`External::capsule`]; another game needs another player. Dropping a
/// player kills its process without waiting.
pub struct External(Player);

enum Player {
    Uci(Box<UciPlayer>),
    Xboard(Box<XboardPlayer>),
}

impl External {
    /// Starts the program and sets its options; returns when it is ready.
    pub fn start(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> Result<External, StartError> {
        Ok(External(match spec.protocol {
            Protocol::Uci => Player::Uci(Box::new(UciPlayer::start(spec, host)?)),
            Protocol::Xboard => Player::Xboard(Box::new(XboardPlayer::start(spec, host)?)),
        }))
    }

    pub fn identity(&self) -> &Identity {
        match &self.0 {
            Player::Uci(player) => player.identity(),
            Player::Xboard(player) => player.identity(),
        }
    }

    /// The process's number, which is also its group's.
    pub fn pid(&self) -> i32 {
        self.process().pid()
    }

    /// Why it cannot play under such a limit, if that is known.
    pub fn refuses_limit(&self, limit: &GoLimit) -> Option<&'static str> {
        match &self.0 {
            Player::Uci(player) => player.refuses_limit(limit),
            Player::Xboard(player) => player.refuses_limit(limit),
        }
    }

    /// Why it cannot play from such a start position, if that is known.
    pub fn refuses_start(&self, fen: &str, chess960: bool) -> Option<&'static str> {
        match &self.0 {
            Player::Uci(player) => player.refuses_start(chess960),
            Player::Xboard(player) => player.refuses_start(fen, chess960),
        }
    }

    /// Whether the process may play more than one game.
    pub fn is_reusable(&self) -> bool {
        match &self.0 {
            Player::Uci(_) => true,
            Player::Xboard(player) => player.is_reusable(),
        }
    }

    /// Prepares for a game that starts at `fen`.
    pub fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        match &mut self.0 {
            Player::Uci(player) => player.new_game(fen, chess960),
            Player::Xboard(player) => player.new_game(fen, chess960),
        }
    }

    /// Asks for a move after `moves` (UCI, parted by single spaces, from the game's start
    /// position), with `turn` to move. Blocks until it comes.
    ///
    /// # Errors
    /// The engine ends, does not answer in time (plus [`margin`], or [`hang`]), answers what is no
    /// move, resigns, or claims a result that the board does not have.
    ///
    /// [`margin`]: super::program::ProgramSettings::margin
    /// [`hang`]: super::program::ProgramSettings::hang
    pub fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        match &mut self.0 {
            Player::Uci(player) => player.think(turn, moves, limit),
            Player::Xboard(player) => player.think(turn, moves, limit),
        }
    }

    /// After a move that cannot be played: the fault of a program that answers once more, so that
    /// this was its second answer to the question before. Blocks for a moment.
    pub fn second_answer(&mut self) -> Option<Fault> {
        match &mut self.0 {
            Player::Uci(player) => player.second_answer(),
            Player::Xboard(player) => player.second_answer(),
        }
    }

    /// After a game: it thinks no more, not in anybody's time.
    pub fn end_game(&mut self) -> Result<(), Fault> {
        match &mut self.0 {
            Player::Uci(player) => player.end_game(),
            Player::Xboard(player) => player.end_game(),
        }
    }

    pub fn capsule(&self) -> Capsule {
        self.process().capsule()
    }

    /// Ends the process: by `quit`, then SIGTERM, then SIGKILL to its group, with a
    /// [`grace`](super::program::ProgramSettings::grace) between them. Returns when it has ended;
    /// gives back what was wrong with its end, if it did not end by itself and in order.
    pub fn quit(self) -> Option<String> {
        match self.0 {
            Player::Uci(mut player) => player.process.end(),
            Player::Xboard(mut player) => player.process.end(),
        }
    }

    fn process(&self) -> &Process {
        match &self.0 {
            Player::Uci(player) => &player.process,
            Player::Xboard(player) => &player.process,
        }
    }
}
