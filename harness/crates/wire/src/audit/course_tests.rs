use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;

use super::testing::*;
use super::*;
use crate::chunk::Chunk;

#[test]
fn another_plays_the_same_and_all_before_is_beyond_doubt() {
    let mut audits = audits(1.0);
    let there = present(&["alice.1", "alice.2", "bob.1"]);
    record(&mut audits, 0, "alice.1", None);
    assert_eq!(audits.doubted_from(), Some(0));
    let chunk = publish(&mut audits, 0, &there);
    assert_eq!(audits.next(Duration::ZERO, &there), None);
    // Neither itself nor another machine of its invitation.
    let mut last = chunk;
    for by in ["alice.1", "alice.2"] {
        assert_eq!(audits.need(last, &name(by), Duration::ZERO), Some(Vec::new()));
        let again = publish(&mut audits, 0, &there);
        assert!(again.round > last.round);
        assert_eq!(audits.need(last, &name("bob.1"), Duration::ZERO), None);
        last = again;
    }
    second(&mut audits, last, "bob.1", None);
    assert_eq!(audits.found(), Some(Found::Clean(last)));
    audits.told();
    assert!(audits.is_settled() && audits.suspect(&of("alice")).is_empty());
    record(&mut audits, 4, "alice.1", None);
    assert_eq!(audits.suspect(&of("alice")), [4, 5, 6, 7]);
}

#[test]
fn a_liar_is_convicted_whether_it_plays_first_or_second() {
    for (lie_first, lie_second, liar) in [(Some(9), None, "alice.1"), (None, Some(9), "bob.1")] {
        let mut audits = audits(1.0);
        let there = present(&["alice.1", "bob.1"]);
        record(&mut audits, 0, "bob.1", None);
        record(&mut audits, 4, "alice.1", lie_first);
        let _ = publish(&mut audits, 0, &there);
        let chunk = publish(&mut audits, 0, &there);
        second(&mut audits, chunk, "bob.1", lie_second);
        play_twice(&mut audits, &there, 4);
        let Some(Found::Convicted { worker, why }) = audits.found() else { panic!("{liar}") };
        assert_eq!(worker, name(liar));
        assert!(why.contains("game 9"), "{why}");
        let suspect = audits.suspect(&worker.name);
        assert_eq!(suspect, if liar == "bob.1" { [0, 1, 2, 3] } else { [4, 5, 6, 7] });
        audits.strike(&suspect);
        audits.told();
        assert!(audits.is_convicted(&worker));
        // Who plays it anew is looked at again.
        let chunk = if liar == "bob.1" { 0 } else { 4 };
        assert!(audits.recorded(2 * chunk, &name("carol.1"), game(2 * chunk, false)).is_some());
    }
}

