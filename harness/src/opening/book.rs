//! A book in memory.

use std::path::{Path, PathBuf};

use shakmaty::fen::{Fen, LossyFenError};
use shakmaty::packed::{PackedSetup, PackedUciMove};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup};

use super::error::{BookError, Defect};
use super::scan::{Entry, scan};
use super::source::{BookFormat, Origin};

/// How a book is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Take at most so many plies of each PGN game; all of them by default.
    pub max_plies: Option<u32>,
    /// Leave bad entries out instead of refusing the book. Indices then count good entries only.
    pub lenient: bool,
}

/// One opening of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Its place in the book as read, from 0.
    pub index: usize,
    /// The start position. Its castling mode (`start.castles().mode()`) is that of `moves`.
    pub start: Chess,
    /// The start position as FEN of six fields; castling rights as in X-FEN, an en passant
    /// square only where a capture there is legal.
    pub fen: String,
    /// The moves from the start position, all legal. In Chess960 castling is king takes rook.
    pub moves: Vec<UciMove>,
}

/// A checked book, packed: about 30 bytes a position, and 8 bytes and 2 a ply for a game that
/// starts where the game before it did.
#[derive(Debug, Clone)]
pub struct Book {
    path: PathBuf,
    format: BookFormat,
    sha256: String,
    /// Packed start positions, one behind the other.
    starts: Vec<u8>,
    moves: Vec<[u8; 2]>,
    entries: Vec<Packed>,
    terminal: usize,
    chess960: usize,
    defects: u64,
}

/// Where an opening's parts are.
#[derive(Debug, Clone, Copy)]
struct Packed {
    /// Where in `starts` the start position begins: its length, its castling mode, its bytes.
    start: u32,
    /// Where in `moves` its moves end; they begin where those of the entry before end.
    moves_end: u32,
}

impl Book {
    /// Reads a book of FEN or EPD lines or PGN games, plain or as `.gz`, `.zst` or `.zip`, and
    /// checks every entry.
    ///
    /// # Errors
    ///
    /// A file that cannot be read; the first entry that is broken or illegal; no entries; only
    /// entries in which the game is over.
    pub fn read(path: impl AsRef<Path>) -> Result<Book, BookError> {
        Book::read_with(path, &ReadOptions::default())
    }

    /// Reads a book as [`Book::read`] does, by the given options.
    ///
    /// # Errors
    ///
    /// See [`Book::read`].
    pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Book, BookError> {
        Book::read_origin(Origin::File(path.as_ref()), options)
    }

