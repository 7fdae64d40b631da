//! A test that may be looked at after every pair and stopped at any time.
//!
//! A bettor stakes a fixed share `λ` of its capital on each pair: a pair of score `d`, −1 for two
//! losses to 1 for two wins, multiplies the capital by `1 + λ d`. If the test engine is not the
//! stronger one, the mean of `d` is 0 or less whatever the spread, and no such capital can be
//! expected to grow; by Ville's inequality the chance that it ever reaches `1 / α` is at most `α`.
//! Which share is best depends on the difference in strength, so the capital is divided among
//! bettors with shares from small to large, and what counts is the sum. That is an e-value; a
//! second one bets on the base engine.
//!
//! Neither a spread nor a least gain has to be assumed, as LOS and SPRT do.

use std::fmt;
use std::sync::LazyLock;

use super::counts::Pentanomial;
use super::pair_model::PairModel;

/// Bettors on each side.
const BETTORS: usize = 64;
/// The smallest and the largest share.
const SHARES: (f64, f64) = (0.002, 0.95);

/// A test that errs with a probability of at most `alpha`, however often one looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anytime {
    alpha: f64,
}

/// What the pairs so far prove: e-values, as natural logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// That the test engine is stronger.
    pub better: f64,
    /// That it is weaker.
    pub worse: f64,
}

impl Anytime {
    /// Fails unless `alpha`, the probability of error of each direction, is above 0 and below ½.
    pub fn new(alpha: f64) -> Result<Anytime, String> {
        let is_possible = alpha > 0.0 && alpha < 0.5;
        is_possible.then_some(Anytime { alpha }).ok_or_else(|| {
            format!("alpha={alpha} is out of range: expected a probability of error above 0 and below 0.5")
        })
    }

    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The log evidence at which it decides: `ln(1 / alpha)`.
    pub fn bound(&self) -> f64 {
        -self.alpha.ln()
    }

    /// Whether it decides when after these pairs `further` ones have just the shares of the model.
    pub(super) fn decides(&self, counts: &Pentanomial, model: &PairModel, further: f64) -> bool {
        let mut expected = counts.to_array().map(|count| count as f64);
        for (count, chance) in expected.iter_mut().zip(model.chances()) {
            *count += further * chance;
        }
        let mut mirrored = expected;
        mirrored.reverse();
        [expected, mirrored].iter().any(|counts| grown(counts, &PAIR_GAINS) >= self.bound())
    }
}

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

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "evidence {} for better, {} for worse",
            e_value_text(self.better),
            e_value_text(self.worse)
        )
    }
}

/// An e-value, given by its logarithm, as text: how many times the stake.
pub fn e_value_text(logarithm: f64) -> String {
    let value = logarithm.exp();
    if value < 1e6 {
        format!("{value:.2}×")
    } else {
        format!("10^{:.1}×", logarithm * std::f64::consts::LOG10_E)
    }
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
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

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
        assert!(evidence.better > Anytime::new(0.05).unwrap().bound() && evidence.worse < 0.0);
        assert!(Evidence::of(&pairs([0, 0, 0, 0, 1_000_000])).better.is_finite());
    }

    /// Looked at after each of 2,000 pairs of equal engines, it accepts or rejects at most 1 in 20
    /// times each way.
    #[test]
    fn errors_are_rare_though_always_looked_at() {
        let test = Anytime::new(0.05).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut better, mut worse) = (0, 0);
        for _ in 0..200 {
            let mut counts = [0; 5];
            for _ in 0..2000 {
                counts[[0, 1, 1, 2, 2, 2, 2, 3, 3, 4][rng.next_u32() as usize % 10]] += 1;
                let evidence = Evidence::of(&pairs(counts));
                if evidence.better >= test.bound() {
                    better += 1;
                    break;
                }
                if evidence.worse >= test.bound() {
                    worse += 1;
                    break;
                }
            }
        }
        // 200 × 5 % is 10; 20 or more by chance has a probability of 0.3 %.
        assert!(better < 20 && worse < 20, "{better} accepted, {worse} rejected of 200");
    }

    #[test]
    fn alpha_is_checked() {
        for alpha in [0.0, 0.5, 1.0, -0.1, f64::NAN] {
            assert!(Anytime::new(alpha).is_err());
        }
    }
}
