//! The rules of chess, asked of shakmaty: which moves are legal and when a game is over.

use shakmaty::uci::{IllegalUciMoveError, UciMove};
use shakmaty::{Chess, Position as _};

use super::GameEnd;
use crate::record::Termination;
use pgn::repetition::Repetitions;
use pgn::{Outcome, Terminal, move_of};

/// A position with the history that repetition needs.
#[derive(Debug, Clone)]
pub(super) struct Referee {
    position: Chess,
    repetitions: Repetitions,
}

impl Referee {
    pub(super) fn new(position: Chess) -> Referee {
        let repetitions = Repetitions::new(&position);
        Referee { position, repetitions }
    }

    pub(super) fn position(&self) -> &Chess {
        &self.position
    }

    /// Plays a move of the player to move; returns it as this game writes it: whoever castles has
    /// either spelling, the opponent is told the one that it knows. An illegal move changes
    /// nothing.
    pub(super) fn play(&mut self, uci: UciMove) -> Result<UciMove, IllegalUciMoveError> {
        let played = move_of(&self.position, uci)?;
        let written = played.to_uci(self.position.castles().mode());
        self.position.play_unchecked(played);
        self.repetitions.push(&self.position);
        Ok(written)
    }

    pub(super) fn verdict(&self) -> Option<GameEnd> {
        let terminal = Terminal::at(&self.position, || self.repetitions.occurrences())?;
        let termination = match terminal {
            Terminal::Mate => Termination::Checkmate,
            Terminal::Stalemate => Termination::Stalemate,
            Terminal::InsufficientMaterial => Termination::InsufficientMaterial,
            Terminal::Repetition => Termination::Repetition,
            Terminal::FiftyMoves => Termination::FiftyMoves,
        };
        let outcome = match terminal {
            Terminal::Mate => Outcome::win(!self.position.turn()),
            _ => Outcome::Draw,
        };
        Some(GameEnd::by(termination, outcome))
    }
}

#[cfg(test)]
mod tests;
