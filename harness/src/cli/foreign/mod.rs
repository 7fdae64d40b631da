//! Command lines of fastchess and cutechess-cli, and flags that nearly are ours: the user is shown
//! the line that does the same here, with his own values in it.

mod engines;
mod line;
mod words;

use std::ffi::OsString;

use clap::Command;
use clap::error::ErrorKind;

use self::line::ForeignLine;
use self::words::SplitWords;

/// Single-dashed words that clap would take for short flags of ours.
const NEVER_OURS: [&str; 4] = ["-engine", "-each", "-hash", "-quick"];

/// What is wrong with the words of a command line, and the line to type instead; `None` where clap
/// says it better.
pub(super) fn explained(words: &[OsString], cli: &Command) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let words = SplitWords::of(words.get(1..)?);
    let command = words.command(cli);
    let mut line = ForeignLine::of(&words.groups);
    for group in &words.groups {
        line.add(group, command);
    }
    let (slip, here, notes) = line.translated(&words.before, command, cli)?;
    let mut text = format!("error: {slip}. The verdict equivalent:\n\n  verdict {here}\n");
    for note in notes {
        text.push_str(&format!("\nnote: {note}"));
    }
    Some(text.trim_end().to_owned())
}

/// Whether the words are another runner's, though clap might find a meaning in them.
pub(super) fn is_foreign(words: &[OsString]) -> bool {
    words.iter().any(|word| NEVER_OURS.iter().any(|flag| word == flag))
}

/// An error of clap's in words that do not need to know how this program is made.
pub(super) fn in_plain_words(error: &clap::Error) -> Option<String> {
    const JARGON: &str = "number would be zero for non-zero type";
    let text = error.to_string();
    (error.kind() == ErrorKind::ValueValidation && text.contains(JARGON))
        .then(|| text.replace(JARGON, "expected at least 1"))
}

#[cfg(test)]
mod tests;
