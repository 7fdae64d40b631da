//! Strength as a quadratic of the parameters, fitted to results (weighted logistic regression).

use statrs::distribution::{ChiSquared, ContinuousCDF as _};

use crate::dot;
use stats::dense::{Factor, Square};

/// Standard deviation of the coefficients' prior, in natural log odds; 500 Elo.
const PRIOR: f64 = 3.0;
/// Newton's steps at most; five to eight are usual.
const STEPS: usize = 30;
/// Newton's method stops at smaller steps.
const SETTLED: f64 = 1e-6;
/// Confidence at which results contradict a quadratic. Lower than usual: a wide fit gains less than
/// a wrong one costs.
const CONFIDENCE: f64 = 0.8;
/// Log odds are clamped to this: beyond, a result says nothing more.
const MOST_LOG_ODDS: f64 = 12.0;
/// The least spread of results, as a share of that of won and lost games.
const LEAST_SPREAD: f64 = 0.05;

/// A quadratic of places in the cube from −1 to 1, in natural log odds of the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Quadratic {
    dimensions: usize,
    /// Constant, linear, then products by rows: `1, u₀, u₁, …, u₀u₀, u₀u₁, …, u₁u₁, …`.
    coefficients: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Each coordinate from −1 to 1.
    pub place: Vec<f64>,
    /// 0 to 1.
    pub score: f64,
    terms: Vec<f64>,
}

#[derive(Debug, Clone)]
pub struct Fit {
    /// The likeliest one.
    pub quadratic: Quadratic,
    factor: Factor,
}

impl Observation {
    pub fn new(place: Vec<f64>, score: f64) -> Observation {
        let terms = terms(&place);
        Observation { place, score, terms }
    }
}

impl Quadratic {
    /// The number of coefficients for so many dimensions.
    pub fn size(dimensions: usize) -> usize {
        (dimensions + 1) * (dimensions + 2) / 2
    }

    /// The number of parameters.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub fn at(&self, place: &[f64]) -> f64 {
        dot(&self.coefficients, &terms(place))
    }

    /// The best coordinate of `axis` within bounds, the others as in `place`.
    pub fn best_along(&self, place: &[f64], axis: usize, [low, high]: [f64; 2]) -> f64 {
        let (mut slope, mut bend) = (self.coefficients[1 + axis], 0.0);
        let mut next = 1 + self.dimensions;
        for row in 0..self.dimensions {
            for column in row..self.dimensions {
                let coefficient = self.coefficients[next];
                next += 1;
                match (row == axis, column == axis) {
                    (true, true) => bend = coefficient,
                    (true, false) => slope += coefficient * place[column],
                    (false, true) => slope += coefficient * place[row],
                    (false, false) => {}
                }
            }
        }
        if bend < 0.0 {
            (-slope / (2.0 * bend)).clamp(low, high)
        } else if (bend * high + slope) * high >= (bend * low + slope) * low {
            high
        } else {
            low
        }
    }
}

impl Fit {
    /// The quadratic fitted to weighted results; `None` if none has weight.
    pub fn of(samples: &[Observation], weights: &[f64]) -> Option<Fit> {
        let dimensions = samples.first()?.place.len();
        let size = Quadratic::size(dimensions);
        let mut coefficients = vec![0.0; size];
        for _ in 0..STEPS {
            let (curvature, slope) = likelihood(samples, weights, &coefficients);
            let inverse = curvature.inverse()?;
            let step: Vec<f64> = (0..size).map(|row| dot(inverse.row(row), &slope)).collect();
            // A step beyond all sense would overshoot; a shorter one gets there too.
            let longest = step.iter().map(|step| step.abs()).fold(0.0, f64::max);
            let scale = (PRIOR / longest).min(1.0);
            coefficients.iter_mut().zip(&step).for_each(|(old, step)| *old += scale * step);
            if longest < SETTLED {
                break;
            }
        }
        let (curvature, _) = likelihood(samples, weights, &coefficients);
        let quadratic = Quadratic { dimensions, coefficients };
        let spread = spread(samples, weights, &quadratic)?;
        let inverse = curvature.inverse()?;
        let mut covariance = Square::new(size);
        for row in 0..size {
            for column in 0..size {
                covariance.add(row, column, spread * inverse.at(row, column));
            }
        }
        Some(Fit { quadratic, factor: covariance.factor()? })
    }

