//! `--like`: another runner's command line, played as ours.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::{ArgAction, Command};

use super::assemble::Unlimited;
use super::engines::Engine;
use super::line::ForeignLine;
use super::runner::Runner;
use super::script::{self, RunnerCommand};
use super::words::SplitWords;
use process::plain_file::{self, DOCUMENT};
use process::terminal::escape::lines;
use process::terminal::shell_word;
use process::{Context as _, Error};

/// Flags of which only one holds: one that is typed replaces those of the line.
const LIMITS: [&str; 7] =
    ["nodes", "depth", "movetime", "tc", "test-limit", "base-limit", "limit-of"];

/// Another runner's command line as ours.
#[derive(Debug)]
pub(in crate::cli) struct Translated {
    /// The command and its flags, a word each.
    pub(super) words: Vec<String>,
    pub(super) notes: Vec<String>,
    unlimited: Vec<Unlimited>,
}

/// The words with our flags in the place of `--like LINE`; what is typed beside it wins. The line that
/// is played and what has no counterpart is said on standard error.
pub(in crate::cli) fn expand(words: Vec<OsString>, cli: &Command) -> Result<Vec<OsString>, Error> {
    let word = words.get(1).map(|word| word.to_string_lossy().into_owned());
    let word = word.filter(|word| ["match", "tournament"].contains(&word.as_str()));
    let is_flag = |word: &OsString| {
        let rest = word.to_str().and_then(|word| word.strip_prefix("--like"));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let (Some(word), Some(at)) = (word, words.iter().position(is_flag)) else { return Ok(words) };
    let mut typed: Vec<OsString> = words.get(2..).unwrap_or_default().to_vec();
    let flag = typed.remove(at - 2);
    let flag = flag.to_string_lossy();
    let text = match flag.split_once('=') {
        Some((_, text)) => text.to_owned(),
        // Without a text clap says what is missing.
        None if typed.len() <= at - 2 => return Ok(words),
        None => typed.remove(at - 2).to_string_lossy().into_owned(),
    };
    if typed.iter().any(is_flag) {
        return Err(Error::usage("--like is given twice: expected one line of another runner"));
    }
    let translated = of_text(&text, &word, cli).context("--like")?;
    if let Some(unlimited) = translated.unlimited_beside(&typed) {
        return Err(Error::usage(unlimited.why.as_str())).context("--like");
    }
    let kept = translated.beside(&typed, cli);
    if typed.iter().any(|word| word == "--print-plan") {
        check_book(&kept).context("--like")?;
    }
    let shown =
        kept.iter().cloned().chain(typed.iter().map(|it| it.to_string_lossy().into_owned()));
    let shown: Vec<String> = shown.map(|word| shell_word(&word)).collect();
    status!("verdict {}", lines(&shown.join(" ")));
    translated.notes.iter().for_each(|note| status!("note: {}", lines(note)));
    let program = words.first().cloned();
    Ok(program.into_iter().chain(kept.into_iter().map(OsString::from)).chain(typed).collect())
}

impl Translated {
    /// The first engine that has no limit, in the line and in what is typed beside it.
    fn unlimited_beside(&self, typed: &[OsString]) -> Option<&Unlimited> {
        let typed: Vec<String> = typed.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        let typed = SplitWords::of(&typed).groups;
        let has = |limit: &Unlimited| {
            typed.iter().any(|group| {
                let is_its_own =
                    group.name() == limit.flag && group.first().starts_with(&limit.prefix);
                is_its_own || LIMITS[..4].contains(&group.name())
            })
        };
        self.unlimited.iter().find(|limit| !has(limit))
    }

    /// The words without the flags that are typed as well.
    fn beside(&self, typed: &[OsString], cli: &Command) -> Vec<String> {
        let split = SplitWords::of(&self.words);
        let command = split.command(cli);
        let typed: Vec<String> = typed.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        let typed = SplitWords::of(&typed).groups;
        let is_typed = |name: &str, values: &[String]| {
            let argument = command.get_arguments().find(|it| it.get_long() == Some(name));
            let is_list = argument.is_some_and(|it| matches!(it.get_action(), ArgAction::Append));
            let aliases = argument.and_then(|it| it.get_all_aliases()).unwrap_or_default();
            let option = |values: &[String]| {
                values.first().and_then(|it| it.split('=').next().map(str::to_ascii_lowercase))
            };
            typed.iter().any(|group| {
                let other = group.name();
                let is_same = other == name || aliases.contains(&other);
                let is_rival = LIMITS.contains(&name) && LIMITS[..4].contains(&other);
                is_rival || is_same && (!is_list || option(&group.values) == option(values))
            })
        };
        let groups = split.groups.iter().filter(|group| !is_typed(group.name(), &group.values));
        let flags = groups.flat_map(|group| {
            std::iter::once(group.typed.clone()).chain(group.values.iter().cloned())
        });
        split.before.iter().cloned().chain(flags).collect()
    }
}

/// Fails where the book of a line is no file. A match that is played looks itself.
fn check_book(words: &[String]) -> Result<(), Error> {
    let groups = SplitWords::of(words).groups;
    let Some(book) = groups.iter().find(|group| group.name() == "book") else { return Ok(()) };
    let book = book.first();
    let found = fs::metadata(book).context(format!("openings {book}"))?;
    if found.is_dir() {
        return Err(Error::usage(format!("openings {book}: expected a file, found a folder")));
    }
    Ok(())
}

/// Translates a command line, or the one in a script of that name.
fn of_text(text: &str, word: &str, cli: &Command) -> Result<Translated, Error> {
    let is_word = !text.contains(char::is_whitespace);
    if is_word && (text.starts_with('-') || Runner::of_program(text).is_some()) {
        return Err(Error::usage(format!(
            "expected a command line in quotes, like --like 'fastchess -engine …', found '{text}'"
        )));
    }
    let is_script = is_word && Path::new(text).is_file();
    if !is_script {
        return of_command(&RunnerCommand::in_text(text, variable)?, word, cli);
    }
    let script = plain_file::read_given_text(Path::new(text), DOCUMENT).map_err(Error::usage);
    let command = script.and_then(|script| RunnerCommand::in_text(&script, variable));
    command.and_then(|command| of_command(&command, word, cli)).context(text)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

pub(super) fn of_command(
    command: &RunnerCommand,
    word: &str,
    cli: &Command,
) -> Result<Translated, Error> {
    let split = SplitWords::of(&command.words);
    if let Some(stray) = split.before.first() {
        return Err(Error::usage(format!("expected a flag like -engine, found '{stray}'")));
    }
    let runner = command.runner.unwrap_or_else(|| Runner::of_flags(&split.groups));
    let mut line = ForeignLine::of(runner, true);
    line.folder.clone_from(&command.folder);
    let before = if word == "tournament" { vec![word.to_owned()] } else { Vec::new() };
    let ours = cli.find_subcommand(word).unwrap_or(cli);
    line.add_all(&split.groups, ours);
    let read_as = |wrong: &String| {
        Err(Error::usage(format!("{wrong} (the line is read as one of {})", runner.name())))
    };
    if let Some(wrong) = line.wrong.first() {
        return read_as(wrong);
    }
    if line.engines.len() < 2 {
        let found = line.engines.len();
        return Err(Error::usage(format!("expected at least two -engine, found {found}")));
    }
    let has_program = |engine: &Engine| engine.with(&line.each).get("cmd").is_some();
    let nameless = !line.engines.iter().all(has_program);
    let expected = || Error::usage("expected flags of another runner, found none");
    let translated = line.translated(&before, ours, cli).ok_or_else(expected)?;
    if let Some(wrong) = translated.wrong.first() {
        return read_as(wrong);
    }
    if nameless {
        return Err(Error::usage("expected cmd=PROGRAM of each -engine"));
    }
    let words = script::words(&translated.line)?;
    let mut notes = translated.notes;
    notes.extend(command.not_run());
    Ok(Translated { words, notes, unlimited: translated.unlimited })
}
