//! The words of a command line, each flag with the values behind it.

use clap::Command;

#[derive(Debug, Clone)]
pub(super) struct FlagGroup {
    /// With its dashes.
    pub(super) typed: String,
    /// What follows, up to the next flag.
    pub(super) values: Vec<String>,
    /// Whether another flag stands for it, which is typed.
    pub(super) is_implied: bool,
}

impl FlagGroup {
    /// The flag without its dashes.
    pub(super) fn name(&self) -> &str {
        self.typed.trim_start_matches('-')
    }

    pub(super) fn has_two_dashes(&self) -> bool {
        self.typed.starts_with("--")
    }

    pub(super) fn text(&self) -> String {
        [std::slice::from_ref(&self.typed), &self.values[..]].concat().join(" ")
    }

    /// The first value; nothing where there is none.
    pub(super) fn first(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    /// The first value as a whole number.
    pub(super) fn number(&self) -> Option<u64> {
        self.first().parse().ok()
    }

    /// Whether it says something of an engine, or of each.
    pub(super) fn is_of_engines(&self) -> bool {
        ["engine", "each"].contains(&self.name())
    }

    /// The value of `key=value` among the values, the last one of several.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.pairs().filter(|(name, _)| *name == key).last().map(|(_, value)| value)
    }

    /// The values as keys and values; words alone are keys.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|word| word.split_once('=').unwrap_or((word, "")))
    }

    /// The values of the form `key=value`.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().filter_map(|value| value.split_once('='))
    }
}

pub(super) struct SplitWords {
    /// Words before the first flag: the command, and what it is about.
    pub(super) before: Vec<String>,
    pub(super) groups: Vec<FlagGroup>,
}

impl SplitWords {
    pub(super) fn of(words: &[String]) -> SplitWords {
        let flags = words.iter().position(|word| is_flag(word)).unwrap_or(words.len());
        let (before, rest) = words.split_at(flags);
        let mut groups: Vec<FlagGroup> = Vec::new();
        for word in rest {
            match groups.last_mut() {
                Some(group) if !is_flag(word) => group.values.push(word.clone()),
                _ => {
                    let (typed, value) = match word.split_once('=') {
                        Some((flag, value)) if word.starts_with("--") => (flag, Some(value)),
                        _ => (word.as_str(), None),
                    };
                    let values = value.map(str::to_owned).into_iter().collect();
                    groups.push(FlagGroup { typed: typed.to_owned(), values, is_implied: false });
                }
            }
        }
        SplitWords { before: before.to_vec(), groups }
    }

    /// The command that the words name, to the last sub-command; a match where they name none.
    pub(super) fn command<'a>(&self, cli: &'a Command) -> &'a Command {
        if self.before.is_empty() {
            return cli.find_subcommand("match").unwrap_or(cli);
        }
        let mut command = cli;
        for word in &self.before {
            match command.find_subcommand(word) {
                Some(inner) => command = inner,
                None => break,
            }
        }
        command
    }
}

/// Whether a word is a flag, and no number below zero.
fn is_flag(word: &str) -> bool {
    let name = word.strip_prefix("--").or(word.strip_prefix('-'));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}
