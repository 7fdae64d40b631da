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
//!
//! The packed form of the same, with its provenance, is what the program carries of its own.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

use crate::packed::{self, PackedError, Provenance};
use crate::params::OpeningKeys;
use crate::position::{FenError, Position};
use crate::text::lines;

/// The table that is part of the program; `data/README.md` says how it was made.
static BUILT_IN: &[u8] = include_bytes!("../../data/2600.openings");

/// The first line of a packed table.
const KIND: &str = "mutineer openings 1";

/// A set of positions that are worth entering.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpeningTable {
    /// Ascending, without repetition.
    keys: Box<[u64]>,
    provenance: Provenance,
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
    /// A packed table that is damaged.
    #[error("{}: {reason}", path.display())]
    Packed {
        /// The file.
        path: PathBuf,
        /// Where, and what was expected.
        #[source]
        reason: PackedError,
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
    /// A table within the program, unpacked once; `None` of `none`. Empty should it be damaged, which
    /// a test rules out.
    #[must_use]
    pub fn built_in(table: OpeningKeys) -> Option<Arc<OpeningTable>> {
        static TABLE: OnceLock<Arc<OpeningTable>> = OnceLock::new();
        let unpacked = || Arc::new(OpeningTable::unpack(BUILT_IN).unwrap_or_default());
        match table {
            OpeningKeys::None => None,
            OpeningKeys::From2600 => Some(Arc::clone(TABLE.get_or_init(unpacked))),
        }
    }

    /// Reads a file of either form.
    ///
    /// # Errors
    /// Names the file, the first line or byte that cannot be understood and what was expected of it.
    pub fn read(path: &Path) -> Result<OpeningTable, OpeningError> {
        let bytes = fs::read(path)
            .map_err(|reason| OpeningError::File { path: path.to_owned(), reason })?;
        if bytes.starts_with(KIND.as_bytes()) {
            return OpeningTable::unpack(&bytes)
                .map_err(|reason| OpeningError::Packed { path: path.to_owned(), reason });
        }
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
        Ok(OpeningTable::from_keys(keys))
    }

    /// The table of these keys, in any order; repeated ones make no difference.
    #[must_use]
    pub fn from_keys(mut keys: Vec<u64>) -> OpeningTable {
        keys.sort_unstable();
        keys.dedup();
        OpeningTable { keys: keys.into_boxed_slice(), provenance: Provenance::default() }
    }

    /// The packed form: the kind, where it comes from, and each key less the one before and one (the first:
    /// the key).
    #[must_use]
    pub fn pack(&self, provenance: &Provenance) -> Vec<u8> {
        let mut bytes = packed::head(KIND, provenance);
        let mut next = 0;
        for &key in &self.keys {
            packed::push(&mut bytes, key - next);
            next = key.wrapping_add(1);
        }
        bytes
    }

    /// The table of [`pack`](OpeningTable::pack).
    ///
    /// # Errors
    /// The line or byte that is not as expected.
    pub fn unpack(bytes: &[u8]) -> Result<OpeningTable, PackedError> {
        let (provenance, mut numbers) = packed::open(KIND, bytes)?;
        let (mut keys, mut next) = (Vec::new(), Some(0_u64));
        while !numbers.is_empty() {
            let first = next.ok_or_else(|| numbers.too_many())?;
            let key = first + numbers.next("a distance to the next key", 0, u64::MAX - first)?;
            keys.push(key);
            next = key.checked_add(1);
        }
        Ok(OpeningTable { keys: keys.into_boxed_slice(), provenance })
    }

    /// Where it comes from; nothing of a table in lines.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
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

    #[test]
    fn packed_tables() {
        let provenance = Provenance::default().with("source", "chance");
        for keys in [&[][..], &[0], &[0, 1, 2, u64::MAX], &[5, 1 << 63, u64::MAX - 1]] {
            let table = OpeningTable { keys: keys.into(), provenance: provenance.clone() };
            assert_eq!(OpeningTable::unpack(&table.pack(&provenance)), Ok(table), "{keys:?}");
        }
        let table = OpeningTable { keys: [7, u64::MAX].into(), provenance: provenance.clone() };
        let mut bytes = table.pack(&provenance);
        let length = bytes.len();
        bytes.push(0);
        let error = OpeningTable::unpack(&bytes).expect_err("one more").to_string();
        assert_eq!(error, format!("byte {length}: expected the file's end, found more"));
        bytes.truncate(length - 1);
        let error = OpeningTable::unpack(&bytes).expect_err("broken off").to_string();
        assert!(error.contains("a distance to the next key") && error.ends_with("the file's end"));
        // 7, and another distance that goes beyond the last key.
        let beyond = [packed::head(KIND, &provenance), vec![7], vec![0xFF; 9], vec![1]].concat();
        assert!(OpeningTable::unpack(&beyond).is_err());
    }

    #[test]
    fn the_built_in_table_is_whole() {
        assert!(OpeningTable::built_in(OpeningKeys::None).is_none());
        let table = OpeningTable::unpack(BUILT_IN).expect("a table");
        assert_eq!(OpeningTable::built_in(OpeningKeys::From2600).as_deref(), Some(&table));
        assert_eq!(table.pack(table.provenance()), BUILT_IN);
        assert!(BUILT_IN.len() < 300_000, "{} bytes", BUILT_IN.len());
        for what in ["source", "games", "input", "filter", "dropped", "command", "date"] {
            assert!(table.provenance().get(what).is_some_and(|told| !told.is_empty()), "{what}");
        }
        assert!(
            table.provenance().get("filter").is_some_and(|told| told.contains("Elo from 2600"))
        );
        let counted = table.provenance().get("positions").expect("a number");
        assert!(counted.starts_with(&format!("{} ", table.len())), "{counted}");
        assert!(table.contains(&Position::from_fen(AFTER_E4).expect("a position")));
        assert!(!table.contains(&Position::startpos()), "nobody moved into it");
    }
}
