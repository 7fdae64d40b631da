//! A book, wherever its openings are.

use std::path::{Path, PathBuf};

use super::error::{BookError, Defect, MOST_BYTES};
use super::indexed::Indexed;
use super::opening::{BookEntry, Opening};
use super::packed::{Packed, Packer};
use super::places::Places;
use super::scan::scan;
use super::source::{BookFormat, Origin, large_text};

/// Files of plain text from this size on, in bytes, are indexed. Smaller ones are read, checked
/// and packed in well under a second, and then without surprises.
pub const INDEXED_FROM: u64 = 16 << 20;

/// A file with so many bad entries behind each other is no book.
const MOST_PASSED_OVER: usize = 100;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Take at most so many plies of each PGN game, of each line of a Polyglot book; all of them by
    /// default.
    pub max_plies: Option<u32>,
    /// Leave bad entries out instead of refusing the book. Indices then count good entries only.
    pub lenient: bool,
}

/// A book: checked and packed in memory, or, if it is large, indexed.
///
/// A plain file of [`INDEXED_FROM`] bytes or more is passed through once, for its hash and the
/// places of its entries, in memory that does not grow with it. An opening of it is read and
/// checked when it is asked for; the same index is the same opening either way. So a bad entry, or
/// one in which the game is over already, is found only when a match comes to it, which plays the
/// next good one instead ([`Book::opening_from`]). Compressed files, Polyglot's books, and those
/// read leniently, are never indexed.
#[derive(Debug, Clone)]
pub struct Book {
    path: PathBuf,
    format: BookFormat,
    sha256: String,
    openings: OpeningStore,
    defects: u64,
}

#[derive(Debug, Clone)]
enum OpeningStore {
    Packed(Packed),
    Indexed(Indexed),
}

impl Book {
    /// Reads a book of FEN or EPD lines, PGN games or Polyglot's moves, plain or packed. Unless it
    /// is so large that it is indexed, every entry is checked: a bad one is an error, and so are
    /// openings in all of which the game is over.
    pub fn read(path: impl AsRef<Path>) -> Result<Book, BookError> {
        Book::read_with(path, &ReadOptions::default())
    }

    /// [`Book::read`] by the given options.
    pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Book, BookError> {
        Book::read_indexing(path.as_ref(), options, INDEXED_FROM, Places::new)
    }

