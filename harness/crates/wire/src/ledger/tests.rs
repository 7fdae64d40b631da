//! What the ledger does in one situation after another.

use std::num::NonZeroU32;

use super::*;
use crate::message::{HeldChunk, Playing};
use arena::record::Side;

pub(super) const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(super) fn name(text: &str) -> WorkerName {
    text.parse().unwrap()
}

pub(super) fn split(total: u64, each: u32) -> Split {
    Split::new(total, NonZeroU32::new(each).unwrap())
}

pub(super) fn ledger(total: u64, each: u32) -> Ledger {
    Ledger::new(split(total, each), &HashSet::new())
}

pub(super) fn beat(chunks: &[(Chunk, u32)]) -> Beat {
    let held = chunks.iter().map(|&(Chunk { first, pairs, round }, done)| HeldChunk {
        first,
        pairs,
        round,
        done,
    });
    let playing = chunks.iter().map(|(chunk, done)| Playing {
        game: 2 * (chunk.first + u64::from(*done)),
        plies: 1,
        to_move: Side::Test,
    });
    Beat { chunks: held.collect(), playing: playing.collect(), ..Beat::new(1) }
}

pub(super) fn record(ledger: &mut Ledger, pair: u64, by: &str) {
    for game in [2 * pair, 2 * pair + 1] {
        assert_eq!(ledger.recorded(game, &name(by)), Took::Fresh, "{game}");
        assert_eq!(ledger.recorded(game, &name(by)), Took::Copy, "{game}");
    }
}

#[test]
fn chunks_are_handed_out_in_order_inside_the_window() {
    let mut ledger = ledger(400, 2);
    let published: Vec<u64> =
        std::iter::from_fn(|| ledger.publish_next(s(0))).map(|chunk| chunk.first).collect();
    assert_eq!(published, (0..WINDOW).map(|number| 2 * number).collect::<Vec<_>>());
    record(&mut ledger, 1, "a.1");
    assert_eq!(ledger.publish_next(s(0)), None, "the prefix has not moved");
    record(&mut ledger, 0, "a.1");
    assert_eq!((ledger.prefix(), ledger.finished()), (2, 2));
    let next = Chunk { first: 128, pairs: 2, round: 0 };
    assert_eq!((ledger.publish_next(s(0)), ledger.publish_next(s(0))), (Some(next), None));
    ledger.window(50);
    let wider = std::iter::from_fn(|| ledger.publish_next(s(0))).count();
    assert_eq!(wider as u64, 150 - WINDOW);
}

#[test]
fn what_is_recorded_is_not_handed_out() {
    let recorded: HashSet<u64> = (0..14).chain([20, 21, 22]).collect();
    let mut ledger = Ledger::new(split(16, 2), &recorded).from_round(5);
    assert_eq!((ledger.prefix(), ledger.finished()), (7, 8));
    let chunk = |first| Chunk { first, pairs: 2, round: 5 };
    assert_eq!(ledger.publish_next(s(0)), Some(chunk(6)));
    assert_eq!(ledger.missing(chunk(6)), [7]);
    assert_eq!(ledger.take_local(s(0)), Some(chunk(8)));
    // A half of pair 11 does not make it whole.
    assert_eq!((ledger.publish_next(s(0)), ledger.missing(chunk(10))), (Some(chunk(10)), vec![11]));
    assert_eq!(ledger.recorded(23, &name("a.1")), Took::Fresh);
    assert_eq!(ledger.state(10), Some(State::Done));
    for beyond in [32, 33, u64::MAX] {
        assert_eq!(ledger.recorded(beyond, &name("a.1")), Took::Copy);
    }
    assert_eq!((ledger.state(8), ledger.state(16)), (Some(State::Own), None));
}

