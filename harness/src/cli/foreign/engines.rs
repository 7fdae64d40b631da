//! Engines as other runners name them, `cmd=… name=… option.Hash=…`, made players.

use std::path::{Path, PathBuf};

use arena::commas;
use process::terminal::shell_word;

use super::limits::{self, LimitFlag, Limits};
use super::runner::Runner;
use super::script::inside;
use super::table::{ENGINE_KEYS, known_key, nearest};

/// What other runners say of one engine, or of each.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Engine {
    /// `key=value`, each key once but for arguments.
    pub(super) keys: Vec<(String, String)>,
}

impl Engine {
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Engine {
        let mut engine = Engine::default();
        pairs.for_each(|(key, value)| engine.set(key, value));
        engine
    }

    /// By `key=value` and words alone, which are switches.
    pub(super) fn of_words(words: &[String]) -> Engine {
        Engine::of(words.iter().map(|word| word.split_once('=').unwrap_or((word, ""))))
    }

    /// Of repeated keys the last wins, except that each `arg` is one more.
    fn set(&mut self, key: &str, value: &str) {
        let key = match key {
            "plies" => "depth",
            "movetime" => "st",
            key => key,
        };
        let value = value.to_owned();
        match self.keys.iter_mut().find(|(known, _)| is_same(known, key)) {
            Some(known) if key != "arg" => known.1 = value,
            _ => self.keys.push((key.to_owned(), value)),
        }
    }

    /// The engine with what is said of each, which wins in all runners.
    pub(super) fn with(&self, each: &Engine) -> Engine {
        let mut engine = self.clone();
        each.keys.iter().for_each(|(key, value)| engine.set(key, value));
        engine
    }

