//! From the first `uci` to the first `readyok`: who the engine is, and its options set.

use super::identity::Identity;
use super::options::{self, Declared};
use super::process::{Expected, Process};
use super::spec::UciSpec;
use crate::player::Fault;

/// More declared options than any engine has; further ones are not kept.
const MOST_OPTIONS: usize = 4096;

/// What the engine told, and was told.
pub(super) struct Handshake {
    pub(super) identity: Identity,
    options: Vec<Declared>,
}

impl Handshake {
    /// The line (with its end) that turns Chess960 on or off; `None` if the engine has no such
    /// option.
    pub(super) fn set_chess960(&self, on: bool) -> Option<String> {
        let option = options::find(&self.options, "UCI_Chess960")?;
        option.set(if on { "true" } else { "false" }).ok().map(|line| line + "\n")
    }
}

/// Performs it. The error says in words what went wrong, without naming the program.
pub(super) fn perform(process: &mut Process, spec: &UciSpec) -> Result<Handshake, String> {
    let settings = process.host().settings.clone();
    let fallback = spec.path.file_name().unwrap_or_default().to_string_lossy();
    let mut identity =
        Identity { name: fallback.into_owned(), author: String::new(), options: Vec::new() };
    let mut declared = Vec::new();

    let patience = settings.startup;
    let expected = Expected { command: "uci", answer: "uciok", patience, search: false };
    process.send("uci\n", &expected).map_err(text)?;
    let take = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "uciok" => return Some(()),
            "id" => match rest.trim().split_once(' ') {
                Some(("name", name)) => identity.name = plain(name),
                Some(("author", author)) => identity.author = plain(author),
                _ => {}
            },
            "option" if declared.len() < MOST_OPTIONS => declared.extend(Declared::parse(rest)),
            _ => {}
        }
        None
    };
    process.read_until(&expected, take).map_err(text)?;

    let lines =
        choose(spec, &declared, &[("Hash", settings.hash_mib), ("Threads", settings.threads)])?;
    let mut setup = String::new();
    for (name, value, line) in lines {
        setup.push_str(&line);
        setup.push('\n');
        identity.options.push((name, value));
    }
    setup.push_str("isready\n");
    let patience = settings.ready;
    let expected = Expected { command: "isready", answer: "readyok", patience, search: false };
    process.send(&setup, &expected).map_err(text)?;
    process.read_until(&expected, is_readyok).map_err(text)?;
    Ok(Handshake { identity, options: declared })
}

/// Whether a line is `readyok`.
pub(super) fn is_readyok(line: &[u8]) -> Option<()> {
    (line.trim_ascii() == b"readyok").then_some(())
}

/// The options to set: name, value and line of each. First the run's own (`common`, where the
/// engine has them and the spec does not), since a hash table is best allocated once the number
/// of threads is known.
fn choose(
    spec: &UciSpec,
    declared: &[Declared],
    common: &[(&str, Option<u64>)],
) -> Result<Vec<(String, String, String)>, String> {
    let mut chosen = Vec::new();
    for (name, value) in common {
        let given = spec.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        if let (Some(value), Some(option), false) = (value, options::find(declared, name), given) {
            let value = option.nearest(*value);
            chosen.push((option.name.clone(), value.clone(), option.set(&value)?));
        }
    }
    for (name, value) in &spec.options {
        let option = options::find(declared, name).ok_or_else(|| unknown(declared, name))?;
        chosen.push((option.name.clone(), value.clone(), option.set(value)?));
    }
    chosen.sort_by_key(|(name, ..)| !name.eq_ignore_ascii_case("Threads"));
    Ok(chosen)
}

fn unknown(declared: &[Declared], name: &str) -> String {
    match options::most_like(declared, name) {
        Some(like) => format!("has no option '{name}'; did you mean '{like}'?"),
        None if declared.is_empty() => format!("has no option '{name}': it has none at all"),
        None => {
            let names: Vec<_> = declared.iter().map(|option| option.name.as_str()).collect();
            format!("has no option '{name}'; it has: {}", names.join(", "))
        }
    }
}

/// A name that fits into a line of PGN or JSON.
fn plain(name: &str) -> String {
    name.trim().chars().filter(|c| !c.is_control()).take(200).collect()
}

/// A fault without its kind: all are failures to start here.
fn text(fault: Fault) -> String {
    match fault {
        Fault::NotStarted(text)
        | Fault::Crash(text)
        | Fault::Hang(text)
        | Fault::Garbage(text)
        | Fault::BrokenPipe(text) => text,
    }
}
