//! The command line as a file, and what shells and `man` are told of it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::verdict::verdict;
use serde_json::{Value, json};

fn printed(place: &Path, words: &str) -> Value {
    let output = verdict(place, &format!("match --print-plan {words}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_printed_plan_is_the_same_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let words = "--test embedded,search.pvs=false --tc 1+0.01 --fair --pairs 7 --option a.b=1 \
                 --option c=2 --event Night";
    let plan = printed(dir.path(), words);
    let part = json!({"test": "embedded,search.pvs=false", "tc": "1+0.01", "fair": true, "pairs": 7,
        "option": ["a.b=1", "c=2"], "event": "Night", "seed": 1});
    for (key, value) in part.as_object().unwrap() {
        assert_eq!(&plan[key], value, "{key} in {plan}");
    }
    assert!(plan.get("restart").is_none() && plan.get("base").is_none(), "{plan}");
    fs::write(dir.path().join("plan.json"), plan.to_string()).unwrap();
    assert_eq!(printed(dir.path(), "--plan @plan.json"), plan);
    // What is typed wins, and one limit replaces another.
    let changed = printed(dir.path(), "--pairs=9 --plan=@plan.json --nodes 50");
    assert_eq!((&changed["pairs"], &changed["nodes"]), (&json!(9), &json!(50)));
    assert!(changed.get("tc").is_none(), "{changed}");
    // So does what is typed by its other name.
    assert_eq!(printed(dir.path(), "--rounds 10 --plan @plan.json")["pairs"], json!(10));
    // Some editors begin every file with a byte-order mark.
    let marked = "\u{feff}{\"rounds\": 7, \"nodes\": 50}";
    fs::write(dir.path().join("plan.json"), marked).unwrap();
    assert_eq!(printed(dir.path(), "--plan @plan.json")["pairs"], json!(7));
    assert_eq!(printed(dir.path(), "--pairs 8 --plan @plan.json")["pairs"], json!(8));
}

#[test]
fn a_printed_plan_of_a_tournament_can_be_played() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    for kind in ["", "--gauntlet"] {
        let words = "tournament --player a=embedded --player b=embedded --print-plan";
        let plan = verdict(here, &format!("{words} {kind}"));
        assert_eq!(plan.status.code(), Some(0), "{plan:?}");
        fs::write(here.join("plan.json"), &plan.stdout).unwrap();
        let again = verdict(here, "tournament --plan @plan.json --print-plan");
        assert_eq!(again.status.code(), Some(0), "{again:?}");
        assert_eq!(again.stdout, plan.stdout);
    }
}

#[test]
fn a_plan_plays_the_games_of_its_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let words = "--nodes 60 --pairs 2 --max-moves 30 --seed 8";
    fs::write(here.join("plan.json"), printed(here, words).to_string()).unwrap();
    verdict(here, &format!("match {words} --quiet --out @typed"));
    verdict(here, "match --plan @plan.json --quiet --out @filed");
    let games = |run: &str| crate::common::canonical::canonical(&here.join(run), None).unwrap();
    assert_eq!(games("typed").lines().count(), 4);
    assert_eq!(games("typed"), games("filed"));
}

#[test]
fn what_is_wrong_with_a_plan_is_said() {
    let dir = tempfile::tempdir().unwrap();
    for (text, expected) in [
        (r#"{"tset": "embedded"}"#, "match has no flag 'tset'; did you mean 'test'?"),
        ("{\n\"pairs\": }", "plan.json:2: expected a JSON object of flags"),
        ("[1]", "plan.json:1: expected a JSON object of flags"),
        (r#"{"pairs": {"at most": 3}}"#, "'pairs': expected a text"),
        (
            r#"{"plan": "other.json"}"#,
            "'plan': expected flags of a match, which name no other plan",
        ),
        (
            "{\"pairs\": 1,\n\"pairs\": 2}",
            "plan.json:2: expected a JSON object of flags: expected each key once, found 'pairs' again",
        ),
        ("{\"pairs\": 1} x", "plan.json:1: expected a JSON object of flags"),
        (r#"{"pairs": 0}"#, "--pairs"),
    ] {
        fs::write(dir.path().join("plan.json"), text).unwrap();
        let output = verdict(dir.path(), "match --plan @plan.json --out @run");
        assert_eq!(output.status.code(), Some(64), "{text}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(expected), "{text}: {error}");
        assert!(!dir.path().join("run").exists(), "{text}");
    }
    let output = verdict(dir.path(), "match --plan @none.json");
    assert!(String::from_utf8_lossy(&output.stderr).contains("none.json"), "{output:?}");
}

#[test]
fn shells_and_man_know_every_command() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let output = verdict(dir.path(), &format!("completions {shell}"));
        let text = String::from_utf8(output.stdout).unwrap();
        for word in ["tournament", "nodes-clock", "nightly", "personality"] {
            assert!(text.contains(word), "{word} for {shell}");
        }
    }
    let output = verdict(dir.path(), "man --out @man");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for page in
        ["verdict.1", "verdict-match.1", "verdict-tournament.1", "verdict-personality-set.1"]
    {
        assert!(dir.path().join("man").join(page).is_file(), "{page}");
    }
}

#[test]
fn who_has_seen_enough_is_not_told_of_it() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(["claims", "--list"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