    /// What `-each` replaces: the engine's own key as typed, and the value that holds.
    pub(super) fn replaced_by(&self, each: &Engine) -> Vec<(String, String)> {
        let own = self.keys.iter().filter(|(key, _)| key != "arg");
        let replaced = own.filter_map(|(key, value)| {
            let holds = each.get(key).filter(|holds| holds != value)?;
            Some((typed(key, value), typed(key, holds)))
        });
        replaced.collect()
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|(name, _)| is_same(name, key)).map(|(_, value)| value.as_str())
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.get("name").filter(|name| !name.is_empty())
    }

    /// What it is called: its name, or its program's file without the folder.
    pub(super) fn called(&self) -> Option<&str> {
        self.name().or_else(|| self.get("cmd")?.rsplit('/').next())
    }

    pub(super) fn is_on(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| !["off", "auto", "false"].contains(&value))
    }

    /// The time forgiven at each move, as our flags have it.
    pub(super) fn margin(&self) -> Option<String> {
        let ms: u64 = self.get("timemargin")?.parse().ok()?;
        Some(format!("{ms}ms"))
    }

    /// The player's text without options that `each` gives to both. Paths begin from `folder`.
    pub(super) fn spec(&self, each: &Engine, runner: Runner, folder: Option<&Path>) -> String {
        let kind = self.get("proto").filter(|proto| *proto == "xboard").unwrap_or("uci");
        let (program, dir, args) = self.program(runner, folder);
        let mut spec = format!("{kind}:{}", commas::escape(&program));
        let mut part = |text: String| commas::append(&mut spec, &commas::escape(&text));
        args.into_iter().for_each(|arg| part(format!("arg={arg}")));
        dir.into_iter().for_each(|dir| part(format!("dir={dir}")));
        for (name, value) in self.options() {
            if each.get(&format!("option.{name}")).is_none() {
                part(format!("{name}={value}"));
            }
        }
        spec
    }

    /// The program, its working directory and its arguments.
    fn program(
        &self,
        runner: Runner,
        folder: Option<&Path>,
    ) -> (String, Option<String>, Vec<String>) {
        let cmd = self.get("cmd").unwrap_or("PATH");
        let mut args = Vec::new();
        let mut words = cmd.split_whitespace();
        let cmd = match (runner, words.next()) {
            (Runner::CChessCli, Some(program)) => {
                args.extend(words.map(str::to_owned));
                program
            }
            _ => cmd,
        };
        for (key, value) in &self.keys {
            match key.as_str() {
                "arg" => args.push(value.clone()),
                "args" => args.extend(value.split_whitespace().map(str::to_owned)),
                _ => {}
            }
        }
        let has_folder = cmd.contains('/');
        let in_dir = |dir: &str| {
            let dir = PathBuf::from(inside(folder, dir));
            let program = dir.join(cmd.trim_start_matches("./"));
            // A name alone is looked for in $PATH by those that do not join it.
            let joined = runner == Runner::Fastchess || has_folder || program.is_file();
            let program = program.to_string_lossy().into_owned();
            (if joined { program } else { cmd.to_owned() }, dir.to_string_lossy().into_owned())
        };
        match self.get("dir").filter(|dir| !dir.is_empty()) {
            Some(dir) => {
                let (program, dir) = in_dir(dir);
                (program, Some(dir), args)
            }
            None if runner == Runner::CChessCli && has_folder => {
                let program = inside(folder, cmd);
                let parent =
                    Path::new(&program).parent().map(|it| it.to_string_lossy().into_owned());
                (program, parent, args)
            }
            None => {
                let here = folder.filter(|folder| has_folder || folder.join(cmd).is_file());
                let program = if here.is_some() { inside(here, cmd) } else { cmd.to_owned() };
                (program, folder.map(|it| it.to_string_lossy().into_owned()), args)
            }
        }
    }

    pub(super) fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.keys.iter();
        options.filter_map(|(key, value)| Some((key.strip_prefix("option.")?, value.as_str())))
    }

    /// How long it thinks: the first limit, and the others, as typed, that cannot hold beside it.
    pub(super) fn limit(&self, runner: Runner) -> Limits {
        let mut limits = Limits::default();
        for key in ["tc", "st", "nodes", "depth"] {
            let Some(value) = self.get(key) else { continue };
            let ours: Option<LimitFlag> = match key {
                "tc" if limits::is_hourglass(value) => None,
                "tc" => match limits::clock(value, runner) {
                    Ok(clock) => clock.map(|tc| ("tc", tc)),
                    Err(why) => {
                        limits.wrong = Some(format!("tc={value}: {why}"));
                        continue;
                    }
                },
                "st" => limits::movetime(value).map(|time| ("movetime", time)),
                // What is no number is told elsewhere.
                _ => Some((key, value.to_owned())).filter(|(_, value)| is_above_0(value)),
            };
            match (ours, &limits.flag) {
                (Some(ours), None) => limits.flag = Some(ours),
                (Some(_), Some((first, held))) => limits.notes.push(format!(
                    "{key}={value} holds beside {first}={held} there; here a player has one limit"
                )),
                // Without a limit beside it, it is told.
                (None, _) => limits.none = Some(format!("{key}={value}")),
            }
        }
        limits
    }

    /// What is to be said of the keys, but of those `told` in another way.
    pub(super) fn notes(&self) -> Vec<String> {
        let notes = self.keys.iter().filter_map(|(key, value)| match known_key(key) {
            Some(known) => known.note.map(|note| format!("{}: {note}", typed(key, value))),
            None => Some(unknown_key(key, value)),
        });
        let proto = self.get("proto").filter(|proto| !["uci", "xboard"].contains(proto));
        let proto = proto.map(|proto| format!("proto={proto}: expected uci or xboard; omitted"));
        notes.chain(proto).collect()
    }

    /// The first key that no runner knows, or whose value none understands.
    pub(super) fn wrong(&self, runner: Runner) -> Option<String> {
        let wrong = self.keys.iter().find_map(|(key, value)| match known_key(key) {
            None => Some(unknown_key(key, value)),
            Some(known) => {
                let expected = match known.number.and_then(|number| number.refused(value)) {
                    None if key == "restart"
                        && !["on", "off", "auto", ""].contains(&value.as_str()) =>
                    {
                        Some("on or off")
                    }
                    expected => expected,
                };
                expected.map(|expected| format!("{}: expected {expected}", typed(key, value)))
            }
        });
        wrong.or_else(|| self.limit(runner).wrong)
    }
}

fn unknown_key(key: &str, value: &str) -> String {
    let names = ENGINE_KEYS.iter().map(|known| known.name);
    let near = nearest(key, names).map_or(String::new(), |near| format!("; did you mean {near}?"));
    format!("{}: no runner has this key of an engine{near}", typed(key, value))
}

fn is_above_0(number: &str) -> bool {
    number.parse().is_ok_and(|number: u64| number > 0)
}

/// Names of options are equal whatever their letters' case, in engines as well.
fn is_same(key: &str, other: &str) -> bool {
    key == other || key.starts_with("option.") && key.eq_ignore_ascii_case(other)
}

/// A key as it was typed; a word alone has no value.
fn typed(key: &str, value: &str) -> String {
    if value.is_empty() { key.to_owned() } else { format!("{key}={value}") }
}

/// A flag and its value as a shell takes them.
pub(super) fn flag(name: &str, value: &str) -> String {
    format!("--{name} {}", shell_word(value))
}
