//! Runs git on a folder's repository.

use std::path::Path;
use std::process::{Command, Output};

use super::repository;
use process::Error;

/// The error of a git command that failed.
pub(super) fn git_error(at: &Path, what: &str, why: String) -> Error {
    Error::input_output(why).context(format!("{}: git {what}", at.display()))
}

/// Runs git on a folder's repository, never on that of a hook; returns what it printed.
pub(super) fn git(at: &Path, words: &[&str]) -> Result<String, Error> {
    git_output(at, words).map_err(|why| git_error(at, &words.join(" "), why))
}

/// What git printed, or why there is nothing.
pub(super) fn git_output(at: &Path, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    let run = repository::forget(&mut command).arg("-C").arg(at).args(words).output();
    let Output { status, stdout, stderr } = run.map_err(|error| error.to_string())?;
    if status.success() {
        String::from_utf8(stdout).map_err(|_| "a path is no UTF-8".to_owned())
    } else {
        Err(String::from_utf8_lossy(&stderr).trim().to_owned())
    }
}
