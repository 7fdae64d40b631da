//! The scores of the versions that played, as a normal distribution, and what changes explain them.

use crate::counts::Pentanomial;
use crate::dense::{Factor, Square};
use crate::elo::score_of_elo;

/// Sizes of a loss that are considered, evenly spaced by their logarithms.
const SIZES: usize = 32;
/// The smallest and the largest size, as multiples of the least loss that matters.
const SPAN: (f64, f64) = (0.7, 40.0);
/// Variance of a pair's score, 0 to 1, before there are results, and how many pairs that is worth.
const VARIANCE: (f64, f64) = (0.06875, 8.0);

/// A little, as a multiple of the least loss that matters.
const LITTLE: f64 = 0.03;

/// What other changes may do without costing many pairs: a standard deviation in Elo.
pub(super) fn little_drift(least_elo: f64) -> f64 {
    LITTLE * least_elo
}

/// Results of one version.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Played {
    /// From 1.
    pub version: usize,
    /// Changes up to it that may have lost Elo.
    pub candidates: usize,
    pub pairs: Pentanomial,
}

/// For a loss at one place, and its mean size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    /// Logarithm of the likelihood, against no loss.
    pub logarithm: f64,
    pub elo: f64,
    /// Of a pair's score, 0 to 1.
    pub lead: f64,
}

/// Mean leads of the versions have the covariance of their sampling errors, and of a random walk:
/// each change besides does something of its own.
pub(super) struct Model {
    pub played: Vec<Played>,
    /// Of a pair's score about its version's mean.
    pub variance: f64,
    /// Of one step of the walk, in score.
    step: f64,
    /// The inverse of the covariance; `None` where it is diagonal.
    precision: Option<Square>,
    /// Mean lead of each version's pairs.
    leads: Vec<f64>,
    /// Logarithm of the likelihood of these if nothing was lost, but for what does not depend on the walk.
    pub plain: f64,
    /// Standard deviation in Elo of one step of the walk.
    pub drift: f64,
}

/// Mean lead of a pair's score over a half, and the sum of squares about it.
fn moments(pairs: &Pentanomial) -> (f64, f64) {
    let count = pairs.pairs() as f64;
    let leads = (0..).zip(pairs.to_array()).map(|(score, n)| (f64::from(score) / 4.0 - 0.5, n));
    let (sum, squares) = leads.fold((0.0, 0.0), |(sum, squares), (lead, n)| {
        (sum + n as f64 * lead, squares + n as f64 * lead * lead)
    });
    let mean = sum / count;
    (mean, squares - count * mean * mean)
}

impl Model {
    /// `played` is in the order of versions, each with pairs; `drift` is the standard deviation in
    /// Elo of what each change does besides, 0 for nothing.
    pub(super) fn new(played: Vec<Played>, drift: f64) -> Model {
        let (known, worth) = VARIANCE;
        let (squares, count) =
            played.iter().fold((known * worth, worth), |(squares, count), it| {
                (squares + moments(&it.pairs).1, count + it.pairs.pairs() as f64)
            });
        let variance = squares / count;
        let step = (score_of_elo(drift) - 0.5).powi(2);
        let covariance = || {
            let mut covariance = Square::new(played.len());
            for (row, first) in played.iter().enumerate() {
                covariance.add(row, row, variance / first.pairs.pairs() as f64);
                for (column, second) in played.iter().enumerate() {
                    let shared = first.candidates.min(second.candidates) as f64;
                    covariance.add(row, column, step * shared);
                }
            }
            covariance.factor()
        };
        let factor = if step > 0.0 { covariance() } else { None };
        let log_determinant = match &factor {
            Some(factor) => factor.log_determinant(),
            None => played.iter().map(|it| (variance / it.pairs.pairs() as f64).ln()).sum(),
        };
        let precision = factor.map(Factor::inverse);
        let leads = played.iter().map(|it| moments(&it.pairs).0).collect();
        let mut model = Model { played, variance, step, precision, leads, plain: 0.0, drift };
        model.plain = -(log_determinant + model.square()) / 2.0;
        model
    }

    /// The square of the leads, by the precision.
    fn square(&self) -> f64 {
        let row = |(row, lead): (usize, &f64)| {
            let columns = self.leads.iter().enumerate();
            lead * columns.map(|(column, lead)| self.precision(row, column) * lead).sum::<f64>()
        };
        self.leads.iter().enumerate().map(row).sum()
    }

    fn precision(&self, row: usize, column: usize) -> f64 {
        match &self.precision {
            Some(precision) => precision.at(row, column),
            None if row == column => self.played[row].pairs.pairs() as f64 / self.variance,
            None => 0.0,
        }
    }

    /// The evidence for a loss just before each of the versions that played, and behind the last.
    pub(super) fn evidence(&self, least_elo: f64) -> Vec<Evidence> {
        let count = self.played.len();
        let sizes = sizes(least_elo);
        // The logarithm of the likelihood of a loss `d` is `−d b − d² a / 2`, against none: `a` sums
        // the precisions over the versions behind it, `b` those times the leads.
        let (mut a, mut b) = (0.0, 0.0);
        let mut evidence = vec![evidence_of(a, b, &sizes)];
        for first in (0..count).rev() {
            let row: f64 = (first + 1..count).map(|column| self.precision(first, column)).sum();
            a += self.precision(first, first) + 2.0 * row;
            b += (0..count)
                .map(|column| self.precision(first, column) * self.leads[column])
                .sum::<f64>();
            evidence.push(evidence_of(a, b, &sizes));
        }
        evidence.reverse();
        evidence
    }

    /// For a loss of 1 just before the version at each place, or behind the last: how much of it is
    /// taken for the walk at a version with so many candidates up to it.
    pub(super) fn known_walk(&self, candidates: usize) -> Vec<f64> {
        let count = self.played.len();
        let mut known = vec![0.0; count + 1];
        if self.step > 0.0 {
            let shared: Vec<f64> = self
                .played
                .iter()
                .map(|it| it.candidates.min(candidates) as f64 * self.step)
                .collect();
            for column in (0..count).rev() {
                let weight: f64 =
                    (0..count).map(|row| shared[row] * self.precision(row, column)).sum();
                known[column] = known[column + 1] + weight;
            }
        }
        known
    }
}

/// The sizes of a loss: Elo, and the lead that it costs.
fn sizes(least_elo: f64) -> Vec<(f64, f64)> {
    let (low, high) = SPAN;
    let step = (high / low).ln() / (SIZES - 1) as f64;
    let elo = (0..SIZES).map(|at| least_elo * low * (step * at as f64).exp());
    elo.map(|elo| (elo, 0.5 - score_of_elo(-elo))).collect()
}

fn evidence_of(a: f64, b: f64, sizes: &[(f64, f64)]) -> Evidence {
    let logarithm = |lead: f64| -lead * b - lead * lead * a / 2.0;
    let most = sizes.iter().map(|(_, lead)| logarithm(*lead)).fold(f64::MIN, f64::max);
    let (mut sum, mut elos, mut leads) = (0.0, 0.0, 0.0);
    for (elo, lead) in sizes {
        let likelihood = (logarithm(*lead) - most).exp();
        sum += likelihood;
        elos += likelihood * elo;
        leads += likelihood * lead;
    }
    let logarithm = most + (sum / sizes.len() as f64).ln();
    Evidence { logarithm, elo: elos / sum, lead: leads / sum }
}
