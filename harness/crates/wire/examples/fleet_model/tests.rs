use std::time::Duration;

use wire::message::{Beat, HeldChunk};

use crate::cell::{Cell, Churn};
use crate::fleet::simulate;

fn small(size: usize, pair_s: f64, rtt_ms: u64) -> Cell {
    Cell::new(8, size, pair_s, rtt_ms).lasting(120.0, 3000)
}

#[test]
fn a_fleet_without_ways_is_busy_until_the_end() {
    let cell = Cell { coordinator_rtt: Duration::ZERO, ..Cell::new(4, 1, 1.0, 0) };
    let tally = simulate(&cell.lasting(600.0, 10_000)).unwrap();
    let steady = tally.steady().unwrap();
    assert!(steady > 0.9999, "{steady}");
    // The last chunks: at most one chunk of 30 s and what had been fetched ahead of it.
    let tail = tally.tail().unwrap();
    assert!(tail < Duration::from_secs(75), "{tail:?}");
    let lost = tally.slot_time - tally.busy;
    assert!(lost <= tail * 4, "{lost:?} in a tail of {tail:?}");
}

#[test]
fn every_pair_is_recorded_once_whatever_goes_wrong() {
    let churn = Churn { deaths: 400.0, leaves: 400.0 };
    let all = ["code", "shallow+single+short+heavy", "ahead+window", "uncapped+fresh"];
    for (number, flags) in all.into_iter().enumerate() {
        for size in [1, 4] {
            let cell = small(size, 0.4, 100).with(flags).unwrap();
            let cell = Cell { loss: 0.05, churn, seed: number as u64, ..cell };
            let tally = simulate(&cell).unwrap();
            // A chunk that four workers died of is given to nobody.
            let most_poisoned = tally.poisoned * u64::from(cell.split().unwrap().each().get());
            let left = cell.pairs - tally.recorded_pairs;
            assert!((tally.poisoned..=most_poisoned).contains(&left), "{tally:?}");
            assert!(tally.ended.is_some() && tally.busy <= tally.slot_time, "{cell:?}");
            assert!(tally.redrawn > 0 && !tally.back_after_death.is_empty(), "{cell:?}");
        }
    }
}

#[test]
fn a_run_ends_however_often_its_chunks_are_given_back() {
    let churn = Churn { deaths: 0.0, leaves: 120.0 };
    let cell = Cell { pairs: 60, churn, ..Cell::new(1, 1, 6.0, 20) };
    let tally = simulate(&cell).unwrap();
    assert!(tally.ended.is_some() && tally.back_after_leave.len() > 4, "{tally:?}");
}

#[test]
fn a_far_coordinator_hears_a_stop_and_questions_while_it_reconciles() {
    // It compares its ledger from the first minute on, 192 chunks one after another.
    let cell = Cell::new(64, 1, 1.0, 20).lasting(100.0, 10_000);
    let coordinator_rtt = Duration::from_millis(100);
    let cell = Cell { coordinator_rtt, decides_at: Some(64 * 62), ..cell };
    let tally = simulate(&cell).unwrap();
    // The first question of each worker waits until chunks are published.
    assert!(tally.unanswered <= 64, "{tally:?}");
    assert!(tally.stops.iter().all(|stop| *stop < Duration::from_millis(500)), "{tally:?}");
}

#[test]
fn a_cell_is_the_same_each_time_and_another_by_another_seed() {
    let cell = Cell { loss: 0.05, ..small(4, 0.5, 100) };
    let played = |seed| simulate(&Cell { seed, ..cell.clone() }).unwrap().to_json();
    assert_eq!(played(1), played(1));
    assert_ne!(played(1), played(2));
}

#[test]
fn a_long_way_costs_and_nothing_else_does() {
    let busy = |rtt_ms| simulate(&small(4, 0.2, rtt_ms)).unwrap().efficiency();
    assert!(busy(1) > busy(100) && busy(100) > busy(300));
}

#[test]
fn a_dead_workers_chunk_comes_back_within_the_time_of_an_acknowledgement() {
    let churn = Churn { deaths: 200.0, leaves: 0.0 };
    let tally = simulate(&Cell { churn, ..small(1, 1.0, 20) }).unwrap();
    let (least, most) = (Duration::from_secs(19), Duration::from_secs(32));
    // A chunk waits for a worker that asks, too: only the first is bounded from above.
    let first = tally.back_after_death.iter().min().unwrap();
    assert!((least..most).contains(first), "{:?}", tally.back_after_death);
}

#[test]
fn all_stop_soon_after_the_decision() {
    let cell = Cell { decides_at: Some(200), ..small(1, 1.0, 100) };
    let tally = simulate(&cell).unwrap();
    assert_eq!(tally.stops.len(), 8);
    assert!(tally.stops.iter().all(|stop| *stop < Duration::from_millis(200)), "{tally:?}");
    assert!(tally.recorded_pairs >= 200 && tally.recorded_pairs < cell.pairs);
}

#[test]
fn a_beat_has_room_for_so_many_chunks() {
    let beat = |chunks: u64| Beat {
        run: Some("0123456789abcdef".parse().unwrap()),
        chunks: (0..chunks)
            .map(|n| HeldChunk { first: 10_000 + n, pairs: 1, round: 0, done: 0 })
            .collect(),
        ..Beat::new(256)
    };
    let most = (1..1000).take_while(|chunks| beat(*chunks).encode().is_ok()).last().unwrap();
    assert!((150..180).contains(&most), "{most}");
}
