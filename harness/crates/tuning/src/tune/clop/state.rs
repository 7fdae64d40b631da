//! The search as a pure value: results in, next places and the best so far out.
//!
//! After Rémi Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box Parameter Tuning"
//! (Advances in Computer Games 13, 2011). Results of places that the fit shows to be weak count for
//! less and less, places are tried as often as they count, and so a quadratic is asked for no more
//! than the neighbourhood of the best. DIFFERS: pairs of games, not games, are results; the fit is
//! made anew when there are 2 % more of them; the interval of the best is told.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

use super::ClopParam;
use super::optimum::Optimum;
use super::quadratic::{Fit, Observation};
use super::region::Region;
use crate::preflight::TunableSpan;
use crate::tunable::{Base, Tunable};
use crate::tune::tuner::{Optimizer, SHOWN};

/// The fit is repeated when the number of results has grown by this factor.
const REFIT: f64 = 1.02;
/// Metropolis rounds over all coordinates, times one more than the number of dimensions.
const REDRAWN: usize = 20;
/// Half points of a pair, at most.
const MOST: f64 = 4.0;
/// Results of less weight do not limit where the best may be.
const COUNTING: f64 = 0.1;
/// The random stream of the intervals; each pair has its own for its place.
const INTERVALS: u64 = u64::MAX;

#[derive(Debug, Clone)]
pub struct Clop {
    ranges: Vec<ClopParam>,
    /// The base's values, against which all are tried.
    base: Vec<f64>,
    /// Pairs of the whole search, and of a batch.
    total: u64,
    batch: u64,
    seed: u64,
    /// Values tried, by pair; beyond the results those proposed.
    points: Vec<Vec<f64>>,
    samples: Vec<Observation>,
    /// The number of results that the fit should use.
    due: usize,
    found: Option<Found>,
}

#[derive(Debug, Clone)]
struct Found {
    region: Region,
    /// Results used.
    results: usize,
}

#[derive(Debug, Clone)]
pub struct Maximum {
    /// Of the fit, rounded.
    pub values: Vec<f64>,
    /// Of 95 %, by parameter.
    pub intervals: Vec<[f64; 2]>,
    /// The weighted mean of the values tried.
    pub middle: Vec<f64>,
    /// The widest fit that its results do not contradict, in coordinates from −1 to 1.
    pub fit: Fit,
    /// The sum of the weights for that fit.
    pub counting: f64,
}

impl Clop {
    /// A search of `total` pairs, `batch` at once; `points` are earlier proposals for the first
    /// pairs.
    pub fn new(
        ranges: Vec<ClopParam>,
        base: Vec<f64>,
        (total, batch): (u64, u64),
        seed: u64,
        points: Vec<Vec<f64>>,
    ) -> Clop {
        let (samples, batch) = (Vec::new(), batch.max(1));
        Clop { ranges, base, total, batch, seed, points, samples, due: 0, found: None }
    }

    pub fn ranges(&self) -> &[ClopParam] {
        &self.ranges
    }

    pub fn base(&self) -> &[f64] {
        &self.base
    }

    /// The values tried, by pair, and the score of each, 0 to 1.
    pub fn results(&self) -> impl Iterator<Item = (&[f64], f64)> {
        self.points.iter().map(Vec::as_slice).zip(self.samples.iter().map(|sample| sample.score))
    }

