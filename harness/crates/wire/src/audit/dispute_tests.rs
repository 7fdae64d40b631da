//! What liars and bad machines send, and what it proves.

use std::time::Duration;

use super::testing::*;
use super::*;

#[test]
fn one_invitation_does_not_end_audits_by_two_versions_of_a_game() {
    let mut audits = audits(0.0);
    let there = present(&["eve.1", "eve.2"]);
    record(&mut audits, 0, "eve.1", Some(3));
    assert!(audits.copy(3, &name("eve.2"), forged(3)).is_some(), "it is compared");
    play_twice(&mut audits, &there, 1);
    assert!(is_convicted(audits.found(), "eve.1"));
    assert_eq!(audits.suspect(&of("eve")), [0, 1, 2, 3]);
}

#[test]
fn two_that_both_differ_from_the_coordinator_are_both_convicted() {
    let mut audits = audits(1.0);
    let there = present(&["eve.1", "mallory.1"]);
    record(&mut audits, 0, "eve.1", Some(3));
    audits.copy(3, &name("mallory.1"), forged(3));
    play_twice(&mut audits, &there, 1);
    assert!(is_convicted(audits.found(), "eve.1"));
    audits.told();
    assert!(is_convicted(audits.found(), "mallory.1"));
}

#[test]
fn a_fault_of_whoever_checks_proves_nothing() {
    let mut audits = audits(1.0);
    let there = present(&["alice.1", "bob.1"]);
    record(&mut audits, 0, "alice.1", None);
    // Nobody has asked for it.
    assert_eq!(audits.copy(2, &name("bob.1"), fault(2)), None);
    let chunk = publish(&mut audits, 0, &there);
    let pairs = audits.need(chunk, &name("bob.1"), Duration::ZERO).unwrap();
    for number in pairs.into_iter().flat_map(|pair| [2 * pair, 2 * pair + 1]) {
        let digest = if number == 2 { fault(2) } else { game(number, false) };
        audits.copy(number, &name("bob.1"), digest);
    }
    assert_eq!(here(&mut audits, &there), [1]);
    play(&mut audits, &[1]);
    assert_eq!(audits.found(), Some(Found::Clean(chunk)));
}

#[test]
fn a_recorded_fault_that_does_not_happen_here_is_played_anew_once() {
    for with_copy in [false, true] {
        let mut audits = audits(1.0);
        let there = present(&["alice.1"]);
        record(&mut audits, 0, "alice.1", None);
        audits.recorded(2, &name("alice.1"), fault(2));
        if with_copy {
            audits.copy(2, &name("bob.1"), game(2, false));
        }
        let mut pairs = here(&mut audits, &there);
        if with_copy {
            pairs.extend(here(&mut audits, &there));
        }
        play(&mut audits, &pairs);
        let found = audits.found();
        let is_it = matches!(&found, Some(Found::NoFault { pair: 1, worker, .. }) if *worker == name("alice.1"));
        assert!(is_it, "{found:?}");
        audits.strike(&[1]);
        audits.told();
        assert!(!audits.is_convicted(&name("alice.1")) && !audits.is_convicted(&name("bob.1")));
        // If the workers report it again, it stands: else it would be played for ever.
        audits.recorded(2, &name("alice.1"), fault(2));
        audits.recorded(3, &name("alice.1"), game(3, false));
        if let Some(ToPlay::Here(pairs)) = audits.next(Duration::ZERO, &there) {
            play(&mut audits, &pairs);
        }
        while matches!(audits.found(), Some(Found::Clean(_) | Found::Closed(_))) {
            audits.told();
        }
        assert!(audits.is_settled());
    }
}

#[test]
fn a_fault_of_the_coordinator_proves_nothing_and_is_played_again() {
    let begun = || {
        let mut audits = audits(1.0);
        record(&mut audits, 0, "alice.1", None);
        let there = present(&["alice.1"]);
        assert_eq!(here(&mut audits, &there), [0, 1, 2, 3]);
        play(&mut audits, &[0, 2, 3]);
        for _ in 0..4 {
            audits.played_here(1, [fault(2), game(3, false)]);
            assert_eq!((audits.found(), here(&mut audits, &there)), (None, vec![1]));
        }
        audits
    };
    let mut audits = begun();
    play(&mut audits, &[1]);
    assert!(matches!(audits.found(), Some(Found::Clean(_))));
    // It cannot play it.
    let mut audits = begun();
    audits.played_here(1, [fault(2), game(3, false)]);
    assert!(matches!(audits.found(), Some(Found::Lapsed(_))));
    assert!(!audits.is_convicted(&name("alice.1")));
}

