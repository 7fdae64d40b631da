//! Equal plans give equal bytes, times apart.

use crate::common::canonical::canonical;
use serde_json::Value;

use crate::common::samples::{game, journal, rng, shuffle};

#[test]
fn a_canonical_line_is_the_record_without_its_times() {
    for number in 0..50 {
        let mut record = game(number);
        // Foreign text must not be mistaken for the key.
        record.detail = Some("x\",\"time\":{\"started_ms\":0}}".to_owned());
        let mut value: Value = serde_json::to_value(&record).unwrap();
        value.as_object_mut().unwrap().shift_remove("time").unwrap();
        let line = record.canonical_line().unwrap();
        assert_eq!(line, value.to_string());

        record.time.moves_us.push(1);
        assert_eq!(record.canonical_line().unwrap(), line);
    }
}

#[test]
fn the_order_of_arrival_does_not_matter() {
    let sorted = tempfile::tempdir().unwrap();
    journal(sorted.path(), 0..20);
    let expected = canonical(sorted.path(), None).unwrap();
    assert_eq!(expected.lines().count(), 40);
    let mut order: Vec<u64> = (0..20).collect();
    for seed in 0..5 {
        shuffle(&mut rng(seed), &mut order);
        let dir = tempfile::tempdir().unwrap();
        journal(dir.path(), order.iter().copied());
        assert_eq!(canonical(dir.path(), None).unwrap(), expected);
        let first = canonical(dir.path(), Some(7)).unwrap();
        assert_eq!(first.lines().count(), 14);
        assert!(expected.starts_with(&first));
    }
}
