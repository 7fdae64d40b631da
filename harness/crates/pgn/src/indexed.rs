//! A large book that stays on the disk: only where its entries are is kept.

use std::fs::{File, Metadata};
use std::io::{self, BufReader};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::error::{BookError, Defect};
use super::lines::{Lines, positions_on};
use super::opening::BookEntry;
use super::places::{EntryPlace, PlacedLines, Places, ReadFrom};
use super::scan::read_position_on;
use super::source::TextFormat;
use crate::games;

/// Bytes hashed at once.
const HASHED: usize = 256 << 10;
/// Bytes read at once to get one entry.
const READ: usize = 16 << 10;

#[derive(Debug, Clone)]
pub(super) struct Indexed {
    path: PathBuf,
    /// Open all the time: another file of that name is not this book.
    file: Arc<File>,
    stamp: Stamp,
    format: TextFormat,
    max_plies: Option<u32>,
    places: Places,
    /// The number of entries, bad ones among them.
    pub(super) len: usize,
}

/// What tells that a file has been written to.
type Stamp = (u64, Option<SystemTime>);

fn stamp(metadata: &Metadata) -> Stamp {
    (metadata.len(), metadata.modified().ok())
}

impl Indexed {
    /// Goes once through a file of plain text, and hashes it meanwhile: returns the book and the
    /// SHA-256 in lower-case hexadecimal digits. Entries are not looked at.
    pub(super) fn new(
        path: &Path,
        file: File,
        format: TextFormat,
        max_plies: Option<u32>,
        mut places: Places,
    ) -> Result<(Indexed, String), BookError> {
        let failed = |source| BookError::Read { path: path.to_owned(), source };
        let before = stamp(&file.metadata().map_err(failed)?);
        let (entries, sha256) = thread::scope(|scope| {
            let hash = thread::Builder::new().spawn_scoped(scope, || sha256_of(&file))?;
            let mut lines = PlacedLines::new(&file);
            let entries = match format {
                TextFormat::Epd => find_positions(&mut lines, &mut places),
                TextFormat::Pgn => games::find_games(&mut lines, &mut places),
            };
            let sha256 = hash.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok((entries?, sha256?))
        })
        .map_err(failed)?;
        if stamp(&file.metadata().map_err(failed)?) != before {
            return Err(BookError::Changed { path: path.to_owned() });
        }
        // Orders of openings count in 32 bits.
        let len = u32::try_from(entries).map_err(|_| BookError::TooLarge { path: path.into() })?;
        places.shrink();
        let (path, file) = (path.to_owned(), Arc::new(file));
        let len = len as usize;
        Ok((Indexed { path, file, stamp: before, format, max_plies, places, len }, sha256))
    }

    pub(super) fn entry(&self, index: usize) -> Result<BookEntry, BookError> {
        if index >= self.len {
            return Err(BookError::Missing { path: self.path.clone(), index });
        }
        let failed = |source| BookError::Read { path: self.path.clone(), source };
        let changed = || BookError::Changed { path: self.path.clone() };
        if stamp(&self.file.metadata().map_err(failed)?) != self.stamp {
            return Err(changed());
        }
        let index = index as u64;
        let EntryPlace { entry, offset, line } = self.places.before(index);
        let from_there = ReadFrom { file: &self.file, offset };
        let mut text = BufReader::with_capacity(READ, from_there);
        let mut lines = Lines::from(line, offset, &mut text);
        let skip = index.saturating_sub(entry);
        let found = match self.format {
            TextFormat::Epd => read_nth(&mut lines, skip),
            TextFormat::Pgn => games::read_game(&mut lines, skip, index + 1, self.max_plies),
        };
        let found = found.map_err(failed)?.ok_or_else(changed)?;
        found.map_err(|defect| BookError::Drawn { path: self.path.clone(), defect })
    }
}

/// Adds the places of lines with positions; returns their number.
fn find_positions(lines: &mut PlacedLines<'_>, places: &mut Places) -> io::Result<u64> {
    let mut entry = 0;
    while let Some(line) = lines.next()? {
        let positions = positions_on(line.bytes).count() as u64;
        if positions > 0 {
            places.add(EntryPlace { entry, offset: line.offset, line: line.number });
            entry += positions;
        }
    }
    Ok(entry)
}

/// The entry that comes after `skip` others.
fn read_nth(lines: &mut Lines<'_>, mut skip: u64) -> io::Result<Option<Result<BookEntry, Defect>>> {
    while let Some(line) = lines.next_line()? {
        for text in positions_on(line.bytes) {
            match skip.checked_sub(1) {
                Some(left) => skip = left,
                None => return Ok(Some(read_position_on(&line, text))),
            }
        }
    }
    Ok(None)
}

fn sha256_of(file: &File) -> io::Result<String> {
    let mut hash = Sha256::new();
    let from_start = ReadFrom { file, offset: 0 };
    io::copy(&mut BufReader::with_capacity(HASHED, from_start), &mut hash)?;
    Ok(hex::encode(hash.finalize()))
}
