//! Workers that leave, and those that may not come in.

use super::liar::{Liar, wait_for_run};
use super::{Fleet, PATIENCE};
use std::thread::sleep;
use std::time::{Duration, Instant};

const MATCH: &str = "match --test embedded,search.pvs=false --nodes 100 --pairs 4000 --quiet \
                     --fleet srv --slots 0 --chunk 2 --out run";

#[test]
fn who_leaves_in_good_order_gives_its_chunks_back() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let mut leaver = fleet.worker(&token, "leaver", 1);
    let mut playing = fleet.begin("match.log", MATCH);
    fleet.wait_for_games("run", 2);
    let _other = fleet.worker(&token, "other", 1);
    leaver.signal(libc::SIGTERM);
    assert_eq!(leaver.code(), Some(0), "{}", fleet.log("leaver.log"));
    // The other one plays on, also what was given back: the gap-free prefix grows.
    let until = Instant::now() + PATIENCE;
    let prefix = || fleet.status()["runs"][0]["prefix"].as_u64().unwrap();
    let then = prefix();
    while prefix() < then + 4 {
        assert!(Instant::now() < until, "{}", fleet.status());
        sleep(Duration::from_millis(100));
    }
    let status = fleet.status();
    assert_eq!(status["workers"].as_array().unwrap().len(), 1, "{status}");
    assert_eq!(status["workers"][0]["state"], "playing");
    // Ctrl-C at the coordinator: nothing is lost, and workers stop.
    playing.signal(libc::SIGINT);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
    // The same machines go on.
    let said = fleet.log("match.log");
    assert!(said.contains("verdict resume run --fleet srv --slots 0"), "{said}");
    while fleet.status()["workers"][0]["state"] != "idle" {
        assert!(Instant::now() < until + PATIENCE, "{}", fleet.status());
        sleep(Duration::from_millis(100));
    }
    assert_eq!(fleet.status()["workers"][0]["why"], "no run is there");
}

#[test]
fn a_chunk_that_came_back_many_times_is_played() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let words = "match --test embedded,search.pvs=false --nodes 60 --pairs 8 --quiet --chunk 4 \
                 --fleet srv --slots 0 --out run";
    let mut playing = fleet.begin("match.log", words);
    let run = wait_for_run(&fleet, &mut playing);
    let leaver = Liar::join(&token, "leaver");
    // Two chunks wait, and the broker may hand out either: of ten deliveries one has five.
    let taken: Vec<u64> = (0..10).map(|_| leaver.take_and_give_back(run)).collect();
    let firsts = taken.iter().filter(|first| **first == taken[0]).count();
    assert!(firsts.max(taken.len() - firsts) >= 5, "{taken:?}");
    let _worker = fleet.worker(&token, "pc", 1);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
    assert_eq!(fleet.log("run/games.jsonl").lines().count(), 16);
}

#[test]
fn two_of_one_name_and_too_many_slots_wait() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice --slots 3");
    let _first = fleet.worker(&token, "pc", 2);
    for (log, words) in
        [("same.log", "--name pc --slots 1"), ("many.log", "--name other --slots 2")]
    {
        let mut worker = fleet.begin(log, &format!("worker --join {token} {words}"));
        fleet.wait_for(log, "waits:", &mut worker);
        let said = fleet.log(log);
        assert!(!said.contains("joined"), "{said}");
        worker.signal(libc::SIGTERM);
        assert_eq!(worker.code(), Some(0));
    }
    let status = fleet.status();
    assert_eq!(status["workers"].as_array().unwrap().len(), 1, "{status}");
}

#[test]
fn a_worker_leaves_while_the_broker_is_away() {
    let Some(mut fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let mut worker = fleet.worker(&token, "pc", 1);
    fleet.serve.signal(libc::SIGTERM);
    assert_eq!(fleet.serve.code(), Some(0));
    worker.signal(libc::SIGTERM);
    assert_eq!(worker.code(), Some(0), "{}", fleet.log("pc.log"));
}

#[test]
fn a_time_to_leave() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let mut worker =
        fleet.begin("w.log", &format!("worker --join {token} --name pc --slots 1 --for 1s"));
    assert_eq!(worker.code(), Some(0), "{}", fleet.log("w.log"));
}
