//! Streams the entries of a book, good and bad, to a visitor: what reading and checking share.

use std::io::{self, BufRead};

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use super::check::Terminal;
use super::error::{BookError, Defect};
use super::pgn;
use super::position::read_position;
use super::source::{self, BookFormat, Origin, SourceFacts};

/// Longer lines are not a book's: the limit keeps a wrong file from filling the memory.
const MAX_LINE: u64 = 16 << 20;

/// One opening as a book has it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The line it begins on, from 1.
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
        if self.end.legal_moves().is_empty() {
            return Some(if self.end.is_check() { Terminal::Mate } else { Terminal::Stalemate });
        }
        if self.end.is_insufficient_material() {
            return Some(Terminal::InsufficientMaterial);
        }
        (self.end.halfmoves() >= 100).then_some(Terminal::FiftyMoves)
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
    source::with_text(origin, &mut |format, text| {
        let mut lines = Lines::new(text);
        match format {
            BookFormat::Epd => read_lines(&mut lines, visit),
            BookFormat::Pgn => pgn::read_games(&mut lines, max_plies, visit),
        }
    })
}

fn read_lines(lines: &mut Lines<'_>, visit: &mut Visit<'_>) -> io::Result<()> {
    while let Some((line, bytes)) = lines.next()? {
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() || bytes.starts_with(b"#") {
            continue;
        }
        visit(match read_position(bytes, false) {
            Ok(read) => Ok(Entry {
                line,
                start: read.position.clone(),
                moves: Vec::new(),
                end: read.position,
                has_counters: read.has_counters,
            }),
            Err(why) => Err(Defect { line, why }),
        });
    }
    Ok(())
}

/// The lines of a text as bytes, numbered from 1, without line ends and byte-order mark.
pub(crate) struct Lines<'a> {
    text: &'a mut dyn BufRead,
    line: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a mut dyn BufRead) -> Lines<'a> {
        Lines { text, line: Vec::new(), number: 0 }
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
            let why = format!("line {} is longer than {} MiB", self.number, MAX_LINE >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let mut bytes = &self.line[..];
        if self.number == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        Ok(Some((self.number, bytes)))
    }
}
