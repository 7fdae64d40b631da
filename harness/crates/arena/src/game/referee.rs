//! The rules of chess, asked of shakmaty: which moves are legal and when a game is over.

use shakmaty::uci::{IllegalUciMoveError, UciMove};
use shakmaty::{Chess, Position as _};

use super::GameEnd;
use crate::record::Termination;
use crate::record::pgn::SanMoves;
use pgn::{Outcome, Replay, Terminal};

#[derive(Debug, Clone)]
pub(super) struct Referee(Replay);

impl Referee {
    pub(super) fn new(position: Chess) -> Referee {
        Referee(Replay::new(position))
    }

    pub(super) fn position(&self) -> &Chess {
        self.0.position()
    }

    /// Plays a move of the player to move; returns it as this game writes it: whoever castles has
    /// either spelling, the opponent is told the one that it knows. An illegal move changes
    /// nothing.
    pub(super) fn play(&mut self, uci: UciMove) -> Result<UciMove, IllegalUciMoveError> {
        let played = self.0.move_of(uci)?;
        let written = played.to_uci(self.position().castles().mode());
        self.0.play(played);
        Ok(written)
    }

    /// The same for a game that is replayed.
    pub(super) fn replay(
        &mut self,
        uci: UciMove,
        san: &mut SanMoves,
    ) -> Result<(), IllegalUciMoveError> {
        let played = self.0.move_of(uci)?;
        san.play(&mut self.0, played);
        Ok(())
    }

    pub(super) fn verdict(&self) -> Option<GameEnd> {
        let terminal = self.0.terminal()?;
        let termination = match terminal {
            Terminal::Mate => Termination::Checkmate,
            Terminal::Stalemate => Termination::Stalemate,
            Terminal::InsufficientMaterial => Termination::InsufficientMaterial,
            Terminal::Repetition => Termination::Repetition,
            Terminal::FiftyMoves => Termination::FiftyMoves,
        };
        let outcome = match terminal {
            Terminal::Mate => Outcome::win(!self.position().turn()),
            _ => Outcome::Draw,
        };
        Some(GameEnd::by(termination, outcome))
    }
}

#[cfg(test)]
mod tests;
