//! The true effects of tests, from all of them together.

use statrs::distribution::{ContinuousCDF, Normal};

use super::prior::{PARTS, Shares, Spread, TAILS};
use crate::bisect::bisect;

/// Shares of the sum's distribution below the ends of its 95 % interval.
const ENDS: [f64; 2] = [0.025, 0.975];
/// A shape of the mixture that explains the tests so much worse than the best one is given up.
const GIVEN_UP: f64 = 1.0 / 20.0;
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
///
/// A hundred tests show the mean and the spread of the effects, but hardly whether a few large gains or many
/// small ones made it. An average over such shapes (the shares of the parts, how much wider the large ones are
/// and how far above) depends on how likely each was taken to be before. The interval does not: it holds
/// the 95 % interval under every shape that the tests do not contradict.
#[derive(Debug, Clone, PartialEq)]
pub struct Shrunk {
    /// In the order of the tests.
    pub estimates: Vec<Estimate>,
    /// The true effects of the accepted tests, added up.
    pub sum: f64,
    /// Its 95 % interval, whatever the shape of the mixture.
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
        let mut sums: Vec<Sum> = hypotheses.iter().flat_map(Hypothesis::sums).collect();
        for test in tests {
            let mut estimate = Moments::default();
            let mut sums = sums.iter_mut();
            for hypothesis in &hypotheses {
                let parts = Parts::of(&hypothesis.spread, test);
                for ((shares, weight), sum) in hypothesis.shares.iter().zip(&mut sums) {
                    let given = parts.mixed(shares);
                    estimate.add(&given, *weight);
                    if test.is_accepted {
                        sum.mean += given.mean;
                        sum.variance += given.variance();
                    }
                }
            }
            estimates.push(Estimate {
                elo: estimate.mean,
                error: estimate.variance().max(0.0).sqrt(),
                no_gain: estimate.no_gain.clamp(0.0, 1.0),
            });
        }
        let accepted = || tests.iter().zip(&estimates).filter(|(test, _)| test.is_accepted);
        let mut spread = [0.0; 3];
        for hypothesis in &hypotheses {
            let parts = hypothesis.spread.parts();
            for (Shares { parts: shares, .. }, weight) in &hypothesis.shares {
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
            sum_ci95: interval(sums),
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

impl Hypothesis {
    fn sums(&self) -> impl Iterator<Item = Sum> {
        self.shares.iter().map(|(shares, weight)| Sum {
            shape: shares.number * TAILS + self.spread.tail,
            weight: *weight,
            mean: 0.0,
            variance: 0.0,
        })
    }
}

/// The sum of the accepted tests' true effects under one hypothesis.
struct Sum {
    /// Equal for hypotheses that differ in mean and deviation only.
    shape: usize,
    weight: f64,
    mean: f64,
    variance: f64,
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

fn mixed(shares: &Shares, parts: &[f64; PARTS]) -> f64 {
    shares.parts.iter().zip(parts).map(|(share, part)| share * part).sum()
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
        let parts = shares.parts.iter().zip(&self.densities).zip(&self.moments);
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

/// From the lowest to the highest end under any shape that is not given up.
fn interval(mut sums: Vec<Sum>) -> [f64; 2] {
    sums.sort_by_key(|sum| sum.shape);
    let shapes: Vec<&[Sum]> = sums.chunk_by(|a, b| a.shape == b.shape).collect();
    let evidence = |shape: &[Sum]| shape.iter().map(|sum| sum.weight).sum::<f64>();
    let most = shapes.iter().map(|shape| evidence(shape)).fold(0.0, f64::max);
    let kept = shapes.into_iter().filter(|shape| evidence(shape) >= GIVEN_UP * most);
    kept.map(under_one_shape).fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], ends| {
        [low.min(ends[0]), high.max(ends[1])]
    })
}

/// Where [`ENDS`] of a mixture of normal distributions lie.
fn under_one_shape(sums: &[Sum]) -> [f64; 2] {
    let total: f64 = sums.iter().map(|sum| sum.weight).sum();
    let below = |at: f64| {
        let parts = sums.iter().map(|sum| {
            let deviation = sum.variance.max(0.0).sqrt();
            sum.weight
                * match deviation > 0.0 {
                    true => Normal::standard().cdf((at - sum.mean) / deviation),
                    false => f64::from(sum.mean <= at),
                }
        });
        parts.sum::<f64>() / total
    };
    let reach = |sign: f64| {
        let ends = sums.iter().map(|sum| sign * sum.mean + 10.0 * sum.variance.max(0.0).sqrt());
        sign * ends.fold(f64::NEG_INFINITY, f64::max)
    };
    let (low, high) = (reach(-1.0), reach(1.0));
    ENDS.map(|share| bisect(low, high, 40, |at| below(at) < share))
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

    /// The interval holds those under each shape, but not under one that the tests contradict.
    #[test]
    fn shapes_that_may_be_count_in_full() {
        let sum = |shape, weight, mean| Sum { shape, weight, mean, variance: 4.0 };
        let ends = |weight| interval(vec![sum(0, 0.9, 10.0), sum(1, weight, 30.0)]);
        let near = |found: [f64; 2], low: f64, high: f64| {
            assert!((found[0] - low).abs() < 0.01 && (found[1] - high).abs() < 0.01, "{found:?}");
        };
        near(ends(0.1), 10.0 - 2.0 * 1.96, 30.0 + 2.0 * 1.96);
        near(ends(0.01), 10.0 - 2.0 * 1.96, 10.0 + 2.0 * 1.96);
        // Spreads of one shape are averaged.
        let spreads = vec![sum(0, 0.5, 10.0), sum(0, 0.5, 30.0)];
        near(interval(spreads), 10.0 - 2.0 * 1.645, 30.0 + 2.0 * 1.645);
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
