//! Pairs that depend on those before, and own slots that play beside workers.

use std::num::NonZeroU32;

use super::tests::{beat, ledger, name, s};
use super::*;
use crate::message::HeldChunk;

#[test]
fn nothing_beyond_the_limit_is_handed_out_or_taken() {
    let recorded = HashSet::from([0, 1, 10, 11]);
    let mut ledger = Ledger::new(Split::new(8, NonZeroU32::MIN), &recorded);
    let by = "alice.1".parse().unwrap();
    let next = |ledger: &mut Ledger| ledger.publish_next(Duration::ZERO).map(|it| it.first);
    ledger.limit(1);
    assert_eq!((next(&mut ledger), ledger.take_local(Duration::ZERO)), (None, None));
    assert_eq!(ledger.recorded(2, &by), Took::Copy);
    ledger.limit(3);
    assert_eq!([next(&mut ledger), next(&mut ledger), next(&mut ledger)], [Some(1), Some(2), None]);
    // What could not be published waits, and is still inside.
    ledger.put_back(2);
    assert_eq!((ledger.recorded(2, &by), ledger.recorded(6, &by)), (Took::Fresh, Took::Copy));
    assert_eq!((next(&mut ledger), next(&mut ledger)), (Some(2), None));
    ledger.limit(8);
    let rest: Vec<u64> = std::iter::from_fn(|| next(&mut ledger)).collect();
    // Pair 5 is recorded.
    assert_eq!(rest, [3, 4, 6, 7]);
}

/// What a tuner asks for next depends on all that it has asked for.
#[test]
fn poison_before_the_limit_ends_what_would_be_known_later() {
    // The end of a batch may be recorded before what is asked for of it.
    let mut ledger = Ledger::new(Split::new(16, NonZeroU32::MIN), &HashSet::from([8, 9]));
    let by: WorkerName = "alice.1".parse().unwrap();
    let record = |ledger: &mut Ledger, pair: u64| {
        for game in [2 * pair, 2 * pair + 1] {
            assert_eq!(ledger.recorded(game, &by), Took::Fresh);
        }
    };
    ledger.limit(4);
    for pair in 0..4 {
        assert!(!ledger.is_exhausted(), "{pair}");
        record(&mut ledger, pair);
    }
    assert!(!ledger.is_exhausted(), "the next batch is still to be asked for");
    ledger.limit(8);
    ledger.poison(5);
    // Of what is not known yet.
    ledger.poison(12);
    record(&mut ledger, 6);
    record(&mut ledger, 7);
    assert!(ledger.is_exhausted() && !ledger.is_done());
    record(&mut ledger, 5);
    assert!(!ledger.is_exhausted(), "somebody had it all the same");
}

#[test]
fn own_slots_find_what_workers_do_not_take() {
    let mut ledger = Ledger::new(Split::new(8, NonZeroU32::MIN), &HashSet::new());
    let next = |ledger: &mut Ledger| ledger.publish_next(Duration::ZERO);
    ledger.queue(0);
    assert_eq!(
        (next(&mut ledger), ledger.take_local(Duration::ZERO).map(|it| it.first)),
        (None, Some(0))
    );
    // A worker with one slot has come.
    ledger.queue(1);
    let chunk = next(&mut ledger).unwrap();
    assert_eq!((chunk.first, next(&mut ledger)), (1, None));
    let held = vec![HeldChunk { first: 1, pairs: 1, round: 0, done: 0 }];
    let beat = Beat { chunks: held, ..Beat::new(1) };
    ledger.beat(&"alice.1".parse().unwrap(), &beat, Duration::ZERO);
    assert_eq!(next(&mut ledger).map(|it| it.first), Some(2));
    let own = |ledger: &mut Ledger, now| ledger.take_local(now).map(|it| it.first);
    assert_eq!((next(&mut ledger), own(&mut ledger, Duration::ZERO)), (None, Some(3)));
    for pair in 4..8 {
        assert_eq!(own(&mut ledger, Duration::ZERO), Some(pair));
    }
    // Nobody comes for the one in the queue, and then the worker leaves.
    assert_eq!(own(&mut ledger, SILENCE - Duration::from_secs(1)), None);
    assert_eq!(own(&mut ledger, SILENCE), Some(2));
    ledger.left(&"alice.1".parse().unwrap(), SILENCE);
    assert_eq!(own(&mut ledger, SILENCE), None);
    ledger.queue(0);
    assert_eq!((own(&mut ledger, SILENCE), own(&mut ledger, SILENCE)), (Some(1), None));
}

#[test]
fn what_changes_nothing_says_so() {
    let mut ledger = ledger(40, 4);
    assert!(ledger.window(100) && !ledger.window(100) && ledger.queue(3) && !ledger.queue(3));
    let [first, second] = [0, 1].map(|_| ledger.publish_next(s(0)).unwrap());
    let mut changes = |held: &[(Chunk, u32)]| ledger.beat(&name("alice.1"), &beat(held), s(1));
    assert!(changes(&[(first, 0)]));
    assert!(!changes(&[(first, 1)]), "another pair of the same chunk");
    assert!(changes(&[(second, 0)]));
    assert!(changes(&[]) && !changes(&[]));
}
