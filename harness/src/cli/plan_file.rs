//! `--plan FILE`: a command line as a file, and `--print-plan`: the file of a command line.
//!
//! The file is a JSON object whose keys are long flags: `{"test": "workdir", "tc": "1+0.01",
//! "pairs": 500, "fair": true, "option": ["Hash=16"]}`. It is put before the flags that are typed,
//! and what is typed wins.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use serde_json::{Map, Value};

use arena::plan::distinct;
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};

const FLAG: &str = "plan";
/// Flags that are no part of a plan.
const NO_PART: [&str; 5] = [FLAG, "like", "print-plan", "help", "version"];
/// Flags of which only one can be given: one that is typed replaces those of the file.
const LIMITS: [&str; 4] = ["nodes", "depth", "movetime", "tc"];

/// Flags that are nothing without another, which they ask for where they are typed.
const PART_OF: [(&str, &str); 2] = [("syzygy-results", "syzygy"), ("seeds", "gauntlet")];

/// The words of a command line, with those of its plan's file where it names one.
pub(super) fn expand(words: Vec<OsString>, cli: &Command) -> Result<Vec<OsString>, Error> {
    let Some((path, typed)) = take_flag(&words) else { return Ok(words) };
    // Without a command that has the flag, clap says what is wrong.
    let command = words.get(1).and_then(|word| cli.find_subcommand(word));
    let Some(command) = command.filter(|command| flags(command).any(|flag| flag == FLAG)) else {
        return Ok(words);
    };
    let mut expanded: Vec<OsString> = typed.iter().take(2).cloned().collect();
    let typed = typed.get(2..).unwrap_or_default();
    let mut flags = read(&path)?;
    flags.retain(|key, _| {
        let mut rivals =
            if LIMITS.contains(&key.as_str()) { LIMITS.to_vec() } else { vec![key.as_str()] };
        let of_key = command.get_arguments().find(|argument| goes_by(argument, key));
        rivals.extend(of_key.and_then(Arg::get_long));
        rivals.extend(of_key.and_then(Arg::get_all_aliases).into_iter().flatten());
        !typed.iter().any(|word| rivals.iter().any(|flag| is_flag(word, flag)))
    });
    let flags = self::words(command, &flags);
    expanded.extend(flags.context(in_plan(&path))?);
    expanded.extend_from_slice(typed);
    Ok(expanded)
}

/// Flags as words of a command line.
pub(super) fn words(command: &Command, given: &Map<String, Value>) -> Result<Vec<OsString>, Error> {
    let mut words = Vec::new();
    let word = command.get_name();
    for (key, value) in given {
        if NO_PART.contains(&key.as_str()) {
            return Err(Error::usage(format!(
                "'{key}': expected flags of a {word}, which name no other plan, print nothing and \
                 ask for no help"
            )));
        }
        if !command.get_arguments().any(|argument| goes_by(argument, key)) {
            let like = |flag: &&str| strsim::normalized_damerau_levenshtein(flag, key);
            let nearest = flags(command).max_by(|a, b| like(a).total_cmp(&like(b)));
            let hint = nearest.filter(|flag| like(flag) >= 0.6);
            let hint = hint.map_or(String::new(), |flag| format!("; did you mean '{flag}'?"));
            return Err(Error::usage(format!("{word} has no flag '{key}'{hint}")));
        }
        push(&mut words, key, value)?;
    }
    Ok(words)
}

/// The plan of a command line: every flag that has a value, typed or by default.
pub(super) fn of(command: &Command, matches: &ArgMatches) -> Value {
    let mut plan = Map::new();
    for argument in command.get_arguments() {
        let Some(flag) = argument.get_long().filter(|flag| !NO_PART.contains(flag)) else {
            continue;
        };
        let id = argument.get_id().as_str();
        let source = matches.value_source(id);
        if !matches!(source, Some(ValueSource::CommandLine | ValueSource::DefaultValue)) {
            continue;
        }
        let value = if argument.get_action().takes_values() {
            let raw = matches.get_raw(id).into_iter().flatten();
            let mut values: Vec<Value> = raw.map(plain).collect();
            if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
        } else {
            Value::Bool(matches.get_flag(id))
        };
        if value != Value::Bool(false) {
            plan.insert(flag.to_owned(), value);
        }
    }
    for (flag, whole) in PART_OF {
        if !plan.contains_key(whole) {
            plan.shift_remove(flag);
        }
    }
    Value::Object(plan)
}

fn plain(raw: &OsStr) -> Value {
    let text = raw.to_string_lossy();
    match text.parse::<u64>() {
        Ok(number) if number.to_string() == text => number.into(),
        _ => Value::String(text.into_owned()),
    }
}

/// The file that the words name, and the other words.
fn take_flag(words: &[OsString]) -> Option<(PathBuf, Vec<OsString>)> {
    let at = words.iter().position(|word| is_flag(word, FLAG))?;
    let (path, count) = match words[at].to_string_lossy().split_once('=') {
        Some((_, path)) => (PathBuf::from(path), 1),
        None => (PathBuf::from(words.get(at + 1)?), 2),
    };
    let rest = words.iter().enumerate().filter(|(i, _)| !(at..at + count).contains(i));
    Some((path, rest.map(|(_, word)| word.clone()).collect()))
}

fn is_flag(word: &OsStr, flag: &str) -> bool {
    let word = word.to_string_lossy();
    let rest = word.strip_prefix("--").and_then(|word| word.strip_prefix(flag));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Whether a flag has this name, or an alias that is.
fn goes_by(argument: &Arg, name: &str) -> bool {
    let mut aliases = argument.get_all_aliases().into_iter().flatten();
    argument.get_long().is_some_and(|long| long == name || aliases.any(|alias| alias == name))
}

fn flags(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(|argument| argument.get_long())
}

fn in_plan(path: &Path) -> String {
    format!("--plan {}", path.display())
}

fn read(path: &Path) -> Result<Map<String, Value>, Error> {
    let text = plain_file::read_given_text(path, DOCUMENT).map_err(Error::usage);
    let text = text.context(in_plan(path))?;
    let mut json = serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}'));
    distinct(&mut json).and_then(|flags| json.end().map(|()| flags)).map_err(|error| {
        let (plan, line) = (in_plan(path), error.line());
        Error::usage(format!("{plan}:{line}: expected a JSON object of flags: {error}"))
    })
}

fn push(words: &mut Vec<OsString>, key: &str, value: &Value) -> Result<(), Error> {
    match value {
        Value::Null | Value::Bool(false) => {}
        Value::Bool(true) => words.push(format!("--{key}").into()),
        Value::Number(number) => words.push(format!("--{key}={number}").into()),
        Value::String(text) => words.push(format!("--{key}={text}").into()),
        Value::Array(values) if values.iter().all(|v| v.is_string() || v.is_number()) => {
            values.iter().try_for_each(|value| push(words, key, value))?;
        }
        other => {
            return Err(Error::usage(format!(
                "'{key}': expected a text, a number, true or false, or a list of them, found {other}"
            )));
        }
    }
    Ok(())
}
