//! A game that is played again, move by move.

use shakmaty::uci::{IllegalUciMoveError, UciMove};
use shakmaty::{Chess, Move, Position as _};

use crate::moves;
use crate::repetition::Repetitions;
use crate::terminal::Terminal;

/// A position with the history that repetition needs.
#[derive(Debug, Clone)]
pub struct Replay {
    position: Chess,
    /// Of the side to move. It is asked for several times at each ply, and found once.
    is_check: bool,
    repetitions: Repetitions,
}

impl Replay {
    pub fn new(start: Chess) -> Replay {
        Replay {
            is_check: start.is_check(),
            repetitions: Repetitions::new(&start),
            position: start,
        }
    }

    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The same as [`UciMove::to_move`], faster.
    pub fn move_of(&self, uci: UciMove) -> Result<Move, IllegalUciMoveError> {
        moves::move_of(&self.position, self.is_check, uci)
    }

    /// Plays a legal move.
    pub fn play(&mut self, played: Move) {
        self.position.play_unchecked(played);
        self.is_check = self.position.is_check();
        self.repetitions.push(&self.position);
    }

    /// Plays a legal move, and appends it in SAN.
    pub fn play_as_san(&mut self, played: Move, to: &mut String) {
        moves::push_san(to, &self.position, self.is_check, played);
        self.play(played);
        if self.is_check {
            to.push(if moves::is_stuck(&self.position, true) { '#' } else { '+' });
        }
    }

    /// How often the present position has occurred, with the same side to move, castling rights
    /// and en passant captures.
    pub fn occurrences(&self) -> usize {
        self.repetitions.occurrences()
    }

    /// Why the game is over here by the rules, if it is.
    pub fn terminal(&self) -> Option<Terminal> {
        Terminal::at(&self.position, self.is_check, || self.occurrences())
    }
}
