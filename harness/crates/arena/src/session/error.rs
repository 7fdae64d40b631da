//! Why a session cannot be played.

use std::path::PathBuf;

use crate::record::{Difference, RecordError};
use crate::runner::RunError;
use pgn::BookError;
use process::Error;
use process::lack::Lack;

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// It has a kind already.
    #[error(transparent)]
    Other(#[from] Error),
    #[error("{who}: {reason}")]
    Program {
        /// Its name, or the flag that names it.
        who: String,
        reason: String,
    },
    /// Not by the program's own fault.
    #[error("{0}; nothing was played; free it or raise the limit (ulimit -a), then start again")]
    Lack(Lack),
    #[error("--traffic {path}: {source}", path = .path.display())]
    Traffic { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("{dir}: no plan of this version is recorded: {source}")]
    RecordedPlan { dir: PathBuf, source: serde_json::Error },
    #[error("{dir} cannot be resumed: its games are those of {file}, which is missing", dir = .dir.display())]
    GamesOf { dir: PathBuf, file: String },
    #[error("{dir} cannot be resumed: {difference}{}", way_out(difference))]
    Different { dir: PathBuf, difference: Difference },
    #[error(transparent)]
    Run(#[from] RunError),
}

fn way_out(difference: &Difference) -> &'static str {
    if difference.is_of_files() {
        "; if the engine itself writes this file, like a log or a learning file, resume with \
         --changed-files"
    } else {
        ""
    }
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Error {
        use SessionError::{Different, Other, Program, Run};
        match error {
            Other(error) => error,
            Run(error) => error.into(),
            Program { .. } | Different { .. } => Error::usage(error),
            _ => Error::input_output(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use process::ErrorKind;

    use super::*;

    #[test]
    fn a_search_that_does_not_end_is_a_fault() {
        let stuck = RunError::Stuck { game: 3, player: String::new(), position: String::new() };
        assert_eq!(Error::from(SessionError::Run(stuck)).kind(), ErrorKind::Fault);
        let lost = SessionError::Run(RunError::Lost(3));
        assert_eq!(Error::from(lost).kind(), ErrorKind::InputOutput);
        let known = SessionError::from(Error::usage("--pairs 0"));
        assert_eq!(Error::from(known).kind(), ErrorKind::Usage);
    }
}
