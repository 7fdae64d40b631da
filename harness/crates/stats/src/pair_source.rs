//! Simulated pairs, some of which repeat earlier ones.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

use super::pair_model::PairModel;

/// Pairs that repeat an earlier pair of the match move by move, as equal builds at fixed nodes do when
/// the book is short.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TwinPairs {
    /// Chance that a pair is one, 0 to 1.
    pub share: f64,
    /// Whether they are counted, which a run never does.
    pub are_counted: bool,
}

/// The pairs of one match.
pub(super) struct PairSource<'a> {
    model: &'a PairModel,
    twins: TwinPairs,
    rng: ChaCha8Rng,
    /// Different pairs so far; their scores only where twins are counted.
    new: u64,
    scores: Vec<u8>,
}

impl<'a> PairSource<'a> {
    /// Of the match of this number.
    pub(super) fn new(model: &'a PairModel, twins: TwinPairs, seed: u64, number: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        PairSource { model, twins, rng, new: 0, scores: Vec::new() }
    }

    /// The next pair's half points, 0 to 4; `None` for one that is not counted.
    pub(super) fn next(&mut self) -> Option<u8> {
        let TwinPairs { share, are_counted } = self.twins;
        if share > 0.0 && self.new > 0 {
            let below_one = f64::from(self.rng.next_u32()) / (f64::from(u32::MAX) + 1.0);
            if below_one < share {
                // The earlier pair may itself be a twin: pairs played often are repeated more often.
                let number = self.rng.next_u64() as usize;
                let score = are_counted.then(|| self.scores[number % self.scores.len()]);
                self.scores.extend(score);
                return score;
            }
        }
        self.new += 1;
        let score = self.model.draw(&mut self.rng);
        if are_counted {
            self.scores.push(score);
        }
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pentanomial;

    #[test]
    fn twins_come_as_often_as_asked() {
        let model = PairModel::new(&Pentanomial::from([10, 15, 50, 15, 10]), 0.0).unwrap();
        for (share, are_counted) in [(0.0, false), (0.4, false), (0.4, true)] {
            let mut source = PairSource::new(&model, TwinPairs { share, are_counted }, 1, 0);
            let counted = (0..10_000).filter(|_| source.next().is_some()).count();
            let repeated = 10_000 - source.new;
            assert!((repeated as f64 - 10_000.0 * share).abs() < 200.0, "{share}: {repeated}");
            let left_out = if are_counted { 0 } else { repeated };
            assert_eq!(counted as u64 + left_out, 10_000);
        }
    }
}
