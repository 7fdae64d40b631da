//! It shows what happens while it happens.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use arena::record::Games;
use serde_json::Value;

use super::{Watched, body};
use crate::common::verdict::verdict;

#[test]
fn the_page_grows_while_games_are_played() {
    let place = tempfile::tempdir().unwrap();
    let mut watched = Watched::begin(place.path(), "127.0.0.1:0", 200);
    let mut events = watched.events();
    let finished = |data: &Value| data["run"]["finished"].as_u64();
    let first = events.by_ref().find_map(|data| finished(&data)).unwrap();
    let mut numbers = vec![first];
    numbers.extend(events.by_ref().filter_map(|data| finished(&data)).take(3));
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    let json = |path: &str| serde_json::from_str::<Value>(body(&watched.get(path).1)).unwrap();
    let summary = json(&format!("/api{}/summary", watched.run));
    assert!(summary["pairs"].as_u64().unwrap() > 0, "{summary}");
    let games = json(&format!("/api{}/games?from=0", watched.run));
    let listed = games["games"].as_array().unwrap().len() as u64;
    assert!(listed > 0 && listed <= games["total"].as_u64().unwrap(), "{games}");
    let number = &games["games"][0]["game"];
    assert!(watched.get(&format!("{}/game/{number}", watched.run)).1.contains("data-man=\"K\""));
    let (_, metrics) = watched.get("/metrics");
    assert!(metrics.contains("verdict_run_games_total{run=\""), "{metrics}");
    watched.stop();
    // The last event has the games of the journal.
    let last = events.filter_map(|data| finished(&data)).last().unwrap();
    let recorded = Games::open(&watched.dir).unwrap().filter(Result::is_ok).count() as u64;
    assert_eq!(last, recorded);
    assert!(watched.dir.join("report.html").exists());
}

#[test]
fn games_under_way_are_shown_move_by_move() {
    let place = tempfile::tempdir().unwrap();
    let watched = Watched::begin(place.path(), "127.0.0.1:0", 30_000);
    let live = || {
        let (_, answer) = watched.get(&format!("/api{}/live", watched.run));
        let value: Value = serde_json::from_str(body(&answer)).unwrap();
        let game = value["games"].as_array().unwrap().first().cloned();
        game.map(|game| {
            (game["game"].as_u64().unwrap(), game["moves"].as_str().unwrap().to_owned())
        })
    };
    let mut seen = Vec::new();
    while seen.len() < 3 {
        if let Some(game) = live().filter(|game| !seen.contains(game)) {
            seen.push(game);
        }
        sleep(Duration::from_millis(20));
    }
    // Moves are added to those before.
    let grows = seen.windows(2).any(|two| two[0].0 == two[1].0 && two[1].1.starts_with(&two[0].1));
    assert!(grows, "{seen:?}");
    let (status, page) = watched.get(&format!("{}/live", watched.run));
    assert!(status == 200 && page.contains("class=\"board\""), "{page}");
}

#[test]
fn a_resumed_run_is_shown_from_its_first_game_on() {
    let place = tempfile::tempdir().unwrap();
    let mut watched = Watched::begin(place.path(), "127.0.0.1:0", 200);
    let played = |data: Value| data["run"]["finished"].as_u64().filter(|finished| *finished > 4);
    let before = watched.events().find_map(played).unwrap();
    watched.stop();
    let resumed = Watched::resume(place.path());
    assert_eq!(resumed.run, watched.run);
    let first = resumed.events().find_map(|data| data["run"]["finished"].as_u64()).unwrap();
    assert!(first >= before, "{first} after {before}");
}

#[test]
fn what_has_no_page_is_refused_in_words() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("night");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("sweep.json"), "{}").unwrap();
    for words in [
        "resume @night --web",
        "resume --web @night",
        "resume --web",
        "sweep --web",
        "nightly --web=127.0.0.1:0",
    ] {
        let output = verdict(place.path(), words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{words}: {told}");
        assert!(told.contains("--web") && !told.contains("Usage:"), "{words}: {told}");
    }
}

#[test]
fn all_matches_of_a_tournament_are_shown() {
    let place = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(["tournament", "--player", "one=embedded", "--player"]);
    command.args(["two=embedded,search.pvs=false", "--player", "three=embedded"]);
    command.args(["--pairs", "1000", "--nodes", "200", "--slots", "1", "--out", "run"]);
    let mut watched = Watched::of(command.args(["--web", "127.0.0.1:0"]), place.path());
    assert_eq!(watched.run, "/");
    let runs = || -> Vec<Value> {
        let (_, answer) = watched.get("/api/runs");
        serde_json::from_str(body(&answer)).unwrap()
    };
    let finished = |run: &Value| run["finished"].as_u64().unwrap();
    let is_played = |runs: &[Value]| runs.iter().all(|run| finished(run) > 2);
    let mut seen = runs();
    while !is_played(&seen) {
        sleep(Duration::from_millis(50));
        seen = runs();
    }
    assert_eq!(seen.len(), 3);
    let id = seen[0]["id"].as_str().unwrap();
    let (status, page) = watched.get(&format!("/run/{id}"));
    assert!(status == 200 && page.contains("<svg") && page.contains("two"), "{page}");
    let counts: Vec<u64> = seen.iter().map(finished).collect();
    watched.stop();
    let resumed = Watched::resume(place.path());
    let (_, answer) = resumed.get("/api/runs");
    let again: Vec<Value> = serde_json::from_str(body(&answer)).unwrap();
    for (run, count) in again.iter().zip(counts) {
        assert!(finished(run) >= count, "{again:?}");
    }
}
