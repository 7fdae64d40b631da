//! What the true effects of tests may be spread like, and how likely each such spread is.

use std::f64::consts::TAU;

use super::shrunk::Measured;

/// Components of a prior.
pub(super) const PARTS: usize = 3;

/// A mixture of normal distributions: weight, mean and deviation in Elo; a deviation of 0 is one value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prior(pub(super) [(f64, f64, f64); PARTS]);

/// The grid of shares of changes without any effect.
const NEUTRAL: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 0.9];
/// Of the others, the share with effects of another size.
const WIDE: [f64; 3] = [0.0, 0.1, 0.3];
/// How much larger.
const WIDER_BY: f64 = 5.0;
/// The mean of the others, in their deviations.
const MEANS: [f64; 7] = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0];
/// Deviations, from an eighth of the smallest error to the largest estimate.
const DEVIATIONS: usize = 18;

impl Prior {
    /// A grid wide enough for these estimates.
    pub(super) fn grid(tests: &[Measured]) -> Vec<Prior> {
        let errors = tests.iter().map(|test| test.error);
        let least = errors.fold(f64::INFINITY, f64::min) / 8.0;
        let most = tests.iter().map(|test| test.elo.abs()).fold(8.0 * least, f64::max);
        let step = (most / least).powf(1.0 / (DEVIATIONS - 1) as f64);
        let mut grid = Vec::with_capacity(DEVIATIONS * MEANS.len() * NEUTRAL.len() * WIDE.len());
        for number in 0..DEVIATIONS {
            let deviation = least * step.powi(number as i32);
            for mean in MEANS.map(|mean| mean * deviation) {
                for neutral in NEUTRAL {
                    for wide in WIDE {
                        let others = 1.0 - neutral;
                        grid.push(Prior([
                            (neutral, 0.0, 0.0),
                            (others * (1.0 - wide), mean, deviation),
                            (others * wide, mean, WIDER_BY * deviation),
                        ]));
                    }
                }
            }
        }
        grid
    }

    /// The density of an estimate, part by part.
    pub(super) fn densities(&self, test: &Measured) -> [f64; PARTS] {
        self.0.map(|(weight, mean, deviation)| {
            if weight == 0.0 {
                return 0.0;
            }
            let square = test.error * test.error + deviation * deviation;
            let distance = test.elo - mean;
            // A floor keeps an estimate that no part explains from making all priors impossible.
            weight
                * ((-distance * distance / square / 2.0).exp() / (TAU * square).sqrt()).max(1e-300)
        })
    }

    /// A part's mean and deviation once the estimate is known.
    pub(super) fn updated(&self, part: usize, test: &Measured) -> (f64, f64) {
        let (_, mean, deviation) = self.0[part];
        let (prior, error) = (deviation * deviation, test.error * test.error);
        let trust = prior / (prior + error);
        (mean + trust * (test.elo - mean), (trust * error).sqrt())
    }
}
