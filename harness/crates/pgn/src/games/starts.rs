//! Where the games of a file begin.

use std::io;

use super::super::places::{EntryPlace, PlacedLines, Places};
use super::{Extent, FIRST_TAG, GameText, Parser};

/// Adds the places of games from which the games that follow can be read as from the front of the
/// file: lines on which nothing of the game before counts. Returns the number of games.
pub(in super::super) fn find_games(
    lines: &mut PlacedLines<'_>,
    places: &mut Places,
) -> io::Result<u64> {
    let mut starts = Starts { places, line: 0, offset: 0, clean: false, begun: false, games: 0 };
    let mut parser = Parser::new(&mut starts);
    while let Some(line) = lines.next()? {
        // Tags end what is open; a comment is ended by one tag only.
        parser.game.clean = match (parser.comment, parser.depth) {
            (None, 0) => true,
            (None, _) => line.bytes.trim_ascii_start().starts_with(b"["),
            (Some(_), _) => line.bytes.starts_with(FIRST_TAG),
        };
        parser.line(line);
    }
    parser.finish();
    Ok(starts.games)
}

struct Starts<'a> {
    places: &'a mut Places,
    /// The line that is read, and its first byte.
    line: u64,
    offset: u64,
    /// Whether a game that begins now would be the same if the file began with this line.
    clean: bool,
    begun: bool,
    games: u64,
}

impl Starts<'_> {
    fn begin(&mut self, line: u64) {
        if !self.begun {
            self.begun = true;
            // What nobody closed is found later than it began.
            if self.clean && line == self.line {
                self.places.add(EntryPlace { entry: self.games, offset: self.offset, line });
            }
        }
    }
}

impl GameText for Starts<'_> {
    fn place(&mut self, line: u64, offset: u64) {
        (self.line, self.offset) = (line, offset);
    }

    fn tag(&mut self, line: u64, _name: &[u8], _value: &[u8]) {
        self.begin(line);
    }

    fn begin_moves(&mut self, line: u64) {
        self.begin(line);
    }

    fn fail(&mut self, line: u64, _expected: &str, _found: &[u8]) {
        self.begin(line);
    }

    fn finish(&mut self, extent: &Extent) {
        self.games += 1;
        self.begun = false;
        self.clean &= extent.last_line() < self.line;
    }

    fn wants_moves(&self) -> bool {
        false
    }
}
