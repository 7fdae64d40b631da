//! What the tests of audits share.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::time::Duration;

use arena::record::{GameRecord, Termination, sample};

use super::*;
use crate::chunk::{Chunk, Split};
use crate::names::Label;

pub(super) const PAIRS: u64 = 24;
pub(super) const EACH: u32 = 4;

pub(super) fn name(text: &str) -> WorkerName {
    text.parse().unwrap()
}

pub(super) fn of(invitation: &str) -> Label {
    invitation.parse().unwrap()
}

/// A game as it is played, and as a liar tells it.
pub(super) fn game(number: u64, is_lie: bool) -> GameDigest {
    let mut game = sample(number);
    game.notes[0].nodes += u64::from(is_lie);
    GameDigest::of(&GameRecord { ..game }).unwrap()
}

/// Of which the coordinator looks at no confirmed pair below 8.
pub(super) fn choice(share: f64) -> AuditChoice {
    let of = |number: u8| AuditChoice::new(share, [number; 32]);
    let looks = |choice: &AuditChoice| (0..8).any(|pair| choice.looks_at(pair));
    (0..).map(of).find(|choice| !looks(choice)).unwrap()
}

pub(super) fn audits(share: f64) -> Audits {
    let split = Split::new(PAIRS, NonZeroU32::new(EACH).unwrap());
    Audits::new(choice(share), split, name("home.1"))
}

/// The coordinator plays these pairs, as they are.
pub(super) fn play(audits: &mut Audits, pairs: &[u64]) {
    for pair in pairs {
        audits.played_here(*pair, [game(2 * pair, false), game(2 * pair + 1, false)]);
    }
}

/// The coordinator plays a pair that is in dispute. The first time proves nothing.
pub(super) fn play_twice(audits: &mut Audits, there: &BTreeSet<WorkerName>, pair: u64) {
    for _ in 0..2 {
        assert_eq!(audits.found(), None);
        assert_eq!(here(audits, there), [pair]);
        play(audits, &[pair]);
    }
}

/// A game that ended by a fault.
pub(super) fn fault(number: u64) -> GameDigest {
    let termination = Termination::Crash;
    GameDigest::of(&GameRecord { termination, ..sample(number) }).unwrap()
}

/// A game that was never played.
pub(super) fn forged(number: u64) -> GameDigest {
    GameDigest::of(&GameRecord { game: number, ..sample(number + 100) }).unwrap()
}

pub(super) fn is_convicted(found: Option<Found>, by: &str) -> bool {
    matches!(found, Some(Found::Convicted { worker, .. }) if worker == name(by))
}

pub(super) fn present(names: &[&str]) -> BTreeSet<WorkerName> {
    names.iter().map(|text| name(text)).collect()
}

/// A worker plays a chunk first; `lie`: that game is false.
pub(super) fn record(audits: &mut Audits, first: u64, by: &str, lie: Option<u64>) {
    for number in 2 * first..2 * (first + u64::from(EACH)) {
        audits.recorded(number, &name(by), game(number, lie == Some(number)));
    }
}

pub(super) fn publish(audits: &mut Audits, now: u64, there: &BTreeSet<WorkerName>) -> Chunk {
    match audits.next(Duration::from_secs(now), there) {
        Some(ToPlay::Others(chunk)) => chunk,
        other => panic!("{other:?}"),
    }
}

/// Another worker plays what it is to play of an audit.
pub(super) fn second(audits: &mut Audits, chunk: Chunk, by: &str, lie: Option<u64>) {
    let pairs = audits.need(chunk, &name(by), Duration::ZERO).unwrap();
    for number in pairs.into_iter().flat_map(|pair| [2 * pair, 2 * pair + 1]) {
        audits.copy(number, &name(by), game(number, lie == Some(number)));
    }
}

pub(super) fn here(audits: &mut Audits, there: &BTreeSet<WorkerName>) -> Vec<u64> {
    match audits.next(Duration::ZERO, there) {
        Some(ToPlay::Here(pairs)) => pairs,
        other => panic!("{other:?}"),
    }
}
