//! The search for the commit behind a regression: `"bisect": true` in a plan.
//!
//! It is a `verdict bisect` of its own in the folder `NAME.bisect` beside the entry's. One that the
//! deadline has stopped goes on in a later night beside it, if that one asks the same and shows a
//! regression. One that is over is reported again for the same bad commit; for a later one a new search
//! begins.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::NightEntry;
use crate::bisect::BisectFile;
use arena::build::{self, Wanted};
use arena::commas;
use arena::record::{FolderKind, Manifest as _, RunFile, SUMMARY_FILE, inside};
use process::Error;
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

/// Flags of one side that a bisection has no counterpart for: its versions all play alike.
fn is_of_one_side(flag: &str) -> bool {
    let sides = ["base-", "test-"];
    sides.iter().any(|side| flag.strip_prefix(side).is_some_and(|rest| rest != "name"))
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
    if let Some(flag) = entry.flags.keys().find(|flag| is_of_one_side(flag)) {
        return Err(format!(
            "\"bisect\": expected one limit, hash and margin for both sides, found '{flag}': the commits \
             between would play by none of it"
        ));
    }
    if base == Wanted::WorkTree {
        return Err("\"bisect\": expected git:REV for base, found 'workdir'".to_owned());
    }
    let repo = repo(entry);
    let ends = resolved(&base, repo).and_then(|good| Ok((good, resolved(&test, repo)?)));
    let (good, bad) = ends.map_err(|error| error.to_string())?;
    if good == bad {
        return Ok(());
    }
    build::line(&good, &bad, repo).map(drop).map_err(|error| error.to_string())
}

fn repo(entry: &NightEntry) -> &Path {
    Path::new(entry.flags.get("repo").and_then(Value::as_str).unwrap_or("."))
}

/// The hash of a commit; of the head for a work tree.
fn resolved(wanted: &Wanted, repo: &Path) -> Result<String, Error> {
    let revision = match wanted {
        Wanted::Revision(revision) => revision,
        Wanted::WorkTree => "HEAD",
    };
    build::commit(revision, repo).map(|commit| commit.commit)
}

/// The commits of an entry: those that its match in `dir` was played with, or that its flags name now.
/// `None`: a work tree with changes, or what git does not know.
fn ends(entry: &NightEntry, dir: &Path) -> Option<[String; 2]> {
    let commits = match RunFile::read(dir) {
        Ok(run) => [run.base.commit?, run.test.commit?],
        Err(_) => {
            let repo = repo(entry);
            let now = |side| resolved(&built(entry, side).ok()?.0, repo).ok();
            [now("base")?, now("test")?]
        }
    };
    let is_whole = commits.iter().all(|commit| !commit.contains('+'));
    is_whole.then_some(commits)
}

