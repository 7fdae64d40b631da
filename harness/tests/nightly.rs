//! `verdict nightly` as its users run it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use crate::common::canonical::canonical;
use serde_json::{Value, json};

use crate::common::script::script;
use crate::common::verdict::heeding_hangup;

const PATIENCE: Duration = Duration::from_secs(60);

fn command(dir: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(words.split_whitespace()).current_dir(dir).stdin(Stdio::null());
    command
}

fn nightly(dir: &Path, words: &str) -> Output {
    command(dir, &format!("nightly {words}")).output().unwrap()
}

fn plan(dir: &Path, text: &str) {
    fs::write(dir.join("plan.json"), text).unwrap();
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A plan of one long match; `begun` waits for its first game.
const LONG: &str =
    r#"{"matches": [{"name": "long", "nodes": 200, "pairs": 4000, "max-moves": 60}]}"#;

fn begun(dir: &Path, words: &str) -> Child {
    let mut command = command(dir, &format!("nightly {words} --quiet"));
    let mut child = heeding_hangup(&mut command).spawn().unwrap();
    let journal = dir.join("night/long/games.jsonl");
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn signal(child: &Child, signal: i32) {
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    // SAFETY: a plain system call on our own child.
    unsafe { libc::kill(pid, signal) };
}

/// An engine that dies after so many moves of a game.
fn dies() -> String {
    format!("uci:{},arg=exit-in-search:3", env!("CARGO_BIN_EXE_scoundrel"))
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
    let found = summary(&here.join("night"));
    assert_eq!(found["entries"][2]["state"], "not-played");
    assert_eq!(found["entries"][2]["stopped"]["by"], "deadline");

    let all = nightly(here, "plan.json --out night --quiet");
    let night = here.join("night");
    assert_eq!(all.status.code(), Some(1), "{all:?}");
    let found = summary(&night);
    assert_eq!((&found["ended"], &found["exit_code"]), (&json!(true), &json!(1)), "{found}");
    let entries = &found["entries"];
    let regressions: Vec<_> =
        entries.as_array().unwrap().iter().map(|entry| entry["regression"].is_string()).collect();
    assert_eq!(regressions, [false, true, false], "{entries}");
    assert!(text(&all.stdout).contains("A REGRESSION"), "{all:?}");
    let ratings = entries[2]["result"].as_str().unwrap();
    assert!(ratings.starts_with("Elo ") && ratings.contains("a ") && ratings.contains("b "));
    // The numbers are those of the matches.
    for (run, folder) in
        [(&entries[1]["runs"][0], "worse"), (&entries[2]["runs"][0], "all/01-a-v-b")]
    {
        let path = night.join(folder).join("summary.json");
        let its: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for key in ["pairs", "games", "wdl", "ptnml", "elo", "los", "llr", "verdict", "faults"] {
            assert!(its.get(key).is_some() && run[key] == its[key], "{key} of {run}");
        }
    }
    let rated: Value =
        serde_json::from_str(&fs::read_to_string(night.join("all/ratings.json")).unwrap()).unwrap();
    for key in ["name", "elo", "error95", "games", "points", "wdl", "opponents"] {
        assert_eq!(entries[2]["ratings"][0][key], rated["players"][0][key], "{key}");
    }
    for file in ["same.log", "all/crosstable.md", "worse/report.html"] {
        assert!(night.join(file).is_file(), "{file}");
    }
    for file in ["report.html", "nightly.md"] {
        let page = fs::read_to_string(night.join(file)).unwrap();
        for part in ["same", "worse", "REGRESSION", "all", "Elo ± 95 %", "v 2", "0–0–24"] {
            let is_chart = part == "0–0–24" && file == "nightly.md";
            assert!(page.contains(part) || is_chart, "{part} in {file}");
        }
    }
    assert!(fs::read_to_string(night.join("report.html")).unwrap().contains("all/01-a-v-b"));
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
    plan(here, &LONG.replace("4000", "40"));
    let mut child = begun(here, "plan.json --out night");
    // While it is played, what came of the night so far is there.
    let found = summary(&here.join("night"));
    assert_eq!((&found["ended"], &found["entries"][0]["name"]), (&json!(false), &json!("long")));
    // A closed terminal ends the night, and the match with it.
    signal(&child, libc::SIGHUP);
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let journal = here.join("night/long/games.jsonl");
    let bytes = || fs::metadata(&journal).unwrap().len();
    let before = bytes();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(bytes(), before, "the match goes on");
    let found = summary(&here.join("night"));
    assert_eq!(found["entries"][0]["state"], "unfinished");
    assert_eq!(found["entries"][0]["stopped"]["by"], "user", "{found}");
    let page = fs::read_to_string(here.join("night/report.html")).unwrap();
    assert!(page.contains("unfinished") && page.contains("the user: "), "why is not on the page");
    // The night has ended, be it early; its match has not.
    assert_eq!(found["ended"], true);
    let list = || text(&command(here, "resume --in .").output().unwrap().stdout);
    assert!(list().contains("verdict resume ./night/long\n"), "{}", list());
    nightly(here, "plan.json --out night --quiet");
    assert!(!list().contains("verdict resume"), "{}", list());
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
    plan(here, LONG);
    let mut child = begun(here, "plan.json --out night");
    child.kill().unwrap();
    child.wait().unwrap();
    // It goes on at once, however long the match takes to end.
    let again = nightly(here, "plan.json --for 1s --out night --quiet");
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    let found = summary(&here.join("night"));
    assert_eq!(found["entries"][0]["stopped"]["by"], "deadline", "{found}");
    plan(here, &LONG.replace("4000", "5"));
    let other = nightly(here, "plan.json --out night --quiet");
    assert_eq!(other.status.code(), Some(64), "{other:?}");
    let told = text(&other.stderr);
    assert!(told.contains("'long'") && told.contains("night/long.plan.json"), "{told}");
}

#[test]
fn a_folder_is_one_nights_alone() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    plan(here, LONG);
    let mut child = begun(here, "plan.json --out night");
    let second = nightly(here, "plan.json --out night --quiet");
    assert_eq!(second.status.code(), Some(74), "{second:?}");
    let holder = format!("night is being written by another process (process {})", child.id());
    assert!(text(&second.stderr).contains(&holder), "{second:?}");
    // A match is no night, and nothing is written into its folder.
    let inside = nightly(here, "plan.json --out night/long --quiet");
    assert_eq!(inside.status.code(), Some(64), "{inside:?}");
    assert!(text(&inside.stderr).contains("night/long holds a match (run.json)"), "{inside:?}");
    assert!(!here.join("night/long/nightly.json").exists());
    signal(&child, libc::SIGTERM);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// A typing error in the last entry is told before the first is played.
#[test]
fn all_entries_are_checked_before_the_first_game() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let own = format!("uci:{}", env!("CARGO_BIN_EXE_scoundrel"));
    let git = |words: &str| {
        let output = Command::new("git").args(words.split(' ')).current_dir(here).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git("init --quiet --initial-branch=main .");
    git("-c user.name=a -c user.email=a@b commit --quiet --allow-empty -m first");
    for (flags, expected) in [
        (r#""nods": 5"#, "match has no flag 'nods'; did you mean 'nodes'?"),
        (r#""nodes": "many""#, "invalid value 'many' for '--nodes <N>'"),
        (r#""pairs": [[]]"#, "'pairs': expected a text"),
        (r#""rule": "sprt=5,0""#, "--rule"),
        (r#""test": "embedded:nobody""#, "nobody"),
        (r#""test": "uci:nowhere/engine""#, "nowhere/engine"),
        (r#""book": "none.epd""#, "none.epd"),
        (r#""syzygy": "tables""#, "tables"),
        (r#""base": "git:nosuch", "test": "git:main""#, "a commit, found 'nosuch'"),
        (r#""base": "git:main", "test": "workdir", "test-hash": "1KB""#, "--test-hash"),
        (r#""test": "OWN,Hsh=16""#, "has no option 'Hsh'; did you mean 'Hash'?"),
        (r#""word": "tournament""#, "--player"),
        (r#""word": "tournament", "player": "embedded""#, "expected more players"),
        (
            r#""word": "tournament", "player": ["a=git:main", "b=OWN,Hsh=16"]"#,
            "has no option 'Hsh'",
        ),
        (
            r#""word": "tournament", "player": ["workdir", "embedded"], "limit-of": "x=nodes=1""#,
            "expected one of the players mutineer, default",
        ),
    ] {
        let flags = flags.replace("OWN", &own);
        plan(
            here,
            &format!(
                r#"{{"matches": [{{"name": "right", "base": "git:main", "test": "{own},arg=first"}},
                {{"name": "wrong", {flags}}}, {{"name": "too", "nods": 1}}]}}"#
            ),
        );
        let output = nightly(here, "plan.json --out night");
        assert_eq!(output.status.code(), Some(64), "{flags}: {output:?}");
        let told = text(&output.stderr);
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].starts_with("error: plan.json: entry 2 'wrong': "), "{flags}: {told}");
        assert!(lines[0].contains(expected), "{flags}: {told}");
        assert!(lines[1].starts_with("plan.json: entry 3 'too': "), "{flags}: {told}");
        assert_eq!(lines.len(), 2, "{flags}: {told}");
        assert!(!here.join("night").exists(), "{flags}");
    }
    for (text_of_plan, expected) in [
        (r#"{"matches": []}"#, "plan.json: \"matches\": expected at least one"),
        ("{", "plan.json:1: expected"),
        (r#"{"until": "7", "matches": [{"name": "a"}]}"#, "plan.json: \"until\": expected a time"),
    ] {
        plan(here, text_of_plan);
        let output = nightly(here, "plan.json --out night");
        assert_eq!(output.status.code(), Some(64), "{output:?}");
        assert!(text(&output.stderr).contains(expected), "{output:?}");
    }
    let output = nightly(here, "none.json --out night");
    assert_eq!(output.status.code(), Some(74));
    assert!(text(&output.stderr).contains("none.json"), "{output:?}");
}

/// What a REJECT means is the rule's affair.
#[test]
fn not_better_is_no_regression() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let own = r#""nodes": 60, "pairs": 20, "max-moves": 30"#;
    plan(
        here,
        &format!(
            r#"{{"matches": [{{"name": "equal", "rule": "sprt=0,400", {own}, "base": "embedded"}}]}}"#
        ),
    );
    let output = nightly(here, "plan.json --out equal --quiet");
    let found = summary(&here.join("equal"));
    assert_eq!(found["entries"][0]["verdict"], "REJECT", "{found}");
    assert_eq!(output.status.code(), Some(0), "{found}");
    plan(
        here,
        r#"{"matches": [{"name": "worse", "rule": "sprt=0,100", "nodes": 400, "test-limit": "nodes=10",
            "pairs": 40, "max-moves": 60, "base": "embedded"}]}"#,
    );
    let output = nightly(here, "plan.json --out worse --quiet");
    let found = summary(&here.join("worse"));
    assert_eq!(found["entries"][0]["verdict"], "REJECT", "{found}");
    assert_eq!(output.status.code(), Some(1), "{found}");
}

#[test]
fn only_faults_of_the_tested_side_are_failures() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let own = r#""nodes": 50, "pairs": 2, "max-moves": 30, "max-faults": "off""#;
    let dies = dies();
    for (entry, code, faults) in [
        (format!(r#""test": "embedded", "base": "{dies}""#), 0, [4, 0]),
        (format!(r#""base": "embedded", "test": "{dies}""#), 3, [4, 4]),
        (
            format!(r#""word": "tournament", "gauntlet": true, "player": ["embedded", "{dies}"]"#),
            0,
            [4, 0],
        ),
        (
            format!(r#""word": "tournament", "gauntlet": true, "player": ["{dies}", "embedded"]"#),
            3,
            [4, 4],
        ),
        (format!(r#""word": "tournament", "player": ["embedded", "{dies}"]"#), 3, [4, 4]),
    ] {
        plan(here, &format!(r#"{{"matches": [{{"name": "a", {own}, {entry}}}]}}"#));
        let output = nightly(here, "plan.json --out night --quiet");
        let found = summary(&here.join("night"));
        let its = &found["entries"][0]["faults"];
        assert_eq!(
            [&its["total"], &its["own"]],
            faults.map(Value::from).each_ref(),
            "{entry}: {found}"
        );
        assert_eq!(output.status.code(), Some(code), "{entry}: {output:?}");
        fs::remove_dir_all(here.join("night")).unwrap();
    }
}

/// Faults are told as they come: of an entry that does not end before it is told to.
#[test]
fn faults_are_told_while_an_entry_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let own = r#""nodes": 50, "pairs": 1000000, "max-moves": 30, "max-faults": "off""#;
    let entry = format!(r#"{{"name": "a_b", {own}, "base": "{}"}}"#, dies());
    plan(dir.path(), &format!(r#"{{"matches": [{entry}]}}"#));
    let mut night = command(dir.path(), "nightly plan.json --out night");
    let mut night = night.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (told, lines) = mpsc::channel();
    let stderr = BufReader::new(night.stderr.take().unwrap());
    thread::spawn(move || {
        stderr.lines().map_while(Result::ok).try_for_each(|line| told.send(line))
    });
    let fault = std::iter::from_fn(|| lines.recv_timeout(PATIENCE).ok())
        .find(|line| line.contains(": crash: "));
    let is_played = dir.path().join("night/a_b/run.json").exists();
    signal(&night, libc::SIGTERM);
    night.wait().unwrap();
    assert!(fault.is_some() && is_played, "nothing was told");
}

/// What came of an entry is told after its faults, in columns.
#[test]
fn what_came_of_an_entry_stands_in_columns() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let dies = dies();
    for entry in [
        format!(r#""test": "embedded", "base": "{dies}""#),
        format!(r#""word": "tournament", "player": ["embedded", "{dies}"]"#),
    ] {
        let own = r#""nodes": 50, "pairs": 2, "max-moves": 30, "max-faults": "off""#;
        plan(here, &format!(r#"{{"matches": [{{"name": "a_b", {own}, {entry}}}]}}"#));
        let output = nightly(here, "plan.json --out night");
        let told = text(&output.stderr);
        let faults: Vec<usize> = told.match_indices(": crash: ").map(|(at, _)| at).collect();
        assert_eq!(faults.len(), 4, "{told}");
        let end = told.find("a_b: finished").expect("its end");
        assert!(faults.iter().all(|&at| at < end), "{told}");
        let said = text(&output.stdout);
        assert!(said.contains("\na_b    finished, 4 faults"), "{said}");
        assert!(!said.contains(['|', '\\']), "{said}");
        assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
        // Begun again, there is nothing new to tell.
        assert!(!text(&nightly(here, "plan.json --out night").stderr).contains(": crash: "));
        fs::remove_dir_all(here.join("night")).unwrap();
    }
}

/// Faults that stop a match, or make its verdict void, are told, and the rest is played.
#[test]
fn why_an_entry_failed_is_said_and_the_rest_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let (gone, dies) = (here.join("gone"), dies());
    // It starts as long as it is only tried.
    let begun = here.join("night/lost/run.json");
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    script(&gone, &format!("[ -e '{}' ] && exit 1; exec {scoundrel} first", begun.display()));
    let gone = gone.display();
    plan(
        here,
        &format!(
            r#"{{"matches": [
            {{"name": "lost", "base": "uci:{gone}", "nodes": 50, "pairs": 10, "restart": true}},
            {{"name": "void", "base": "{dies}", "nodes": 50, "pairs": 5, "max-faults": "1%"}},
            {{"name": "right", "nodes": 50, "pairs": 1, "max-moves": 20}}]}}"#
        ),
    );
    let output = nightly(here, "plan.json --out night --quiet");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let night = here.join("night");
    let found = summary(&night);
    let entries = &found["entries"];
    for (number, why) in [(0, "could not start"), (1, "10 of 10 games ended by a fault")] {
        let stopped = &entries[number]["stopped"];
        assert_eq!(stopped["by"], "faults", "{found}");
        assert!(stopped["why"].as_str().unwrap().contains(why), "{found}");
        for file in ["report.html", "nightly.md"] {
            assert!(fs::read_to_string(night.join(file)).unwrap().contains(why), "{why} in {file}");
        }
    }
    assert_eq!(entries[1]["verdict"], "VOID", "{found}");
    for file in ["report.html", "nightly.md"] {
        let page = fs::read_to_string(night.join(file)).unwrap();
        assert!(page.contains("VOID"), "{file}: {page}");
    }
    assert_eq!(entries[1]["regression"], Value::Null, "{found}");
    assert_eq!(entries[2]["state"], "finished", "{found}");
}
