//! Tuners: each pair has values of its own, and those that follow depend on it.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::liar::Liar;
use super::{Fleet, Running};
use crate::common::canonical::canonical;

const GAMES: &str = "--nodes 20 --max-moves 30 --hash 64KiB --seed 3 --confirm none --quiet";
const SPSA: &str = "tune spsa --param lazy.margin:64:0.02 --param king_danger.safe_check[*]:20:0.02 \
                    --base embedded:default,lazy.on=true --pairs 24 --batch 6";
const CLOP: &str = "tune clop lazy.margin=64..512 material.pawn=150..350 \
                    --base embedded:default,lazy.on=true --pairs 32 --batch 8";
const DIALS: &str = env!("CARGO_BIN_EXE_dials");

/// What was found.
fn found(dir: &Path) -> Value {
    let text = std::fs::read_to_string(dir.join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["over"], true);
    assert!(summary["parameters"].as_array().is_some_and(|found| !found.is_empty()), "{summary}");
    summary["parameters"].clone()
}

/// Whether both have played the same games and have found the same.
fn assert_same(fleet: &Fleet, run: &str, expected: &str) {
    let games = |run: &str| canonical(&fleet.path(run), None).unwrap();
    assert_eq!(games(run), games(expected), "{run}");
    assert_eq!(found(&fleet.path(run)), found(&fleet.path(expected)), "{run}");
}

/// Tunes with the fleet and so many slots here, and compares with what was found without.
fn plays(fleet: &Fleet, tune: &str, expected: &str, run: &str, own: usize) {
    let words = format!("{tune} {GAMES} --out {run} --fleet srv --slots {own}");
    let played = fleet.run(&words);
    assert_eq!(played.status.code(), Some(0), "{}", said(&played));
    assert_same(fleet, run, expected);
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_same_values_whoever_plays() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let mut workers: Vec<Running> = Vec::new();
    // Workers at least, slots here.
    for (tune, file, teams) in [(CLOP, "clop", [(0, 2), (1, 0)]), (SPSA, "spsa", [(1, 1), (2, 0)])]
    {
        let alone = fleet.run(&format!("{tune} {GAMES} --out {file}"));
        assert_eq!(alone.status.code(), Some(0), "{}", said(&alone));
        for (count, own) in teams {
            while workers.len() < count {
                let name = format!("pc{}", workers.len());
                workers.push(fleet.worker(&token, &name, 1 + workers.len()));
            }
            plays(&fleet, tune, file, &format!("{file}{count}"), own);
        }
    }
    // One may have played all pairs before the other was ready.
    let both_play = (0..5).any(|attempt| {
        let run = format!("both{attempt}");
        plays(&fleet, SPSA, "spsa", &run, 0);
        let games = fleet.log(&format!("{run}/games.jsonl"));
        ["alice.pc0", "alice.pc1"].iter().all(|name| games.contains(name))
    });
    assert!(both_play);
    let status = fleet.status();
    // What it has found so far, in place of Elo.
    let lines = status["runs"].as_array().unwrap().iter().filter_map(|run| run["line"].as_str());
    assert!(lines.clone().any(|line| line.contains("/24 pairs")), "{status}");
    assert!(lines.clone().any(|line| line.contains("/32 pairs")), "{status}");
    assert!(status["runs"].as_array().unwrap().iter().all(|run| run["state"] == "stopped"));
}

/// Options, a confirmation match, and a worker that runs the program in its own folder.
#[test]
fn options_of_a_program() {
    let Some(fleet) = Fleet::start() else { return };
    let tune = format!(
        "tune spsa --base uci:{DIALS} --param Aim:10:0.1 --pairs 24 --batch 6 --depth 1 --max-moves 40 \
         --resign movecount=1,score=250 --hang 20s --seed 3 --quiet --confirm-pairs 4"
    );
    let alone = fleet.run(&format!("{tune} --out alone"));
    assert!(matches!(alone.status.code(), Some(0..=2)), "{}", said(&alone));
    let token = fleet.invite("alice");
    let words = format!("worker --join {token} --name pc --slots 2 --sandbox off");
    let mut worker = fleet.begin("pc.log", &words);
    fleet.wait_for("pc.log", "joined", &mut worker);
    let played = fleet.run(&format!("{tune} --out run --fleet srv --slots 0"));
    assert_eq!(played.status.code(), alone.status.code(), "{}", said(&played));
    assert_same(&fleet, "run", "alone");
    let confirmed = |run: &str| canonical(&fleet.path(run).join("confirm"), None).unwrap();
    assert_eq!(confirmed("run"), confirmed("alone"));
}

