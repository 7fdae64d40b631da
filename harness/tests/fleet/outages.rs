//! Whoever dies, whenever: every game once, and the same as without.

use std::fs;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Fleet, PATIENCE, Running, idlers, serve};
use crate::common::canonical::canonical;

const MATCH: &str = "match --test embedded,search.pvs=false --nodes 30 --max-moves 30 --pairs 60 --quiet \
                     --chunk 3";

/// The games of the match and its exit code, played by one process for all tests.
fn expected(fleet: &Fleet) -> (String, Option<i32>) {
    static EXPECTED: OnceLock<(String, Option<i32>)> = OnceLock::new();
    let play = || {
        let alone = fleet.run(&format!("{MATCH} --out alone").replace("--chunk 3", ""));
        let games = canonical(&fleet.path("alone"), None).unwrap();
        assert_eq!(games.lines().count(), 120);
        (games, alone.status.code())
    };
    EXPECTED.get_or_init(play).clone()
}

/// The process of the broker, as its file of ports has it.
pub(super) fn broker(fleet: &Fleet) -> libc::pid_t {
    let files = fs::read_dir(fleet.path("srv")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let number = |name: String| {
        name.strip_prefix("nats-server_")?.strip_suffix(".ports")?.parse::<libc::pid_t>().ok()
    };
    // SAFETY: signal 0 only asks whether the process is there.
    names.filter_map(number).find(|pid| unsafe { libc::kill(*pid, 0) } == 0).unwrap()
}

pub(super) fn a_worker_is_killed() {
    let Some(fleet) = Fleet::start() else { return };
    let (expected, code) = expected(&fleet);
    let token = fleet.invite("alice");
    let mut first = fleet.worker(&token, "first", 1);
    let mut playing = fleet.begin("match.log", &format!("{MATCH} --out run --fleet srv --slots 0"));
    fleet.wait_for_games("run", 8);
    first.kill();
    let _second = fleet.worker(&token, "second", 1);
    let _third = fleet.worker(&token, "third", 1);
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(canonical(&fleet.path("run"), None).unwrap(), expected);
    let said = fleet.log("match.log");
    assert!(said.contains("alice.first is no longer heard of"), "{said}");
}

/// On a clock a pair that was begun at a worker that died is another one at the next.
pub(super) fn what_is_drawn_anew_is_counted() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let mut first = fleet.trusting_worker(&token, "first");
    // About two seconds a game.
    let words = format!(
        "match {} --tc 60+1 --max-moves 12 --pairs 5 --quiet --chunk 1 --max-faults off --out run --fleet srv \
         --slots 0",
        idlers(60)
    );
    let mut playing = fleet.begin("match.log", &words);
    fleet.wait_for_games("run", 2);
    // The second game of a pair is under way, and a beat has said so: not the one between the games.
    let until = Instant::now() + PATIENCE;
    let games = || fleet.status()["workers"][0]["games"].as_u64().unwrap_or(0);
    loop {
        let before = games();
        sleep(Duration::from_millis(500));
        if before % 2 == 1 && games() == before {
            break;
        }
        assert!(Instant::now() < until, "{}", fleet.status());
    }
    first.kill();
    let _second = fleet.trusting_worker(&token, "second");
    assert!(playing.code().is_some_and(|code| code < 3), "{}", fleet.log("match.log"));
    let summary: serde_json::Value = serde_json::from_str(&fleet.log("run/summary.json")).unwrap();
    let redrawn = summary["fleet"]["redrawn_pairs"].as_u64();
    assert!(redrawn.is_some_and(|pairs| (1..4).contains(&pairs)), "{}", summary["fleet"]);
    let rows = fleet.log("run/workers.jsonl");
    let first = rows.lines().find(|line| line.contains("alice.first")).unwrap();
    assert!(first.contains(r#""left":"2"#), "{first}");
}

#[test]
fn the_broker_is_killed_again_and_again() {
    let Some(fleet) = Fleet::start() else { return };
    let (expected, code) = expected(&fleet);
    let token = fleet.invite("alice");
    let _workers = ["a", "b"].map(|name| fleet.worker(&token, name, 1));
    let mut playing = fleet.begin("match.log", &format!("{MATCH} --out run --fleet srv --slots 0"));
    for kills in 1..=3 {
        fleet.wait_for_games("run", 20 * kills);
        let old = broker(&fleet);
        // SAFETY: a plain system call.
        assert_eq!(unsafe { libc::kill(old, libc::SIGKILL) }, 0);
        let until = Instant::now() + PATIENCE;
        while fleet.log("serve.log").matches("was started again").count() < kills {
            assert!(Instant::now() < until, "{}", fleet.log("serve.log"));
            sleep(Duration::from_millis(10));
        }
    }
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(canonical(&fleet.path("run"), None).unwrap(), expected);
}

pub(super) fn the_store_is_wiped() {
    let Some(mut fleet) = Fleet::start() else { return };
    let (expected, code) = expected(&fleet);
    let token = fleet.invite("alice");
    let _worker = fleet.worker(&token, "a", 1);
    let mut playing = fleet.begin("match.log", &format!("{MATCH} --out run --fleet srv --slots 0"));
    fleet.wait_for_games("run", 20);
    fleet.serve.signal(libc::SIGTERM);
    assert_eq!(fleet.serve.code(), Some(0));
    fs::remove_dir_all(fleet.path("srv/store")).unwrap();
    fleet.serve = serve(fleet.dir.path(), &fleet.listen, &[]);
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(canonical(&fleet.path("run"), None).unwrap(), expected);
}

#[test]
fn the_coordinator_is_killed_and_resumed() {
    let Some(fleet) = Fleet::start() else { return };
    let (expected, code) = expected(&fleet);
    let token = fleet.invite("alice");
    let _worker = fleet.worker(&token, "a", 1);
    let mut playing = fleet.begin("match.log", &format!("{MATCH} --out run --fleet srv --slots 1"));
    for games in [10, 40, 80] {
        fleet.wait_for_games("run", games);
        playing.kill();
        let words = "resume run --quiet --fleet srv --slots 1 --chunk 3";
        playing = fleet.begin("match.log", words);
    }
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(canonical(&fleet.path("run"), None).unwrap(), expected);
}

#[test]
fn a_run_begun_alone_goes_on_with_others_and_ends_alone() {
    let Some(fleet) = Fleet::start() else { return };
    let (expected, code) = expected(&fleet);
    let token = fleet.invite("alice");
    let alone = format!("{MATCH} --out run").replace("--chunk 3", "");
    let stop = |mut playing: Running, games| {
        fleet.wait_for_games("run", games);
        playing.signal(libc::SIGINT);
        assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
    };
    stop(fleet.begin("match.log", &alone), 10);
    let _worker = fleet.worker(&token, "a", 1);
    stop(fleet.begin("match.log", "resume run --quiet --fleet srv --slots 0"), 40);
    let ended = fleet.run("resume run --quiet");
    assert_eq!(ended.status.code(), code);
    assert_eq!(canonical(&fleet.path("run"), None).unwrap(), expected);
}
