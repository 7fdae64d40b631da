//! Why there is no crosstable.

use std::io;
use std::path::PathBuf;

use arena::record::RecordError;
use pgn::BookError;
use stats::ratings::RatingError;

#[derive(Debug, thiserror::Error)]
pub enum CrosstableError {
    #[error(transparent)]
    Run(#[from] RecordError),
    #[error("{}: cannot read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: expected PGN, {found}", path.display())]
    NoPgn { path: PathBuf, found: String },
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
    #[error("{}: expected games of two players, found a tuner's of settings on either side", .0.display())]
    OfTuner(PathBuf),
    #[error("--name: no player is called {0:?}")]
    UnknownName(String),
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
