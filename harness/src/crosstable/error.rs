//! Why there is no crosstable.

use std::io;
use std::path::PathBuf;

use arena::record::RecordError;
use pgn::BookError;
use stats::ratings::RatingError;

/// Why there is no crosstable. Messages name the file.
#[derive(Debug, thiserror::Error)]
pub enum CrosstableError {
    /// A run's files are damaged or cannot be read.
    #[error(transparent)]
    Run(#[from] RecordError),
    /// A file or folder cannot be read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system or the decompressor said.
        source: io::Error,
    },
    /// A file that is no PGN.
    #[error("{}: expected PGN, {found}", path.display())]
    NoPgn { path: PathBuf, found: String },
    /// A folder without runs.
    #[error(
        "{}: expected a run's folder (with run.json and games.jsonl), a folder of such folders, or a \
         PGN file; found {without_games} runs without games",
        path.display()
    )]
    NoRun {
        path: PathBuf,
        /// Folders in it with a `run.json` and no journal.
        without_games: u64,
    },
    /// The games of a tuner.
    #[error("{}: expected games of two players, found a tuner's of settings on either side", .0.display())]
    OfTuner(PathBuf),
    /// A name that is to be replaced, but that nobody has.
    #[error("--name: no player is called {0:?}")]
    UnknownName(String),
    /// The players cannot be rated.
    #[error(transparent)]
    Rating(#[from] RatingError),
}

impl CrosstableError {
    /// Whether other arguments, not other files, would help.
    pub fn is_usage(&self) -> bool {
        use CrosstableError::{OfTuner, Rating, UnknownName};
        matches!(self, OfTuner(_) | UnknownName(_) | Rating(_))
    }

    pub(super) fn of_pgn(error: BookError) -> CrosstableError {
        match error {
            BookError::Read { path, source } => CrosstableError::Read { path, source },
            BookError::Archive { path, found } => CrosstableError::NoPgn { path, found },
            other => CrosstableError::NoPgn { path: PathBuf::new(), found: other.to_string() },
        }
    }
}
