//! What two players who met add to a matrix over all ratings and White's advantage.

use super::ELO;

/// A symmetric 2 × 2 matrix over the difference of two players' ratings and White's advantage.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Edge {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Difference with difference.
    pub(super) dd: f64,
    /// Difference with White's advantage.
    pub(super) dw: f64,
    pub(super) ww: f64,
}

impl Edge {
    /// Adds `weight · x xᵀ`, with `x` the place of one unit: its part of the difference and of
    /// White's advantage.
    pub(super) fn add(&mut self, weight: f64, [difference, white]: [f64; 2]) {
        self.dd += weight * difference * difference;
        self.dw += weight * difference * white;
        self.ww += weight * white * white;
    }

    /// `uᵀ E u` for a vector over all parameters.
    pub(super) fn quadratic(&self, vector: &[f64], white: f64) -> f64 {
        let difference = vector[self.first] - vector[self.second];
        self.dd * difference * difference
            + 2.0 * self.dw * difference * white
            + self.ww * white * white
    }
}

/// The expected points of a player whose rating is higher by `difference` on the logistic scale,
/// and of the other; exact also near 0.
pub(super) fn expected(difference: f64) -> [f64; 2] {
    [1.0 / (1.0 + (-difference).exp()), 1.0 / (1.0 + difference.exp())]
}

/// The logarithm of the expected points at a difference on the logistic scale.
pub(super) fn log_expected(difference: f64) -> f64 {
    // The larger exponential is taken out, so that neither overflows.
    difference.min(0.0) - (-difference.abs()).exp().ln_1p()
}

/// From the logistic scale to Elo.
pub(super) fn elo(logistic: f64) -> f64 {
    ELO * logistic
}
