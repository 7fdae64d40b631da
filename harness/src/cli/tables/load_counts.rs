//! Counts from games, or from counts that were made before.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::count::{ReadResult, read_games};
use super::count_overrides::CountOverrides;
use super::flags::{FilterFlags, ReadingFlags};
use process::Error;
use tables::{Countings, CountsFile, count::MinedCounts};

/// What a table is made of.
#[derive(Debug, Args)]
pub(super) struct CountSource {
    /// PGN files (also compressed), folders of these, - for standard input; or counts files.
    #[arg(required = true, value_name = "FILES", value_hint = ValueHint::AnyPath, help_heading = None)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

impl CountSource {
    /// Makes a table of the counts: read from games, or added up if the files are counts
    /// themselves. Returns the exit code.
    ///
    /// `usual` is what is counted where `overrides` says nothing; `has` says whether counts hold
    /// what is wanted, `what` is its name. `out` names the checkpoint; `make` is as in
    /// [`ReadResult::make`].
    pub(super) fn make(
        &self,
        (usual, overrides): (Countings, CountOverrides),
        out: &Path,
        (what, has): (&str, impl Fn(&MinedCounts) -> bool),
        make: impl FnOnce(&CountsFile) -> Result<String, Error>,
    ) -> Result<u8, Error> {
        let (files, filter) = (&self.files, self.filter.filter()?);
        let made = files.iter().filter(|file| CountsFile::is_one(file)).count();
        let read = if made == 0 {
            read_games(files, overrides.countings(usual), filter, &self.reading, out)?
        } else if made < files.len() {
            let why = "expected games or counts, found both: count the games, then merge";
            return Err(Error::usage(why));
        } else if filter != Default::default() {
            return Err(Error::usage("counts files cannot be filtered; count the games again"));
        } else {
            let counts = CountsFile::merge(files, false)?;
            if !has(&counts.counts) {
                let found = counts.counts.names().join(", ");
                return Err(Error::usage(format!("expected counts of {what}, found {found}")));
            }
            overrides.check(&counts.countings).map_err(Error::usage)?;
            ReadResult::Counts(Box::new(counts), super::DONE)
        };
        read.make(&self.reading, out, make)
    }
}
