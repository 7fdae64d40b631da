//! Bounds for a player who won, or lost, every game.

use statrs::distribution::{ContinuousCDF, Normal};

use super::edge::log_expected;
use crate::bisect::bisect;

/// Half the square of 1.645, the 95% point of a normal deviate: how much less likely than their
/// supremum the results are at the bound.
const LOSS_AT_BOUND: f64 = 1.352_771_8;

/// Games that all ended the same way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sweep {
    /// The opponent's rating, on the logistic scale, minus what White's advantage was worth to the
    /// player.
    pub(super) opponent: f64,
    pub(super) games: f64,
}

/// The likelihood of one player's rating, given that every game was won, or every one lost, against
/// opponents whose ratings are taken as they are.
#[derive(Debug, Clone)]
pub(super) struct OneSided {
    pub(super) won: bool,
    pub(super) sweeps: Vec<Sweep>,
}

impl OneSided {
    /// The logarithm of the likelihood over its supremum, which lies at infinity.
    fn likelihood(&self, rating: f64) -> f64 {
        let sign = if self.won { 1.0 } else { -1.0 };
        let of = |sweep: &Sweep| sweep.games * log_expected(sign * (rating - sweep.opponent));
        self.sweeps.iter().map(of).sum()
    }

    /// Where a one-sided 95% test of the likelihood ratio stops to reject.
    pub(super) fn bound(&self) -> f64 {
        // Beyond 40 from all opponents, not even 10^17 games are unlikely (or likely).
        let opponents = || self.sweeps.iter().map(|sweep| sweep.opponent);
        let low = opponents().fold(f64::INFINITY, f64::min) - 60.0;
        let high = opponents().fold(f64::NEG_INFINITY, f64::max) + 60.0;
        bisect(low, high, 100, |rating| (self.likelihood(rating) < -LOSS_AT_BOUND) == self.won)
    }

    /// The likelihood of superiority over a player of the given rating: the normal probability of
    /// the signed root of the likelihood ratio.
    pub(super) fn superior_to(&self, rating: f64) -> f64 {
        let deviate = (-2.0 * self.likelihood(rating)).max(0.0).sqrt();
        let superior = Normal::standard().cdf(deviate);
        if self.won { superior } else { 1.0 - superior }
    }
}
