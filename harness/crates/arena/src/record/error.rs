//! What can be wrong with the files of a run.

use std::io;
use std::path::{Path, PathBuf};

use process::Error;

use super::DuplicatePair;

/// Messages name the file; those of [`RecordError::Replay`] and [`RecordError::Duplicate`] name the
/// game or pair.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("{path}: cannot {action}: {source}")]
    Io {
        path: PathBuf,
        /// A verb.
        action: &'static str,
        source: io::Error,
    },
    #[error(
        "{dir} already holds a run; continue it with `verdict resume {dir}` or choose another \
         folder"
    )]
    Exists { dir: PathBuf },
    #[error("{dir} has games.jsonl but no run.json; restore run.json")]
    NoRunFile { dir: PathBuf },
    #[error(
        "{dir} has run.json but no games.jsonl; restore games.jsonl, or start again in another folder"
    )]
    NoGames { dir: PathBuf },
    #[error("{dir} is being written by another process{holder}")]
    InUse {
        dir: PathBuf,
        /// `" (process N)"`, or nothing when unknown.
        holder: String,
    },
    #[error(
        "{path} is no longer the file that is being written: it or its folder was removed, moved or \
         replaced by another, so the work stops"
    )]
    Gone { path: PathBuf },
    #[error("{path}, line {line}: {reason}")]
    Damaged {
        path: PathBuf,
        line: u64,
        /// What was expected and what was found.
        reason: String,
    },
    #[error(
        "{path}, line {line}: game {game} is recorded a second time, and differently; remove one \
         of the two lines"
    )]
    Conflict {
        path: PathBuf,
        /// The second record's line, from 1.
        line: u64,
        game: u64,
    },
    #[error(
        "{path}: nothing more is recorded after an earlier failure; the games recorded before it \
         are safe"
    )]
    Stopped { path: PathBuf },
    #[error("game {game}: {reason}")]
    Replay { game: u64, reason: String },
    /// A defect of the harness.
    #[error(transparent)]
    Duplicate(#[from] DuplicatePair),
}

impl RecordError {
    pub fn damaged(path: &Path, line: u64, reason: impl Into<String>) -> RecordError {
        RecordError::Damaged { path: path.to_owned(), line, reason: reason.into() }
    }

    /// For `map_err`.
    pub fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> RecordError {
        let path = path.to_owned();
        move |source| RecordError::Io { path, action, source }
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Error {
        Error::input_output(error)
    }
}
