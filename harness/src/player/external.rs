//! A program that plays, by the protocol of its spec.

use std::sync::Arc;

use shakmaty::Color;

use super::program::{Capsule, Identity, ProgramHost, ProgramSpec, Protocol, StartError};
use super::uci::UciPlayer;
use super::xboard::XboardPlayer;
use super::{Fault, GoLimit, Thought};

/// A program that plays.
///
/// After a [`Fault`] take the [`External::capsule`]; another game needs another player. Dropping a
/// player kills its process without waiting.
pub enum External {
    /// Over UCI.
    Uci(Box<UciPlayer>),
    /// Over the xboard protocol.
    Xboard(Box<XboardPlayer>),
}

impl External {
    /// Starts the program and sets its options; returns when it is ready.
    ///
    /// # Errors
    /// The program cannot be started, ends or does not answer, or has no such option.
    pub fn start(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> Result<External, StartError> {
        match spec.protocol {
            Protocol::Uci => {
                UciPlayer::start(spec, host).map(|player| External::Uci(Box::new(player)))
            }
            Protocol::Xboard => {
                XboardPlayer::start(spec, host).map(|player| External::Xboard(Box::new(player)))
            }
        }
    }

    /// Who it says it is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        match self {
            External::Uci(player) => player.identity(),
            External::Xboard(player) => player.identity(),
        }
    }

    /// Why it cannot play under such a limit, if that is known.
    #[must_use]
    pub fn refuses_limit(&self, limit: &GoLimit) -> Option<&'static str> {
        match self {
            External::Uci(_) => None,
            External::Xboard(player) => player.refuses_limit(limit),
        }
    }

    /// Why it cannot play from such a start position, if that is known.
    #[must_use]
    pub fn refuses_start(&self, fen: &str, chess960: bool) -> Option<&'static str> {
        match self {
            External::Uci(_) => None,
            External::Xboard(player) => player.refuses_start(fen, chess960),
        }
    }

    /// Whether the process may play more than one game.
    #[must_use]
    pub fn is_reusable(&self) -> bool {
        match self {
            External::Uci(_) => true,
            External::Xboard(player) => player.is_reusable(),
        }
    }

    /// Prepares for a game that starts at `fen`.
    ///
    /// # Errors
    /// The engine ends or does not answer, or cannot play from there.
    pub fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        match self {
            External::Uci(player) => player.new_game(fen, chess960),
            External::Xboard(player) => player.new_game(fen, chess960),
        }
    }

    /// Asks for a move after `moves`, with `turn` to move. Blocks until it comes.
    ///
    /// # Errors
    /// What it does instead.
    pub fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        match self {
            External::Uci(player) => player.think(turn, moves, limit),
            External::Xboard(player) => player.think(turn, moves, limit),
        }
    }

    /// Everything worth keeping after a fault.
    #[must_use]
    pub fn capsule(&self) -> Capsule {
        match self {
            External::Uci(player) => player.capsule(),
            External::Xboard(player) => player.capsule(),
        }
    }

    /// Ends the process, gently at first. Returns when it has ended.
    pub fn quit(self) {
        match self {
            External::Uci(player) => player.quit(),
            External::Xboard(player) => player.quit(),
        }
    }
}
