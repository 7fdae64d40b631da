//! The true effects of tests, from all of them together.

use statrs::distribution::{ContinuousCDF, Normal};

use super::prior::{PARTS, Shares, Spread};
use crate::bisect::bisect;

/// Shares of the sum's distribution below the ends of its 95 % interval. The mixture is a model and not
/// the truth; in simulated years of other shapes its central 97 % hold the truth in 95 %.
const TAILS: [f64; 2] = [0.015, 0.985];
/// Hypotheses less likely than this against the likeliest are left out.
const NEGLIGIBLE: f64 = 1e-8;

/// What one test measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Test minus base.
    pub elo: f64,
    /// Its standard error, in Elo; above 0.
    pub error: f64,
    pub is_accepted: bool,
}

/// A test's true effect, given all tests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub elo: f64,
    /// Standard deviation.
    pub error: f64,
    /// The probability that the change is no gain.
    pub no_gain: f64,
}

/// Estimates without the winner's curse.
///
/// True effects are taken for draws from a mixture of changes that do nothing, ordinary changes and
/// large ones. How many there are of each, their mean and their spread are not known; every combination of a
/// grid is weighed by how well it explains all tests (empirical Bayes, with the uncertainty of the
/// mixture kept). Measurements are taken for normal. Selection and early stopping by the results do not
/// bias such estimates: what is used of a test is its likelihood, and that does not depend on why it
/// stopped. Therefore all tests must be given, the rejected ones too.
#[derive(Debug, Clone, PartialEq)]
pub struct Shrunk {
    /// In the order of the tests.
    pub estimates: Vec<Estimate>,
    /// The true effects of the accepted tests, added up.
    pub sum: f64,
    /// Its 95 % interval.
    pub sum_ci95: [f64; 2],
    /// Accepted tests that are no gains, on average.
    pub false_accepts: f64,
    /// Of all changes tried: the share that does nothing, mean and standard deviation of the effects.
    pub neutral: f64,
    pub mean: f64,
    pub deviation: f64,
}

impl Shrunk {
    /// `None` without tests.
    pub fn of(tests: &[Measured]) -> Option<Shrunk> {
        if tests.is_empty() {
            return None;
        }
        let hypotheses = weighed(tests);
        let mut estimates = Vec::with_capacity(tests.len());
        let mut sums = vec![(0.0, 0.0); hypotheses.iter().map(|it| it.shares.len()).sum()];
        for test in tests {
            let mut estimate = Moments::default();
            let mut sums = sums.iter_mut();
            for hypothesis in &hypotheses {
                let parts = Parts::of(&hypothesis.spread, test);
                for ((shares, weight), sum) in hypothesis.shares.iter().zip(&mut sums) {
                    let given = parts.mixed(shares);
                    estimate.add(&given, *weight);
                    if test.is_accepted {
                        sum.0 += given.mean;
                        sum.1 += given.variance();
                    }
                }
            }
            estimates.push(Estimate {
                elo: estimate.mean,
                error: estimate.variance().max(0.0).sqrt(),
                no_gain: estimate.no_gain.clamp(0.0, 1.0),
            });
        }
        let weights: Vec<f64> =
            hypotheses.iter().flat_map(|it| it.shares.iter().map(|(_, weight)| *weight)).collect();
        let accepted = || tests.iter().zip(&estimates).filter(|(test, _)| test.is_accepted);
        let mut spread = [0.0; 3];
        for hypothesis in &hypotheses {
            let parts = hypothesis.spread.parts();
            for (Shares(shares), weight) in &hypothesis.shares {
                let of = |value: &dyn Fn(&(f64, f64)) -> f64| {
                    shares.iter().zip(&parts).map(|(share, part)| share * value(part)).sum::<f64>()
                };
                let mean = of(&|(mean, _)| *mean);
                let squares = of(&|(mean, deviation)| mean * mean + deviation * deviation);
                for (total, value) in spread.iter_mut().zip([shares[0], mean, squares]) {
                    *total += weight * value;
                }
            }
        }
        let [neutral, mean, squares] = spread;
        Some(Shrunk {
            sum: accepted().map(|(_, estimate)| estimate.elo).sum(),
            sum_ci95: interval(&weights, &sums),
            false_accepts: accepted().map(|(_, estimate)| estimate.no_gain).sum(),
            neutral,
            mean,
            deviation: (squares - mean * mean).max(0.0).sqrt(),
            estimates,
        })
    }
}

