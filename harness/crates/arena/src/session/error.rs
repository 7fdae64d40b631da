//! Why a sitting cannot be held.

use std::path::PathBuf;

use crate::{
    build::BuildError,
    collector::CollectError,
    game::TablebaseError,
    plan::PlanError,
    player::{lack::Lack, spec::SpecError},
    record::{Difference, RecordError},
    report::ReportError,
    runner::RunError,
};
use pgn::BookError;

/// Why a sitting did not begin or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A player cannot play.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A program does not start, or refuses its options, its limit, or what it is to play.
    #[error("{who}: {reason}")]
    Program {
        /// Its name, or the flag that names it.
        who: String,
        /// What is wrong, and what to type.
        reason: String,
    },
    /// A program could not be started, and not by its own fault.
    #[error("{0}; nothing was played; free it or raise the limit (ulimit -a), then start again")]
    Lack(Lack),
    /// The threads that watch over programs.
    #[error("cannot start the threads that watch over engines: {0}")]
    Host(std::io::Error),
    /// The folder for the traffic with programs.
    #[error("--traffic {path}: {source}", path = .path.display())]
    Traffic { path: PathBuf, source: std::io::Error },
    /// A build that is no longer there cannot be made again.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The tablebases cannot be used.
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
    /// The run's files.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The plan in `run.json` is not one.
    #[error("{dir}: no plan of this version is recorded: {source}")]
    RecordedPlan { dir: PathBuf, source: serde_json::Error },
    /// Games that a tuner has played, without its file.
    #[error("{dir} cannot be resumed: its games are those of {file}, which is missing", dir = .dir.display())]
    GamesOf { dir: PathBuf, file: String },
    /// The run cannot be continued here.
    #[error("{dir} cannot be resumed: {difference}{}", way_out(difference))]
    Different {
        dir: PathBuf,
        /// What has changed.
        difference: Difference,
    },
    /// Results could not be kept.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// Games could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The page of the run could not be made.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// How to go on in spite of a difference.
fn way_out(difference: &Difference) -> &'static str {
    if difference.is_of_files() {
        "; if the engine itself writes this file, like a log or a learning file, resume with \
         --changed-files"
    } else {
        ""
    }
}
