//! What counts and what is merely there.

use std::collections::BTreeMap;
use std::time::Duration;

use arena::record::{GameRecord, MatchState, Side, Tally, Termination};
use pgn::Outcome;
use stats::{Rule, Wdl};

use crate::common::samples::{START, game, pair, rng, shuffle, with_moves};

/// All pairs count, or the first `limit`, as of a run of so many.
fn tally(games: &[GameRecord], limit: Option<u64>) -> Tally {
    let mut tally = limit.map_or_else(Tally::default, |pairs| Tally::new(Rule::default(), pairs));
    games.iter().for_each(|game| drop(tally.add(game).unwrap()));
    tally
}

fn games(pairs: u64) -> Vec<GameRecord> {
    (0..pairs).flat_map(pair).collect()
}

#[test]
fn sums_over_every_game() {
    let all = games(100);
    let tally = tally(&all, None);
    let counts = &tally.counts;
    assert_eq!((counts.pairs, counts.games()), (100, 200));
    let points = |n| all.iter().filter(|game| game.test_half_points() == n).count() as u64;
    assert_eq!(counts.wdl, Wdl { win: points(2), draw: points(1), loss: points(0) });
    let results = |r| all.iter().filter(|game| game.result == r).count() as u64;
    assert_eq!(
        counts.white,
        Wdl {
            win: results(Outcome::White),
            draw: results(Outcome::Draw),
            loss: results(Outcome::Black)
        }
    );
    let mut ptnml = [0; 5];
    for pair in all.chunks(2) {
        ptnml[usize::from(pair[0].test_half_points() + pair[1].test_half_points())] += 1;
    }
    assert_eq!(counts.ptnml, ptnml);
    assert_eq!(counts.plies, all.iter().map(|game| u64::from(game.plies)).sum::<u64>());
    let nodes = |side: Side| -> u64 {
        all.iter().map(|game| game.nodes[usize::from(game.black == side)]).sum()
    };
    assert_eq!(counts.nodes, [nodes(Side::Base), nodes(Side::Test)]);
    assert_eq!(counts.openings, 100);
    assert_eq!(counts.terminations.values().sum::<u64>(), 200);
    let thinking: u64 = all.iter().flat_map(|game| &game.time.moves_us).sum();
    assert_eq!(tally.thinking.iter().sum::<Duration>(), Duration::from_micros(thinking));
    // Each game lasts half a second and begins a second after the one before.
    assert_eq!(tally.active(), Duration::from_secs(100));
}

#[test]
fn thinking_time_goes_to_the_player_who_thought() {
    let mut game = with_moves(0, START, "e2e4 e7e5 g1f3 b8c6 f1b5");
    game.time.moves_us = vec![100, 7, 20];
    let tally = tally(&[game], None);
    let [base, test] = tally.thinking;
    assert_eq!((base, test), (Duration::from_micros(7), Duration::from_micros(120)));
}

#[test]
fn the_order_of_arrival_does_not_matter() {
    let mut all = games(60);
    // A gap at pair 40, and half a pair.
    all.retain(|game| game.pair != 40 && game.game != 99);
    let expected = tally(&all, None);
    assert_eq!(expected.counts.pairs, 40);
    for seed in 0..20 {
        shuffle(&mut rng(seed), &mut all);
        let other = tally(&all, None);
        assert_eq!(other.counts, expected.counts);
        assert_eq!(other.pairs_beyond(), 18);
        assert_eq!(other.recorded_games(), 117);
        assert_eq!(other.active(), expected.active());
    }
}

#[test]
fn nothing_counts_beyond_the_deciding_pair() {
    let all = games(30);
    let expected = tally(&all[..20], None);
    let limited = tally(&all, Some(10));
    assert_eq!(limited.counts, expected.counts);
    assert_eq!(limited.pairs_beyond(), 20);
    assert_eq!(tally(&all, Some(99)).counts, tally(&all, None).counts);
}

#[test]
fn twins() {
    // Pairs 0, 1: different. Pair 2: one game twice. Pairs 3, 4: pair 0 again, once with the
    // colours in the other order.
    let mut all = games(5);
    all[5].hash = all[4].hash.clone();
    for (copy, original) in [(6, 0), (7, 1), (8, 1), (9, 0)] {
        all[copy].hash = all[original].hash.clone();
    }
    (all[8].white, all[8].black) = (Side::Base, Side::Test);
    (all[9].white, all[9].black) = (Side::Test, Side::Base);
    let counted = tally(&all, None);
    let twins = counted.counts.twins;
    assert_eq!((twins.games, twins.within_pairs), (5, 1));
    assert_eq!((twins.repeated_pairs, twins.effective_pairs), (2, 3));
    assert_eq!(counted.counts.effective_ptnml, tally(&all[..6], None).counts.ptnml);

    // With the colours changed, too, it is another pair: test had the other side.
    (all[8].white, all[8].black) = (Side::Test, Side::Base);
    (all[9].white, all[9].black) = (Side::Base, Side::Test);
    assert_eq!(tally(&all, None).counts.twins.repeated_pairs, 1);

    // Two programs that crash at once play equal games of no moves: no twins.
    let mut broken = games(2);
    for game in &mut broken {
        game.termination = Termination::Crash;
        game.hash = String::new();
    }
    let twins = tally(&broken, None).counts.twins;
    assert_eq!((twins.games, twins.within_pairs, twins.effective_pairs), (0, 0, 2));
}

