//! Random times, by a seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// Of a game's time, relative to its mean: the plies of the recorded games in `results` vary by 0.39
/// to 0.59 of their mean.
const GAME_VARIATION: f64 = 0.5;

pub(crate) struct Chance(ChaCha8Rng);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(ChaCha8Rng::seed_from_u64(seed))
    }

    /// 0 to 1, never 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.uniform() < probability
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((self.uniform() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Seconds between events of which there are so many an hour.
    pub(crate) fn until_next(&mut self, per_hour: f64) -> f64 {
        -(1.0 - self.uniform()).ln() * 3600.0 / per_hour
    }

    /// Seconds of a game: log-normal.
    pub(crate) fn game(&mut self, mean: f64) -> f64 {
        let variance = GAME_VARIATION.mul_add(GAME_VARIATION, 1.0).ln();
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * self.uniform()).cos();
        mean * variance.sqrt().mul_add(normal, -variance / 2.0).exp()
    }
}
