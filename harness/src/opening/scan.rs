//! Streams the entries of a book, good and bad, to a visitor: what reading and checking share.

use std::io::{self, BufRead};

use shakmaty::Chess;
use shakmaty::uci::UciMove;

use super::error::{BookError, Defect};
use super::pgn;
use super::polyglot;
use super::position::read_position;
use super::source::{self, BookFormat, Origin, SourceFacts};
use super::terminal::Terminal;

/// Longer lines are not a book's: the limit keeps a wrong file from filling the memory.
pub(super) const MAX_LINE: u64 = 16 << 20;

/// One opening as a book has it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The line it begins on, from 1; in a Polyglot book the entry of its last move.
    pub(super) line: u64,
    /// Where it starts, with the castling mode it is written in.
    pub(super) start: Chess,
    /// The moves from there.
    pub(super) moves: Vec<UciMove>,
    /// Where they lead.
    pub(super) end: Chess,
    /// Whether the plies played before `start` are known.
    pub(super) has_counters: bool,
}

impl Entry {
    /// Why no game can be played from the end of the opening, if so.
    pub(super) fn terminal(&self) -> Option<Terminal> {
        Terminal::of(&self.start, &self.moves, &self.end)
    }
}

/// Receives the entries of a book in order.
pub(super) type Visit<'a> = dyn FnMut(Result<Entry, Defect>) + 'a;

/// Reads the book at `path`, taking at most `max_plies` moves of each game.
///
/// # Errors
///
/// Only what keeps the file as a whole from being read; bad entries go to `visit`.
pub(super) fn scan(
    origin: Origin<'_>,
    max_plies: Option<u32>,
    visit: &mut Visit<'_>,
) -> Result<SourceFacts, BookError> {
    source::with_text(origin, &mut |format, text| match format {
        BookFormat::Epd => read_lines(&mut Lines::new(text), visit),
        BookFormat::Pgn => pgn::read_games(&mut Lines::new(text), max_plies, visit),
        BookFormat::Polyglot => polyglot::read_openings(text, max_plies, visit),
    })
}

fn read_lines(lines: &mut Lines<'_>, visit: &mut Visit<'_>) -> io::Result<()> {
    while let Some((line, bytes)) = lines.next()? {
        for text in positions_on(bytes) {
            visit(read_line(line, text));
        }
    }
    Ok(())
}

/// What a line of a book of positions has, blanks around it taken away: nothing if it is blank or
/// a comment; several positions where files were joined whose last line had no end, at the
/// byte-order mark.
pub(super) fn positions_on(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(line);
    let parts = std::iter::from_fn(move || {
        let part = rest.take()?;
        let mark = memchr::memchr(MARK[0], part).and_then(|_| memchr::memmem::find(part, MARK));
        rest = mark.map(|mark| &part[mark + MARK.len()..]);
        Some(part[..mark.unwrap_or(part.len())].trim_ascii())
    });
    parts.filter(|text| !text.is_empty() && !text.starts_with(b"#"))
}

/// The entry that stands on a line.
pub(super) fn read_line(line: u64, text: &[u8]) -> Result<Entry, Defect> {
    match read_position(text, false) {
        Ok(read) => Ok(Entry {
            line,
            start: read.position.clone(),
            moves: Vec::new(),
            end: read.position,
            has_counters: read.has_counters,
        }),
        Err(why) => Err(Defect { line, why }),
    }
}

/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of a text as bytes, numbered from 1, without line ends and byte-order marks.
pub(crate) struct Lines<'a> {
    text: &'a mut dyn BufRead,
    line: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a mut dyn BufRead) -> Lines<'a> {
        Lines::from_line(1, text)
    }

    /// Those of a text whose first line has a number of its own.
    pub(super) fn from_line(number: u64, text: &'a mut dyn BufRead) -> Lines<'a> {
        Lines { text, line: Vec::new(), number: number.saturating_sub(1) }
    }

    /// The next line and its number.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        self.line.clear();
        let len = io::Read::take(&mut *self.text, MAX_LINE).read_until(b'\n', &mut self.line)?;
        if len == 0 {
            return Ok(None);
        }
        self.number += 1;
        if len as u64 == MAX_LINE {
            return Err(too_long(self.number));
        }
        Ok(Some((self.number, bare(&self.line))))
    }
}

pub(super) fn too_long(number: u64) -> io::Error {
    let why = format!("line {number} is longer than {} MiB", MAX_LINE >> 20);
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// A line without its end, and without the byte-order mark that files which were put together have
/// in their midst, too.
#[inline]
pub(super) fn bare(line: &[u8]) -> &[u8] {
    let bytes = line.strip_prefix(MARK).unwrap_or(line);
    match bytes {
        [bare @ .., b'\r', b'\n'] | [bare @ .., b'\n' | b'\r'] => bare,
        _ => bytes,
    }
}
