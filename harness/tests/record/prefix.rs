//! The gap-free prefix, against sorting.

use arena::record::{DuplicatePair, PairJoiner, Prefix};

use crate::common::samples::{below, rng, shuffle};

#[test]
fn any_order_of_arrival_comes_out_sorted() {
    for seed in 0..200 {
        let mut rng = rng(seed);
        let count = below(&mut rng, 60) as u64;
        let mut order: Vec<u64> = (0..count).collect();
        shuffle(&mut rng, &mut order);
        let mut prefix = Prefix::default();
        let mut out = Vec::new();
        for (arrived, &pair) in order.iter().enumerate() {
            let seen = &order[..=arrived];
            out.extend(prefix.add(pair, 10 * pair).unwrap());
            let gap = (0..).find(|pair| !seen.contains(pair)).unwrap();
            assert_eq!(prefix.len(), gap);
            assert_eq!(out, (0..gap).map(|pair| (pair, 10 * pair)).collect::<Vec<_>>());
            assert_eq!(prefix.waiting().count() as u64, seen.len() as u64 - gap);
            assert!(prefix.waiting().all(|(pair, &value)| pair > gap && value == 10 * pair));
            let again = seen[below(&mut rng, seen.len())];
            assert_eq!(prefix.add(again, 0), Err(DuplicatePair(again)));
        }
        assert_eq!(out.len() as u64, count);
        assert_eq!(prefix.is_empty(), count == 0);
    }
}

#[test]
fn games_find_their_partners() {
    for seed in 0..100 {
        let mut rng = rng(seed);
        let mut order: Vec<u64> = (0..40).collect();
        shuffle(&mut rng, &mut order);
        let mut halves = PairJoiner::default();
        let mut pairs = Vec::new();
        for (arrived, &game) in order.iter().enumerate() {
            pairs.extend(halves.add(game, game));
            assert_eq!(halves.unpaired().count() + 2 * pairs.len(), arrived + 1);
        }
        pairs.sort_unstable();
        assert_eq!(pairs, (0..20).map(|pair| [2 * pair, 2 * pair + 1]).collect::<Vec<_>>());
    }
}
