//! Bets of fixed shares of the capital: what `anytime` was judged by in older runs, and what a
//! sweep's race and the ledger go by. The order of the pairs makes no difference.
//!
//! A bettor stakes a fixed share `λ` of its capital on each pair: a pair of score `d`, −1 for two
//! losses to 1 for two wins, multiplies the capital by `1 + λ d`. Which share is best depends on the
//! difference in strength and on the spread, so the capital is divided among bettors with shares from
//! small to large, and what counts is the sum. That is an e-value; a second one bets on the base
//! engine.

use std::sync::LazyLock;

use super::evidence::Evidence;
use crate::counts::Pentanomial;

/// Bettors on each side.
const BETTORS: usize = 64;
/// The smallest and the largest share.
const SHARES: (f64, f64) = (0.002, 0.95);

impl Evidence {
    /// The order of pairs makes no difference.
    pub fn of(pairs: &Pentanomial) -> Evidence {
        Evidence { better: capital(pairs), worse: capital(&pairs.mirrored()) }
    }

    /// The evidence that one player scores more than another against the same opponent in the same
    /// openings: how often their pairs differed by −4 to 4 half points.
    pub fn of_differences(counts: &[u64; 9]) -> Evidence {
        let mut mirrored = *counts;
        mirrored.reverse();
        let [better, worse] = [*counts, mirrored].map(|counts| {
            let counts = counts.map(|count| count as f64);
            grown(&counts, &DIFFERENCE_GAINS)
        });
        Evidence { better, worse }
    }
}

/// ln of the larger of both e-values of these expected counts.
pub(super) fn larger(expected: &[f64; 5]) -> f64 {
    let mut mirrored = *expected;
    mirrored.reverse();
    grown(expected, &PAIR_GAINS).max(grown(&mirrored, &PAIR_GAINS))
}

/// ln of what a stake of 1, divided evenly among the bettors on the test engine, has become.
fn capital(pairs: &Pentanomial) -> f64 {
    grown(&pairs.to_array().map(|count| count as f64), &PAIR_GAINS)
}

/// The same of units that have one of `N` evenly spaced scores, −1 to 1, each so often.
fn grown<const N: usize>(counts: &[f64; N], gains: &[[f64; N]; BETTORS]) -> f64 {
    let logarithms: [f64; BETTORS] = std::array::from_fn(|bettor| {
        let gains = gains[bettor].iter().zip(counts);
        gains.map(|(gain, count)| gain * count).sum()
    });
    let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logarithms.iter().map(|logarithm| (logarithm - most).exp()).sum();
    most + (sum / BETTORS as f64).ln()
}

/// ln of what a pair of each score makes of each bettor's capital.
static PAIR_GAINS: LazyLock<[[f64; 5]; BETTORS]> = LazyLock::new(gains);
/// The same of a difference between two pairs.
static DIFFERENCE_GAINS: LazyLock<[[f64; 9]; BETTORS]> = LazyLock::new(gains);

fn gains<const N: usize>() -> [[f64; N]; BETTORS] {
    let score = |outcome: usize| 2.0 * outcome as f64 / (N - 1) as f64 - 1.0;
    let gain = |share: f64, outcome: usize| (share * score(outcome)).ln_1p();
    std::array::from_fn(|bettor| std::array::from_fn(|outcome| gain(share(bettor), outcome)))
}

/// Shares grow by the same factor from bettor to bettor.
fn share(bettor: usize) -> f64 {
    let (least, most) = SHARES;
    least * (most / least).powf(bettor as f64 / (BETTORS - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Pentanomial {
        Pentanomial::from(counts)
    }

    /// One pair: the capital of each bettor is 1 + λ d, and the sum is their mean.
    #[test]
    fn one_pair() {
        let mean: f64 = (0..BETTORS).map(share).sum::<f64>() / BETTORS as f64;
        let of = |counts: [u64; 5]| capital(&pairs(counts)).exp();
        for (counts, expected) in [
            ([0, 0, 0, 0, 0], 1.0),
            ([0, 0, 1, 0, 0], 1.0),
            ([0, 0, 0, 0, 1], 1.0 + mean),
            ([0, 0, 0, 1, 0], 1.0 + mean / 2.0),
            ([1, 0, 0, 0, 0], 1.0 - mean),
        ] {
            assert!((of(counts) - expected).abs() < 1e-12, "{counts:?}");
        }
    }

    /// Under "not better" the capital after one more pair is, on average, at most what it was: for any
    /// distribution of mean 0, after any history.
    #[test]
    fn no_gain_is_expected_from_equals() {
        let histories = [[0, 0, 0, 0, 0], [3, 9, 40, 11, 2], [0, 0, 5, 30, 9]];
        let fair =
            [[0.2, 0.2, 0.2, 0.2, 0.2], [0.0, 0.5, 0.0, 0.5, 0.0], [0.1, 0.0, 0.7, 0.2, 0.0]];
        for history in histories {
            for chances in fair {
                let mean: f64 = (0..5).map(|i| chances[i] * (i as f64 / 2.0 - 1.0)).sum();
                assert!(mean.abs() < 1e-12);
                let after = (0..5).map(|outcome| {
                    let mut counts = history;
                    counts[outcome] += 1;
                    chances[outcome] * capital(&pairs(counts)).exp()
                });
                let before = capital(&pairs(history)).exp();
                assert!((after.sum::<f64>() / before - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn both_sides_mirror() {
        let evidence = Evidence::of(&pairs([10, 20, 70, 40, 30]));
        let mirrored = Evidence::of(&pairs([30, 40, 70, 20, 10]));
        assert_eq!(evidence.better, mirrored.worse);
        assert!(evidence.better > 3.0 && evidence.worse < 0.0);
        assert!(Evidence::of(&pairs([0, 0, 0, 0, 1_000_000])).better.is_finite());
    }
}
