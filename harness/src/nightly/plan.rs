//! A night's plan: a JSON object `{"until": "07:00", "matches": [{"name": …, flags …}, …]}`.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::plan::distinct;

/// Why a night's plan is none.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read.
    #[error("{path}: {source}", path = .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// It is not of this form.
    #[error("{path}:{line}: expected {{\"matches\": [{{\"name\": …, flags …}}]}}: {reason}",
            path = .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// An entry cannot be played.
    #[error("{path}: match {number}: {reason}", path = .path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// Which entry, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// What an entry plays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// Two players.
    #[default]
    Match,
    /// Many.
    Tournament,
}

impl Word {
    /// The command's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Word::Match => "match",
            Word::Tournament => "tournament",
        }
    }
}

/// A match or tournament of a night.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Entry {
    /// Its name, which is its folder's.
    pub name: String,
    /// What it plays.
    #[serde(default)]
    pub word: Word,
    /// Its flags, as in a file of `--plan`.
    #[serde(flatten, deserialize_with = "distinct")]
    pub flags: Map<String, Value>,
}

/// A night's plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightlyPlan {
    /// When it ends, a time of the day.
    #[serde(default)]
    pub until: Option<String>,
    /// What is played, in this order.
    pub matches: Vec<Entry>,
}

/// Flags that a night sets itself.
const OURS: [&str; 5] = ["out", "quiet", "json", "plan", "print-plan"];

/// Whether an entry's folder would stand where the night writes: its pages, or what belongs to an
/// entry.
fn is_ours(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("nightly.")
        || name == "report.html"
        || [".log", ".plan.json"].iter().any(|end| name.ends_with(end))
}

impl NightlyPlan {
    /// Reads a plan.
    ///
    /// # Errors
    /// When it is none; the text names file and line or entry.
    pub fn read(path: &Path) -> Result<NightlyPlan, PlanError> {
        let text = fs::read_to_string(path)
            .map_err(|source| PlanError::Read { path: path.to_owned(), source })?;
        let plan: NightlyPlan = serde_json::from_str(&text).map_err(|error| PlanError::Json {
            path: path.to_owned(),
            line: error.line(),
            reason: error.to_string(),
        })?;
        let mut names = HashSet::new();
        for (number, entry) in (1..).zip(&plan.matches) {
            let wrong =
                |reason: String| Err(PlanError::Entry { path: path.to_owned(), number, reason });
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let name = &entry.name;
            if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
                return wrong(format!(
                    "expected a name of letters, digits, '-', '_' and '.', found '{name}'"
                ));
            }
            if is_ours(name) {
                return wrong(format!(
                    "expected another name: '{name}' is a file of the night's own"
                ));
            }
            if !names.insert(name.as_str()) {
                return wrong(format!("expected a name of its own, found '{name}' again"));
            }
            if let Some(flag) = OURS.iter().find(|flag| entry.flags.contains_key(**flag)) {
                return wrong(format!("'{flag}' is the night's own affair"));
            }
        }
        if plan.matches.is_empty() {
            return Err(PlanError::Entry {
                path: path.to_owned(),
                number: 1,
                reason: "expected a match, found none".to_owned(),
            });
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!([plan.matches[0].word, plan.matches[1].word], [Word::Match, Word::Tournament]);
    }

    #[test]
    fn no_plans() {
        for (text, expected) in [
            ("", ":1: expected"),
            ("{\"matches\": [\n{}]}", "missing field `name`"),
            (r#"{"matches": []}"#, "found none"),
            (r#"{"matchs": []}"#, "matchs"),
            (r#"{"matches": [{"name": "a/b"}]}"#, "match 1: expected a name"),
            (r#"{"matches": [{"name": "a"}, {"name": "a"}]}"#, "match 2"),
            (r#"{"matches": [{"name": "report.html"}]}"#, "match 1: expected another name"),
            (
                r#"{"matches": [{"name": "a"}, {"name": "a.log"}]}"#,
                "match 2: expected another name",
            ),
            (r#"{"matches": [{"name": "a", "pairs": 1, "pairs": 2}]}"#, "found 'pairs' again"),
            (r#"{"matches": [{"name": "a", "out": "b"}]}"#, "'out' is the night's"),
            (r#"{"matches": [{"name": "a", "word": "sweep"}]}"#, "sweep"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
