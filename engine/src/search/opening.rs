//! The table of openings (HSH-10): positions that strong games reached in their first moves, which
//! earn a bonus (PRO-19).
//!
//! It is a text file, one position a line, **after** the move that is to be rewarded, the
//! opponent to move. A line is
//!
//! - a FEN or EPD: its first four fields count, the rest of the line (counters, operations) is not
//!   read; or
//! - the position's key, 16 hexadecimal digits: Polyglot's Zobrist key (shakmaty's `Zobrist64` with
//!   en passant only where it is legal), what `d` shows as `Key`.
//!
//! Empty lines, and what follows a `#` at the beginning of a line or after a key, say nothing. The
//! order of lines and repeated ones make no difference. How far into the games the table goes (20
//! to 30 moves in the paper) is decided where it is made.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::position::{FenError, Position};
use crate::text::lines;

/// A set of positions that are worth entering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningTable {
    /// Ascending, without repetition.
    keys: Box<[u64]>,
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The system's reason.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        reason: io::Error,
    },
    /// A line that is none of the three.
    #[error("{}:{}: {}", path.display(), wrong.line, wrong.reason)]
    Line {
        /// The file.
        path: PathBuf,
        /// The line.
        wrong: WrongLine,
    },
}

/// A line of a table that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct WrongLine {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl OpeningTable {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the file, the first line that cannot be understood and what was expected of it.
    pub fn read(path: &Path) -> Result<OpeningTable, OpeningError> {
        let bytes = fs::read(path)
            .map_err(|reason| OpeningError::File { path: path.to_owned(), reason })?;
        OpeningTable::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|wrong| OpeningError::Line { path: path.to_owned(), wrong })
    }

    /// Reads a table's text.
    ///
    /// # Errors
    /// The first line that cannot be understood.
    pub fn parse(text: &str) -> Result<OpeningTable, WrongLine> {
        let mut keys = Vec::new();
        for (number, line) in lines(text) {
            let key = key(line).map_err(|reason| WrongLine { line: number, reason })?;
            keys.extend(key);
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(OpeningTable { keys: keys.into_boxed_slice() })
    }

    /// Whether the position is in the table.
    #[must_use]
    pub fn contains(&self, position: &Position) -> bool {
        self.keys.binary_search(&position.key()).is_ok()
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// The key of a line's position; `None` of a line that says nothing.
fn key(line: &str) -> Result<Option<u64>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [] => Ok(None),
        [first, ..] if first.starts_with('#') => Ok(None),
        [board, turn, castling, en_passant, ..] if board.contains('/') => {
            let fen = format!("{board} {turn} {castling} {en_passant}");
            let position = Position::from_fen(&fen).map_err(|error: FenError| error.to_string())?;
            Ok(Some(position.key()))
        }
        [key] => hexadecimal(key).map(Some),
        [key, comment, ..] if comment.starts_with('#') => hexadecimal(key).map(Some),
        _ => Err(unlike(line.trim())),
    }
}

fn hexadecimal(word: &str) -> Result<u64, String> {
    let digits = word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(word, 16).ok().filter(|_| digits).ok_or_else(|| unlike(word))
}

fn unlike(found: &str) -> String {
    /// More of a line than this helps nobody; it may be of any file.
    const SHOWN: usize = 60;
    let shown: String = found.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    format!(
        "expected a FEN of four fields or more, or a key of 16 hexadecimal digits, not '{shown}'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    fn wrong(text: &str) -> (usize, String) {
        let wrong = OpeningTable::parse(text).expect_err(text);
        (wrong.line, wrong.reason)
    }

    #[test]
    fn fens_epds_and_keys() {
        let position = Position::from_fen(AFTER_E4).expect("a position");
        // Polyglot's own example of its keys.
        assert_eq!(position.key(), 0x823c_9b50_fd11_4196);
        for text in [
            AFTER_E4,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 bm c5; id \"#1\";",
            "823c9b50fd114196",
            "\u{feff}# keys\n\u{feff}823c9b50fd114196\u{feff}823c9b50fd114196\u{feff}# 1. e4\n",
            "  823C9B50FD114196 # 1. e4\r\n\n# the best by test\n823c9b50fd114196\n",
        ] {
            let table = OpeningTable::parse(text).expect(text);
            assert_eq!(table.len(), 1, "{text}");
            assert!(table.contains(&position) && !table.contains(&Position::startpos()));
        }
        assert!(OpeningTable::parse("\n# nothing\n").expect("a table").is_empty());
    }

    #[test]
    fn mistakes_are_named_by_line() {
        assert_eq!(wrong("# keys\n\n823c9b50fd11419\n").0, 3, "15 digits");
        assert_eq!(wrong("823c9b50fd114196\n+23c9b50fd114196").0, 2, "a sign is no digit");
        let (line, reason) = wrong("823c9b50fd114196 12 games");
        assert_eq!(line, 1);
        assert!(reason.contains("16 hexadecimal digits"), "{reason}");
        assert!(wrong("rnbqkbnr/pppppppp b KQkq").1.contains("FEN of four fields"));
        let (line, reason) = wrong("\n8/8/8/8/8/8/8/8 w - - 0 1");
        assert!(line == 2 && reason.contains("not a position"), "{reason}");
    }
}