#[test]
fn the_dead_and_the_leaving_give_their_chunks_back() {
    let mut ledger = ledger(8, 4);
    let [first, second] = [0, 0].map(|_| ledger.publish_next(s(0)).unwrap());
    let (alice, bob) = (name("alice.1"), name("bob.1"));
    ledger.beat(&alice, &beat(&[(first, 1)]), s(10));
    ledger.beat(&bob, &beat(&[(second, 0)]), s(10));
    assert_eq!(ledger.waits_for(), Some((first, Some(&alice))));
    assert_eq!(ledger.state(0), Some(State::Held { by: alice.clone(), seen: s(10) }));
    assert_eq!(ledger.left(&bob, s(15)), [second]);
    assert_eq!(ledger.state(4), Some(State::Queued { since: s(15) }));
    assert!(ledger.silent(s(40)).is_empty());
    assert_eq!(ledger.silent(s(41)), BTreeMap::from([(alice.clone(), vec![first])]));
    assert_eq!(ledger.state(0), Some(State::Queued { since: s(41) }));
    // What the broker has comes again by itself; what it has not is published again.
    let queued = BTreeSet::from([first.first]);
    let again = Chunk { round: 1, ..second };
    assert!(ledger.reconcile(&queued, s(45)).is_empty());
    assert_eq!(ledger.reconcile(&queued, s(46)), [again]);
    assert!(ledger.reconcile(&BTreeSet::new(), s(71)).is_empty());
    assert_eq!(ledger.reconcile(&BTreeSet::new(), s(72)), [Chunk { round: 1, ..first }]);
    assert_eq!((ledger.round(0), ledger.round(4), ledger.round(8)), (Some(1), Some(1), None));
}

#[test]
fn pairs_that_were_begun_at_the_dead_and_played_by_others_are_redrawn() {
    let mut ledger = ledger(4, 4);
    let chunk = ledger.publish_next(s(0)).unwrap();
    ledger.beat(&name("alice.1"), &beat(&[(chunk, 1)]), s(1));
    ledger.silent(s(60));
    record(&mut ledger, 0, "alice.1");
    record(&mut ledger, 3, "bob.1");
    assert_eq!(ledger.redrawn(), 0);
    record(&mut ledger, 1, "bob.1");
    assert_eq!(ledger.redrawn(), 1);
    // That was void at one worker.
    ledger.returned(2);
    ledger.returned(3);
    assert_eq!(ledger.redrawn(), 2);
    // The broker gives it to the next one before the coordinator takes the last one for dead.
    ledger.beat(&name("alice.1"), &beat(&[(chunk, 2)]), s(61));
    record(&mut ledger, 2, "bob.1");
    assert_eq!(ledger.redrawn(), 3);
}

#[test]
fn a_chunk_of_which_the_rest_is_void_waits_again() {
    let mut ledger = ledger(8, 4);
    let chunk = ledger.publish_next(s(0)).unwrap();
    [0, 3].into_iter().for_each(|pair| record(&mut ledger, pair, "a.1"));
    ledger.returned(1);
    assert!(matches!(ledger.state(0), Some(State::Queued { .. })));
    ledger.returned(2);
    assert_eq!(ledger.state(0), Some(State::Waiting));
    assert_eq!(ledger.take_local(s(0)), Some(Chunk { round: 1, ..chunk }));
    ledger.put_back(chunk.first);
    assert_eq!(ledger.publish_next(s(0)), Some(Chunk { round: 1, ..chunk }));
    assert_eq!(ledger.next_round(chunk.first), Some(Chunk { round: 2, ..chunk }));
    // Void first, recorded then.
    ledger.returned(1);
    record(&mut ledger, 2, "b.1");
    assert_eq!(ledger.state(0), Some(State::Waiting));
    record(&mut ledger, 1, "b.1");
    assert_eq!(ledger.state(0), Some(State::Done));
}

#[test]
fn a_slow_chunk_is_hedged_once_if_others_are_ahead() {
    let mut ledger = ledger(8, 4);
    let chunk = ledger.publish_next(s(0)).unwrap();
    ledger.publish_next(s(0));
    ledger.beat(&name("slow.1"), &beat(&[(chunk, 0)]), s(1));
    assert_eq!(ledger.hedge(s(1)), None);
    assert_eq!(ledger.hedge(s(62)), None, "nobody is ahead");
    record(&mut ledger, 4, "b.1");
    assert_eq!(ledger.hedge(s(61)), None, "not yet");
    assert_eq!(ledger.hedge(s(62)), Some(Chunk { round: 1, ..chunk }));
    assert_eq!(ledger.hedge(s(200)), None, "once");
}

