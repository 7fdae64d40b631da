//! What the true effects of tests may be spread like, and how likely each such spread is.

use std::f64::consts::TAU;

use super::shrunk::Measured;

/// Parts of a mixture of normal distributions.
pub(super) const PARTS: usize = 3;

/// The shares of the parts: changes that do nothing, ordinary ones, large ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shares {
    pub(super) parts: [f64; PARTS],
    /// In the grid.
    pub(super) number: usize,
}

/// How the effects of changes that do something are spread, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// Of ordinary ones.
    mean: f64,
    deviation: f64,
    /// The deviation of large ones, in those of ordinary ones.
    wider_by: f64,
    /// How far the mean of large ones is above that of ordinary ones, in deviations of large ones.
    above: f64,
    /// The number of this pair of `wider_by` and `above`, below [`TAILS`].
    pub(super) tail: usize,
}

/// The grid of shares of changes without any effect.
const NEUTRAL: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 0.9];
/// Of the others, the share of large ones.
const WIDE: [f64; 4] = [0.0, 0.05, 0.2, 0.5];
/// How far their mean is above that of ordinary ones, in their deviations.
const ABOVE: [f64; 2] = [0.0, 1.5];
/// How much more they are spread.
const WIDER_BY: [f64; 2] = [3.0, 8.0];
/// Pairs of the two.
pub(super) const TAILS: usize = ABOVE.len() * WIDER_BY.len();
/// The mean of ordinary ones, in their deviations.
const MEANS: [f64; 7] = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0];
/// Deviations, from an eighth of the smallest error to the largest estimate.
const DEVIATIONS: usize = 18;

impl Shares {
    pub(super) fn grid() -> Vec<Shares> {
        let all = NEUTRAL.into_iter().flat_map(|neutral| WIDE.map(|wide| (neutral, wide)));
        let of = |(number, (neutral, wide)): (usize, (f64, f64))| {
            let others = 1.0 - neutral;
            Shares { parts: [neutral, others * (1.0 - wide), others * wide], number }
        };
        all.enumerate().map(of).collect()
    }
}

impl Spread {
    /// A grid wide enough for these estimates.
    pub(super) fn grid(tests: &[Measured]) -> Vec<Spread> {
        let errors = tests.iter().map(|test| test.error);
        let least = errors.fold(f64::INFINITY, f64::min) / 8.0;
        let most = tests.iter().map(|test| test.elo.abs()).fold(8.0 * least, f64::max);
        let step = (most / least).powf(1.0 / (DEVIATIONS - 1) as f64);
        let tails =
            || ABOVE.into_iter().flat_map(|above| WIDER_BY.map(|wider_by| (above, wider_by)));
        let mut grid = Vec::with_capacity(DEVIATIONS * MEANS.len() * TAILS);
        for number in 0..DEVIATIONS {
            let deviation = least * step.powi(number as i32);
            for mean in MEANS.map(|mean| mean * deviation) {
                grid.extend(tails().enumerate().map(|(tail, (above, wider_by))| Spread {
                    mean,
                    deviation,
                    wider_by,
                    above,
                    tail,
                }));
            }
        }
        grid
    }

    /// How likely it is before any test, up to a factor: the grid is even in the logarithm of the
    /// deviation, and all deviations are taken for equally likely.
    pub(super) fn weight(&self) -> f64 {
        self.deviation
    }

    /// Mean and deviation of each part; a deviation of 0 is one value.
    pub(super) fn parts(&self) -> [(f64, f64); PARTS] {
        let Spread { mean, deviation, wider_by, above, .. } = *self;
        let wide = wider_by * deviation;
        [(0.0, 0.0), (mean, deviation), (mean + above * wide, wide)]
    }

    /// The density of an estimate under each part.
    pub(super) fn densities(&self, test: &Measured) -> [f64; PARTS] {
        self.parts().map(|(mean, deviation)| {
            let square = test.error * test.error + deviation * deviation;
            let distance = test.elo - mean;
            // A floor keeps an estimate that no part explains from making all priors impossible.
            ((-distance * distance / square / 2.0).exp() / (TAU * square).sqrt()).max(1e-300)
        })
    }

    /// Each part's mean and deviation once the estimate is known.
    pub(super) fn updated(&self, test: &Measured) -> [(f64, f64); PARTS] {
        self.parts().map(|(mean, deviation)| {
            let (prior, error) = (deviation * deviation, test.error * test.error);
            let trust = prior / (prior + error);
            (mean + trust * (test.elo - mean), (trust * error).sqrt())
        })
    }
}
