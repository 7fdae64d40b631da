//! Streams the entries of a book, good and bad, to a visitor: what reading and checking share.

use std::io;

use super::error::{BookError, Defect};
use super::lines::{LONGEST_LINE, Line, Lines, positions_on};
use super::opening::{BookEntry, Visit};
use super::position::read_position;
use super::source::{self, BookFormat, Origin, SourceInfo};
use crate::{games, polyglot};

/// Reads the book at `path`, taking at most `max_plies` moves of each game. Bad entries go to
/// `visit`; an error is what keeps the file as a whole from being read.
pub(super) fn scan(
    origin: Origin<'_>,
    max_plies: Option<u32>,
    visit: &mut Visit<'_>,
) -> Result<SourceInfo, BookError> {
    source::with_text(origin, &mut |format, text| match format {
        BookFormat::Epd => read_lines(&mut Lines::new(text), visit),
        BookFormat::Pgn => games::read_games(&mut Lines::new(text), max_plies, visit),
        BookFormat::Polyglot => polyglot::read_openings(text, max_plies, visit),
    })
}

fn read_lines(lines: &mut Lines<'_>, visit: &mut Visit<'_>) -> io::Result<()> {
    while let Some(line) = lines.next_line()? {
        for text in positions_on(line.bytes) {
            visit(read_position_on(&line, text));
        }
    }
    Ok(())
}

/// The entry that stands on a line, as one of its positions.
pub(super) fn read_position_on(line: &Line<'_>, text: &[u8]) -> Result<BookEntry, Defect> {
    let &Line { number: line, offset, .. } = line;
    if text.len() >= LONGEST_LINE {
        let why = format!("expected a line of less than {} MiB", LONGEST_LINE >> 20);
        return Err(Defect { line, offset, why });
    }
    match read_position(text, false) {
        Ok(read) => Ok(BookEntry {
            line,
            offset,
            start: read.position.clone(),
            moves: Vec::new(),
            end: read.position,
            has_counters: read.has_counters,
        }),
        Err(why) => Err(Defect { line, offset, why }),
    }
}
