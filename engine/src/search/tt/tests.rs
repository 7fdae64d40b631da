use std::sync::atomic::AtomicUsize;
use std::thread;

use super::*;
use crate::types::MAX_PLY;

fn found(value: Value, plies: i32) -> TtHit {
    TtHit { mv: Move::from_bits(77), value, depth: Depth::plies(plies), bound: Bound::Exact }
}

#[test]
fn mates_keep_their_distance() {
    let table = HashTable::new(HashSize::MIN);
    for value in [Value::mate_in(9), Value::mated_in(8), Value::table_win(9), Value::new(-300)] {
        table.store(5, found(value, 1), 4);
        let there = table.probe(5, 4).expect("just stored");
        assert_eq!(there, found(value, 1));
        let nearer = table.probe(5, 2).expect("just stored");
        assert_eq!(nearer.value.mate().map(i32::abs), value.mate().map(|m| m.abs() - 1));
    }
    assert!(to_table(Value::mate_in(MAX_PLY), MAX_PLY) > 0);
    for sign in [1, -1] {
        let far = sign * (Value::MATE_BOUND.binary() + 3);
        assert!(from_table(far as i16, 9).is_mate(), "a mate stays one, however far");
        for ply in [0, 9, MAX_PLY] {
            let win = Value::new(sign * Value::table_win(ply).binary());
            assert_eq!(from_table(to_table(win, ply), ply), win);
            for (stored, read) in [(MAX_PLY, 0), (0, MAX_PLY)] {
                let there = from_table(to_table(win, stored), read);
                assert!(there.is_decided() && !there.is_mate(), "{ply} {stored} {read}");
            }
        }
    }
}

/// HSH-04.
#[test]
fn deep_stays_and_new_is_replaced() {
    let table = HashTable::new(HashSize::MIN);
    let same_bucket = [1, 2, 3];
    table.store(same_bucket[0], found(Value::ZERO, 9), 0);
    table.store(same_bucket[1], found(Value::ZERO, 3), 0);
    table.store(same_bucket[2], found(Value::ZERO, 2), 0);
    let known = same_bucket.map(|key| table.probe(key, 0).is_some());
    assert_eq!(known, [true, false, true]);
    table.grow_old();
    table.store(same_bucket[1], found(Value::ZERO, 1), 0);
    let known = same_bucket.map(|key| table.probe(key, 0).is_some());
    assert_eq!(known, [false, true, true], "the old deep entry gives way");
}

#[test]
fn the_same_position_again() {
    let table = HashTable::new(HashSize::MIN);
    let bound = |plies, bound, mv| TtHit { mv, bound, ..found(Value::ZERO, plies) };
    let mv = Move::from_bits(88);
    table.store(1, found(Value::ZERO, 9), 0);
    table.store(1, bound(0, Bound::Upper, mv), 0);
    let known = table.probe(1, 0).expect("stored");
    assert_eq!((known.depth, known.mv), (Depth::plies(9), mv), "the move alone is new");
    table.store(1, bound(7, Bound::Lower, Move::NONE), 0);
    let known = table.probe(1, 0).expect("stored");
    assert_eq!((known.depth, known.mv), (Depth::plies(7), mv), "almost as deep");
    table.grow_old();
    table.store(1, bound(0, Bound::Upper, Move::NONE), 0);
    let known = table.probe(1, 0).expect("stored");
    assert_eq!((known.depth, known.mv), (Depth::plies(7), mv), "an older search's stays, too");
    table.store(4, found(Value::ZERO, 3), 0);
    assert!(table.probe(1, 0).is_some(), "and is of this search from now on");
    table.store(1, bound(0, Bound::Exact, Move::NONE), 0);
    assert_eq!(table.probe(1, 0).map(|known| known.depth), Some(Depth::ZERO), "an exact value");
    table.store(2, found(Value::ZERO, 9), 0);
    table.store(3, bound(2, Bound::Lower, mv), 0);
    table.store(3, bound(12, Bound::Upper, Move::NONE), 0);
    assert_eq!(table.probe(3, 0).map(|known| known.mv), Some(mv), "from one place to the other");
}

#[test]
fn an_empty_table_knows_nothing() {
    let table = HashTable::new(HashSize::from_bytes(1));
    assert_eq!(size_of::<Bucket>(), 32);
    assert!(table.probe(0, 0).is_none() && table.probe(u64::MAX, 0).is_none());
    assert_eq!(table.permille(), 0);
}

/// Threads that store and ask for a few positions of one bucket at once get nothing but what was stored.
#[test]
fn no_thread_reads_a_mixture() {
    const KEYS: u64 = 2;
    // All that is stored follows from key and move. Exact: then nothing of an older entry stays.
    let stored = |key: u64, mv: u16| {
        let mixed = (key * 0x9e37 + u64::from(mv) * 0x85eb) & 0x7fff_ffff;
        let value = Value::new((mixed % 2001) as i32 - 1000);
        let depth = Depth::quarters((mixed >> 11) as i32 & 127);
        TtHit { mv: Move::from_bits(mv), value, depth, bound: Bound::Exact }
    };
    let table = HashTable::new(HashSize::MIN);
    let hits = AtomicUsize::new(0);
    thread::scope(|scope| {
        for number in 1..=4_u64 {
            let (table, hits) = (&table, &hits);
            scope.spawn(move || {
                let mut word = number;
                for _ in 0..1_000_000 {
                    word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(number);
                    let key = 1 + (word >> 33) % KEYS;
                    if word >> 63 == 0 {
                        table.store(key, stored(key, (word >> 40) as u16 | 1), 0);
                    } else if let Some(found) = table.probe(key, 0) {
                        assert_eq!(found, stored(key, found.mv.to_bits()), "position {key}");
                        hits.fetch_add(1, Relaxed);
                    }
                }
            });
        }
    });
    assert!(hits.into_inner() > 1000);
}
