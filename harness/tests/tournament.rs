//! `verdict tournament` as its users run it.

use std::path::Path;
use std::process::Command;

use crate::common::canonical::canonical;
use crate::common::verdict::verdict;
use serde_json::Value;

const PLAYERS: &str = "--player strong=embedded --player weak=embedded,search.pvs=false \
                       --player embedded:winglet --nodes 100 --pairs 3 --seed 4 --max-moves 60";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn everybody_plays_everybody_and_is_rated() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let output = verdict(here, &format!("tournament {PLAYERS} --quiet --json --out @all"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let ratings: Value = serde_json::from_slice(&output.stdout).unwrap();
    for name in ["strong", "weak", "winglet"] {
        assert!(ratings.to_string().contains(&format!("\"{name}\"")), "{ratings}");
    }
    let all = here.join("all");
    for file in ["tournament.json", "crosstable.md", "ratings.json", "report.html"] {
        assert!(all.join(file).is_file(), "{file}");
    }
    for run in ["01-strong-v-weak", "02-strong-v-winglet", "03-weak-v-winglet"] {
        assert_eq!(canonical(&all.join(run), None).unwrap().lines().count(), 6, "{run}");
    }
    // A match of a tournament is a match: alone it has the same games.
    let alone = verdict(
        here,
        "match --test embedded --base embedded:winglet --nodes 100 --pairs 3 --seed 4 \
         --max-moves 60 --quiet --out @alone",
    );
    assert!(alone.status.code().is_some_and(|code| code <= 2), "{alone:?}");
    let games = |run: &Path| canonical(run, None).unwrap();
    assert_eq!(games(&here.join("alone")), games(&all.join("02-strong-v-winglet")));
    // Words that read runs read all of a tournament's.
    std::fs::remove_file(all.join("report.html")).unwrap();
    for folder in ["@all", "@"] {
        let words = format!("report {folder} --out @page.html");
        assert_eq!(verdict(here, &words).status.code(), Some(0), "{folder}");
        let page = std::fs::read_to_string(here.join("page.html")).unwrap();
        assert!(page.contains("02-strong-v-winglet") && page.contains("03-weak-v-winglet"));
    }
    assert_eq!(verdict(here, "report @all").status.code(), Some(0));
    assert!(all.join("report.html").is_file());
    let stats = verdict(here, "stats @all");
    assert_eq!(stats.status.code(), Some(0), "{stats:?}");
    let told = text(&stats.stdout);
    assert!(told.contains("is a tournament with 3 runs") && told.contains("verdict ratings /"));
    let words = told.lines().find(|line| line.starts_with("02-strong-v-winglet")).unwrap();
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(words[1..4], ["strong", "winglet", "6"], "{told}");
    let json: Value = serde_json::from_slice(&verdict(here, "stats @all --json").stdout).unwrap();
    assert_eq!(json["runs"][2]["pairs"], 3, "{json}");
    // While it plays, a line now and then says how all are rated.
    let words = format!("tournament {PLAYERS} --quiet --interval 6 --out @lines");
    let told = text(&verdict(here, &words).stderr);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("6/18 games") && lines[2].starts_with("18/18 games"), "{told}");
    let last = lines[2].split_once(" · Elo: ").unwrap_or_else(|| panic!("{told}")).1;
    assert!(["strong ", "weak ", "winglet "].iter().all(|name| last.contains(name)), "{told}");
    // A finished one has nothing left to play.
    let again = verdict(here, "resume @all --quiet");
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    assert!(text(&again.stdout).contains("strong"), "{again:?}");
    // Where something is left, matches that have ended still count in what is said meanwhile.
    std::fs::write(here.join("lines/03-weak-v-winglet/games.jsonl"), "").unwrap();
    let told = text(&verdict(here, "resume @lines --quiet --interval 6").stderr);
    let mut lines = told.lines();
    let warning = lines.next().unwrap_or_default();
    assert!(warning.contains("missing from games.jsonl: 6 games"), "{told}");
    let line = lines.next().unwrap_or_default();
    assert!(line.starts_with("18/18 games · Elo: ") && line.contains("strong "), "{told}");
}

#[test]
fn a_stopped_tournament_goes_on_to_the_same_games() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let whole = verdict(here, &format!("tournament {PLAYERS} --quiet --out @whole"));
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let words = format!("tournament {PLAYERS} --quiet --out {}/cut", here.display());
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_verdict")).args(words.split_whitespace()).spawn().unwrap();
    let journal = here.join("cut/01-strong-v-weak/games.jsonl");
    while std::fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Had it been stopped earlier, the last match would have no folder yet, and the one before only a
    // journal.
    std::fs::remove_dir_all(here.join("cut/03-weak-v-winglet")).unwrap();
    let second = here.join("cut/02-strong-v-winglet");
    std::fs::remove_file(second.join("run.json")).unwrap();
    std::fs::write(second.join("games.jsonl"), "").unwrap();
    let rest = verdict(here, "resume @cut --quiet");
    assert_eq!(rest.status.code(), Some(0), "{rest:?}");
    for run in ["01-strong-v-weak", "02-strong-v-winglet", "03-weak-v-winglet"] {
        let games = |folder: &str| canonical(&here.join(folder).join(run), None).unwrap();
        assert_eq!(games("whole"), games("cut"), "{run}");
    }
}

