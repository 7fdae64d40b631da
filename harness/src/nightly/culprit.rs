//! The search for the commit behind a regression: `"bisect": true` in a plan.
//!
//! It is a `verdict bisect` of its own in the folder `NAME.bisect` beside the entry's. One that the
//! deadline has stopped goes on in the next night, wherever that one has its folder.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::NightEntry;
use crate::bisect::BisectFile;
use arena::build::{self, Wanted};
use arena::commas;
use arena::record::{FolderKind, Manifest as _, RunFile, SUMMARY_FILE, inside};
use process::plain_file::{self, DOCUMENT};

/// What is known of a bisection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryBisection {
    pub dir: PathBuf,
    /// Whether nothing of it is left to do.
    pub over: bool,
    /// What came of it, in words.
    pub words: String,
}

/// Flags of a match that a bisection sets itself or does not have.
fn is_of_match(flag: &str) -> bool {
    let sides = ["base", "test"];
    ["rule", "pairs", "rounds"].contains(&flag)
        || sides.contains(&flag)
        || sides.iter().any(|side| flag.starts_with(&format!("{side}-")))
}

/// The commit and the options that a player is built from; an error if it is not.
fn built<'a>(entry: &'a NightEntry, side: &str) -> Result<(Wanted, &'a str), String> {
    let given = entry.flags.get(side).and_then(Value::as_str);
    let text = given.unwrap_or(if side == "test" { "workdir" } else { "" });
    let (head, rest) = commas::head(text);
    head.parse()
        .map(|wanted| (wanted, rest))
        .map_err(|_| format!("\"bisect\": expected git:REV for {side}, found '{text}'"))
}

/// Whether a regression of an entry could be searched, as far as that shows before the match.
pub fn check(entry: &NightEntry) -> Result<(), String> {
    if !entry.bisect {
        return Ok(());
    }
    if entry.word != super::EntryKind::Match {
        return Err("\"bisect\": expected a match, found a tournament".to_owned());
    }
    let (base, base_options) = built(entry, "base")?;
    let (test, test_options) = built(entry, "test")?;
    if base_options != test_options {
        return Err("\"bisect\": expected the same options for base and test".to_owned());
    }
    let Wanted::Revision(good) = base else {
        return Err("\"bisect\": expected git:REV for base, found 'workdir'".to_owned());
    };
    let bad = match &test {
        Wanted::Revision(revision) => revision,
        Wanted::WorkTree => "HEAD",
    };
    let repo = entry.flags.get("repo").and_then(Value::as_str).unwrap_or(".");
    let commit = |revision: &str| build::commit(revision, Path::new(repo));
    let ends = commit(&good).and_then(|good| Ok((good, commit(bad)?)));
    let (first, last) = ends.map_err(|error| error.to_string())?;
    if first.commit == last.commit {
        return Ok(());
    }
    build::line(&good, bad, Path::new(repo)).map(drop).map_err(|error| error.to_string())
}

/// What `verdict bisect` is told, from the flags of the entry and from what its match in `dir` was
/// played with; why it cannot be searched.
pub(super) fn flags(entry: &NightEntry, dir: &Path) -> Result<Map<String, Value>, String> {
    let run = RunFile::read(dir).map_err(|error| error.to_string())?;
    let commit = |commit: &Option<String>| commit.clone().filter(|commit| !commit.contains('+'));
    let (Some(good), Some(bad)) = (commit(&run.base.commit), commit(&run.test.commit)) else {
        return Err("expected commits, found a work tree with changes; commit them".to_owned());
    };
    let kept = entry.flags.iter().filter(|(flag, _)| !is_of_match(flag));
    let mut flags: Map<String, Value> =
        kept.map(|(flag, value)| (flag.clone(), value.clone())).collect();
    let (_, rest) = built(entry, "base")?;
    let mut options: Vec<Value> = match flags.get("option") {
        Some(Value::Array(options)) => options.clone(),
        Some(option) => vec![option.clone()],
        None => Vec::new(),
    };
    options.extend(commas::split(rest).into_iter().filter(|it| !it.is_empty()).map(|it| json!(it)));
    if !options.is_empty() {
        flags.insert("option".to_owned(), Value::Array(options));
    }
    flags.insert("good".to_owned(), json!(good));
    flags.insert("bad".to_owned(), json!(bad));
    Ok(flags)
}

/// The folder of an entry's bisection in a night's folder.
pub(super) fn own(night: &Path, entry: &NightEntry) -> PathBuf {
    night.join(format!("{}.bisect", entry.name))
}

/// The bisection that an entry begins or goes on with: the one of this night, or an earlier one
/// that is not over, or that has the same good commit.
pub(super) fn folder(night: &Path, entry: &NightEntry) -> PathBuf {
    let own = own(night, entry);
    if BisectFile::is_in(&own) {
        return own;
    }
    let good = RunFile::read(&night.join(&entry.name)).ok().and_then(|run| run.base.commit);
    let night = std::path::absolute(night).unwrap_or_else(|_| night.to_owned());
    let Some(parent) = night.parent() else { return own };
    let others = inside(parent).into_iter().filter(|other| *other != night);
    let nights = others.filter(|other| FolderKind::of(other) == Some(FolderKind::Night));
    let earlier = nights.map(|night| self::own(&night, entry)).filter(|it| BisectFile::is_in(it));
    let goes_on = |dir: &PathBuf| {
        let file = BisectFile::read(dir).ok();
        let is_same = file.and_then(|file| Some(file.commits.first()?.commit.clone())) == good;
        !is_over(dir) || is_same
    };
    earlier.into_iter().rfind(goes_on).unwrap_or(own)
}

fn summary(dir: &Path) -> Value {
    let text = plain_file::read(&dir.join(SUMMARY_FILE), DOCUMENT).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

pub(super) fn is_over(dir: &Path) -> bool {
    summary(dir)["over"] == true
}

impl EntryBisection {
    /// What is recorded in a bisection's folder; `None` if there is none.
    pub(super) fn read(dir: &Path) -> Option<EntryBisection> {
        if !BisectFile::is_in(dir) {
            return None;
        }
        let summary = summary(dir);
        let words = summary["verdict"].as_str().unwrap_or("Not finished.").to_owned();
        Some(EntryBisection { dir: dir.to_owned(), over: is_over(dir), words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> NightEntry {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn builds_alone_are_searched() {
        for (text, told) in [
            (r#"{"name": "a", "bisect": true, "base": "embedded"}"#, "git:REV for base"),
            (r#"{"name": "a", "bisect": true}"#, "git:REV for base"),
            (r#"{"name": "a", "bisect": true, "base": "workdir"}"#, "found 'workdir'"),
            (
                r#"{"name": "a", "bisect": true, "base": "git:v1", "test": "uci:sh"}"#,
                "git:REV for test",
            ),
            (r#"{"name": "a", "bisect": true, "base": "git:v1,Hash=1"}"#, "same options"),
            (r#"{"name": "a", "bisect": true, "word": "tournament"}"#, "expected a match"),
        ] {
            let why = check(&entry(text)).unwrap_err();
            assert!(why.contains(told), "{text}: {why}");
        }
        assert_eq!(check(&entry(r#"{"name": "a", "base": "embedded"}"#)), Ok(()));
    }

    #[test]
    fn flags_of_the_match_alone_are_left_out() {
        let all = ["base", "base-hash", "test-limit", "rule", "pairs", "nodes", "build", "book"];
        let kept: Vec<&str> = all.into_iter().filter(|flag| !is_of_match(flag)).collect();
        assert_eq!(kept, ["nodes", "build", "book"]);
    }
}