    /// Reads a book that is part of this program; `name` tells its format and names it in errors.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Book, BookError> {
        Book::read_origin(Origin::Memory(Path::new(name), bytes), &ReadOptions::default())
    }

    /// Reads a book that is indexed from a size in bytes on, by these places.
    pub(super) fn read_indexing(
        path: &Path,
        options: &ReadOptions,
        from: u64,
        places: impl FnOnce() -> Places,
    ) -> Result<Book, BookError> {
        let large = if options.lenient { None } else { large_text(path, from)? };
        let Some((file, format)) = large else {
            return Book::read_origin(Origin::File(path), options);
        };
        let (indexed, sha256) = Indexed::new(path, file, format, options.max_plies, places())?;
        let path = path.to_owned();
        if indexed.len == 0 {
            return Err(BookError::Empty { path });
        }
        let (format, openings) = (format.into(), OpeningStore::Indexed(indexed));
        Ok(Book { path, format, sha256, openings, defects: 0 })
    }

    fn read_origin(origin: Origin<'_>, options: &ReadOptions) -> Result<Book, BookError> {
        let path = origin.path().to_owned();
        let mut packer = Packer::new(MOST_BYTES);
        let mut first_defect: Option<Defect> = None;
        let mut defects = 0;
        let info = scan(origin, options.max_plies, &mut |entry| match entry {
            Ok(entry) => packer.add(&entry),
            Err(defect) => {
                defects += 1;
                first_defect.get_or_insert(defect);
            }
        })?;
        if let Some(first) = first_defect.filter(|_| !options.lenient) {
            return Err(BookError::Defects { path, first, others: defects - 1 });
        }
        let packed = packer.finish(&path)?;
        let len = packed.len();
        if len == 0 {
            return Err(BookError::Empty { path });
        }
        if packed.terminal == len {
            return Err(BookError::AllTerminal { path, count: len });
        }
        let (format, sha256) = (info.format, info.sha256);
        Ok(Book { path, format, sha256, openings: OpeningStore::Packed(packed), defects })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn format(&self) -> BookFormat {
        self.format
    }

    /// SHA-256 of the file as it lies on the disk, 64 lower-case hexadecimal digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The number of openings, at least 1; in an indexed book, of entries, good or bad.
    #[allow(clippy::len_without_is_empty, reason = "no book is empty")]
    pub fn len(&self) -> usize {
        match &self.openings {
            OpeningStore::Packed(packed) => packed.len(),
            OpeningStore::Indexed(indexed) => indexed.len,
        }
    }

    pub fn is_indexed(&self) -> bool {
        matches!(self.openings, OpeningStore::Indexed(_))
    }

    /// The number of openings in which the game is over already; `None` if it is indexed.
    pub fn terminal(&self) -> Option<usize> {
        self.packed().map(|packed| packed.terminal)
    }

    /// The number of openings that need Chess960's castling; `None` if it is indexed. In a book of
    /// standard chess these are castling rights that were not taken away when a rook moved.
    pub fn chess960(&self) -> Option<usize> {
        self.packed().map(|packed| packed.chess960)
    }

    fn packed(&self) -> Option<&Packed> {
        match &self.openings {
            OpeningStore::Packed(packed) => Some(packed),
            OpeningStore::Indexed(_) => None,
        }
    }

    /// The number of bad entries left out by [`ReadOptions::lenient`].
    pub fn defects(&self) -> u64 {
        self.defects
    }

    /// The opening at `index`, counted from 0 in the book as read. In an indexed book a bad entry
    /// is an error, and so is a file that cannot be read any more or has been written to.
    pub fn opening(&self, index: usize) -> Result<Opening, BookError> {
        let opening = match &self.openings {
            OpeningStore::Packed(packed) => packed.opening(index),
            OpeningStore::Indexed(indexed) => Opening::of_entry(index, indexed.entry(index)?),
        };
        opening.ok_or_else(|| BookError::Missing { path: self.path.clone(), index })
    }

    /// The opening at `index` or, where that entry of an indexed book is bad or its game over
    /// already, the next good one, the first coming after the last; and what is wrong with those
    /// passed over. The same for the same book and index, whoever asks. Too many bad entries behind
    /// each other are an error.
    pub fn opening_from(&self, index: usize) -> Result<(Opening, Vec<BookError>), BookError> {
        let mut bad = Vec::new();
        loop {
            match self.playable((index + bad.len()) % self.len()) {
                Err(error @ BookError::Drawn { .. }) if bad.len() < MOST_PASSED_OVER => {
                    bad.push(error);
                }
                found => return found.map(|opening| (opening, bad)),
            }
        }
    }

    /// The opening at `index`; in an indexed book an error where its game is over already.
    fn playable(&self, index: usize) -> Result<Opening, BookError> {
        let OpeningStore::Indexed(indexed) = &self.openings else { return self.opening(index) };
        let entry = indexed.entry(index)?;
        let path = self.path.clone();
        if let Some(why) = entry.terminal() {
            let why = format!("the game is over: {why}");
            let BookEntry { line, offset, .. } = entry;
            return Err(BookError::Drawn { path, defect: Defect { line, offset, why } });
        }
        Opening::of_entry(index, entry).ok_or(BookError::Missing { path, index })
    }

    pub fn openings(&self) -> impl Iterator<Item = Result<Opening, BookError>> + '_ {
        (0..self.len()).map(|index| self.opening(index))
    }
}