/// As in a match: what a program has learnt since may be overlooked.
#[test]
fn a_tournament_goes_on_with_changed_files_if_it_is_told_to() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    std::fs::write(here.join("table"), "one").unwrap();
    let engine = env!("CARGO_BIN_EXE_mutineer_process");
    let table = here.join("table").display().to_string();
    let players = format!("--player a=embedded --player b=uci:{engine},OpeningTable={table}");
    let words = format!("tournament {players} --pairs 1 --nodes 50 --max-moves 5 --quiet --out @t");
    assert_eq!(verdict(here, &words).status.code(), Some(0));
    let journal = here.join("t/01-a-v-b/games.jsonl");
    let games = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, games.lines().next().unwrap().to_owned() + "\n").unwrap();
    std::fs::write(here.join("table"), "two").unwrap();
    let refused = verdict(here, "resume @t --quiet");
    let told = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(64), "{told}");
    assert!(told.contains("--changed-files"), "{told}");
    let resumed = verdict(here, "resume @t --quiet --changed-files");
    let told = text(&resumed.stderr);
    assert_eq!(resumed.status.code(), Some(0), "{told}");
    assert!(told.contains("files.OpeningTable has changed since the run began"), "{told}");
    assert_eq!(std::fs::read_to_string(&journal).unwrap().lines().count(), 2);
}

#[test]
fn gauntlets_and_limits_of_ones_own() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let output = verdict(
        here,
        &format!("tournament {PLAYERS} --gauntlet --limit-of weak=nodes=30 --quiet --out @g"),
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!here.join("g/03-weak-v-winglet").exists());
    let run = std::fs::read_to_string(here.join("g/01-strong-v-weak/run.json")).unwrap();
    let run: Value = serde_json::from_str(&run).unwrap();
    assert_eq!(
        (&run["base"]["limit"], &run["test"]["limit"]),
        (&"nodes=30".into(), &"nodes=100".into())
    );
}

/// A program keeps its own hash against an embedded player as against another program, so that it is one
/// player in the tables.
#[test]
fn nobody_gives_a_program_a_hash_that_it_was_not_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let engine = env!("CARGO_BIN_EXE_mutineer_process");
    let players = format!(
        "--player e=embedded --player a=uci:{engine} --player b=uci:{engine},search.pvs=false \
         --player c=uci:{engine},Hash=2"
    );
    let words = format!("tournament {players} --nodes 20 --pairs 1 --max-moves 9 --quiet --out @h");
    let output = verdict(here, &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for run in ["01-e-v-a", "04-a-v-b", "05-a-v-c"] {
        let text = std::fs::read_to_string(here.join("h").join(run).join("run.json")).unwrap();
        let run: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(run["plan"]["hash"], Value::Null, "{text}");
        for side in ["base", "test"] {
            let asked = &run[side]["options"]["Hash"];
            let spec = run[side]["spec"].as_str().unwrap();
            let own = if spec.contains("Hash=2") { Value::from("2") } else { Value::Null };
            assert_eq!(*asked, own, "{text}");
        }
    }
    let table = std::fs::read_to_string(here.join("h/crosstable.md")).unwrap();
    assert!(!table.contains("#1"), "{table}");
}

#[test]
fn tournaments_that_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    for (words, expected) in [
        ("--player embedded", "expected more players"),
        ("--player =embedded --player b=embedded", "found '=embedded'"),
        ("--player embedded --player embedded", "'default' twice"),
        ("--player a=embedded --player b=uci:/no/engine", "/no/engine not found"),
        ("--player a=embedded --player b=embedded --rule sprt=0,5", "expected los"),
        ("--player a=embedded --player b=embedded --limit-of c=nodes=3", "the players a, b"),
        ("--player a=embedded --player b=embedded --gauntlet --seeds 2", "expected more players"),
    ] {
        let output = verdict(dir.path(), &format!("tournament {words} --quiet --out @none"));
        assert_eq!(output.status.code(), Some(64), "{words}: {output:?}");
        assert!(text(&output.stderr).contains(expected), "{words}: {output:?}");
        assert!(!dir.path().join("none").exists(), "{words}");
    }
}
