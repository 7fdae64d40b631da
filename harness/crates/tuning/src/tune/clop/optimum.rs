//! The maximum of a fitted quadratic, with an interval for each parameter.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore as _;
use statrs::distribution::{ContinuousCDF as _, Normal};

use super::quadratic::{Fit, Quadratic};

/// Quadratics drawn for the intervals.
const DRAWS: usize = 1000;
const ROUNDS: usize = 200;
/// A round that moves nothing further is the last.
const SETTLED: f64 = 1e-9;
/// More starts for the climb: a quadratic may have several maxima.
const CORNERS: usize = 8;
/// Probability outside of each end of a 95 % interval.
const TAIL: f64 = 0.025;

#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// Each coordinate from −1 to 1.
    pub place: Vec<f64>,
    /// Of 95 %, by coordinate.
    pub intervals: Vec<[f64; 2]>,
}

impl Optimum {
    /// The maximum of a fit within bounds; the intervals are those of the maxima of quadratics
    /// drawn from the fit's distribution.
    pub fn of(fit: &Fit, bounds: &[[f64; 2]], rng: &mut ChaCha8Rng) -> Optimum {
        let dimensions = bounds.len();
        let middle: Vec<f64> =
            bounds.iter().map(|[low, high]| f64::midpoint(*low, *high)).collect();
        let place = climb(&fit.quadratic, bounds, &starts(&middle, bounds, rng));
        let mut bests = vec![Vec::with_capacity(DRAWS); dimensions];
        for _ in 0..DRAWS {
            let normal: Vec<f64> =
                (0..Quadratic::size(dimensions)).map(|_| standard_normal(rng)).collect();
            let best = climb(&fit.possible(&normal), bounds, &starts(&place, bounds, rng));
            bests.iter_mut().zip(best).for_each(|(bests, u)| bests.push(u));
        }
        let interval = |bests: &mut Vec<f64>| {
            bests.sort_by(f64::total_cmp);
            let cut = (TAIL * bests.len() as f64) as usize;
            [bests[cut], bests[bests.len() - 1 - cut]]
        };
        Optimum { place, intervals: bests.iter_mut().map(interval).collect() }
    }
}

/// The start, and random corners of the bounds.
fn starts(start: &[f64], bounds: &[[f64; 2]], rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let mut corner = || {
        let bits = rng.next_u64();
        let end = |(axis, ends): (usize, &[f64; 2])| ends[bits as usize >> axis & 1];
        bounds.iter().enumerate().map(end).collect()
    };
    let corners: Vec<Vec<f64>> = (0..CORNERS).map(|_| corner()).collect();
    std::iter::once(start.to_vec()).chain(corners).collect()
}

/// The highest place reached by coordinate ascent from the starts.
fn climb(quadratic: &Quadratic, bounds: &[[f64; 2]], starts: &[Vec<f64>]) -> Vec<f64> {
    let tops = starts.iter().map(|start| {
        let mut place = start.clone();
        for _ in 0..ROUNDS {
            let mut moved = 0.0_f64;
            for (axis, &ends) in bounds.iter().enumerate() {
                let best = quadratic.best_along(&place, axis, ends);
                moved = moved.max((best - place[axis]).abs());
                place[axis] = best;
            }
            if moved < SETTLED {
                break;
            }
        }
        place
    });
    let highest = tops.max_by(|a, b| quadratic.at(a).total_cmp(&quadratic.at(b)));
    highest.unwrap_or_default()
}

fn standard_normal(rng: &mut ChaCha8Rng) -> f64 {
    // Strictly between 0 and 1, whose quantiles are infinite.
    let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    Normal::standard().inverse_cdf(uniform)
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::tune::clop::quadratic::{Observation, chance};

    fn fit(count: usize, truth: impl Fn(f64, f64) -> f64) -> Fit {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        let samples: Vec<Observation> = (0..count)
            .map(|_| {
                let (u, v, lot) = (uniform(), uniform(), f64::midpoint(uniform(), 1.0));
                Observation::new(vec![u, v], f64::from(lot < chance(truth(u, v))))
            })
            .collect();
        Fit::of(&samples, &vec![1.0; count]).expect("a fit")
    }

    #[test]
    fn tops_inside_and_at_edges() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let fit = fit(20_000, |u, v| 0.5 * u - u * u + 2.0 * v);
        let found = Optimum::of(&fit, &[[-1.0, 1.0]; 2], &mut rng);
        assert!((found.place[0] - 0.25).abs() < 0.1, "{found:?}");
        assert!((found.place[1] - 1.0).abs() < 1e-9, "{found:?}");
        let [low, high] = found.intervals[0];
        assert!(low < 0.25 && 0.25 < high && high - low < 0.3, "{found:?}");
        assert_eq!(found.intervals[1], [1.0, 1.0]);
    }

    #[test]
    fn what_is_not_known_may_be_anywhere() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let found = Optimum::of(&fit(500, |_, _| 0.0), &[[-1.0, 1.0]; 2], &mut rng);
        for [low, high] in found.intervals {
            assert!(low < -0.95 && high > 0.95, "{low} {high}");
        }
    }
}
