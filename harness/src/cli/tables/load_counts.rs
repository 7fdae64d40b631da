//! Loads counts: from PGN games, or from counts files.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::count::{ReadResult, read_games};
use super::count_overrides::CountOverrides;
use super::flags::{FilterFlags, ReadingFlags};
use process::Error;
use tables::count::MinedCounts;
use tables::{CountSettings, CountsFile, Scratch};

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
    /// Makes a table: counts the games of PGN files, or merges counts files. Returns the exit code.
    ///
    /// `usual` are the command's settings, `overrides` those of the command line. `has` tells
    /// whether counts files contain what the command needs; `what` names it in the error. `out`
    /// names the checkpoint and the place of temporary files; `make` is as in [`ReadResult::make`].
    pub(super) fn make(
        &self,
        (usual, overrides): (CountSettings, CountOverrides),
        out: &Path,
        (what, has): (&str, impl Fn(&MinedCounts) -> bool),
        make: impl FnOnce(&CountsFile) -> Result<String, Error>,
    ) -> Result<u8, Error> {
        let (files, filter) = (&self.files, self.filter.filter()?);
        let counts_files = files.iter().filter(|file| CountsFile::is_one(file)).count();
        let read = if counts_files == 0 {
            read_games(files, overrides.apply(usual), filter, &self.reading, out)?
        } else if counts_files < files.len() {
            let why = "expected PGN files or counts files, found both: count the games, then merge";
            return Err(Error::usage(why));
        } else if filter != Default::default() {
            return Err(Error::usage("counts files cannot be filtered; count the games again"));
        } else {
            let counts = CountsFile::merge(files, false, &Scratch::beside(out))?;
            if !has(&counts.counts) {
                let found = counts.counts.names().join(", ");
                return Err(Error::usage(format!("expected counts of {what}, found {found}")));
            }
            overrides.check(&counts.settings).map_err(Error::usage)?;
            ReadResult::Counts(Box::new(counts), super::DONE)
        };
        read.make(&self.reading, out, make)
    }
}
