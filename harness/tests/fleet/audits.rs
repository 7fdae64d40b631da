//! Workers that send games which could have been played and were not: a second machine plays them, too.

use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::record::GameRecord;

use super::liar::{Liar, games, run_id};
use super::{Fleet, PATIENCE, Running};
use crate::common::canonical::canonical;

const MATCH: &str = "match --test embedded,search.pvs=false --max-moves 30 --quiet --seed 5";

/// The games of one process, legal other games of the same openings, and a match that waits for workers.
fn begun(fleet: &Fleet, pairs: u64) -> (Vec<GameRecord>, Option<i32>, Running) {
    let alone = fleet.run(&format!("{MATCH} --pairs {pairs} --nodes 30 --out alone"));
    let other = fleet.run(&format!("{MATCH} --pairs {pairs} --nodes 40 --out other"));
    assert!(other.status.code().is_some_and(|code| code < 3));
    let words = "--out run --fleet srv --slots 0 --chunk 4 --fleet-audit 100%";
    let words = format!("{MATCH} --pairs {pairs} --nodes 30 {words}");
    let mut playing = fleet.begin("match.log", &words);
    wait_for(fleet, &mut playing, "a run", |status| !status["runs"].as_array().unwrap().is_empty());
    (games(fleet, "other"), alone.status.code(), playing)
}

fn wait_for(
    fleet: &Fleet,
    playing: &mut Running,
    what: &str,
    is_so: impl Fn(&serde_json::Value) -> bool,
) {
    let until = Instant::now() + PATIENCE;
    loop {
        let status = fleet.status();
        if is_so(&status) {
            return;
        }
        let said = fleet.log("match.log");
        let ended = playing.0.try_wait().unwrap();
        assert!(ended.is_none() && Instant::now() < until, "{what}: {status}\n{said}");
        sleep(Duration::from_millis(100));
    }
}

fn is_convicted(status: &serde_json::Value) -> bool {
    status["runs"][0]["convicted"][0]["worker"] == "alice.liar"
}

/// The run is the same as without the liar, and says what it was about.
fn expect_the_truth(fleet: &Fleet, playing: &mut Running, code: Option<i32>, struck: u64) {
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
    let summary: serde_json::Value = serde_json::from_str(&fleet.log("run/summary.json")).unwrap();
    assert_eq!(summary["fleet"]["struck_games"], struck, "{}", summary["fleet"]);
    let why = summary["fleet"]["convicted"]["alice.liar"].as_str().unwrap();
    assert!(why.contains("otherwise than its players play it"), "{why}");
    for (file, words) in [("summary.md", "was convicted"), ("report.html", "was convicted")] {
        assert!(fleet.log(&format!("run/{file}")).contains(words), "{file}");
    }
    let pgn = |run: &str| fleet.log(&format!("{run}/games.pgn")).matches("[Event ").count();
    assert_eq!(pgn("run"), pgn("alone"));
    let verified = fleet.run("stats run --verify");
    let said = String::from_utf8_lossy(&verified.stderr).into_owned();
    assert!(said.trim_end().ends_with("of them replayed"), "{said}");
}

#[test]
fn the_coordinator_alone_convicts_a_liar() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let (forged, code, mut playing) = begun(&fleet, 24);
    let run = run_id(&fleet);
    let liar = Liar::join(&alice, "liar");
    forged[..24].chunks(8).for_each(|chunk| liar.send(run, chunk));
    wait_for(&fleet, &mut playing, "a conviction", is_convicted);
    assert!(fleet.log("match.log").contains("verdict serve remove alice"));
    // What it sends now is refused.
    liar.send(run, &forged[24..32]);
    wait_for(&fleet, &mut playing, "a refusal", |status| status["runs"][0]["refused"] == 1);
    // So it is under another name.
    Liar::join(&alice, "other").send(run, &forged[24..32]);
    wait_for(&fleet, &mut playing, "a refusal", |status| status["runs"][0]["refused"] == 2);
    assert_eq!(fleet.status()["runs"][0]["prefix"], 0);
    let barred = "invitation alice gets no more pairs, alice.liar was convicted: it has sent game";
    let mut other = fleet.worker(&alice, "another", 1);
    fleet.wait_for("another.log", barred, &mut other);
    let is_told = |status: &serde_json::Value| {
        let workers = status["workers"].as_array().unwrap();
        let worker = workers.iter().find(|worker| worker["name"] == "alice.another");
        let why = worker.and_then(|worker| worker["why"].as_str()).unwrap_or_default();
        why.contains("run is declined") && why.contains(barred)
    };
    wait_for(&fleet, &mut playing, "its reason", is_told);
    let said = String::from_utf8(fleet.run("status --fleet srv").stdout).unwrap();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&format!("run: {barred}")), "{said}");
    fleet.wait_for_page("/workers", barred);
    fleet.wait_for_page("/metrics", "verdict_broker_bytes{stream=\"PAIRS\"} ");
    let _worker = fleet.worker(&bob, "pc", 2);
    expect_the_truth(&fleet, &mut playing, code, 24);
}

