//! Machines with another protocol are refused in words.

use std::fs;

use serde_json::{Value, json};
use wire::message::VERSION;
use wire::names;

use super::Fleet;
use super::liar::{Liar, wait_for_run};

const MATCH: &str = "match --test embedded,search.pvs=false --nodes 200 --pairs 4000 --quiet \
                     --fleet srv --slots 1 --out run";

/// The card of a worker of another version: it lacks what this one needs.
fn hello(protocol: u64, worker: &str) -> Value {
    json!({"v": protocol, "card": {"v": protocol, "name": worker, "new": [1]}, "since_ms": 1})
}

#[test]
fn a_worker_of_another_protocol_does_not_join() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    for protocol in [VERSION - 1, VERSION + 1] {
        let stranger = Liar::join(&token, &format!("pc{protocol}"));
        let name = stranger.name.to_string();
        let answer = stranger.ask(&names::hello_subject(&stranger.name), &hello(protocol, &name));
        // A worker of protocol 1 reads these, and prints what it says.
        assert_eq!(answer["ok"], false, "{answer}");
        let said = answer["say"].as_str().unwrap().to_owned();
        for words in
            [&format!("protocol {VERSION}, the worker {protocol}"), "build the same commit"]
        {
            assert!(said.contains(words), "{said}");
        }
        // It need not ask again.
        assert!(answer["retry_s"].is_null(), "{answer}");
        let log = fleet.log("serve.log");
        assert!(log.contains(&format!("{name} is refused: {said}")), "{log}");
    }
}

/// One that joined before the broker was updated.
#[test]
fn a_worker_of_another_protocol_is_told_of_at_the_match() {
    let Some(mut fleet) = Fleet::start() else { return };
    let old = Liar::join(&fleet.invite("alice"), "old");
    let mut playing = fleet.begin("match.log", MATCH);
    wait_for_run(&fleet, &mut playing);
    let beat = json!({"v": VERSION - 1, "seq": 1, "slots": 1});
    for _ in 0..3 {
        old.say(names::beat_subject(&old.name), &beat);
    }
    fleet.wait_for("match.log", "alice.old plays nothing", &mut playing);
    fleet.wait_for_games("run", 4);
    let said = fleet.log("match.log");
    assert_eq!(said.matches("alice.old").count(), 1, "{said}");
    assert!(said.contains(&format!("it has protocol {}, this verdict {VERSION}", VERSION - 1)));
    playing.signal(libc::SIGINT);
    assert_eq!(playing.code(), Some(2));
    fleet.serve.signal(libc::SIGTERM);
    assert_eq!(fleet.serve.code(), Some(0));
}

#[test]
fn a_run_of_another_protocol_is_told_of_at_the_worker() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let coordinator = fs::read_to_string(fleet.path("srv/coordinator.token")).unwrap();
    let coordinator = Liar::join(coordinator.trim(), "new");
    let run = "0123456789abcdef".parse().unwrap();
    let card = |state: &str| json!({"v": VERSION + 1, "run": run, "state": state}).to_string();
    let put = |state| {
        coordinator.store_at(names::run_subject(run), card(state).into_bytes()).unwrap();
    };
    put("stopped");
    let mut worker = fleet.worker(&token, "pc", 1);
    put("playing");
    fleet.wait_for("pc.log", &format!("played by protocol {}", VERSION + 1), &mut worker);
    let said = fleet.log("pc.log");
    assert!(said.contains("build the commit of its coordinator"), "{said}");
    let status = fleet.status();
    assert!(status["workers"].to_string().contains("played by protocol"), "{status}");
    // Its own runs it plays all the same.
    let played = fleet.run("match --nodes 40 --pairs 4 --quiet --fleet srv --slots 0 --out run");
    assert_eq!(played.status.code(), Some(2), "{}", String::from_utf8_lossy(&played.stderr));
}
