//! Characters that nobody sees, or that turn the text around them, never reach a reader as they are.

use std::fs;
use std::process::Command;

use arena::record::{GameRecord, RunFile, Termination, pgn};
use arena::report;
use harness::crosstable::{Crosstable, Options};

use crate::common::samples::{journal, pair, run_file};

/// Marks of direction, ends of lines and paragraphs, no width, controls of both kinds.
const HIDDEN: &str = "\u{202e}\u{2066}\u{200f}\u{2028}\u{2029}\u{200b}\u{feff}\u{1b}\u{9b}\u{7}";

fn is_hidden(c: char) -> bool {
    HIDDEN.contains(c)
}

#[track_caller]
fn assert_shown(what: &str, text: &str) {
    assert!(!text.contains(is_hidden), "{what}: {text}");
    for number in ["U+202E", "U+2066", "U+200F", "U+2028", "U+200B", "U+001B", "U+009B"] {
        assert!(text.contains(number), "{what}: no {number} in {text}");
    }
}

#[test]
fn they_are_shown_by_their_numbers_in_all_that_is_rendered() {
    let dir = tempfile::tempdir().unwrap();
    let wild = format!("a{HIDDEN}b");
    let mut run = run_file();
    run.plan["rule"] = "los=95".into();
    run.plan["event"] = wild.clone().into();
    run.test.name.clone_from(&wild);
    run.test.options.insert(wild.clone(), wild.clone().into());
    run.base.spec = format!("uci:/{wild}");
    run.test.spec = format!("uci:/b{wild}");
    run.base.limit.clone_from(&wild);
    journal(dir.path(), [1]);
    let mut games = pair(0);
    games[0].termination = Termination::Crash;
    games[0].detail = Some(format!("base (black): info string {wild}"));
    let lines: Vec<String> =
        games.iter().map(|game: &GameRecord| serde_json::to_string(game).unwrap() + "\n").collect();
    let path = dir.path().join("games.jsonl");
    let rest = fs::read_to_string(&path).unwrap();
    fs::write(&path, lines.concat() + &rest).unwrap();
    run.write(dir.path()).unwrap();
    assert_eq!(RunFile::read(dir.path()).unwrap(), run, "what is recorded is not changed");

    pgn::render(dir.path(), &run).unwrap();
    let summary = report::RunResults::read(dir.path(), "x").unwrap().summary();
    summary.write(dir.path()).unwrap();
    report::write(&[dir.path().to_owned()], &[], &dir.path().join("report.html")).unwrap();
    for name in ["games.pgn", "summary.md", "report.html"] {
        assert_shown(name, &fs::read_to_string(dir.path().join(name)).unwrap());
    }
    assert_shown("commit block", &summary.commit_block());
    let inputs = [dir.path().to_owned()];
    assert_shown(
        "ratings",
        &Crosstable::read(&inputs, Options::default()).unwrap().page().markdown(),
    );
}

#[test]
fn they_are_shown_on_the_terminal() {
    for words in [["check", "uci:/nowhere/@"], ["stats", "/nowhere/@"], ["resume", "/nowhere/@"]] {
        let words = words.map(|word| word.replace('@', HIDDEN));
        let output = Command::new(env!("CARGO_BIN_EXE_verdict")).args(&words).output().unwrap();
        assert!(!output.status.success(), "{words:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("<U+202E>") && !told.contains(is_hidden), "{words:?}: {told}");
    }
}