    /// A quadratic drawn from the fit's distribution: `normal` are independent standard normal
    /// numbers, one a coefficient.
    pub fn possible(&self, normal: &[f64]) -> Quadratic {
        let away = self.factor.times(normal);
        let coefficients = self.quadratic.coefficients.iter().zip(away).map(|(c, a)| c + a);
        Quadratic { dimensions: self.quadratic.dimensions, coefficients: coefficients.collect() }
    }

    /// Whether weighted results contradict it: third and fourth powers of the coordinates would
    /// improve the fit by more than chance does in one case in five (Rao's score test).
    pub fn is_contradicted(&self, samples: &[Observation], weights: &[f64]) -> bool {
        let (size, more) = (self.quadratic.coefficients.len(), 2 * self.quadratic.dimensions);
        let (mut curvature, mut slope) = (Square::new(size + more), vec![0.0; more]);
        for (sample, &weight) in samples.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            let expected = chance(dot(&self.quadratic.coefficients, &sample.terms));
            let bend = weight * expected * (1.0 - expected);
            let powers = sample.place.iter().flat_map(|u| [u.powi(3), u.powi(4)]);
            let terms: Vec<f64> = sample.terms.iter().copied().chain(powers).collect();
            for (row, term) in terms.iter().enumerate() {
                if row >= size {
                    slope[row - size] += weight * (sample.score - expected) * term;
                }
                for (column, other) in terms.iter().enumerate() {
                    curvature.add(row, column, bend * term * other);
                }
            }
        }
        (0..size + more).for_each(|row| curvature.add(row, row, PRIOR.powi(-2)));
        // The lower right part of the inverse is the inverse of what the quadratic leaves.
        let (Some(inverse), Some(spread)) =
            (curvature.inverse(), spread(samples, weights, &self.quadratic))
        else {
            return false;
        };
        let squares: f64 =
            (0..more).map(|row| slope[row] * dot(&inverse.row(size + row)[size..], &slope)).sum();
        let limit = ChiSquared::new(more as f64).map(|chi| chi.inverse_cdf(CONFIDENCE));
        limit.is_ok_and(|limit| squares / spread > limit)
    }

    pub fn error_at(&self, place: &[f64]) -> f64 {
        let along = self.factor.transposed_times(&terms(place));
        dot(&along, &along).sqrt()
    }
}

/// The negative Hessian and the gradient of the log likelihood with its prior.
fn likelihood(
    samples: &[Observation],
    weights: &[f64],
    coefficients: &[f64],
) -> (Square, Vec<f64>) {
    let size = coefficients.len();
    let mut curvature = Square::new(size);
    let mut slope = vec![0.0; size];
    for (sample, &weight) in samples.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        let expected = chance(dot(coefficients, &sample.terms));
        let (bend, pull) =
            (weight * expected * (1.0 - expected), weight * (sample.score - expected));
        for (row, term) in sample.terms.iter().enumerate() {
            slope[row] += pull * term;
            for (column, other) in sample.terms[..=row].iter().enumerate() {
                curvature.add(row, column, bend * term * other);
            }
        }
    }
    for row in 0..size {
        curvature.add(row, row, PRIOR.powi(-2));
        slope[row] -= coefficients[row] * PRIOR.powi(-2);
        for column in 0..row {
            let cell = curvature.at(row, column);
            curvature.add(column, row, cell);
        }
    }
    (curvature, slope)
}