#[test]
fn a_worker_that_only_says_that_it_plays_keeps_nothing() {
    let mut ledger = ledger(4, 4);
    ledger.expect(s(90));
    let chunk = ledger.publish_next(s(0)).unwrap();
    let idler = name("idler.1");
    let nothing = BTreeSet::new();
    for seconds in (0..=900).step_by(10) {
        ledger.beat(&idler, &beat(&[(chunk, 0)]), s(seconds));
        assert!(ledger.silent(s(seconds)).is_empty());
        assert!(ledger.reconcile(&nothing, s(seconds)).is_empty());
    }
    ledger.beat(&idler, &beat(&[(chunk, 0)]), s(910));
    assert_eq!(ledger.reconcile(&nothing, s(910)), [Chunk { round: 1, ..chunk }]);
}

#[test]
fn beats_of_what_there_is_not_change_nothing() {
    let mut ledger = ledger(100_000, 1);
    let beyond = Chunk { first: 90_000, pairs: 1, round: 0 };
    let odd = Chunk { first: 3, pairs: 2, round: 0 };
    ledger.beat(&name("liar.1"), &beat(&[(beyond, 0), (odd, 0)]), s(1));
    assert_eq!((ledger.round(90_000), ledger.round(3)), (None, None));
    // After a restart: what is held is not handed out, and its round is known.
    let held = Chunk { first: 1, pairs: 1, round: 7 };
    ledger.beat(&name("alice.1"), &beat(&[(held, 0)]), s(1));
    let forged = Chunk { first: 2, pairs: 1, round: u32::MAX };
    ledger.beat(&name("liar.1"), &beat(&[(forged, 0)]), s(1));
    assert_eq!((ledger.round(1), ledger.round(2)), (Some(7), Some(1000)));
    let published = [0, 0].map(|_| ledger.publish_next(s(1)).unwrap().first);
    assert_eq!(published, [0, 3]);
}

#[test]
fn poison_is_given_to_nobody_and_holds_nothing_up() {
    let pairs = 4 * 2 * WINDOW;
    let mut ledger = ledger(pairs, 4);
    let chunk = ledger.publish_next(s(0)).unwrap();
    ledger.beat(&name("alice.1"), &beat(&[(chunk, 0)]), s(1));
    ledger.poison(0);
    assert_eq!(ledger.state(0), Some(State::Poisoned));
    assert!(ledger.is_poisoned(0) && !ledger.is_poisoned(4));
    assert_eq!(ledger.poisoned().collect::<Vec<_>>(), [chunk]);
    ledger.silent(s(900));
    ledger.refuse(0);
    assert!(ledger.reconcile(&BTreeSet::new(), s(900)).is_empty());
    // Of the others all are handed out, beyond the window from the start, too.
    while let Some(chunk) = ledger.publish_next(s(901)) {
        assert!(!ledger.is_exhausted());
        chunk.range().for_each(|pair| record(&mut ledger, pair, "b.1"));
    }
    assert_eq!((ledger.finished(), ledger.prefix()), (pairs - 4, 0));
    assert!(ledger.is_exhausted() && !ledger.is_done());
    // Who has it all the same may end it.
    chunk.range().for_each(|pair| record(&mut ledger, pair, "alice.1"));
    assert!(ledger.is_done() && ledger.poisoned().next().is_none());
}

#[test]
fn what_is_struck_is_handed_out_again() {
    let mut ledger = ledger(16, 4);
    let now = s(0);
    let chunks: Vec<Chunk> = std::iter::from_fn(|| ledger.publish_next(now)).collect();
    for pair in (0..10).chain([13]) {
        record(&mut ledger, pair, "a.1");
    }
    // Half a pair.
    assert_eq!(ledger.recorded(20, &name("a.1")), Took::Fresh);
    assert_eq!((ledger.prefix(), ledger.finished()), (10, 11));
    ledger.strike(&[1, 2, 9, 10, 13]);
    assert_eq!((ledger.prefix(), ledger.finished()), (1, 7));
    assert_eq!(ledger.missing(chunks[0]), [1, 2]);
    assert_eq!(ledger.missing(chunks[1]), [0; 0]);
    assert_eq!(ledger.missing(chunks[2]), [9, 10, 11]);
    let again: Vec<u64> =
        std::iter::from_fn(|| ledger.publish_next(now)).map(|chunk| chunk.first).collect();
    assert_eq!(again, [0, 8, 12]);
    for pair in [1, 2, 9, 10, 11, 12, 13, 14, 15] {
        record(&mut ledger, pair, "b.1");
    }
    assert!(ledger.is_done());
    ledger.strike(&[15]);
    assert!(!ledger.is_done());
    assert_eq!(ledger.publish_next(now).map(|chunk| chunk.first), Some(12));
}