/// A spread with the shares of its parts, and the probability of each given all tests.
struct Hypothesis {
    spread: Spread,
    shares: Vec<(Shares, f64)>,
}

fn weighed(tests: &[Measured]) -> Vec<Hypothesis> {
    let grid = Shares::grid();
    let logarithms: Vec<(Spread, Vec<f64>)> = Spread::grid(tests)
        .into_iter()
        .map(|spread| {
            let densities: Vec<_> = tests.iter().map(|test| spread.densities(test)).collect();
            let before = spread.weight().ln();
            let of = |shares: &Shares| {
                before + densities.iter().map(|it| mixed(shares, it).ln()).sum::<f64>()
            };
            (spread, grid.iter().map(of).collect())
        })
        .collect();
    let all = logarithms.iter().flat_map(|(_, logarithms)| logarithms);
    let most = all.copied().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    let mut kept = Vec::new();
    for (spread, logarithms) in logarithms {
        let weights = logarithms.into_iter().map(|logarithm| (logarithm - most).exp());
        let shares: Vec<(Shares, f64)> =
            grid.iter().copied().zip(weights).filter(|(_, weight)| *weight > NEGLIGIBLE).collect();
        total += shares.iter().map(|(_, weight)| weight).sum::<f64>();
        if !shares.is_empty() {
            kept.push(Hypothesis { spread, shares });
        }
    }
    let weights = kept.iter_mut().flat_map(|hypothesis| &mut hypothesis.shares);
    weights.for_each(|(_, weight)| *weight /= total);
    kept
}

fn mixed(Shares(shares): &Shares, parts: &[f64; PARTS]) -> f64 {
    shares.iter().zip(parts).map(|(share, part)| share * part).sum()
}

/// What an estimate says of its true effect, part by part.
struct Parts {
    densities: [f64; PARTS],
    moments: [Moments; PARTS],
}

impl Parts {
    fn of(spread: &Spread, test: &Measured) -> Parts {
        let moments = spread.updated(test).map(|(mean, deviation)| {
            let no_gain = match deviation > 0.0 {
                true => Normal::standard().cdf(-mean / deviation),
                false => f64::from(mean <= 0.0),
            };
            Moments { mean, squares: mean * mean + deviation * deviation, no_gain }
        });
        Parts { densities: spread.densities(test), moments }
    }

    fn mixed(&self, shares: &Shares) -> Moments {
        let total = mixed(shares, &self.densities);
        let mut all = Moments::default();
        let parts = shares.0.iter().zip(&self.densities).zip(&self.moments);
        for ((share, density), moments) in parts {
            all.add(moments, share * density / total);
        }
        all
    }
}

/// Of a true effect.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    mean: f64,
    squares: f64,
    no_gain: f64,
}

impl Moments {
    fn add(&mut self, other: &Moments, weight: f64) {
        self.mean += weight * other.mean;
        self.squares += weight * other.squares;
        self.no_gain += weight * other.no_gain;
    }

    fn variance(&self) -> f64 {
        self.squares - self.mean * self.mean
    }
}

