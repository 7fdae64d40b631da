//! SPSA as the public tuners have it, as a pure value: results in, better parameters out.
//!
//! Iteration `k` (counted in pairs, from 1) moves every parameter by `c_k = c / k^γ` to either side
//! by lot, plays a batch of pairs between the two settings, and moves each parameter by `R_k · c_k
//! · (won − lost games of the side)` towards the side that won, where `R_k = a / (A + k)^α / c_k²`;
//! `c` and `a` are such that at the last pair `c_k` is `c_end` and `R_k` is `r_end`. Whole numbers
//! are rounded up or down by lot, both sides by the same, so that they never become equal.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use serde::{Deserialize, Serialize};

use super::line::{LEAST_WHOLE_C, SpsaParam};

/// The settled value is the mean over the last of so many parts of a run.
const SETTLED: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// `A` as a share of all pairs.
    pub a_ratio: f64,
    /// The exponent of the steps.
    pub alpha: f64,
    /// The exponent of the perturbations.
    pub gamma: f64,
}

impl Default for Gains {
    fn default() -> Gains {
        Gains { a_ratio: 0.1, alpha: 0.602, gamma: 0.101 }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The values of the side whose results are counted.
    pub plus: Vec<f64>,
    /// The values of its opponent.
    pub minus: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SpsaStep {
    /// Pairs played up to its end.
    pub pairs: u64,
    /// Games won less games lost by the plus side.
    pub result: i64,
    /// The values after it.
    pub theta: Vec<f64>,
    /// As played: bounds and rounding change the perturbation.
    pub trial: Trial,
}

#[derive(Debug, Clone)]
pub struct Spsa {
    lines: Vec<SpsaParam>,
    gains: Gains,
    /// Pairs of the whole run, and of an iteration.
    pub(super) total: u64,
    pub(super) batch: u64,
    seed: u64,
    /// The run ends when no move is worth this Elo; `None`: at its last pair.
    pub(super) flat: Option<f64>,
    theta: Vec<f64>,
    steps: Vec<SpsaStep>,
    pub(super) pairs: u64,
}

impl Spsa {
    /// `total` pairs, `batch` an iteration.
    pub fn new(lines: Vec<SpsaParam>, gains: Gains, total: u64, batch: u64, seed: u64) -> Spsa {
        let theta = lines.iter().map(|line| line.start).collect();
        let (batch, steps) = (batch.max(1), Vec::new());
        Spsa { lines, gains, total, batch, seed, flat: None, theta, steps, pairs: 0 }
    }

    /// Ends when no move is worth this Elo.
    pub fn until_flat(self, flat: Option<f64>) -> Spsa {
        Spsa { flat, ..self }
    }

    pub fn lines(&self) -> &[SpsaParam] {
        &self.lines
    }

    /// The current values.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// The mean of the iterates in the last part of the run, which varies less than the last one.
    pub fn settled(&self) -> Vec<f64> {
        let from = self.steps.len() - self.steps.len() / SETTLED;
        let last = &self.steps[from..];
        if last.is_empty() {
            return self.theta.clone();
        }
        let mean = |number: usize| {
            last.iter().map(|step| step.theta[number]).sum::<f64>() / last.len() as f64
        };
        (0..self.lines.len()).map(mean).collect()
    }

    /// Iterations of the whole run.
    pub fn iterations(&self) -> u64 {
        self.total.div_ceil(self.batch)
    }

    pub fn steps(&self) -> &[SpsaStep] {
        &self.steps
    }

    /// The perturbation `c_k` of a parameter at pair `k`, from 1.
    pub fn reach(&self, number: usize, k: u64) -> f64 {
        let line = &self.lines[number];
        let shrunk = (self.total.max(1) as f64 / k.max(1) as f64).powf(self.gains.gamma);
        let reach = line.c_end * shrunk;
        if line.is_whole { reach.max(LEAST_WHOLE_C) } else { reach }
    }

    /// The step of a parameter at pair `k`, from 1, for each game won more than lost.
    pub fn stride(&self, number: usize, k: u64) -> f64 {
        let line = &self.lines[number];
        let total = self.total.max(1) as f64;
        let delay = self.gains.a_ratio * total;
        let shrunk = ((delay + total) / (delay + k.max(1) as f64)).powf(self.gains.alpha);
        // R_k · c_k, with R at the end as told.
        line.r_end * line.c_end * line.c_end * shrunk / self.reach(number, k)
    }

    pub fn trial(&self) -> Trial {
        let (flips, sampler) = self.chance();
        let side = |sign: f64| {
            let value = |number: usize| {
                let line = &self.lines[number];
                let reach = self.reach(number, self.pairs + 1);
                let moved = self.theta[number] + sign * f64::from(flips[number]) * reach;
                let moved = moved.clamp(line.min, line.max);
                if line.is_whole {
                    (moved + sampler[number]).floor().clamp(line.min, line.max)
                } else {
                    moved
                }
            };
            (0..self.lines.len()).map(value).collect()
        };
        Trial { plus: side(1.0), minus: side(-1.0) }
    }

    /// Moves the values by what an iteration's pairs scored, in half points of the plus side.
    pub(super) fn step(&mut self, half_points: &[u8]) {
        let (trial, (flips, _)) = (self.trial(), self.chance());
        let result: i64 = half_points.iter().map(|&half| i64::from(half) - 2).sum();
        let k = self.pairs + 1;
        for (number, flip) in flips.iter().enumerate() {
            let step = self.stride(number, k) * result as f64 * f64::from(*flip);
            let line = &self.lines[number];
            self.theta[number] = (self.theta[number] + step).clamp(line.min, line.max);
        }
        self.pairs += half_points.len() as u64;
        self.steps.push(SpsaStep { pairs: self.pairs, result, theta: self.theta.clone(), trial });
    }

    /// Each parameter's direction, and the number from 0 to 1 by which it is rounded.
    fn chance(&self) -> (Vec<i8>, Vec<f64>) {
        // Depends on the iteration alone, so that a run can resume anywhere.
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(self.pairs + 1);
        let each = self.lines.iter().map(|_| {
            let word = rng.next_u64();
            let flip = if word & 1 == 0 { 1 } else { -1 };
            (flip, (word >> 11) as f64 / (1_u64 << 53) as f64)
        });
        each.unzip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tunable::Base;
    use crate::tune::tuner::Optimizer as _;

    fn spsa(lines: &[&str], total: u64, batch: u64) -> Spsa {
        let lines = lines
            .iter()
            .map(|line| SpsaParam::read(line, &Base::standard()).expect("a line"))
            .collect();
        Spsa::new(lines, Gains::default(), total, batch, 7)
    }

    /// The numbers of fishtest's formulas, worked out beside them.
    #[test]
    fn gains_are_the_public_ones() {
        let spsa = spsa(&["lazy.margin, int, 128, 0, 5120, 16, 0.002"], 1000, 1);
        let (n, a, alpha, gamma) = (1000.0_f64, 100.0_f64, 0.602, 0.101);
        let c = 16.0 * n.powf(gamma);
        let rate = 0.002 * 16.0_f64.powi(2) * (a + n).powf(alpha);
        for k in [1_u64, 10, 500, 1000] {
            let c_k = c / (k as f64).powf(gamma);
            let r_k = rate / (a + k as f64).powf(alpha) / c_k.powi(2);
            assert!((spsa.reach(0, k) - c_k).abs() < 1e-9);
            assert!((spsa.stride(0, k) - r_k * c_k).abs() < 1e-9);
        }
        assert!((spsa.reach(0, 1000) - 16.0).abs() < 1e-9);
        assert!((spsa.stride(0, 1000) - 0.002 * 16.0).abs() < 1e-9);
    }

    #[test]
    fn sides_are_whole_in_range_and_never_equal() {
        let lines = [
            "lmr.min_move, int, 4, 2, 20, 0.5, 0.002",
            "lazy.margin, int, 0, 0, 5120, 16, 0.002",
            "king_safety.table[*], float, 100, 50, 200, 5, 0.002",
        ];
        let mut spsa = spsa(&lines, 400, 2);
        let mut ups = 0;
        while !spsa.next_pairs().is_empty() {
            let Trial { plus, minus } = spsa.trial();
            for (number, line) in spsa.lines().iter().enumerate() {
                for value in [plus[number], minus[number]] {
                    assert!((line.min..=line.max).contains(&value));
                    assert!(!line.is_whole || value.fract() == 0.0);
                }
            }
            assert!(plus.iter().zip(&minus).all(|(a, b)| a != b), "{plus:?} {minus:?}");
            ups += usize::from(plus[0] > minus[0]);
            spsa.learn(&[2, 2]);
        }
        assert!((60..140).contains(&ups), "{ups} of 200");
        assert_eq!(spsa.theta(), [4.0, 0.0, 100.0]);
    }

    #[test]
    fn a_won_pair_moves_towards_the_winner() {
        let mut spsa = spsa(&["lazy.margin, int, 128, 0, 5120, 16, 0.002"], 100, 1);
        let Trial { plus, minus } = spsa.trial();
        let stride = spsa.stride(0, 1);
        spsa.learn(&[4]);
        let moved = spsa.theta()[0] - 128.0;
        assert!((moved - 2.0 * stride * (plus[0] - minus[0]).signum()).abs() < 1e-9);
        // What is learned depends on nothing else.
        let mut again = spsa_again();
        again.learn(&[4]);
        assert_eq!(again.theta(), spsa.theta());
        assert_eq!(again.trial(), spsa.trial());
    }

    fn spsa_again() -> Spsa {
        spsa(&["lazy.margin, int, 128, 0, 5120, 16, 0.002"], 100, 1)
    }
}
