//! The same plan gives the same games, whatever runs it.

use arena::record::FinalVerdict;

use super::{Place, scoundrel};

const PLAN: &str = "--test embedded,killers.on=false --nodes 150 --hash 64KiB --seed 5";

#[test]
fn concurrency_slots_and_order_change_nothing() {
    let place = Place::new();
    let widths = [
        "--concurrency 1 --slots 1",
        "--concurrency 2 --slots 2",
        "--concurrency 64 --slots 2",
        "--concurrency 64 --slots 3 --fair",
    ];
    let runs: Vec<String> = (0..widths.len())
        .map(|number| {
            let name = format!("run{number}");
            place.play(&name, &format!("{PLAN} --pairs 12 {}", widths[number])).decided();
            place.games(&name)
        })
        .collect();
    assert_eq!(runs[0].lines().count(), 24);
    for (run, width) in runs.iter().zip(widths) {
        assert_eq!(*run, runs[0], "{width}");
    }
}

#[test]
fn programs_play_the_same_games_too() {
    let place = Place::new();
    let plan = format!("--base {} --pairs 8 --nodes 150 --seed 5", scoundrel("first"));
    place.play("one", &format!("{plan} --concurrency 1 --slots 1")).decided();
    place.play("many", &format!("{plan} --concurrency 16 --slots 2 --fair")).decided();
    assert_eq!(place.games("one"), place.games("many"));
}

/// A rule that decides in the middle of the schedule decides at the same pair, by the same
/// counts, however many games are under way beyond it.
#[test]
fn a_verdict_does_not_depend_on_what_was_under_way() {
    let place = Place::new();
    // The base player takes the first legal move: the test decides soon.
    let base = scoundrel("first");
    let plan = format!("--base {base} --pairs 400 --nodes 150 --rule sprt=0,50,alpha=0.2,beta=0.2");
    let narrow = place.play("narrow", &format!("{plan} --concurrency 1 --slots 1")).decided();
    let wide = place.play("wide", &format!("{plan} --concurrency 48 --slots 2 --fair")).decided();
    let (first, second) = (narrow.summary(), wide.summary());
    assert_eq!((narrow.code, first.judged.verdict), (0, Some(FinalVerdict::Accept)));
    assert!(first.pairs < 400, "decided at pair {}", first.pairs);
    assert_eq!((first.pairs, first.ptnml), (second.pairs, second.ptnml));
    assert_eq!(first.judged, second.judged);
    let counting = |dir| crate::common::canonical::canonical(dir, Some(first.pairs)).unwrap();
    assert_eq!(counting(&narrow.dir), counting(&wide.dir));
}

#[test]
fn the_seed_decides_the_openings() {
    let place = Place::new();
    for (name, seed) in [("a", 1), ("b", 2)] {
        let plan = format!("--pairs 8 --nodes 50 --seed {seed} --max-moves 10");
        place.play(name, &plan).decided();
    }
    assert_ne!(place.games("a"), place.games("b"));
}