/// Where [`TAILS`] of the sum lie: a mixture of normal distributions, with their weights, means
/// and variances.
fn interval(weights: &[f64], sums: &[(f64, f64)]) -> [f64; 2] {
    let below = |at: f64| {
        let parts = weights.iter().zip(sums).map(|(weight, &(mean, variance))| {
            let deviation = variance.max(0.0).sqrt();
            weight
                * match deviation > 0.0 {
                    true => Normal::standard().cdf((at - mean) / deviation),
                    false => f64::from(mean <= at),
                }
        });
        parts.sum::<f64>()
    };
    let reach = |sign: f64| {
        let ends =
            sums.iter().map(|&(mean, variance)| sign * mean + 10.0 * variance.max(0.0).sqrt());
        sign * ends.fold(f64::NEG_INFINITY, f64::max)
    };
    let (low, high) = (reach(-1.0), reach(1.0));
    TAILS.map(|share| bisect(low, high, 60, |at| below(at) < share))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tests(elo: &[f64], error: f64) -> Vec<Measured> {
        let test = |&elo: &f64| Measured { elo, error, is_accepted: elo > 1.6 * error };
        elo.iter().map(test).collect()
    }

    #[test]
    fn nothing_tried_nothing_gained() {
        assert_eq!(Shrunk::of(&[]), None);
        let rejected = Shrunk::of(&tests(&[-3.0, -2.0, 0.5], 2.0)).unwrap();
        assert_eq!((rejected.sum, rejected.false_accepts), (0.0, 0.0));
        assert!(rejected.sum_ci95.iter().all(|end| end.abs() < 1e-9), "{rejected:?}");
    }

    /// Where all tests together look like noise, the best of them is worth little; where effects are far
    /// larger than errors, hardly anything is taken off.
    #[test]
    fn what_looks_like_noise_is_shrunk() {
        let noise: Vec<f64> = (-20..=20).map(|i| f64::from(i) / 10.0).collect();
        let small = Shrunk::of(&tests(&noise, 1.0)).unwrap();
        let best = small.estimates.last().unwrap();
        assert!(best.elo < 1.0 && best.no_gain > 0.1, "{best:?}");
        let large: Vec<f64> = noise.iter().map(|elo| 50.0 * elo).collect();
        let clear = Shrunk::of(&tests(&large, 1.0)).unwrap();
        let best = clear.estimates.last().unwrap();
        assert!((best.elo - 100.0).abs() < 1.0 && best.no_gain < 1e-6, "{best:?}");
    }

    /// One outlier among changes that do nothing keeps its gain.
    #[test]
    fn a_large_gain_is_no_accident() {
        let mut elo: Vec<f64> = (-15..=15).map(|i| f64::from(i) / 8.0).collect();
        elo.push(40.0);
        let found = Shrunk::of(&tests(&elo, 1.0)).unwrap();
        let last = found.estimates.last().unwrap();
        assert!(last.elo > 36.0 && last.no_gain < 1e-4, "{last:?}");
        assert!(found.estimates[30].elo < 1.2, "{:?}", found.estimates[30]);
    }

    proptest! {
        // Each case weighs some thousand priors.
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// The scale of Elo does not matter, and intervals hold their estimate.
        #[test]
        fn the_unit_does_not_matter(elo in prop::collection::vec(-20.0..20.0_f64, 1..12)) {
            let one = Shrunk::of(&tests(&elo, 3.0)).unwrap();
            let tenfold: Vec<f64> = elo.iter().map(|elo| 10.0 * elo).collect();
            let ten = Shrunk::of(&tests(&tenfold, 30.0)).unwrap();
            prop_assert!((ten.sum - 10.0 * one.sum).abs() < 1e-6 * (1.0 + ten.sum.abs()));
            let [low, high] = one.sum_ci95;
            prop_assert!(low <= one.sum + 1e-9 && one.sum <= high + 1e-9);
            for (estimate, elo) in one.estimates.iter().zip(&elo) {
                prop_assert!(estimate.error <= 3.0 * 3.0 && estimate.elo.abs() <= elo.abs() + 20.0);
                prop_assert!((0.0..=1.0).contains(&estimate.no_gain));
            }
        }
    }
}