    /// Reads a book that is part of this program; `name` tells its format and names it in errors.
    ///
    /// # Errors
    ///
    /// See [`Book::read`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Book, BookError> {
        Book::read_origin(Origin::Memory(Path::new(name), bytes), &ReadOptions::default())
    }

    fn read_origin(origin: Origin<'_>, options: &ReadOptions) -> Result<Book, BookError> {
        let path = origin.path().to_owned();
        let mut packer = Packer::default();
        let mut first_defect: Option<Defect> = None;
        let mut defects = 0;
        let facts = scan(origin, options.max_plies, &mut |entry| match entry {
            Ok(entry) => packer.add(&entry),
            Err(defect) => {
                defects += 1;
                first_defect.get_or_insert(defect);
            }
        })?;
        if let Some(first) = first_defect.filter(|_| !options.lenient) {
            return Err(BookError::Defects { path, first, others: defects - 1 });
        }
        let Packer { mut starts, mut moves, mut entries, terminal, chess960, too_large, .. } =
            packer;
        if too_large {
            return Err(BookError::TooLarge { path });
        }
        if entries.is_empty() {
            return Err(BookError::Empty { path });
        }
        if terminal == entries.len() {
            return Err(BookError::AllTerminal { path, count: terminal });
        }
        starts.shrink_to_fit();
        moves.shrink_to_fit();
        entries.shrink_to_fit();
        let (format, sha256) = (facts.format, facts.sha256);
        Ok(Book { path, format, sha256, starts, moves, entries, terminal, chess960, defects })
    }

    /// The file it was read from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is written in.
    #[must_use]
    pub fn format(&self) -> BookFormat {
        self.format
    }

    /// SHA-256 of the file as it lies on the disk, 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The number of openings, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no book is empty")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of openings in which the game is over already.
    #[must_use]
    pub fn terminal(&self) -> usize {
        self.terminal
    }

    /// The number of openings that need Chess960's castling. In a book of standard chess these
    /// are castling rights that were not taken away when a rook moved.
    #[must_use]
    pub fn chess960(&self) -> usize {
        self.chess960
    }

    /// The number of bad entries left out by [`ReadOptions::lenient`].
    #[must_use]
    pub fn defects(&self) -> u64 {
        self.defects
    }

    /// The opening at `index`, counted from 0 in the book as read.
    #[must_use]
    pub fn opening(&self, index: usize) -> Option<Opening> {
        let entry = self.entries.get(index)?;
        let moves_begin = match index.checked_sub(1) {
            Some(before) => self.entries.get(before)?.moves_end as usize,
            None => 0,
        };
        let packed_moves = self.moves.get(moves_begin..entry.moves_end as usize)?;
        let moves = packed_moves.iter().map(|bytes| unpack_move(*bytes)).collect();
        let (setup, mode) = unpack_start(self.starts.get(entry.start as usize..)?)?;
        let start = Chess::from_setup(setup.clone(), mode).ok()?;
        let fen = Fen::try_from_setup(setup).unwrap_or_else(LossyFenError::ignore).to_string();
        Some(Opening { index, start, fen, moves })
    }

    /// All openings, in the order of the book.
    pub fn openings(&self) -> impl Iterator<Item = Opening> + '_ {
        (0..self.len()).filter_map(|index| self.opening(index))
    }
}

/// Packs entries as they come.
#[derive(Default)]
struct Packer {
    starts: Vec<u8>,
    moves: Vec<[u8; 2]>,
    entries: Vec<Packed>,
    /// Where the last start position is, and the position: games mostly share one.
    last_start: Option<(u32, Setup, CastlingMode)>,
    terminal: usize,
    chess960: usize,
    too_large: bool,
}

impl Packer {
    fn add(&mut self, entry: &Entry) {
        self.too_large |= self.try_add(entry).is_none();
    }

    fn try_add(&mut self, entry: &Entry) -> Option<()> {
        let mode = entry.start.castles().mode();
        let setup = entry.start.to_setup(EnPassantMode::Legal);
        let start = match &self.last_start {
            Some((at, last, last_mode)) if *last == setup && *last_mode == mode => *at,
            _ => {
                let at = u32::try_from(self.starts.len()).ok()?;
                pack_start(&setup, mode, &mut self.starts)?;
                self.last_start = Some((at, setup, mode));
                at
            }
        };
        self.moves.extend(entry.moves.iter().map(|mv| PackedUciMove::pack(*mv).to_bytes()));
        let moves_end = u32::try_from(self.moves.len()).ok()?;
        u32::try_from(self.entries.len() + 1).ok()?;
        self.entries.push(Packed { start, moves_end });
        self.terminal += usize::from(entry.terminal().is_some());
        self.chess960 += usize::from(mode.is_chess960());
        Some(())
    }
}

fn pack_start(setup: &Setup, mode: CastlingMode, starts: &mut Vec<u8>) -> Option<()> {
    let packed = PackedSetup::pack_standard(setup).ok()?;
    let bytes = packed.as_bytes();
    starts.extend([u8::try_from(bytes.len()).ok()?, u8::from(mode.is_chess960())]);
    starts.extend_from_slice(bytes);
    Some(())
}

fn unpack_start(starts: &[u8]) -> Option<(Setup, CastlingMode)> {
    let (&[len, chess960], rest) = starts.split_first_chunk::<2>()?;
    let packed = PackedSetup::try_from_bytes(rest.get(..usize::from(len))?).ok()?;
    Some((packed.unpack_standard().ok()?, CastlingMode::from_chess960(chess960 == 1)))
}

fn unpack_move(bytes: [u8; 2]) -> UciMove {
    PackedUciMove::from_bytes(bytes).unpack()
}