#[test]
fn what_is_recorded_of_a_chunk_that_nobody_plays_on_is_compared() {
    let mut audits = audits(1.0);
    let there = present(&["alice.1", "bob.1"]);
    for number in 0..6 {
        audits.recorded(number, &name("alice.1"), game(number, false));
    }
    assert_eq!(audits.next(Duration::ZERO, &there), None);
    audits.give_up(0);
    let chunk = publish(&mut audits, 0, &there);
    second(&mut audits, chunk, "bob.1", None);
    assert_eq!((audits.found(), audits.doubted_from()), (Some(Found::Closed(chunk)), None));
    audits.told();
    // The rest comes late.
    for number in 6..8 {
        audits.recorded(number, &name("alice.1"), game(number, number == 7));
    }
    let chunk = publish(&mut audits, 0, &there);
    assert_eq!(audits.need(chunk, &name("bob.1"), Duration::ZERO), Some(vec![3]));
    // It is poison, and nothing of it was recorded.
    audits.give_up(4);
    assert_eq!(audits.doubted_from(), Some(0));
}

#[test]
fn a_struck_chunk_that_the_coordinator_plays_anew_is_closed() {
    let mut audits = audits(1.0);
    record(&mut audits, 0, "alice.1", None);
    audits.strike(&[0, 1, 2, 3]);
    assert!(matches!(audits.found(), Some(Found::Closed(chunk)) if chunk.first == 0));
    record(&mut audits, 0, "home.1", None);
    audits.told();
    assert!(audits.is_settled());
    // If a worker plays it, it is due again, and must not be closed after that.
    record(&mut audits, 4, "alice.1", None);
    audits.strike(&[4, 5, 6, 7]);
    record(&mut audits, 4, "alice.1", None);
    assert_eq!((audits.found(), audits.doubted_from()), (None, Some(4)));
}

#[test]
fn who_was_not_asked_confirms_nothing() {
    let mut audits = audits(1.0);
    let there = present(&["eve.1", "mallory.1", "bob.1"]);
    record(&mut audits, 0, "eve.1", Some(3));
    let confirm = |audits: &mut Audits| {
        for number in 0..8 {
            audits.copy(number, &name("mallory.1"), game(number, number == 3));
        }
    };
    confirm(&mut audits);
    let chunk = publish(&mut audits, 0, &there);
    confirm(&mut audits);
    assert_eq!(audits.found(), None);
    second(&mut audits, chunk, "bob.1", None);
    play_twice(&mut audits, &there, 1);
    assert!(is_convicted(audits.found(), "eve.1"));
}

#[test]
fn the_coordinator_looks_at_some_of_what_two_conspire_to_confirm() {
    let mut audits = audits(1.0);
    let there = present(&["eve.1", "mallory.1"]);
    let choice = choice(1.0);
    let looked_at = (0..PAIRS).find(|pair| choice.looks_at(*pair)).unwrap();
    let first = looked_at / u64::from(EACH) * u64::from(EACH);
    let lie = Some(2 * looked_at);
    record(&mut audits, first, "eve.1", lie);
    let chunk = publish(&mut audits, 0, &there);
    second(&mut audits, chunk, "mallory.1", lie);
    let mut found = Vec::new();
    for _ in 0..2 {
        let pairs = here(&mut audits, &there);
        assert!(pairs.contains(&looked_at));
        play(&mut audits, &pairs);
    }
    while let Some(Found::Convicted { worker, .. }) = audits.found() {
        found.push(worker);
        audits.told();
    }
    assert_eq!(found, [name("eve.1"), name("mallory.1")]);
}

#[test]
fn a_clean_chunk_is_compared_again_if_somebody_honest_differs() {
    let mut audits = audits(1.0);
    let there = present(&["eve.1", "mallory.1"]);
    record(&mut audits, 0, "eve.1", Some(3));
    let chunk = publish(&mut audits, 0, &there);
    second(&mut audits, chunk, "mallory.1", Some(3));
    assert_eq!(audits.found(), Some(Found::Clean(chunk)));
    assert!(audits.copy(3, &name("bob.1"), game(3, false)).is_some());
    // It is not noted as clean after it was noted as due.
    assert_eq!((audits.found(), audits.doubted_from()), (None, Some(0)));
    play_twice(&mut audits, &there, 1);
    assert!(is_convicted(audits.found(), "eve.1"));
    assert_eq!(audits.suspect(&of("eve")), [1]);
}
