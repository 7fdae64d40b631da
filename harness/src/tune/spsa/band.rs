//! What the way of a run says of each parameter: where it settles, how well that is known, and what
//! moving it is still worth.

use super::state::{Spsa, Step};
use crate::stats::Z95;

/// Parts of the run's second half whose means are compared.
const PARTS: usize = 10;
/// Student's t for 95 % and one less than that.
const T95: f64 = 2.262_157;
/// Won less lost games of a pair by Elo between equals: 4 points · ln 10 / 1600.
const GAMES_BY_ELO: f64 = 4.0 * std::f64::consts::LN_10 / 1600.0;

/// One parameter's standing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The mean of its iterates in the second half of the run.
    pub mean: f64,
    /// Half the width of the 95 % interval of that mean, from how it differs between the parts of
    /// that half.
    pub error95: f64,
    /// Elo that it gains when moved up by as much as it is moved to either side.
    pub slope: f64,
    /// Half the width of its 95 % interval.
    pub slope_error95: f64,
}

/// Each parameter's standing; `None` before there are enough iterations.
#[must_use]
pub fn bands(spsa: &Spsa) -> Option<Vec<Band>> {
    let steps = spsa.steps();
    let half = &steps[steps.len() / 2..];
    let length = half.len() / PARTS;
    if length == 0 {
        return None;
    }
    // What does not divide is left out at the beginning.
    let parts: Vec<&[Step]> = half[half.len() - PARTS * length..].chunks(length).collect();
    let band = |number: usize| {
        let means: Vec<f64> = parts
            .iter()
            .map(|part| part.iter().map(|step| step.theta[number]).sum::<f64>() / length as f64)
            .collect();
        let mean = means.iter().sum::<f64>() / PARTS as f64;
        let squares: f64 = means.iter().map(|part| (part - mean).powi(2)).sum();
        let error = (squares / (PARTS - 1) as f64 / PARTS as f64).sqrt();
        let (slope, slope_error95) = slope(half, number);
        Band { mean, error95: T95 * error, slope, slope_error95 }
    };
    Some((0..spsa.lines().len()).map(band).collect())
}

/// What the results of these steps say of one parameter: the two sides lie twice its reach apart.
fn slope(steps: &[Step], number: usize) -> (f64, f64) {
    let along = |step: &Step| step.result as f64 * f64::from(step.flips[number]);
    let first = steps.first().map_or(0, |step| step.pairs);
    let last = steps.last().map_or(0, |step| step.pairs);
    let count = steps.len() as f64;
    // Pairs of an iteration; the first one's own are not told by the differences.
    let batch = (last - first) as f64 / (count - 1.0).max(1.0);
    let mean = steps.iter().map(along).sum::<f64>() / count;
    let squares: f64 = steps.iter().map(|step| (along(step) - mean).powi(2)).sum();
    let error = (squares / (count - 1.0).max(1.0) / count).sqrt();
    let elo = 1.0 / (2.0 * GAMES_BY_ELO * batch.max(1.0));
    (mean * elo, Z95 * error * elo)
}

/// Whether no parameter is worth moving any more: each is shown, at 95 %, to gain less than `elo` by
/// another move to either side.
#[must_use]
pub fn is_flat(bands: &[Band], elo: f64) -> bool {
    bands.iter().all(|band| band.slope.abs() + band.slope_error95 < elo)
}

/// How often a run asks whether it is flat.
const LOOKS: u64 = 100;

/// Whether a run that is to end when flat is so now.
#[must_use]
pub fn is_done(spsa: &Spsa, flat: Option<f64>) -> bool {
    let Some(elo) = flat else { return false };
    let every = (spsa.iterations() / LOOKS).max(1);
    let steps = spsa.steps().len() as u64;
    steps.is_multiple_of(every) && bands(spsa).is_some_and(|bands| is_flat(&bands, elo))
}