    /// All values proposed so far, by pair.
    pub fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// A place drawn with a density proportional to its weight: coordinates are redrawn in turn,
    /// and kept by Metropolis's rule.
    fn trial(&self, pair: u64) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(pair);
        let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut place: Vec<f64> = self.ranges.iter().map(|_| 2.0 * uniform() - 1.0).collect();
        if let Some(found) = &self.found {
            let mut weight = found.region.weight(&place);
            for _ in 0..REDRAWN * (1 + place.len()) {
                for axis in 0..place.len() {
                    let before = std::mem::replace(&mut place[axis], 2.0 * uniform() - 1.0);
                    let other = found.region.weight(&place);
                    if other >= weight * uniform() {
                        weight = other;
                    } else {
                        place[axis] = before;
                    }
                }
            }
        }
        self.ranges.iter().zip(place).map(|(range, u)| range.playable(u)).collect()
    }

    /// `None` before the first result.
    pub fn best(&self) -> Option<Maximum> {
        let mut widest: Option<(Fit, Vec<f64>)> = None;
        let mut last = None;
        let region = Region::of(&self.samples, |fit, weights| {
            if widest.is_none() && !fit.is_contradicted(&self.samples, weights) {
                widest = Some((fit.clone(), weights.to_vec()));
            }
            last = Some((fit.clone(), weights.to_vec()));
        })?;
        let (fit, weights) = widest.or(last)?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(INTERVALS);
        let optimum = Optimum::of(&fit, &self.bounds(&weights), &mut rng);
        let middle = region.middle(&self.samples);
        let counting = weights.iter().sum();
        let each = || self.ranges.iter();
        Some(Maximum {
            values: each().zip(&optimum.place).map(|(range, &u)| range.playable(u)).collect(),
            intervals: each()
                .zip(&optimum.intervals)
                .map(|(range, ends)| ends.map(|u| range.value(u)))
                .collect(),
            middle: each().zip(&middle).map(|(range, &u)| range.value(u)).collect(),
            fit,
            counting,
        })
    }

    /// Bounds of the region in coordinates.
    fn bounds(&self, weights: &[f64]) -> Vec<[f64; 2]> {
        let counting =
            || self.samples.iter().zip(weights).filter(|(_, weight)| **weight >= COUNTING);
        let along = |axis: usize| {
            let each = || counting().map(|(sample, _)| sample.place[axis]);
            [each().fold(1.0, f64::min), each().fold(-1.0, f64::max)]
        };
        // With all results at full weight, the whole range, its ends included.
        let all = weights.iter().all(|&weight| weight >= 1.0);
        (0..self.ranges.len()).map(|axis| if all { [-1.0, 1.0] } else { along(axis) }).collect()
    }

    /// Coordinates of values.
    pub fn place(&self, values: &[f64]) -> Vec<f64> {
        let each = self.ranges.iter().zip(values);
        each.map(|(range, &value)| range.coordinate(value)).collect()
    }
}

impl Optimizer for Clop {
    fn pairs(&self) -> u64 {
        self.samples.len() as u64
    }

    fn next_pairs(&self) -> std::ops::Range<u64> {
        self.pairs()..self.pairs().saturating_add(self.batch).min(self.total)
    }

    /// Each pair tries its own values, all against the base.
    fn propose(&mut self) -> Vec<(usize, [Vec<f64>; 2])> {
        let pairs = self.next_pairs();
        let (from, to) = (pairs.start as usize, pairs.end as usize);
        if self.points.len() < to {
            if self.due > 0 && self.found.as_ref().is_none_or(|found| found.results != self.due) {
                let found = Region::of(&self.samples[..self.due], |_, _| ());
                self.found = found.map(|region| Found { region, results: self.due });
            }
            for pair in self.points.len()..to {
                self.points.push(self.trial(pair as u64));
            }
        }
        let same = self.points[from..to].chunk_by(|a, b| a == b);
        same.map(|same| (same.len(), [same[0].clone(), self.base.clone()])).collect()
    }

    fn learn(&mut self, half_points: &[u8]) {
        for &half_points in half_points {
            let place = self.place(&self.points[self.samples.len()]);
            self.samples.push(Observation::new(place, f64::from(half_points) / MOST));
        }
        if self.samples.len() as f64 >= REFIT * self.due as f64 {
            self.due = self.samples.len();
        }
    }

    fn tunables(&self) -> Vec<&Tunable> {
        self.ranges.iter().map(|range| &range.tunable).collect()
    }

    fn turns(&self, base: &Base) -> Vec<TunableSpan<'_>> {
        self.ranges.iter().map(|range| range.turn(base)).collect()
    }

    fn status(&self) -> String {
        let mut text = format!("{}/{} pairs", self.pairs(), self.total);
        let Some(best) = self.best() else { return text };
        for (number, range) in self.ranges.iter().enumerate().take(SHOWN) {
            let [low, high] = best.intervals[number];
            let (name, value) = (range.tunable.name(), best.values[number]);
            let digits = if range.tunable.is_whole() { 0 } else { range.decimals() };
            text.push_str(&format!(" · {name} {value} ({low:.digits$} to {high:.digits$})"));
        }
        text
    }
}
