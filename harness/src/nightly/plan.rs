//! A night's plan: a JSON object `{"until": "07:00", "matches": [{"name": …, flags …}, …]}`.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::next_time;
use arena::plan::distinct;
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};

/// What an entry plays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum EntryKind {
    #[default]
    Match,
    Tournament,
}

/// A match or tournament of a night.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct NightEntry {
    /// Its name, which is its folder's.
    pub name: String,
    #[serde(default)]
    pub word: EntryKind,
    /// Whether a regression starts a bisection.
    #[serde(default)]
    pub bisect: bool,
    /// Its flags, as in a file of `--plan`.
    #[serde(flatten, deserialize_with = "distinct")]
    pub flags: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightlyPlan {
    /// When it ends, a time of the day.
    #[serde(default)]
    pub until: Option<String>,
    /// What is played, in this order.
    pub matches: Vec<NightEntry>,
}

/// Flags that a night sets itself.
const OURS: [&str; 5] = ["out", "quiet", "json", "plan", "print-plan"];

/// Whether an entry's folder would stand where the night writes: its pages, or what belongs to an
/// entry.
fn is_ours(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("nightly.")
        || name == "report.html"
        || [".log", ".plan.json", ".bisect"].iter().any(|end| name.ends_with(end))
}

impl NightlyPlan {
    pub fn read(path: &Path) -> Result<NightlyPlan, Error> {
        let text = plain_file::read_given_text(path, DOCUMENT).context(path.display())?;
        let text = text.trim_start_matches('\u{feff}');
        let wrong = |why: String| Error::usage(format!("{}{why}", path.display()));
        let plan: NightlyPlan = serde_json::from_str(text).map_err(|error| {
            let line = error.line();
            wrong(format!(":{line}: expected {{\"matches\": [{{\"name\": …, flags …}}]}}: {error}"))
        })?;
        if let Some(until) = &plan.until {
            next_time(until).map_err(|why| wrong(format!(": \"until\": {why}")))?;
        }
        if plan.matches.is_empty() {
            let expected = "expected at least one match or tournament, found none";
            return Err(wrong(format!(": \"matches\": {expected}")));
        }
        let mut names = HashSet::new();
        plan.check(path, |entry| entry.check(!names.insert(entry.name.clone())))?;
        Ok(plan)
    }

    /// Checks every entry; all that is wrong is told together.
    pub fn check(
        &self,
        path: &Path,
        mut check: impl FnMut(&NightEntry) -> Result<(), String>,
    ) -> Result<(), Error> {
        let path = path.display();
        let problem = |(number, entry): (usize, &NightEntry)| {
            let why = check(entry).err()?;
            Some(format!("{path}: entry {number} '{}': {why}", entry.name))
        };
        let problems: Vec<String> = (1..).zip(&self.matches).filter_map(problem).collect();
        match problems.is_empty() {
            true => Ok(()),
            false => Err(Error::usage(problems.join("\n"))),
        }
    }
}

impl NightEntry {
    /// Whether its name can be a folder's and its flags are its own affair.
    fn check(&self, is_taken: bool) -> Result<(), String> {
        let name = &self.name;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err("expected a name of letters, digits, '-', '_' and '.'".to_owned());
        }
        if is_ours(name) {
            return Err("expected another name: nightly runs have a file of this name".to_owned());
        }
        if is_taken {
            return Err("expected a unique name, found it twice".to_owned());
        }
        match OURS.iter().find(|flag| self.flags.contains_key(**flag)) {
            Some(flag) => Err(format!("'{flag}' is set by verdict nightly; remove it")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(text: &str) -> Result<NightlyPlan, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        NightlyPlan::read(file.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_plan_has_names_words_and_flags() {
        let plan = read(
            r#"{"until": "07:00", "matches": [
                {"name": "tag", "base": "git:v1", "pairs": 5},
                {"name": "all", "word": "tournament", "player": ["a=embedded", "b=embedded"]}]}"#,
        )
        .unwrap();
        assert_eq!(plan.until.as_deref(), Some("07:00"));
        assert_eq!(plan.matches[0].flags["pairs"], 5);
        assert_eq!(
            [plan.matches[0].word, plan.matches[1].word],
            [EntryKind::Match, EntryKind::Tournament]
        );
    }

    #[test]
    fn no_plans() {
        for (text, expected) in [
            ("", ":1: expected"),
            ("{\"matches\": [\n{}]}", "missing field `name`"),
            (
                r#"{"matches": []}"#,
                "\"matches\": expected at least one match or tournament, found none",
            ),
            (
                r#"{"until": "7", "matches": [{"name": "a"}]}"#,
                "\"until\": expected a time of the day",
            ),
            (r#"{"matchs": []}"#, "matchs"),
            (r#"{"matches": [{"name": "a/b"}]}"#, "entry 1 'a/b': expected a name"),
            (r#"{"matches": [{"name": "a"}, {"name": "a"}]}"#, "entry 2 'a'"),
            (
                r#"{"matches": [{"name": "report.html"}]}"#,
                "entry 1 'report.html': expected another name",
            ),
            (
                r#"{"matches": [{"name": "a"}, {"name": "a.log"}]}"#,
                "entry 2 'a.log': expected another name",
            ),
            (r#"{"matches": [{"name": "a", "pairs": 1, "pairs": 2}]}"#, "found 'pairs' again"),
            (r#"{"matches": [{"name": "a", "out": "b"}]}"#, "'out' is set"),
            (r#"{"matches": [{"name": "a", "word": "sweep"}]}"#, "sweep"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        // All that is wrong at once.
        let error = read(r#"{"matches": [{"name": "a/b"}, {"name": "c"}, {"name": ".d"}]}"#);
        let error = error.unwrap_err();
        assert_eq!(error.lines().count(), 2, "{error}");
    }
}
