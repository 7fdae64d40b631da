//! Runs with clocks.

use super::{Fleet, PATIENCE};
use std::time::Instant;

const MATCH: &str = "match --test embedded,search.pvs=false --tc 0.2+0.002 --time-margin 5s --max-moves 20 --pairs 1 \
                     --quiet --fleet srv --slots 0";

/// The speed that a worker says of itself.
fn measured(log: &str) -> u64 {
    let before = log.split(" nodes/s here").next().unwrap();
    before.split_whitespace().last().unwrap().parse().unwrap()
}

#[test]
fn each_machine_multiplies_the_times_by_how_slow_it_is() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let mut worker = fleet.worker(&token, "pc", 1);
    // Times for a machine that is far slower.
    let mut playing = fleet.begin("slow.log", &format!("{MATCH} --scale-to 1 --out slow"));
    fleet.wait_for("pc.log", "expected a factor from 0.25 to 4", &mut worker);
    playing.signal(libc::SIGINT);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("slow.log"));
    let here = measured(&fleet.log("pc.log"));
    let words = format!("{MATCH} --scale-to {} --out run", 2 * here);
    let mut playing = fleet.begin("match.log", &words);
    let until = Instant::now() + PATIENCE;
    while playing.0.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "{}", fleet.log("pc.log"));
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let games = fleet.log("run/games.jsonl");
    assert_eq!(games.lines().count(), 2, "{}", fleet.log("match.log"));
    for game in games.lines() {
        let game: serde_json::Value = serde_json::from_str(game).unwrap();
        assert_eq!(game["time"]["scale"].as_f64(), Some(2.0), "{game}");
    }
    assert_eq!(fleet.status()["workers"][0]["nps"].as_u64(), Some(here));
}

#[test]
fn without_a_scale_the_same_processor_plays() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let _worker = fleet.worker(&token, "pc", 1);
    let played = fleet.run(&format!("{MATCH} --out run"));
    let said = String::from_utf8_lossy(&played.stderr).into_owned();
    assert_eq!(fleet.log("run/games.jsonl").lines().count(), 2, "{said}");
    assert!(!fleet.log("run/games.jsonl").contains("\"scale\""));
}
