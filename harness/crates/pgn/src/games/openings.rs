//! The games of a text as openings: all of them, or one.

use std::cell::RefCell;
use std::io;

use super::super::error::Defect;
use super::super::lines::Lines;
use super::super::opening::{BookEntry, Visit};
use super::game::BookGame;
use super::{Extent, GameText, Parser, parse};

/// Reads all games, taking at most `max_plies` moves of each.
pub(in super::super) fn read_games(
    lines: &mut Lines<'_>,
    max_plies: Option<u32>,
    visit: &mut Visit<'_>,
) -> io::Result<()> {
    parse(lines, &mut OpeningParser { skip: 0, game: BookGame::new(1, max_plies), visit })
}

/// Reads the game that comes after `skip` others, with the `number` that it has in its file, from
/// 1, and at most `max_plies` moves of it. `None`: the text ends before.
pub(in super::super) fn read_game(
    lines: &mut Lines<'_>,
    skip: u64,
    number: u64,
    max_plies: Option<u32>,
) -> io::Result<Option<Result<BookEntry, Defect>>> {
    let found = RefCell::new(None);
    let visit = &mut |entry| _ = found.borrow_mut().get_or_insert(entry);
    let game = BookGame::new(number, max_plies);
    let mut openings = OpeningParser { skip, game, visit };
    let mut parser = Parser::new(&mut openings);
    while found.borrow().is_none() {
        let Some(line) = lines.next_line()? else {
            parser.finish();
            break;
        };
        parser.line(line);
    }
    Ok(found.take())
}

struct OpeningParser<'a, 'v> {
    /// Games still to be passed over.
    skip: u64,
    game: BookGame,
    visit: &'a mut Visit<'v>,
}

impl GameText for OpeningParser<'_, '_> {
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

    fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
        if self.wants_moves() {
            self.game.fail(line, expected, found);
        }
    }

    fn finish(&mut self, extent: &Extent) {
        match self.skip.checked_sub(1) {
            Some(skip) => self.skip = skip,
            None => self.game.take(extent.first_line()).into_iter().for_each(&mut *self.visit),
        }
    }

    fn wants_moves(&self) -> bool {
        self.skip == 0
    }
}
