//! Searches on a simulated engine.

use super::{Clop, ClopParam};
use crate::tunable::Base;
use crate::tune::tuner::simulate;

fn ranges(texts: &[&str]) -> Vec<ClopParam> {
    let base = Base::standard();
    texts.iter().map(|text| ClopParam::read(text, &base).expect("a range")).collect()
}

/// What is left, Elo below the best, on average over runs; which intervals hold the best values;
/// how wide they are on average, as a share of the range.
fn tried(
    texts: &[&str],
    pairs: u64,
    runs: u64,
    best: &[f64],
    truth: impl Fn(&[f64]) -> f64,
) -> (f64, usize, f64) {
    let (mut left, mut inside, mut width) = (0.0, 0, 0.0);
    for seed in 0..runs {
        let ranges = ranges(texts);
        let base = ranges.iter().map(|range| range.min).collect();
        let mut clop = Clop::new(ranges, base, (pairs, 8), seed, Vec::new());
        simulate(&mut clop, &truth, 1000 + seed);
        let found = clop.best().expect("results");
        left += (truth(best) - truth(&found.values)) / runs as f64;
        for ((range, [low, high]), best) in clop.ranges().iter().zip(&found.intervals).zip(best) {
            inside += usize::from((low..=high).contains(&best));
            width += (high - low) / (range.max - range.min);
        }
    }
    (left, inside, width / (runs as f64 * texts.len() as f64))
}

const TWO: [&str; 2] = ["lazy.margin=0..1024", "lmr.min_move=0..30"];

fn two(values: &[f64]) -> f64 {
    let miss = [(values[0] - 320.0) / 192.0, (values[1] - 12.0) / 8.0];
    -30.0 * (miss[0] * miss[0] + miss[1] * miss[1])
}

/// Up to 560 Elo below the best in the corners, 1.5 where it ends.
#[test]
fn the_optimum_is_found() {
    let (left, inside, width) = tried(&TWO, 2000, 10, &[320.0, 12.0], two);
    assert!(left < 3.0, "{left:.2} Elo below the best on average");
    // 19 expected; 15 or fewer by chance in one case of 300.
    assert!(inside >= 16, "{inside} of 20");
    assert!(width < 0.25, "intervals of {width:.2} of the range");
}

#[test]
fn where_all_is_equal_nothing_is_known() {
    let (_, inside, width) = tried(&TWO, 1000, 6, &[320.0, 12.0], |_| 0.0);
    assert!(inside >= 9 && width > 0.5, "{inside} of 12, {width:.2}");
}

/// Eight times as steep on one side: no parabola, and the best is missed by little in Elo.
#[test]
fn a_lopsided_truth_is_missed_by_little() {
    let truth = |values: &[f64]| {
        let miss = (values[0] - 320.0) / 192.0;
        if miss > 0.0 { -120.0 * miss * miss } else { -15.0 * miss * miss }
    };
    let (left, _, _) = tried(&TWO[..1], 2000, 6, &[320.0], truth);
    assert!(left < 8.0, "{left:.2} Elo below the best on average");
}
