//! `verdict nightly` as its users run it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use harness::record::canonical;
use serde_json::Value;

fn command(dir: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(words.split_whitespace()).current_dir(dir).stdin(Stdio::null());
    command
}

fn nightly(dir: &Path, words: &str) -> Output {
    command(dir, &format!("nightly {words}")).output().unwrap()
}

fn summary(dir: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(dir.join("nightly.json")).unwrap()).unwrap()
}

const PLAN: &str = r#"{"matches": [
    {"name": "same", "base": "embedded", "test": "embedded", "nodes": 60, "pairs": 3,
     "max-moves": 30},
    {"name": "worse", "test-limit": "nodes=10", "nodes": 400, "base": "embedded", "pairs": 12,
     "max-moves": 60},
    {"name": "all", "word": "tournament", "player": ["a=embedded", "b=embedded:winglet"],
     "nodes": 50, "pairs": 2, "max-moves": 30}
]}"#;

#[test]
fn a_night_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("plan.json"), PLAN).unwrap();
    // No time at all.
    let none = nightly(here, "plan.json --for 0s --out night --quiet");
    assert_eq!(none.status.code(), Some(2), "{none:?}");
    assert_eq!(summary(&here.join("night"))["entries"][2]["state"], "not-played");

    let all = nightly(here, "plan.json --out night --quiet");
    let night = here.join("night");
    assert_eq!(all.status.code(), Some(1), "{all:?}");
    let entries = &summary(&night)["entries"];
    let regressions: Vec<_> =
        entries.as_array().unwrap().iter().map(|entry| entry["regression"] == true).collect();
    assert_eq!(regressions, [false, true, false], "{entries}");
    assert!(String::from_utf8_lossy(&all.stdout).contains("A REGRESSION"), "{all:?}");
    let ratings = entries[2]["result"].as_str().unwrap();
    assert!(ratings.starts_with("Elo ") && ratings.contains("a ") && ratings.contains("b "));
    for file in ["report.html", "nightly.md", "same.log", "all/crosstable.md", "worse/report.html"]
    {
        assert!(night.join(file).is_file(), "{file}");
    }
    // Nothing is left to play, and nothing is played again.
    let journal = |run: &str| fs::metadata(night.join(run).join("games.jsonl")).unwrap().modified();
    let before = journal("same").unwrap();
    assert_eq!(nightly(here, "plan.json --out night --quiet").status.code(), Some(1));
    assert_eq!(journal("same").unwrap(), before);
}

#[test]
fn a_stopped_night_leaves_resumable_matches() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let plan = r#"{"matches": [{"name": "long", "nodes": 200, "pairs": 40, "max-moves": 60}]}"#;
    fs::write(here.join("plan.json"), plan).unwrap();
    let mut child = command(here, "nightly plan.json --out night --quiet").spawn().unwrap();
    let journal = here.join("night/long/games.jsonl");
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    // A closed terminal ends the night, and the match with it.
    // SAFETY: a plain system call on our own child.
    unsafe { libc::kill(pid, libc::SIGHUP) };
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let bytes = || fs::metadata(&journal).unwrap().len();
    let before = bytes();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(bytes(), before, "the match goes on");
    assert_eq!(summary(&here.join("night"))["entries"][0]["state"], "unfinished");
    nightly(here, "plan.json --out night --quiet");
    let whole = command(here, "match --nodes 200 --pairs 40 --max-moves 60 --quiet --out whole");
    { whole }.output().unwrap();
    let games = |run: &str| canonical(&here.join(run), None).unwrap();
    assert_eq!(games("night/long"), games("whole"));
}

/// Whatever ends a night ends its match, and another night's plan is not taken for this one's.
#[test]
fn no_match_outlives_its_night_or_serves_another() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let plan = |pairs: u64| {
        let text = format!(
            r#"{{"matches": [{{"name": "long", "nodes": 200, "pairs": {pairs}, "max-moves": 60}}]}}"#
        );
        fs::write(here.join("plan.json"), text).unwrap();
    };
    plan(400);
    let mut child = command(here, "nightly plan.json --out night --quiet").spawn().unwrap();
    let journal = here.join("night/long/games.jsonl");
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let bytes = || fs::metadata(&journal).unwrap().len();
    let begun = Instant::now();
    let mut before = 0;
    while bytes() != before {
        assert!(begun.elapsed() < Duration::from_secs(30), "the match goes on");
        before = bytes();
        std::thread::sleep(Duration::from_millis(1500));
    }
    plan(5);
    let other = nightly(here, "plan.json --out night --quiet");
    assert_eq!(other.status.code(), Some(3), "{other:?}");
    assert!(String::from_utf8_lossy(&other.stdout).contains("begun with other flags"), "{other:?}");
}

#[test]
fn what_fails_is_said_and_the_rest_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let plan = r#"{"matches": [
        {"name": "wrong", "nods": 5},
        {"name": "right", "nodes": 50, "pairs": 1, "max-moves": 20}]}"#;
    fs::write(here.join("plan.json"), plan).unwrap();
    let output = nightly(here, "plan.json --out night --quiet");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let entries = &summary(&here.join("night"))["entries"];
    let trouble = entries[0]["trouble"].as_str().unwrap();
    assert!(trouble.contains("did you mean 'nodes'"), "{trouble}");
    assert_eq!(entries[1]["state"], "finished", "{entries}");
    let output = nightly(here, "none.json --out night");
    assert_eq!(output.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&output.stderr).contains("none.json"), "{output:?}");
}