/// What `verdict bisect` is told, from the flags of the entry and from what its match in `dir` was
/// played with; why it cannot be searched.
pub(super) fn flags(entry: &NightEntry, dir: &Path) -> Result<Map<String, Value>, String> {
    let Some([good, bad]) = ends(entry, dir) else {
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

/// The flags that the bisection of an entry was begun with, in the folder of its night.
pub(super) fn plan_path(night: &Path, entry: &NightEntry) -> PathBuf {
    night.join(format!("{}.bisect.plan.json", entry.name))
}

/// What an earlier night's bisection with tonight's repository, good commit and flags is to tonight's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Earlier {
    /// It has tonight's bad commit, or it is not over and its bad commit lies on the line to tonight's.
    TakenUp,
    /// It is over and has named a commit on the line to tonight's bad commit. This may be reverted
    /// since, and another one may have lost the Elo.
    Told,
}

/// The bisection that an entry begins or goes on with: the one of this night, or the latest of the
/// nights beside it that asks the same.
pub(super) fn folder(night: &Path, entry: &NightEntry) -> PathBuf {
    let own = own(night, entry);
    if BisectFile::is_in(&own) {
        return own;
    }
    earlier(night, entry, Earlier::TakenUp).unwrap_or(own)
}

/// The bisection of the latest night beside this one that is this to tonight's.
fn earlier(night: &Path, entry: &NightEntry, wanted: Earlier) -> Option<PathBuf> {
    let night = std::path::absolute(night).unwrap_or_else(|_| night.to_owned());
    let flags = flags(entry, &night.join(&entry.name)).ok()?;
    let others = inside(night.parent()?).into_iter().filter(|other| *other != night);
    let mut nights = others.filter(|other| FolderKind::of(other) == Some(FolderKind::Night));
    let latest = nights.rfind(|other| relation(other, entry, &flags) == Some(wanted))?;
    Some(own(&latest, entry))
}

fn relation(earlier: &Path, entry: &NightEntry, flags: &Map<String, Value>) -> Option<Earlier> {
    let dir = own(earlier, entry);
    let file = BisectFile::read(&dir).ok()?;
    let begun = plain_file::read(&plan_path(earlier, entry), DOCUMENT).ok()?;
    let Ok(Value::Object(begun)) = serde_json::from_slice(&begun) else { return None };
    let how = |flags: &Map<String, Value>| {
        // The repository is compared by its place, the ends by their commits.
        let ends = ["repo", "good", "bad"];
        let how = flags.iter().filter(|(flag, _)| !ends.contains(&flag.as_str()));
        how.map(|(flag, value)| (flag.clone(), value.clone())).collect::<Map<_, _>>()
    };
    let [good, bad] = ["good", "bad"].map(|end| text_of(flags, end));
    let first = file.commits.first().map_or("", |commit| &commit.commit);
    if how(&begun) != how(flags) || !is_same_place(&file.repo, repo(entry)) || first != good {
        return None;
    }
    let last = bad_of(&file);
    if last == bad {
        return Some(Earlier::TakenUp);
    }
    let line = build::line(good, bad, repo(entry)).ok()?;
    if !line.iter().any(|commit| commit.commit == last) {
        return None;
    }
    let summary = summary(&dir);
    if summary["over"] != true {
        return Some(Earlier::TakenUp);
    }
    ["found", "one-of"].iter().any(|state| summary["state"] == *state).then_some(Earlier::Told)
}

fn text_of<'a>(flags: &'a Map<String, Value>, flag: &str) -> &'a str {
    flags.get(flag).and_then(Value::as_str).unwrap_or_default()
}

/// The hash of a bisection's bad commit.
fn bad_of(file: &BisectFile) -> &str {
    file.commits.last().map_or("", |commit| &commit.commit)
}

fn is_same_place(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| path.canonicalize().ok();
    place(one).is_some_and(|one| place(other) == Some(one))
}

fn summary(dir: &Path) -> Value {
    let text = plain_file::read(&dir.join(SUMMARY_FILE), DOCUMENT).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

impl EntryBisection {
    /// What is recorded in a bisection's folder, and what an earlier one found on the way to tonight's
    /// bad commit; `None` if there is neither.
    pub(super) fn read(night: &Path, entry: &NightEntry, dir: &Path) -> Option<EntryBisection> {
        let told = earlier(night, entry, Earlier::Told).filter(|earlier| earlier != dir);
        let found = told.as_ref().and_then(|told| {
            let file = BisectFile::read(told).ok()?;
            let (last, words) = (file.short(file.last()), verdict(&summary(told)));
            Some(format!("An earlier search, up to {last}, {}: {words}", told.display()))
        });
        let Ok(file) = BisectFile::read(dir) else {
            let words = format!("Not searched up to tonight's commit. {}", found?);
            return Some(EntryBisection { dir: told?, over: false, words });
        };
        let summary = summary(dir);
        let mut words = verdict(&summary);
        let flags = flags(entry, &night.join(&entry.name)).unwrap_or_default();
        if ![bad_of(&file), ""].contains(&text_of(&flags, "bad")) {
            let last = file.short(file.last());
            words += &format!(" The search ends at {last}, a commit before tonight's.");
        }
        words.extend(found.map(|found| format!(" {found}")));
        Some(EntryBisection { dir: dir.to_owned(), over: summary["over"] == true, words })
    }
}

/// What a bisection has found, in words.
fn verdict(summary: &Value) -> String {
    summary["verdict"].as_str().unwrap_or("Not finished.").to_owned()
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
            (
                r#"{"name": "a", "bisect": true, "base": "git:v1", "test-limit": "nodes=9"}"#,
                "'test-limit'",
            ),
            (
                r#"{"name": "a", "bisect": true, "base": "git:v1", "base-hash": "1MB"}"#,
                "'base-hash'",
            ),
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
