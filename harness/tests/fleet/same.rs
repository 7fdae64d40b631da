//! The same games and the same verdict, whoever plays.

use std::path::Path;

use super::{Fleet, Running};
use crate::common::canonical::canonical;

const MATCH: &str =
    "match --test embedded,search.pvs=false --nodes 20 --max-moves 20 --pairs 48 --quiet";

/// What of `summary.json` does not depend on machines.
pub(super) fn summary(dir: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(dir.join("summary.json")).unwrap();
    let mut summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let whole = summary.as_object_mut().unwrap();
    whole.remove("fleet");
    for (part, timed) in [
        ("base", &["nodes_per_second"][..]),
        ("test", &["nodes_per_second"]),
        ("plan", &["slots", "concurrency"]),
        ("details", &["name", "created", "active_s", "games_per_s"]),
    ] {
        let part = whole[part].as_object_mut().unwrap();
        timed.iter().for_each(|field| drop(part.remove(*field).unwrap()));
    }
    summary
}

#[test]
fn of_any_number_of_workers_and_any_chunks() {
    let Some(fleet) = Fleet::start() else { return };
    let alone = fleet.run(&format!("{MATCH} --out alone"));
    let expected = canonical(&fleet.path("alone"), None).unwrap();
    assert_eq!(expected.lines().count(), 96);
    let token = fleet.invite("alice");
    let mut workers: Vec<Running> = Vec::new();
    // Workers at most, slots of each, slots here, pairs of a chunk.
    for (run, [count, slots, own, chunk]) in [
        ("one", [1, 2, 0, 4]),
        ("two", [2, 1, 1, 1]),
        ("five", [5, 1, 0, 32]),
        ("all", [5, 1, 2, 3]),
    ] {
        while workers.len() < count {
            let name = format!("pc{}", workers.len());
            workers.push(fleet.worker(&token, &name, slots));
        }
        let played =
            fleet.run(&format!("{MATCH} --out {run} --fleet srv --slots {own} --chunk {chunk}"));
        let said = String::from_utf8_lossy(&played.stderr).into_owned();
        assert_eq!(played.status.code(), alone.status.code(), "{said}");
        assert_eq!(canonical(&fleet.path(run), None).unwrap(), expected, "{run}");
        assert_eq!(summary(&fleet.path(run)), summary(&fleet.path("alone")), "{run}");
    }
    let status = fleet.status();
    assert_eq!(status["runs"].as_array().unwrap().len(), 4);
    assert!(status["runs"].as_array().unwrap().iter().all(|run| run["state"] == "stopped"));
    assert_eq!(status["workers"].as_array().unwrap().len(), 5);
    assert!(status["workers"].as_array().unwrap().iter().any(|it| it["games"].as_u64() > Some(0)));
    // Who has played is written down, and what each has played adds up.
    let workers = fleet.log("all/workers.jsonl");
    let workers: Vec<serde_json::Value> =
        workers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let games: u64 = workers.iter().map(|it| it["games"].as_u64().unwrap()).sum();
    assert_eq!(games, 96, "{workers:?}");
    let alices = || workers.iter().filter(|it| it["name"].as_str().unwrap().starts_with("alice."));
    assert!(alices().count() > 0);
    for worker in alices() {
        assert!(!worker["host"].as_str().unwrap().is_empty(), "{worker}");
        assert!(!worker["verdict"].as_str().unwrap().is_empty(), "{worker}");
        assert!(worker["joined"].as_str().unwrap().ends_with('Z'), "{worker}");
    }
    let summary: serde_json::Value = serde_json::from_str(&fleet.log("all/summary.json")).unwrap();
    let rows = summary["fleet"]["workers"].as_array().unwrap();
    assert_eq!(rows.iter().map(|it| it["games"].as_u64().unwrap()).sum::<u64>(), 96, "{rows:?}");
    for row in rows.iter().filter(|row| row["worker"] != "") {
        let name = row["worker"].as_str().unwrap();
        assert!(fleet.log("all/report.html").contains(name), "{name}");
        assert!(fleet.log("all/summary.md").contains(name), "{name}");
    }
    // Every game says who has played it.
    let games = fleet.log("all/games.jsonl");
    assert!(games.lines().any(|game| game.contains(r#""worker":"alice.pc"#)), "{games}");
}

#[test]
fn of_a_rule_that_decides() {
    let Some(fleet) = Fleet::start() else { return };
    let words = "match --base embedded --test embedded,search.hash_cutoffs=false --nodes 40 --pairs 400 \
                 --quiet --rule sprt=-500,-400";
    let alone = fleet.run(&format!("{words} --out alone"));
    let token = fleet.invite("alice");
    let _workers = ["a", "b"].map(|name| fleet.worker(&token, name, 1));
    let played = fleet.run(&format!("{words} --out fleet --fleet srv --slots 0"));
    assert_eq!(played.status.code(), alone.status.code());
    let pairs = |run: &str| summary(&fleet.path(run))["pairs"].as_u64().unwrap();
    assert_eq!(pairs("fleet"), pairs("alone"));
    let decided = pairs("alone");
    assert!(decided < 400, "it must decide early");
    let before = |run: &str| canonical(&fleet.path(run), Some(decided)).unwrap();
    assert_eq!(before("fleet"), before("alone"));
    // Nothing of it is left to play.
    assert_eq!(fleet.status()["runs"][0]["state"], "stopped");
}
