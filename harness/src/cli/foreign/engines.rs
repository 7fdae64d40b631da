//! Engines as other runners name them, `cmd=… name=… option.Hash=…`, made players.

use crate::player::{commas, program::shell_word};

/// What other runners say of one engine, or of each.
#[derive(Debug, Default)]
pub(super) struct Engine {
    /// `key=value`, in the order given.
    pub(super) keys: Vec<(String, String)>,
}

/// A limit as our flags have it: `("tc", "10+0.1")`.
type Limit = (&'static str, String);

impl Engine {
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Engine {
        let keys = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Engine { keys: keys.collect() }
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The name it is given.
    pub(super) fn name(&self) -> Option<&str> {
        self.get("name").filter(|name| !name.is_empty())
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

    /// The engine's options.
    pub(super) fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.keys.iter();
        options.filter_map(|(key, value)| Some((key.strip_prefix("option.")?, value.as_str())))
    }

    /// How long it thinks: the first limit of these, and the others, as typed, that cannot hold beside it.
    pub(super) fn limit(&self) -> (Option<Limit>, Vec<String>) {
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

    /// Keys that say nothing here, as typed.
    pub(super) fn unknown(&self) -> impl Iterator<Item = String> {
        const KNOWN: [&str; 13] = [
            "cmd",
            "name",
            "proto",
            "arg",
            "args",
            "dir",
            "tc",
            "st",
            "nodes",
            "depth",
            "timemargin",
            "restart",
            "ponder",
        ];
        let known = |key: &str| KNOWN.contains(&key) || key.starts_with("option.");
        let unknown = self.keys.iter().filter(move |(key, _)| !known(key));
        unknown.map(|(key, value)| format!("{key}={value}"))
    }
}

/// A flag and its value as a shell takes them.
pub(super) fn flag(name: &str, value: &str) -> String {
    format!("--{name} {}", shell_word(value))
}
