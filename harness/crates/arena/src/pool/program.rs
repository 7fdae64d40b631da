//! A program that plays the games of a pool.

use super::{Player, PlayerFault, SharedBoard};
use crate::game::Game;
use crate::player::external::External;
use crate::player::program::{Capsule, GameOptions};
use crate::player::{Fault, Halt, Thought};

pub(super) struct ProgramPlayer {
    program: External,
    /// Whether it plays one game only.
    restart: bool,
    /// Those that differ from game to game, as they are now.
    options: GameOptions,
}

impl ProgramPlayer {
    pub(super) fn new(program: External, restart: bool, options: GameOptions) -> ProgramPlayer {
        ProgramPlayer { program, restart, options }
    }

    fn before_the_game(&self, fault: Fault) -> PlayerFault {
        (fault.before_the_game(), self.capsule())
    }
}

impl Player for ProgramPlayer {
    fn set_options(&mut self, options: &GameOptions) -> Result<(), PlayerFault> {
        let changes = options.changes(&self.options);
        if changes.is_empty() {
            return Ok(());
        }
        self.program.process_mut().note_options(options.lines());
        self.program.set_options(&changes).map_err(|fault| self.before_the_game(fault))?;
        self.options = options.clone();
        Ok(())
    }

    fn new_game(&mut self, game: &Game) -> Result<(), PlayerFault> {
        // Whatever keeps it from the game, nothing is played.
        self.program
            .new_game(game.start_fen(), game.is_chess960())
            .map_err(|fault| self.before_the_game(fault))
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