#[test]
fn faults_of_all_recorded_games() {
    let mut all = games(3);
    let faults = [
        (0, Termination::Crash, Outcome::White), // base is Black
        (1, Termination::Crash, Outcome::White), // test is Black
        (2, Termination::TimeLoss, Outcome::Black),
        (4, Termination::LateHarness, Outcome::Black),
        (5, Termination::TimeLoss, Outcome::White),
    ];
    for (number, termination, result) in faults {
        all[number].termination = termination;
        all[number].result = result;
    }
    let tally = tally(&all, Some(1));
    let faults = &tally.faults;
    assert_eq!(faults.total, 5);
    let list = |side: &BTreeMap<String, u64>| {
        side.iter().map(|(kind, &n)| (kind.clone(), n)).collect::<Vec<_>>()
    };
    assert_eq!(list(&faults.base), [("crash".to_owned(), 1)]);
    assert_eq!(list(&faults.test), [("crash".to_owned(), 1), ("time-loss".to_owned(), 2)]);
    assert_eq!(list(&faults.harness), [("late-harness".to_owned(), 1)]);
}

/// Games that the harness has spoilt by waking late are nobody's: played again they are told, and
/// where that did not help their pairs are left out.
#[test]
fn what_the_harness_has_spoilt_counts_for_nobody() {
    let mut all = games(4);
    all[2].time.replays = 3;
    all[5].termination = Termination::LateHarness;
    let with = tally(&all, None);
    let without = tally(&[&all[..4], &all[6..]].concat(), None);
    assert_eq!(without.counts.pairs, 2, "a gap");
    assert_eq!(
        (with.counts.pairs, with.counts.wdl),
        (3, {
            let mut wdl = without.counts.wdl;
            for game in &all[6..] {
                match game.test_half_points() {
                    0 => wdl.loss += 1,
                    1 => wdl.draw += 1,
                    _ => wdl.win += 1,
                }
            }
            wdl
        })
    );
    assert_eq!(with.counts.effective_ptnml.iter().sum::<u64>(), 3);
    assert_eq!(with.pairs_beyond(), 0);
    let faults = &with.faults;
    assert_eq!((faults.total, faults.replayed, faults.void_pairs), (4, 3, 1));
    assert_eq!(faults.harness["late-harness"], 4);
    let mut match_state = MatchState::new("los=95".parse().unwrap(), 4);
    all.iter().for_each(|game| drop(match_state.add(game).unwrap()));
    assert_eq!((match_state.pairs(), match_state.wdl().games()), (4, 6));
    assert!(match_state.judgement().verdict().is_some(), "the void pair is not waited for");
}

/// Whoever kept it from beginning: it is a fault of that player's, and no result.
#[test]
fn a_game_that_did_not_begin_is_no_result() {
    let mut all = games(4);
    all[5].termination = Termination::NotStarted;
    let with = tally(&all, None);
    let counts = &with.counts;
    assert_eq!((counts.pairs, counts.ptnml.iter().sum::<u64>()), (3, 3));
    assert_eq!(counts.wdl.win + counts.wdl.draw + counts.wdl.loss, 6);
    assert_eq!((with.faults.void_pairs, with.faults.total), (1, 1));
    let mut match_state = MatchState::new("los=95".parse().unwrap(), 4);
    all.iter().for_each(|game| drop(match_state.add(game).unwrap()));
    assert_eq!((match_state.pairs(), match_state.wdl().games()), (4, 6));
    assert!(match_state.judgement().verdict().is_some(), "the void pair is not waited for");
    assert_eq!((all[5].pgn_result(), all[4].pgn_result()), ("*", all[4].result.as_str()));
}

#[test]
fn nothing_recorded() {
    let empty = Tally::default();
    assert_eq!(empty.counts, arena::record::PrefixCounts::default());
    assert_eq!(empty.active(), Duration::ZERO);
    let half = tally(&[game(0)], None);
    assert_eq!((half.counts.pairs, half.pairs_beyond(), half.recorded_games()), (0, 0, 1));
}
