//! What UCI and xboard have in common.

use shakmaty::Color;

use super::program::options::Declared;
use super::program::{EngineIdentity, Process};
use super::{Fault, GoLimit, Thought};

/// What a protocol makes of a program.
pub trait Program: Send {
    fn process(&self) -> &Process;

    fn process_mut(&mut self) -> &mut Process;

    fn identity(&self) -> &EngineIdentity;

    /// Why it cannot play under such a limit, if that is known.
    fn refuses_limit(&self, limit: &GoLimit) -> Option<&'static str>;

    /// Why it cannot play from such a start position, if that is known.
    fn refuses_start(&self, fen: &str, chess960: bool) -> Option<&'static str>;

    /// Whether the process may play more than one game.
    fn is_reusable(&self) -> bool {
        true
    }

    /// The options that it declared when it was started.
    fn declared(&self) -> &[Declared];

    /// Between two games: sends `lines` that set options, and waits until it has done them.
    fn set_options(&mut self, lines: &str) -> Result<(), Fault>;

    /// Takes another position for the start of the game that goes on: it is told of no new game.
    /// False where the protocol has no such thing.
    fn continue_from(&mut self, _fen: &str) -> Result<bool, Fault> {
        Ok(false)
    }

    /// Prepares for a game that starts at `fen`.
    fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault>;

    /// Asks for a move after `moves` (UCI, parted by single spaces, from the game's start
    /// position), with `turn` to move. Blocks until it comes.
    ///
    /// # Errors
    /// The engine ends, does not answer in time (plus [`margin`], or [`hang`]), answers what is no
    /// move, resigns, or claims a result that the board does not have.
    ///
    /// [`margin`]: super::program::ProgramSettings::margin
    /// [`hang`]: super::program::ProgramSettings::hang
    fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault>;

    /// After a move that cannot be played: the fault of a program that answers once more, so that
    /// this was its second answer to the question before. Blocks for a moment.
    fn second_answer(&mut self) -> Option<Fault>;

    /// After a game: it thinks no more, not in anybody's time.
    fn end_game(&mut self) -> Result<(), Fault>;
}
