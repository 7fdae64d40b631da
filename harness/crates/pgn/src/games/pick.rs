//! One game out of a text.

use std::io;

use super::super::error::Defect;
use super::super::scan::{Entry, Lines};
use super::game::Game;
use super::{Extent, GameText, Parser};

/// Reads the game that comes after `skip` others, with the `number` that it has in its file, from
/// 1, and at most `max_plies` moves of it. `None`: the text ends before.
pub(in super::super) fn read_game(
    lines: &mut Lines<'_>,
    skip: u64,
    number: u64,
    max_plies: Option<u32>,
) -> io::Result<Option<Result<Entry, Defect>>> {
    let mut pick = Pick { skip, game: Game::new(number, max_plies), found: None };
    let mut parser = Parser::new(&mut pick);
    while parser.game.found.is_none() {
        let Some(line) = lines.next_line()? else {
            parser.finish();
            break;
        };
        parser.line(line);
    }
    Ok(pick.found)
}

struct Pick {
    /// Games still to be passed over.
    skip: u64,
    game: Game,
    found: Option<Result<Entry, Defect>>,
}

impl GameText for Pick {
    fn place(&mut self, _line: u64, offset: u64) {
        self.game.place(offset);
    }

    fn tag(&mut self, line: u64, name: &[u8], value: &[u8]) {
        if self.wants_moves() {
            self.game.tag(line, name, value);
        }
    }

    fn begin_moves(&mut self, _line: u64) {
        if self.wants_moves() {
            self.game.begin_moves();
        }
    }

    fn san(&mut self, line: u64, word: &[u8]) {
        if self.wants_moves() {
            self.game.san(line, word);
        }
    }

    fn result(&mut self, _line: u64, _word: &[u8]) {}

    fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
        if self.wants_moves() {
            self.game.fail(line, expected, found);
        }
    }

    fn finish(&mut self, extent: &Extent) {
        match self.skip.checked_sub(1) {
            Some(skip) => self.skip = skip,
            None if self.found.is_none() => self.found = self.game.take(extent.first_line()),
            None => {}
        }
    }

    fn wants_moves(&self) -> bool {
        self.skip == 0 && self.found.is_none()
    }
}
