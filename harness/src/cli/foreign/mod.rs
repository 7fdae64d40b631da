//! Command lines of fastchess, cutechess-cli and c-chess-cli, and flags that nearly are ours: the user
//! is shown the line that does the same here, with his own values in it. `--like` plays it.
//!
//! `script`: the words of a line or a script; `runner`: whose it is; `table`: flags and keys that are
//! known; `numbers`: what they take; `repeats`: what is given again; `line`, `schedule`, `rules`,
//! `engines`, `limits`: flags of ours for them; `assemble`: the line of ours; `like`: what is typed in the place of `--like`.

mod assemble;
mod engines;
mod like;
mod limits;
mod line;
mod numbers;
mod repeats;
mod rules;
mod runner;
mod schedule;
mod script;
mod table;
mod words;

pub(super) use self::like::expand;

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ErrorKind};

use self::line::ForeignLine;
use self::runner::Runner;
use self::words::{FlagGroup, SplitWords};

/// Single-dashed words that clap would take for short flags of ours.
const NEVER_OURS: [&str; 4] = ["-engine", "-each", "-hash", "-quick"];

/// What is wrong with the words of a command line, and the line to type instead; `None` where clap
/// says it better.
pub(super) fn explained(words: &[OsString], cli: &Command) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let words = SplitWords::of(words.get(1..)?);
    let command = words.command(cli);
    let is_anothers = |group: &FlagGroup| {
        !group.has_two_dashes() && (group.is_of_engines() || group.name() == "quick")
    };
    let is_whole = words.groups.iter().any(is_anothers);
    let mut line = ForeignLine::of(Runner::of_flags(&words.groups), is_whole);
    line.add_all(&words.groups, command);
    let ours = line.translated(&words.before, command, cli)?;
    let mut text =
        format!("error: {}. The verdict equivalent:\n\n  verdict {}\n", ours.slip, ours.line);
    if is_whole {
        text.push_str("\nverdict match --like 'fastchess -engine …' plays such a line.\n");
    }
    let wrong = ours.wrong.iter().map(|wrong| format!("{wrong}; omitted"));
    let unlimited = ours.unlimited.into_iter().map(|it| it.why);
    for note in wrong.chain(unlimited).chain(ours.notes) {
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
    let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    if error.kind() == ErrorKind::UnknownArgument
        && unknown.is_some_and(|word| word == "--web" || word.starts_with("--web="))
    {
        return Some(
            "error: --web shows matches: match, tournament and resume have it. verdict report shows other \
             folders"
                .to_owned(),
        );
    }
    let text = error.to_string();
    (error.kind() == ErrorKind::ValueValidation && text.contains(JARGON))
        .then(|| text.replace(JARGON, "expected at least 1"))
}

/// What a fuzzer drives: translates a text where it can.
#[cfg(any(test, fuzzing))]
pub(super) fn check(text: &str, cli: &Command) {
    let Ok(command) = script::RunnerCommand::in_text(text, |_| None) else { return };
    for word in ["match", "tournament"] {
        let _ = like::of_command(&command, word, cli);
    }
}

#[cfg(test)]
mod semantics_tests;
#[cfg(test)]
mod tests;