pub(super) fn a_worker_that_dies_and_a_coordinator_that_does() {
    let Some(fleet) = Fleet::start() else { return };
    let tune = format!("{CLOP} {GAMES}");
    let alone = fleet.run(&format!("{tune} --out alone"));
    assert_eq!(alone.status.code(), Some(0), "{}", said(&alone));
    let token = fleet.invite("alice");
    let mut dying = fleet.worker(&token, "dying", 1);
    let begin = |run: &str| {
        fleet.begin(&format!("{run}.log"), &format!("{tune} --out {run} --fleet srv --slots 0"))
    };
    let mut coordinator = begin("run");
    fleet.wait_for_games("run", 24);
    dying.kill();
    // Meanwhile, a pair of another tuner takes four machines down.
    let mut poisoned = begin("poisoned");
    let run = loop {
        let status = fleet.status();
        let runs = status["runs"].as_array().unwrap();
        if let Some(run) = runs.iter().find(|run| run["name"] == "poisoned") {
            break run["run"].as_str().unwrap().parse().unwrap();
        }
        assert!(poisoned.0.try_wait().unwrap().is_none(), "{}", fleet.log("poisoned.log"));
        sleep(Duration::from_millis(100));
    };
    for name in ["bob", "carol", "dave", "erin"] {
        Liar::join(&fleet.invite(name), "pc").hold(run, 2, 1);
    }
    fleet.wait_for("poisoned.log", "given to nobody any more", &mut poisoned);
    let mut other = fleet.worker(&token, "other", 1);
    assert_eq!(coordinator.code(), Some(0), "{}", fleet.log("run.log"));
    assert_same(&fleet, "run", "alone");
    // What it would ask for next depends on that pair. This machine plays it, if it is told so.
    let code = poisoned.code();
    assert!(code.is_some_and(|code| code >= 3), "{code:?}: {}", fleet.log("poisoned.log"));
    assert!(fleet.log("poisoned.log").contains("not all pairs were played"));
    let resumed = fleet.run("resume poisoned --quiet");
    assert_eq!(resumed.status.code(), Some(0), "{}", said(&resumed));
    assert_same(&fleet, "poisoned", "alone");

    // What is begun on a fleet goes on without it, or with it. The worker does not wait for a coordinator
    // that has gone.
    for (run, words) in [("cut", ""), ("again", "--fleet srv --slots 1")] {
        let mut coordinator = begin(run);
        fleet.wait_for_games(run, 10);
        coordinator.kill();
        let resumed = fleet.run(&format!("resume {run} --quiet {words}"));
        assert_eq!(resumed.status.code(), Some(0), "{}", said(&resumed));
        assert_same(&fleet, run, "alone");
    }
    other.kill();
}

/// The first Ctrl-C lets games end, and the run is resumed.
#[test]
fn an_orderly_stop() {
    let Some(fleet) = Fleet::start() else { return };
    let alone = fleet.run(&format!("{SPSA} {GAMES} --out alone"));
    assert_eq!(alone.status.code(), Some(0), "{}", said(&alone));
    let token = fleet.invite("alice");
    let _worker = fleet.worker(&token, "pc", 1);
    let words = format!("{SPSA} {GAMES} --out run --fleet srv --slots 1");
    let mut coordinator = fleet.begin("run.log", &words);
    fleet.wait_for_games("run", 8);
    coordinator.signal(libc::SIGINT);
    let code = coordinator.code();
    assert!(code == Some(2), "{code:?} {}", fleet.log("run.log"));
    sleep(Duration::from_millis(100));
    let resumed = fleet.run("resume run --fleet srv --slots 0 --quiet");
    assert_eq!(resumed.status.code(), Some(0), "{}", said(&resumed));
    assert_same(&fleet, "run", "alone");
}

#[test]
fn a_fit_plays_no_games() {
    let Some(fleet) = Fleet::start() else { return };
    let refused = fleet.run("tune texel games.pgn --out fitted --fleet srv");
    assert_eq!(refused.status.code(), Some(64));
    assert!(said(&refused).contains("plays no games"), "{}", said(&refused));
}
