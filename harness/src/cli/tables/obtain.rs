//! Counts from games, or from counts that were made before.

use std::path::{Path, PathBuf};

use super::asked::Asked;
use super::count::{Read, read_games};
use super::flags::{FilterFlags, ReadingFlags};
use super::{refused, wrong_usage};
use tables::count::Counts;
use tables::{Countings, CountsFile};

/// Counts of the files: read from games, or added up if they are counts themselves.
///
/// `usual` is what is counted where `asked` says nothing; `has` says whether counts hold what is
/// wanted, `what` is its name.
pub(super) fn obtain(
    files: &[PathBuf],
    (usual, asked): (Countings, Asked),
    filter: &FilterFlags,
    reading: &ReadingFlags,
    out: &Path,
    (what, has): (&str, impl Fn(&Counts) -> bool),
) -> anyhow::Result<Read> {
    let filter = match filter.filter() {
        Ok(filter) => filter,
        Err(why) => return Ok(Read::Stopped(wrong_usage(&why))),
    };
    let made = files.iter().filter(|file| CountsFile::is_one(file)).count();
    if made == 0 {
        return read_games(files, asked.countings(usual), filter, reading, out);
    }
    if made < files.len() {
        let why = "expected games or counts, found both: count the games, then merge";
        return Ok(Read::Stopped(wrong_usage(why)));
    }
    if filter != Default::default() {
        let why = "counts files cannot be filtered; count the games again";
        return Ok(Read::Stopped(wrong_usage(why)));
    }
    let counts = match CountsFile::merge(files, false) {
        Ok(counts) => counts,
        Err(error) => return Ok(Read::Stopped(refused(&error))),
    };
    if !has(&counts.counts) {
        let found = counts.counts.names().join(", ");
        let why = format!("expected counts of {what}, found {found}");
        return Ok(Read::Stopped(wrong_usage(&why)));
    }
    if let Err(why) = asked.check(&counts.countings) {
        return Ok(Read::Stopped(wrong_usage(&why)));
    }
    Ok(Read::Counts(Box::new(counts), super::DONE))
}

/// The counts of a file; the exit code where it cannot be read.
pub(super) fn load(file: &Path) -> Result<CountsFile, u8> {
    CountsFile::read(file).map_err(|error| refused(&error))
}
