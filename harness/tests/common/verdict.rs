//! The program as its users run it.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the program with these words; `@` stands for a place.
pub(crate) fn verdict(place: &Path, words: &str) -> Output {
    let place = format!("{}/", place.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(words.split_whitespace().map(|word| word.replace('@', &place)));
    command.output().unwrap()
}
