//! What can be wrong with a book.

use std::path::PathBuf;
use std::{fmt, io};

use process::Error;
use serde::Serialize;

use super::work::looked_at;

/// The most bytes that packed openings take: a small packed file may hold any number.
pub(super) const MOST_BYTES: usize = 512 << 20;

/// One entry of a book that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Defect {
    /// The line in the decompressed text, from 1; in a Polyglot book the entry.
    pub line: u64,
    /// The offset in that text of the entry's first line, from 0.
    pub offset: u64,
    /// What was expected and what was found.
    pub why: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (entry at byte {})", self.line, self.why, self.offset)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error("cannot read the book {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot read the book {}: expected an archive with one .epd, .fen, .pgn or .bin file, {found}", path.display())]
    Archive { path: PathBuf, found: String },
    #[error("{}:{first}{}", path.display(), and_others(*.others))]
    Defects { path: PathBuf, first: Defect, others: u64 },
    /// A match has come to an entry of an indexed book that cannot be used, or whose game is over.
    #[error("{}:{defect} (a book this large is checked while it is played; `verdict openings check {}` checks all of it)", path.display(), path.display())]
    Drawn { path: PathBuf, defect: Defect },
    #[error("the book {} has changed since it was opened: expected the file to stay unchanged during the run", path.display())]
    Changed { path: PathBuf },
    #[error("the book {} has no opening of index {index}", path.display())]
    Missing { path: PathBuf, index: usize },
    #[error("the book {} has no openings: expected FEN or EPD lines, PGN games, or in a Polyglot book moves from the start position", path.display())]
    Empty { path: PathBuf },
    #[error("in all {count} openings of the book {} the game is already over", path.display())]
    AllTerminal { path: PathBuf, count: usize },
    /// More openings than are kept in memory, or than can be counted in 32 bits.
    #[error("the book {} is too large: expected openings that take at most {} MiB of memory; unpacked, an EPD or PGN file stays on the disk", path.display(), MOST_BYTES >> 20)]
    TooLarge { path: PathBuf },
}

impl From<BookError> for Error {
    fn from(error: BookError) -> Error {
        Error::input_output(error)
    }
}

fn and_others(others: u64) -> String {
    match others {
        0 => String::new(),
        1 => " (and 1 more bad entry; `verdict openings check` lists them)".to_owned(),
        n => format!(" (and {n} more bad entries; `verdict openings check` lists them)"),
    }
}

/// A piece of a file, fit for an error message: readable, on one line, of bounded length.
pub fn quote(bytes: &[u8]) -> String {
    const MAX_CHARS: usize = 72;
    /// What so many characters and one more take at most. The rest is not looked at: a long line
    /// may be quoted for each of its mistakes.
    const MAX_BYTES: usize = 4 * (MAX_CHARS + 1);
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    looked_at(bytes.len());
    let text = String::from_utf8_lossy(bytes);
    let mut chars = text.trim().chars();
    let head: String = chars.by_ref().take(MAX_CHARS).collect();
    let more = if chars.next().is_some() { "…" } else { "" };
    format!("'{}{more}'", head.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\""))
}

#[cfg(test)]
mod tests {
    use super::super::work::bytes_of;
    use super::*;

    /// Whatever a text is made of, blanks too.
    #[test]
    fn a_quote_looks_at_the_front_only() {
        for piece in ["x", " ", "±", "🙾", "\n"] {
            let mut quoted = String::new();
            let bytes = bytes_of(|| quoted = quote(piece.repeat(1 << 16).as_bytes()));
            assert!((1..1_000).contains(&bytes), "{piece}: {bytes}");
            assert!(quoted.chars().count() <= 75, "{quoted}");
        }
        assert_eq!(quote(&[b" ".repeat(1 << 16), b"x".to_vec()].concat()), "''");
    }
}
