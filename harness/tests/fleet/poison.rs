//! Pairs that take machine after machine down.

use super::Fleet;
use super::liar::{Liar, games, wait_for_run};
use crate::common::canonical::canonical;

const MATCH: &str =
    "match --test embedded,search.pvs=false --nodes 20 --max-moves 20 --pairs 12 --quiet --seed 5";

pub(super) fn what_has_killed_four_workers_is_given_to_nobody_and_told() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let alone = fleet.run(&format!("{MATCH} --out alone"));
    let words = "--out run --fleet srv --slots 0 --chunk 4 --fleet-audit 0%";
    let mut playing = fleet.begin("match.log", &format!("{MATCH} {words}"));
    let run = wait_for_run(&fleet, &mut playing);
    // Whoever is lost has sent half of what it has.
    let half = Liar::join(&alice, "half");
    half.send(run, &games(&fleet, "alone")[16..20]);
    fleet.wait_for_games("run", 4);
    half.hold(run, 8, 4);
    // Three would not be enough.
    for name in ["w1", "w2", "w3", "w4"] {
        Liar::join(&alice, name).hold(run, 4, 4);
    }
    fleet.wait_for("match.log", "given to nobody any more", &mut playing);
    let lost = "alice.half is no longer heard of; 2 pairs are given to others";
    fleet.wait_for("match.log", lost, &mut playing);
    let _worker = fleet.worker(&bob, "pc", 1);
    let code = playing.code();
    let said = fleet.log("match.log");
    assert!(code.is_some_and(|code| code >= 3), "{code:?}: {said}");
    for words in ["pairs 4 to 7", "alice.w1, alice.w2, alice.w3, alice.w4", "verdict resume run"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // Nothing that could be played is lost.
    let played: Vec<u64> = games(&fleet, "run").iter().map(|game| game.game).collect();
    assert_eq!(played, (0..8).chain(16..24).collect::<Vec<u64>>());
    assert!(fleet.path("run/summary.json").exists());
    // This machine plays the rest, if it is told so.
    let resumed = fleet.run("resume run --quiet");
    assert_eq!(resumed.status.code(), alone.status.code());
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}
