//! Why a sitting cannot be held.

use std::path::PathBuf;

use crate::{
    build::BuildError,
    game::TablebaseError,
    plan::PlanError,
    player::spec::SpecError,
    record::{Difference, RecordError},
    report::ReportError,
    runner::RunError,
};
use pgn::BookError;
use process::{Error, lack::Lack};

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Player(#[from] SpecError),
    #[error("{who}: {reason}")]
    Program {
        /// Its name, or the flag that names it.
        who: String,
        reason: String,
    },
    /// Not by the program's own fault.
    #[error("{0}; nothing was played; free it or raise the limit (ulimit -a), then start again")]
    Lack(Lack),
    #[error("cannot start the threads that watch over engines: {0}")]
    Host(std::io::Error),
    #[error("--traffic {path}: {source}", path = .path.display())]
    Traffic { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
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
    #[error(transparent)]
    Report(#[from] ReportError),
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
        use SessionError::{Different, Plan, Player, Program, Run};
        match error {
            Run(error) => error.into(),
            Plan(_) | Player(_) | Program { .. } | Different { .. } => Error::usage(error),
            _ => Error::input_output(error),
        }
    }
}