#[test]
fn two_of_one_invitation_do_not_confirm_each_other_and_are_out_together() {
    let mut audits = audits(1.0);
    // Nobody else is there: the coordinator plays it.
    let there = present(&["eve.1", "eve.2"]);
    record(&mut audits, 0, "eve.1", Some(3));
    record(&mut audits, 4, "eve.2", None);
    let copy = |audits: &mut Audits| {
        for number in 0..8 {
            audits.copy(number, &name("eve.2"), game(number, number == 3));
        }
    };
    copy(&mut audits);
    assert_eq!(audits.found(), None);
    assert_eq!(here(&mut audits, &there), [0, 1, 2, 3]);
    assert_eq!(here(&mut audits, &there), [4, 5, 6, 7]);
    for pair in [0, 1, 2, 3, 1] {
        audits.played_here(pair, [game(2 * pair, false), game(2 * pair + 1, false)]);
    }
    assert!(
        matches!(audits.found(), Some(Found::Convicted { worker, .. }) if worker == name("eve.1"))
    );
    for by in ["eve.1", "eve.2", "eve.3"] {
        assert!(audits.is_convicted(&name(by)), "{by}");
    }
    assert!(!audits.is_convicted(&name("bob.1")));
    assert_eq!(audits.suspect(&of("eve")), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_false_game_from_before_a_clean_audit_is_struck_too() {
    let mut audits = audits(0.0);
    let there = present(&["alice.1", "bob.1"]);
    record(&mut audits, 0, "alice.1", Some(3));
    record(&mut audits, 4, "alice.1", None);
    audits.was_clean(4, EACH);
    assert!(audits.suspect(&of("alice")).is_empty());
    // Nobody has asked for it.
    audits.copy(3, &name("bob.1"), game(3, false));
    play_twice(&mut audits, &there, 1);
    assert!(matches!(audits.found(), Some(Found::Convicted { .. })));
    let suspect = audits.suspect(&of("alice"));
    assert_eq!(suspect, [1]);
    audits.strike(&suspect);
    audits.told();
    assert!(audits.suspect(&of("alice")).is_empty());
    assert!(!audits.is_settled(), "the rest of the chunk is compared");
}

#[test]
fn players_that_do_not_repeat_themselves_convict_nobody() {
    // Each time another one: like neither of the two, like the first or like the second.
    for own in [forged(0), game(0, true), game(0, false)] {
        let mut audits = audits(1.0);
        let there = present(&["alice.1", "bob.1"]);
        record(&mut audits, 0, "alice.1", Some(0));
        let chunk = publish(&mut audits, 0, &there);
        second(&mut audits, chunk, "bob.1", None);
        assert_eq!(here(&mut audits, &there), [0]);
        audits.played_here(0, [own, game(1, false)]);
        assert_eq!((audits.found(), here(&mut audits, &there)), (None, vec![0]));
        audits.played_here(0, [forged(1), game(1, false)]);
        assert!(matches!(audits.found(), Some(Found::Lapsed(_))));
        audits.told();
        assert!(audits.is_settled());
        assert!(["alice.1", "bob.1"].iter().all(|it| !audits.is_convicted(&name(it))));
        record(&mut audits, 4, "alice.1", None);
        assert!(audits.is_settled());
    }
}

#[test]
fn where_nobody_else_is_the_coordinator_plays_it_and_twice_if_it_differs() {
    let mut audits = audits(1.0);
    let there = present(&["alice.1"]);
    record(&mut audits, 0, "alice.1", Some(3));
    assert_eq!(here(&mut audits, &there), [0, 1, 2, 3]);
    assert_eq!(audits.next(Duration::ZERO, &there), None);
    for pair in 0..4 {
        audits.played_here(pair, [game(2 * pair, false), game(2 * pair + 1, false)]);
    }
    assert_eq!(audits.found(), None);
    assert_eq!(here(&mut audits, &there), [1]);
    audits.played_here(1, [game(2, false), game(3, false)]);
    assert!(
        matches!(audits.found(), Some(Found::Convicted { worker, .. }) if worker == name("alice.1"))
    );
}

#[test]
fn what_nobody_takes_the_coordinator_plays() {
    let mut audits = audits(1.0);
    let there = present(&["alice.1", "bob.1"]);
    record(&mut audits, 0, "alice.1", None);
    let _ = publish(&mut audits, 0, &there);
    assert_eq!(audits.next(Duration::from_secs(600), &there), None);
    let late = audits.next(Duration::from_secs(601), &there);
    assert_eq!(late, Some(ToPlay::Here(vec![0, 1, 2, 3])));
    for pair in 0..4 {
        audits.played_here(pair, [game(2 * pair, false), game(2 * pair + 1, false)]);
    }
    assert!(matches!(audits.found(), Some(Found::Clean(_))));
    audits.told();
    // Who could have played it has left.
    record(&mut audits, 4, "alice.1", None);
    let _ = publish(&mut audits, 0, &there);
    assert_eq!(here(&mut audits, &present(&["alice.1"])), [4, 5, 6, 7]);
}

#[test]
fn games_of_the_coordinator_need_no_audit() {
    let mut audits = audits(1.0);
    record(&mut audits, 0, "home.1", None);
    assert!(audits.is_settled());
}

#[test]
fn a_later_session_goes_on_where_it_was() {
    let mut audits = audits(1.0);
    let there = present(&["alice.1", "bob.1"]);
    record(&mut audits, 0, "alice.1", None);
    record(&mut audits, 4, "alice.1", None);
    audits.was_due(4, EACH);
    audits.was_clean(0, EACH);
    assert_eq!((audits.doubted_from(), audits.found()), (Some(4), None));
    assert_eq!(audits.suspect(&of("alice")), [4, 5, 6, 7]);
    assert_eq!(publish(&mut audits, 0, &there).first, 4);
}

proptest! {
    /// Workers play chunks in any order, one of them lies now and then. Nobody else is convicted, and
    /// where all is audited every game that stands is true.
    #[test]
    fn only_liars_are_convicted(
        share in prop_oneof![Just(1.0), Just(0.3)],
        players in prop::collection::vec(0_usize..4, 6),
        lies in prop::collection::vec(prop::option::of(0_u64..8), 6),
        takers in prop::collection::vec(0_usize..3, 64),
    ) {
        let names = ["eve.1", "alice.1", "bob.1", "home.1"];
        let mut audits = audits(share);
        let mut there = present(&names[..3]);
        let mut journal: BTreeMap<u64, GameDigest> = BTreeMap::new();
        let mut players = players.into_iter().chain(std::iter::repeat(1));
        let mut takers = takers.into_iter().chain([0, 1, 2].into_iter().cycle());
        for now in 0..2_000 {
            let now = Duration::from_secs(now);
            let missing = (0..PAIRS / u64::from(EACH)).map(|chunk| chunk * u64::from(EACH));
            let missing = missing.into_iter().find(|first| !journal.contains_key(&(2 * first)));
            if let Some(first) = missing {
                let mut by = names[players.next().unwrap()];
                if audits.is_convicted(&name(by)) {
                    by = "bob.1";
                }
                let lie = lies[(first / u64::from(EACH)) as usize].filter(|_| by == "eve.1");
                for number in 2 * first..2 * (first + u64::from(EACH)) {
                    let game = game(number, lie.is_some_and(|lie| 2 * first + lie == number));
                    audits.recorded(number, &name(by), game);
                    journal.insert(number, game);
                }
            }
            match audits.next(now, &there) {
                Some(ToPlay::Here(pairs)) => for pair in pairs {
                    audits.played_here(pair, [game(2 * pair, false), game(2 * pair + 1, false)]);
                },
                Some(ToPlay::Others(chunk)) => {
                    let taker = names[takers.next().unwrap()];
                    let lies = taker == "eve.1" && lies[0].is_some();
                    if !audits.is_convicted(&name(taker)) {
                        let pairs = audits.need(chunk, &name(taker), now).unwrap();
                        for number in pairs.into_iter().flat_map(|pair| [2 * pair, 2 * pair + 1]) {
                            audits.copy(number, &name(taker), game(number, lies));
                        }
                    }
                }
                None => {}
            }
            while let Some(found) = audits.found() {
                if let Found::Convicted { worker, .. } = found {
                    prop_assert_eq!(&worker, &name("eve.1"));
                    there.remove(&worker);
                    let suspect = audits.suspect(&worker.name);
                    journal.retain(|number, _| !suspect.contains(&(number / 2)));
                    audits.strike(&suspect);
                }
                audits.told();
            }
        }
        prop_assert!(audits.is_settled());
        prop_assert_eq!(journal.len() as u64, 2 * PAIRS);
        if share == 1.0 {
            for (number, found) in journal {
                prop_assert_eq!(found, game(number, false), "{}", number);
            }
        }
    }
}

#[test]
fn what_an_earlier_session_left_open_and_struck_is_compared_when_it_is_played_anew() {
    let mut audits = audits(1.0);
    let there = present(&["bob.1"]);
    record(&mut audits, 4, "alice.1", None);
    audits.was_due(0, EACH);
    audits.was_convicted(name("alice.1"));
    audits.strike(&audits.suspect(&of("alice")));
    assert_eq!(audits.next(Duration::ZERO, &there), None);
    let first_time = Chunk { first: 0, pairs: EACH, round: 0 };
    assert_eq!(audits.need(first_time, &name("bob.1"), Duration::ZERO), None);
    record(&mut audits, 0, "bob.1", None);
    assert_eq!(here(&mut audits, &there), [0, 1, 2, 3]);
    // What the coordinator plays itself need not be compared.
    audits.strike(&[0, 1, 2, 3]);
    audits.told();
    audits.was_due(0, EACH);
    record(&mut audits, 0, "home.1", None);
    assert_eq!(audits.next(Duration::ZERO, &there), None);
    assert!(matches!(audits.found(), Some(Found::Clean(_))));
}
