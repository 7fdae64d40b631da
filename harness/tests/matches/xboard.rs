//! Matches with programs that speak xboard.

use std::collections::BTreeMap;
use std::fs;

use arena::record::{Games, Side, Termination};
use pgn::Outcome;

use super::{Place, rascal};

const PLAN: &str = "--pairs 2 --depth 2 --hash 1MiB --max-faults off --hang 2s --concurrency 2";

#[test]
fn mutineer_plays_the_same_match_over_both_protocols() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_mutineer_process");
    let plan = "--pairs 4 --nodes 150 --hash 1MiB --seed 5";
    for protocol in ["uci", "xboard"] {
        let played = place.play(protocol, &format!("{plan} --test {protocol}:{program}")).decided();
        assert_eq!(played.summary().faults.total, 0, "{}", played.stderr);
    }
    assert_eq!(place.games("uci"), place.games("xboard"));
    let pgn = fs::read_to_string(place.path("xboard").join("games.pgn")).unwrap();
    assert!(pgn.contains("[WhiteName \"mutineer") && pgn.contains("/2 "), "{pgn}");
}

#[test]
fn each_vice_has_its_termination() {
    for (vices, termination) in [
        ("illegal:2", "illegal-move"),
        ("exit-in-search:2", "crash"),
        ("garbage:2", "hang"),
        ("no-move:2", "garbage"),
        ("refuse-position", "not-started"),
        ("claim-draw:2", "false-claim"),
    ] {
        let place = Place::new();
        let played = place.play("run", &format!("{PLAN} --test {}", rascal(vices))).decided();
        let faults = played.summary().faults;
        let expected = BTreeMap::from([(termination.to_owned(), 4)]);
        assert_eq!(faults.test, expected, "{vices}: {}", played.stderr);
        assert!(faults.base.is_empty() && faults.harness.is_empty(), "{vices}: {faults:?}");
        let folder = played.dir.join("faults").join("0");
        let fault = fs::read_to_string(folder.join("fault.txt")).unwrap();
        assert!(fault.contains(termination), "{fault}");
        assert!(folder.join("transcript.txt").exists() && folder.join("input.txt").exists());
    }
}

#[test]
fn resigning_loses_and_is_no_fault() {
    for (vices, resignations) in [("resign:2", 4), ("no-reuse lose:2", 4)] {
        let place = Place::new();
        let played = place.play("run", &format!("{PLAN} --test {}", rascal(vices))).decided();
        assert_eq!(played.summary().faults.total, 0, "{}", played.stderr);
        let games: Vec<_> = Games::open(&played.dir).unwrap().map(Result::unwrap).collect();
        let resigned = games.iter().filter(|game| game.termination == Termination::Resignation);
        assert_eq!(resigned.count(), resignations, "{vices}");
        for game in games {
            let lost = if game.white == Side::Test { Outcome::Black } else { Outcome::White };
            assert_eq!((game.result, game.detail), (lost, None), "{vices}: game {}", game.game);
        }
    }
}

#[test]
fn time_is_lost_by_the_player_that_oversteps() {
    let place = Place::new();
    let base = rascal("overstep:3000");
    let plan = format!("--pairs 1 --movetime 20ms --time-margin 2s --base {base} --max-faults off");
    let played = place.play("run", &plan).decided();
    let faults = played.summary().faults;
    assert_eq!(faults.base.get("time-loss"), Some(&2), "{faults:?}");
}
