//! Tells how to continue when a session ends because its files cannot be written.

use std::path::Path;

use super::exit_code;
use arena::record::FolderKind;
use process::{Error, ErrorKind};

/// The exit code of a session in `dir`. If input or output has ended it, this prints the error and
/// the command `again` that continues; other errors are returned.
pub(super) fn or_resumable(dir: &Path, again: &str, done: Result<u8, Error>) -> Result<u8, Error> {
    match done {
        Err(error)
            if is_of_the_disk(&error)
                && FolderKind::of(dir).is_some_and(FolderKind::is_resumable) =>
        {
            status!("error: {error}");
            status!("what is recorded is safe; continue with: {again}");
            Ok(exit_code(&error))
        }
        done => done,
    }
}

/// Whether a file could not be read or written. A closed output does not count.
pub(super) fn is_of_the_disk(error: &Error) -> bool {
    error.kind() == ErrorKind::InputOutput
        && error.io_kind().is_some_and(|kind| kind != std::io::ErrorKind::BrokenPipe)
}
