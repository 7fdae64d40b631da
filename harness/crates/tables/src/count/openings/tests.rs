//! Counts do not depend on how much memory there is, nor on who counted what.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;

fn records() -> impl Strategy<Value = Vec<OpeningRecord>> {
    let games = prop_oneof![4 => 0_u32..3, 1 => u32::MAX - 2..];
    let key = prop_oneof![0_u64..40, any::<u64>(), Just(u64::MAX)];
    let record = (key, [games.clone(), games.clone(), games.clone(), games]).prop_map(
        |(key, [wins, draws, losses, undecided])| OpeningRecord {
            key,
            wdl: SideWdl { wins, draws, losses },
            undecided,
        },
    );
    proptest::collection::vec(record, 0..300)
}

/// Counts by as many counters as there are parts, in a scratch of so many bytes.
fn count(parts: &[Vec<OpeningRecord>], scratch: &Scratch) -> OpeningCounts {
    let counters = NonZeroUsize::new(parts.len()).unwrap();
    let mut counted = Vec::new();
    for part in parts {
        let mut counter = OpeningCounter::new(scratch, counters);
        counter.games = part.len() as u64;
        part.iter().for_each(|&record| counter.add(record));
        counted.extend(counter.finish().unwrap());
    }
    OpeningCounts::sum(counted, scratch).unwrap().0
}

fn bytes(counts: &OpeningCounts) -> Vec<u8> {
    let mut bytes = Vec::new();
    counts.bytes().read_to_end(&mut bytes).unwrap();
    bytes
}

proptest! {
    #[test]
    fn as_a_map_in_memory_counts(
        parts in proptest::collection::vec(records(), 1..4),
        memory in prop_oneof![Just(0_usize), 1..2000_usize, Just(1 << 20)],
    ) {
        let mut expected: BTreeMap<u64, OpeningRecord> = BTreeMap::new();
        for record in parts.iter().flatten() {
            let new = OpeningRecord { key: record.key, ..OpeningRecord::default() };
            expected.entry(record.key).or_insert(new).add(record);
        }
        let dir = tempfile::tempdir().unwrap();
        let scratch = Scratch::with_memory(memory, &dir.path().join("out"));
        let counts = count(&parts, &scratch);
        prop_assert_eq!(counts.games as usize, parts.iter().map(Vec::len).sum::<usize>());
        prop_assert_eq!(counts.len() as usize, expected.len());
        prop_assert_eq!(counts.most_games(), expected.values().map(|it| it.games()).max().unwrap_or(0));
        let found: Vec<_> = counts.records().map(Result::unwrap).collect();
        prop_assert_eq!(found, expected.into_values().collect::<Vec<_>>());
        // Reading gives nothing up.
        let in_memory = count(&parts, &Scratch::default());
        prop_assert_eq!(bytes(&counts), bytes(&in_memory));
        prop_assert!(counts == in_memory);
        prop_assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

/// The first part with which a counter is full, if the position was there before.
#[test]
fn the_part_that_fills_a_counter_is_found() {
    let part = |records: &[(u64, u32)]| {
        let mut run = RunWriter::new(&Scratch::default());
        for &(key, wins) in records {
            let wdl = SideWdl { wins, ..SideWdl::default() };
            run.push(OpeningRecord { key, wdl, undecided: 0 }).unwrap();
        }
        OpeningCounts::new(run.finish().unwrap(), 0)
    };
    let most = u32::MAX - 1;
    for (parts, expected) in [
        (vec![part(&[(5, u32::MAX)])], None),
        (vec![part(&[(5, u32::MAX)]), part(&[(6, 1)])], None),
        (vec![part(&[(5, most)]), part(&[]), part(&[(5, 1)])], Some(2)),
        (vec![part(&[(1, 1), (9, most)]), part(&[(9, 1)]), part(&[(1, most)])], Some(1)),
    ] {
        let (_, full) = OpeningCounts::sum(parts, &Scratch::default()).unwrap();
        assert_eq!(full, expected);
    }
}

/// What cannot be written is an error of the end, and memory stays bounded until then.
#[test]
fn a_failure_is_told_at_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let scratch = Scratch::with_memory(2400, &dir.path().join("missing/out"));
    let mut counter = OpeningCounter::new(&scratch, NonZeroUsize::MIN);
    for key in 0..1000 {
        counter.add(OpeningRecord { key, undecided: 1, ..OpeningRecord::default() });
    }
    assert!(counter.has_failed());
    let error = counter.finish().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(error.to_string().contains("missing/out"), "{error}");
}
