//! Counts from games, or from counts that were made before.

use std::path::{Path, PathBuf};

use super::count::{ReadResult, read_games};
use super::count_overrides::CountOverrides;
use super::flags::{FilterFlags, ReadingFlags};
use process::Error;
use tables::count::MinedCounts;
use tables::{Countings, CountsFile};

/// Counts of the files: read from games, or added up if they are counts themselves.
///
/// `usual` is what is counted where `asked` says nothing; `has` says whether counts hold what is
/// wanted, `what` is its name.
pub(super) fn load_counts(
    files: &[PathBuf],
    (usual, overrides): (Countings, CountOverrides),
    filter: &FilterFlags,
    reading: &ReadingFlags,
    out: &Path,
    (what, has): (&str, impl Fn(&MinedCounts) -> bool),
) -> Result<ReadResult, Error> {
    let filter = filter.filter()?;
    let made = files.iter().filter(|file| CountsFile::is_one(file)).count();
    if made == 0 {
        return read_games(files, overrides.countings(usual), filter, reading, out);
    }
    if made < files.len() {
        let why = "expected games or counts, found both: count the games, then merge";
        return Err(Error::usage(why));
    }
    if filter != Default::default() {
        return Err(Error::usage("counts files cannot be filtered; count the games again"));
    }
    let counts = CountsFile::merge(files, false)?;
    if !has(&counts.counts) {
        let found = counts.counts.names().join(", ");
        return Err(Error::usage(format!("expected counts of {what}, found {found}")));
    }
    overrides.check(&counts.countings).map_err(Error::usage)?;
    Ok(ReadResult::Counts(Box::new(counts), super::DONE))
}
