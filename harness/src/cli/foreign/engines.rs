//! Engines as other runners name them, `cmd=… name=… option.Hash=…`, made players.

use arena::commas;
use process::terminal::shell_word;

/// What other runners say of one engine, or of each.
#[derive(Debug, Default)]
pub(super) struct Engine {
    /// `key=value`, in the order given.
    pub(super) keys: Vec<(String, String)>,
}

/// A limit as our flags have it: `("tc", "10+0.1")`.
type LimitFlag = (&'static str, String);

impl Engine {
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Engine {
        let keys = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Engine { keys: keys.collect() }
    }

    /// By `key=value` and words alone, which are switches.
    pub(super) fn of_words(words: &[String]) -> Engine {
        Engine::of(words.iter().map(|word| word.split_once('=').unwrap_or((word, ""))))
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
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

    /// The player's text; what holds for `each` engine is how it is started, too.
    pub(super) fn spec(&self, each: &Engine) -> String {
        let get = |key| self.get(key).or_else(|| each.get(key));
        let kind = get("proto").filter(|proto| *proto == "xboard").unwrap_or("uci");
        let mut spec = format!("{kind}:{}", commas::escape(get("cmd").unwrap_or("PATH")));
        let mut part = |text: String| commas::append(&mut spec, &commas::escape(&text));
        for (key, value) in each.keys.iter().chain(&self.keys) {
            match key.as_str() {
                "arg" => part(format!("arg={value}")),
                "args" => value.split_whitespace().for_each(|word| part(format!("arg={word}"))),
                "dir" => part(format!("dir={value}")),
                _ => {}
            }
        }
        for (name, value) in self.options() {
            part(format!("{name}={value}"));
        }
        spec
    }

    pub(super) fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.keys.iter();
        options.filter_map(|(key, value)| Some((key.strip_prefix("option.")?, value.as_str())))
    }

    /// How long it thinks: the first limit, and the others, as typed, that cannot hold beside it.
    pub(super) fn limit(&self) -> (Option<LimitFlag>, Vec<String>) {
        let mut limit = None;
        let mut left_out = Vec::new();
        for key in ["tc", "st", "nodes", "depth"] {
            let Some(value) = self.get(key) else { continue };
            let ours = match key {
                "tc" if value == "inf" => None,
                "tc" => Some(("tc", value.to_owned())),
                "st" => Some(("movetime", format!("{value}s"))),
                "nodes" => Some(("nodes", value.to_owned())),
                _ => Some(("depth", value.to_owned())),
            };
            match ours {
                Some(ours) if limit.is_none() => limit = Some(ours),
                _ => left_out.push(format!("{key}={value}")),
            }
        }
        (limit, left_out)
    }

    /// Keys that say nothing here, as typed: all but limits, how it is started, and those `told` in
    /// another way.
    pub(super) fn not_mapped(&self, told: impl Fn(&str) -> bool) -> Vec<String> {
        let is_told = |(key, value): &&(String, String)| match key.as_str() {
            "cmd" | "arg" | "args" | "dir" | "tc" | "st" | "nodes" | "depth" => true,
            "proto" => ["uci", "xboard"].contains(&value.as_str()),
            key => key.starts_with("option.") || told(key),
        };
        let untold = self.keys.iter().filter(|it| !is_told(it));
        untold.map(|(key, value)| typed(key, value)).collect()
    }
}

/// A key as it was typed; a word alone has no value.
fn typed(key: &str, value: &str) -> String {
    if value.is_empty() { key.to_owned() } else { format!("{key}={value}") }
}

/// A flag and its value as a shell takes them.
pub(super) fn flag(name: &str, value: &str) -> String {
    format!("--{name} {}", shell_word(value))
}
