//! A player's strength as the chances of a pair's scores.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore as _;

use super::bisect::bisect;
use super::counts::Pentanomial;
use super::elo::score_of_elo;
use super::why::{Defined, Why};

/// The chances of a pair's five scores, lowest first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairModel {
    chances: [f64; 5],
}

impl PairModel {
    /// Pairs shaped like `shape`, tilted to the mean score of `elo`: of all models with that mean
    /// the one nearest to the shape. Fails when the shape has no pairs, only pairs of one score, or
    /// none that good or bad.
    pub fn new(shape: &Pentanomial, elo: f64) -> Defined<PairModel> {
        let counts = shape.to_array().map(|count| count as f64);
        if shape.pairs() == 0 {
            return Err(Why::NoGames);
        }
        let wanted = score_of_elo(elo);
        let tilt = bisect(-200.0, 200.0, 200, |tilt| mean(&tilted(&counts, tilt)) < wanted);
        let chances = tilted(&counts, tilt);
        if (mean(&chances) - wanted).abs() < 1e-9 {
            Ok(PairModel { chances })
        } else {
            Err(Why::NoLikelihood)
        }
    }

    /// Mean and standard deviation of a pair's score, 0 to 1.
    pub fn moments(&self) -> (f64, f64) {
        let mean = mean(&self.chances);
        let squares = self
            .chances
            .iter()
            .enumerate()
            .map(|(outcome, chance)| chance * (outcome as f64 / 4.0 - mean).powi(2));
        (mean, squares.sum::<f64>().sqrt())
    }

    /// Lowest score first.
    pub(super) fn chances(&self) -> [f64; 5] {
        self.chances
    }

    /// One pair's half points, 0 to 4.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> u8 {
        let mut rest = rng.next_u32() as f64 / (f64::from(u32::MAX) + 1.0);
        for (score, chance) in (0..4).zip(self.chances) {
            if rest < chance {
                return score;
            }
            rest -= chance;
        }
        4
    }
}

/// The shape with each count multiplied by e^(tilt · score).
fn tilted(counts: &[f64; 5], tilt: f64) -> [f64; 5] {
    let weight = |outcome: usize| counts[outcome] * (tilt * (outcome as f64 / 4.0 - 0.5)).exp();
    let weights: [f64; 5] = std::array::from_fn(weight);
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

fn mean(chances: &[f64; 5]) -> f64 {
    chances.iter().enumerate().map(|(outcome, chance)| chance * outcome as f64 / 4.0).sum()
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::elo_of_score;

    fn model(elo: f64) -> PairModel {
        PairModel::new(&Pentanomial::from([10, 15, 50, 15, 10]), elo).unwrap()
    }

    #[test]
    fn models_have_the_strength_asked_for() {
        for elo in [-100.0, 0.0, 2.0, 50.0] {
            let found = elo_of_score(mean(&model(elo).chances));
            assert!((found.unwrap() - elo).abs() < 1e-6, "{elo}: {found:?}");
        }
        assert_eq!(model(0.0).chances, [0.1, 0.15, 0.5, 0.15, 0.1]);
        assert!(PairModel::new(&Pentanomial::default(), 0.0).is_err());
        assert!(PairModel::new(&Pentanomial::from([0, 0, 9, 0, 0]), 5.0).is_err());
    }

    /// Drawn scores have the model's shares.
    #[test]
    fn draws_follow_the_model() {
        let model = model(20.0);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut counts = [0.0; 5];
        for _ in 0..100_000 {
            counts[usize::from(model.draw(&mut rng))] += 1e-5;
        }
        for (count, chance) in counts.iter().zip(model.chances) {
            assert!((count - chance).abs() < 0.005, "{counts:?} {:?}", model.chances);
        }
    }
}