#[test]
fn another_worker_plays_it_and_the_liar_is_convicted() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let (forged, code, mut playing) = begun(&fleet, 100);
    let run = run_id(&fleet);
    let liar = Liar::join(&alice, "liar");
    // The end of the run, which an honest worker plays last.
    let worker = fleet.worker(&bob, "pc", 1);
    fleet.wait_for_games("run", 4);
    forged[184..].chunks(8).for_each(|chunk| liar.send(run, chunk));
    wait_for(&fleet, &mut playing, "a conviction", is_convicted);
    let said = fleet.log("match.log");
    assert!(said.contains("alice.liar: it has sent game"), "{said}");
    assert!(said.contains("and by bob.pc"), "{said}");
    expect_the_truth(&fleet, &mut playing, code, 16);
    drop(worker);
}

#[test]
fn a_coordinator_that_is_killed_takes_up_what_was_open() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let (forged, code, mut playing) = begun(&fleet, 24);
    let run = run_id(&fleet);
    let liar = Liar::join(&alice, "liar");
    forged[..16].chunks(8).for_each(|chunk| liar.send(run, chunk));
    // Before or after the conviction.
    fleet.wait_for_games("run", 8);
    playing.kill();
    let resume = "resume run --quiet --fleet srv --slots 0 --chunk 4 --fleet-audit 100%";
    let mut playing = fleet.begin("match.log", resume);
    wait_for(&fleet, &mut playing, "a conviction", is_convicted);
    playing.kill();
    // And once more after it.
    let mut playing = fleet.begin("match.log", resume);
    let _worker = fleet.worker(&bob, "pc", 1);
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}

/// What was forged would decide the other way round.
#[test]
fn nothing_is_decided_by_games_that_are_still_to_be_compared() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let weak = "embedded,search.hash_cutoffs=false,search.pvs=false";
    let rule = "--nodes 80 --pairs 40 --quiet --rule sprt=-200,200";
    let alone = fleet.run(&format!("match --base embedded --test {weak} {rule} --out alone"));
    let other = fleet.run(&format!("match --base {weak} --test embedded {rule} --out other"));
    assert_ne!(alone.status.code(), other.status.code(), "they must decide otherwise");
    let words = "--out run --fleet srv --slots 0 --chunk 4 --fleet-audit 100%";
    let mut playing =
        fleet.begin("match.log", &format!("match --base embedded --test {weak} {rule} {words}"));
    wait_for(&fleet, &mut playing, "a run", |status| {
        !status["runs"].as_array().unwrap().is_empty()
    });
    let run = run_id(&fleet);
    let liar = Liar::join(&alice, "liar");
    games(&fleet, "other").chunks(8).for_each(|chunk| liar.send(run, chunk));
    let _worker = fleet.worker(&bob, "pc", 2);
    assert_eq!(playing.code(), alone.status.code(), "{}", fleet.log("match.log"));
    let summary = |run: &str| -> serde_json::Value {
        serde_json::from_str(&fleet.log(&format!("{run}/summary.json"))).unwrap()
    };
    assert_eq!(summary("run")["verdict"], summary("alone")["verdict"]);
    assert_eq!(summary("run")["ptnml"], summary("alone")["ptnml"]);
}

#[test]
fn on_a_clock_nothing_is_played_twice() {
    let Some(fleet) = Fleet::start() else { return };
    let words = "match --test embedded --tc 1+0.01 --pairs 1 --quiet --fleet srv --fleet-audit 2%";
    let refused = fleet.run(words);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("--fleet-audit: what is played again on a clock"), "{said}");
    assert!(!refused.status.success());
}

/// The games of an engine that keeps something of one game in the next depend on what its process has
/// played before, so two honest machines play other ones.
#[test]
fn engines_that_remember_convict_nobody() {
    let Some(fleet) = Fleet::start() else { return };
    let dials = env!("CARGO_BIN_EXE_dials");
    let words = format!(
        "match --base uci:{dials} --test uci:{dials},arg=remembers,Aim=40 --pairs 8 --seed 3 --depth 2 --max-moves 30"
    );
    let _workers = ["alice", "bob"].map(|name| fleet.stranger(&fleet.invite(name), name, ""));
    let play = |words: &str, out: &str| {
        let audits = "--fleet srv --slots 0 --chunk 2 --fleet-audit 100%";
        let mut playing = fleet.begin("match.log", &format!("{words} {audits} --out {out}"));
        let code = playing.code();
        let said = fleet.log("match.log");
        assert!(code.is_some_and(|code| code < 3), "{said}");
        assert!(!said.contains("struck"), "{said}");
        let summary = fleet.log(&format!("{out}/summary.json"));
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        (said, summary["fleet"]["audited_pairs"].clone())
    };
    let (said, audited) = play(&words, "run");
    let told = "nothing is played twice any more: test keeps something of one game in the next";
    assert!(said.contains(told) && said.contains("--restart"), "{said}");
    assert_eq!(audited, 0, "{said}");
    let words = format!("{words} --restart");
    let (said, audited) = play(&words, "again");
    assert!(!said.contains("nothing is played twice"), "{said}");
    assert_eq!(audited, 8, "{said}");
    assert!(
        fleet.run(&format!("{words} --quiet --out alone")).status.code().is_some_and(|it| it < 3)
    );
    assert_eq!(
        canonical(&fleet.path("again"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}