/// The variance of scores about the quadratic, as a share of that of won and lost games alone:
/// draws, and two games to a pair, reduce it.
fn spread(samples: &[Observation], weights: &[f64], quadratic: &Quadratic) -> Option<f64> {
    let (mut found, mut plain) = (0.0, 0.0);
    for (sample, weight) in samples.iter().zip(weights) {
        let expected = chance(dot(&quadratic.coefficients, &sample.terms));
        found += weight * (sample.score - expected).powi(2);
        plain += weight * expected * (1.0 - expected);
    }
    (plain > 0.0).then(|| (found / plain).max(LEAST_SPREAD))
}

/// The score of natural log odds.
pub(super) fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds.clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS)).exp())
}

fn terms(place: &[f64]) -> Vec<f64> {
    let mut terms = Vec::with_capacity(Quadratic::size(place.len()));
    terms.push(1.0);
    terms.extend_from_slice(place);
    for (row, u) in place.iter().enumerate() {
        terms.extend(place[row..].iter().map(|v| u * v));
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of a known quadratic on a grid, without noise.
    fn grid(true_function: impl Fn(f64, f64) -> f64) -> Vec<Observation> {
        let steps = || (-4..=4).map(|step| f64::from(step) / 4.0);
        let places = steps().flat_map(|u| steps().map(move |v| [u, v]));
        // Often enough that the prior does not matter.
        let each = std::iter::repeat_n((), 200).flat_map(|()| places.clone());
        each.map(|[u, v]| Observation::new(vec![u, v], chance(true_function(u, v)))).collect()
    }

    #[test]
    fn a_quadratic_is_found_again() {
        let true_function =
            |u: f64, v: f64| 0.1 + 0.2 * u - 0.3 * v - 0.5 * u * u + 0.2 * u * v - 0.4 * v * v;
        let samples = grid(true_function);
        let fit = Fit::of(&samples, &vec![1.0; samples.len()]).expect("a fit");
        for [u, v] in [[0.0, 0.0], [0.3, -0.7], [-1.0, 1.0]] {
            let found = fit.quadratic.at(&[u, v]);
            assert!(
                (found - true_function(u, v)).abs() < 2e-3,
                "{found} v {} at {u}, {v}",
                true_function(u, v)
            );
        }
        // 0.2 + 0.2 v = 2 · 0.5 u.
        assert!((fit.quadratic.best_along(&[0.9, -0.5], 0, [-1.0, 1.0]) - 0.1).abs() < 5e-3);
        // −0.3 + 0.2 u = 2 · 0.4 v.
        assert!((fit.quadratic.best_along(&[0.5, 0.9], 1, [-1.0, 1.0]) + 0.25).abs() < 5e-3);
    }

    #[test]
    fn errors_shrink_with_results() {
        let few = grid(|u, v| 0.1 * u - u * u - v * v);
        let [first, second] = [1, 4].map(|times| {
            let samples: Vec<Observation> =
                std::iter::repeat_n(few.clone(), times).flatten().collect();
            Fit::of(&samples, &vec![1.0; samples.len()]).expect("a fit").error_at(&[0.2, 0.1])
        });
        assert!((first / second - 2.0).abs() < 0.02, "{first} {second}");
        assert!(Fit::of(&[], &[]).is_none());
        assert!(Fit::of(&few, &vec![0.0; few.len()]).is_none());
    }

    #[test]
    fn possible_ones_lie_as_far_apart_as_the_error_says() {
        let samples = grid(|u, v| 0.1 * u - u * u - v * v);
        let fit = Fit::of(&samples, &vec![1.0; samples.len()]).expect("a fit");
        let place = [0.4, -0.3];
        // Moving along one normal number at a time adds up to the variance.
        let away = (0..6).map(|k| {
            let normal: Vec<f64> = (0..6).map(|i| f64::from(i == k)).collect();
            fit.possible(&normal).at(&place) - fit.quadratic.at(&place)
        });
        let variance: f64 = away.map(|away| away * away).sum();
        assert!((variance.sqrt() / fit.error_at(&place) - 1.0).abs() < 1e-9);
    }
}
