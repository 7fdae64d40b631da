//! What can go wrong with a run's files.

use std::io;
use std::path::{Path, PathBuf};

/// Why a run's files could not be read or written. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system refused.
    #[error("{path}: cannot {action}: {source}")]
    Io {
        path: PathBuf,
        /// What was tried, as a verb.
        action: &'static str,
        source: io::Error,
    },
    /// A new run was to begin where one is recorded already.
    #[error(
        "{dir} already holds a run; continue it with `verdict resume {dir}` or choose another \
         folder"
    )]
    Exists { dir: PathBuf },
    /// Games of a run that nothing describes.
    #[error("{dir} has games.jsonl but no run.json; restore run.json")]
    NoRunFile { dir: PathBuf },
    /// A run without its games.
    #[error(
        "{dir} has run.json but no games.jsonl; restore games.jsonl, or start again in another folder"
    )]
    NoGames { dir: PathBuf },
    /// Another process writes the same run.
    #[error("{dir} is being written by another process{holder}")]
    InUse {
        dir: PathBuf,
        /// `" (process N)"`, or nothing when unknown.
        holder: String,
    },
    /// What is written no longer has its name.
    #[error(
        "{path} is no longer the file that is being written: it or its folder was removed, moved or \
         replaced by another, so the work stops"
    )]
    Gone { path: PathBuf },
    /// A file is not what it should be.
    #[error("{path}, line {line}: {reason}")]
    Damaged {
        path: PathBuf,
        line: u64,
        /// What was expected and what was found.
        reason: String,
    },
    /// The journal holds two different records of one game.
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
    /// A record was to be appended after an earlier one failed.
    #[error(
        "{path}: nothing more is recorded after an earlier failure; the games recorded before it \
         are safe"
    )]
    Stopped { path: PathBuf },
    /// A recorded game cannot be replayed by the rules of chess.
    #[error("game {game}: {reason}")]
    Replay {
        game: u64,
        /// What was expected and what was found.
        reason: String,
    },
}

impl RecordError {
    /// For `map_err`: an I/O error with its file and what was tried.
    pub fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> RecordError {
        let path = path.to_owned();
        move |source| RecordError::Io { path, action, source }
    }
}
