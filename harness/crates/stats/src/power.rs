//! How many pairs a question takes (TST-01), before they are played.

use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::{Counts as _, Pentanomial};
use super::pair_model::PairModel;
use super::sprt::Sprt;
use super::why::Defined;

/// The expected course of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// The chance that it ends by accepting, 0 to 1.
    pub accept: f64,
    /// Pairs until it ends, on average.
    pub pairs: f64,
}

/// Pairs after which a match of such pairs reaches a LOS of `percent` with probability `power`, 0
/// to 1; `None` when the test engine is not the stronger one, or the count is beyond all bounds.
pub fn pairs_for_los(model: &PairModel, percent: f64, power: f64) -> Option<u64> {
    let (mean, deviation) = model.moments();
    let lead = mean - 0.5;
    let normal = Normal::standard();
    let wanted = normal.inverse_cdf(percent / 100.0) + normal.inverse_cdf(power);
    if lead <= 0.0 || wanted <= 0.0 {
        return None;
    }
    let pairs = (wanted * deviation / lead).powi(2).ceil();
    (pairs < 1e15).then_some(pairs as u64)
}

/// The probability, 0 to 1, that LOS is at least `percent` after so many pairs of a model.
pub fn power_of_los(model: &PairModel, percent: f64, pairs: u64) -> f64 {
    let (mean, deviation) = model.moments();
    let normal = Normal::standard();
    let lead = (mean - 0.5) / deviation * (pairs as f64).sqrt();
    normal.cdf(lead - normal.inverse_cdf(percent / 100.0))
}

impl Sprt {
    /// The expected course of this test when its LLR stands at `llr`, between its bounds, and pairs
    /// come from the model. The LLR is taken for a Brownian motion, which ignores that it
    /// overshoots its bounds a little. Undefined in BayesElo.
    pub fn prospect(&self, model: &PairModel, llr: f64) -> Defined<Prospect> {
        let (mean, deviation) = model.moments();
        let [score0, score1] = self.scores(deviation, Pentanomial::GAMES)?;
        let spread = ((score1 - score0) / deviation).powi(2);
        let drift = (score1 - score0) * (2.0 * mean - score0 - score1) / deviation.powi(2) / 2.0;
        let [lower, upper] = self.bounds().map(|bound| bound - llr);
        // Without drift the fractions below are 0 / 0; so little of it makes no difference.
        let least = 1e-9 * spread;
        let drift = if drift.abs() < least { least.copysign(drift) } else { drift };
        let accept = upper_first(-2.0 * drift / spread, [lower, upper]);
        Ok(Prospect { accept, pairs: (accept * upper + (1.0 - accept) * lower) / drift })
    }

    /// The probability, 0 to 1, of accepting when the true difference is 0, if the test goes on until it
    /// decides. It is `alpha` where `elo0` is 0, more where `elo0` is lower, less where it is higher. The
    /// LLR is taken for a Brownian motion.
    pub fn accepts_equal(&self) -> f64 {
        let pull = (self.elo0() + self.elo1()) / (self.elo1() - self.elo0());
        // Without drift the fractions below are 0 / 0; so little of it makes no difference.
        let pull = if pull.abs() < 1e-9 { 1e-9 } else { pull };
        upper_first(pull, self.bounds())
    }
}

/// The chance that a Brownian motion from 0 reaches the upper bound before the lower one; `pull` is −2
/// drift / variance.
fn upper_first(pull: f64, [lower, upper]: [f64; 2]) -> f64 {
    let accept = (pull * lower).exp_m1() / ((pull * lower).exp_m1() - (pull * upper).exp_m1());
    if accept.is_nan() { f64::from(pull < 0.0) } else { accept }
}

#[cfg(test)]
mod tests;
