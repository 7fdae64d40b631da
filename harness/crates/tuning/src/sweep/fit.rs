//! A parabola through measured points: its maximum, and how well that is known.

use crate::dot;
use stats::{Z95, fieller};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    /// Measured value.
    pub y: f64,
    /// Its standard error.
    pub error: f64,
}

/// The weighted least-squares parabola, `y = a + b u + c u²` with `u = (x − middle) / reach`.
#[derive(Debug, Clone, PartialEq)]
pub struct Parabola {
    middle: f64,
    reach: f64,
    coefficients: [f64; 3],
    covariance: [[f64; 3]; 3],
    /// χ² and its degrees of freedom, the points beyond the three that a parabola always meets. χ²
    /// above about twice as many says that the points are on no parabola.
    pub chi_squared: (f64, usize),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Top {
    pub x: f64,
    /// Lower end of its 95 % interval (Fieller's), which reaches further to the side where less is
    /// known.
    pub low: f64,
    pub high: f64,
    pub y: f64,
}

impl Parabola {
    /// `None` for fewer than three different places, or for errors that are not above 0.
    pub fn through(points: &[Point]) -> Option<Parabola> {
        let mut places: Vec<f64> = points.iter().map(|point| point.x).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let sound =
            |point: &Point| point.y.is_finite() && point.error.is_finite() && point.error > 0.0;
        if places.len() < 3 || !points.iter().all(sound) {
            return None;
        }
        let (first, last) = (places[0], places[places.len() - 1]);
        let (middle, reach) = (f64::midpoint(first, last), (last - first) / 2.0);
        let (mut normal, mut right) = ([[0.0; 3]; 3], [0.0; 3]);
        for point in points {
            let row = powers((point.x - middle) / reach);
            let weight = 1.0 / (point.error * point.error);
            for i in 0..3 {
                right[i] += weight * row[i] * point.y;
                for j in 0..3 {
                    normal[i][j] += weight * row[i] * row[j];
                }
            }
        }
        let covariance = inverse(&normal)?;
        let coefficients = covariance.map(|row| dot(&row, &right));
        let mut parabola = Parabola {
            middle,
            reach,
            coefficients,
            covariance,
            chi_squared: (0.0, points.len() - 3),
        };
        let squares = points.iter().map(|p| ((p.y - parabola.at(p.x)) / p.error).powi(2));
        parabola.chi_squared.0 = squares.sum();
        Some(parabola)
    }

    /// Whether the points are as near to it as chance has them in about 99 of 100 cases.
    pub fn fits(&self) -> bool {
        let (chi_squared, freedom) = self.chi_squared;
        let freedom = freedom as f64;
        // Three deviations of χ² above its mean; the last bits of three points are no distance.
        chi_squared <= freedom + 3.0 * (2.0 * freedom).sqrt() + 1e-6
    }

    pub fn at(&self, x: f64) -> f64 {
        dot(&powers((x - self.middle) / self.reach), &self.coefficients)
    }

    pub fn error_at(&self, x: f64) -> f64 {
        let row = powers((x - self.middle) / self.reach);
        let along = self.covariance.map(|line| dot(&line, &row));
        dot(&along, &row).max(0.0).sqrt()
    }

    /// Its maximum; `None` unless it is shown, at 95 %, to have one.
    pub fn top(&self) -> Option<Top> {
        let [_, b, c] = self.coefficients;
        let [_, [_, v_bb, v_bc], [.., v_cc]] = self.covariance;
        // Its slope is a line, which falls through zero at the maximum.
        let covariance = [v_bb, 2.0 * v_bc, 4.0 * v_cc];
        let ends = fieller([b, 2.0 * c], covariance, Z95).filter(|_| c < 0.0)?;
        let [x, low, high] =
            [-b / (2.0 * c), ends[0], ends[1]].map(|u| self.middle + self.reach * u);
        Some(Top { x, low, high, y: self.at(x) })
    }
}

fn powers(u: f64) -> [f64; 3] {
    [1.0, u, u * u]
}

/// The inverse of a symmetric matrix, by cofactors.
fn inverse(m: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let minor = |i: usize, j: usize| {
        let [r, s] = [(i + 1) % 3, (i + 2) % 3];
        let [t, u] = [(j + 1) % 3, (j + 2) % 3];
        m[r][t] * m[s][u] - m[r][u] * m[s][t]
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * minor(0, j)).sum();
    let inverse = std::array::from_fn(|i| std::array::from_fn(|j| minor(j, i) / determinant));
    (determinant.is_finite() && determinant != 0.0).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(of: impl Fn(f64) -> f64) -> Vec<Point> {
        (0..9).map(|i| f64::from(i) * 32.0).map(|x| Point { x, y: of(x), error: 1.0 }).collect()
    }

    #[test]
    fn a_parabola_is_found_again() {
        let parabola =
            Parabola::through(&points(|x| 12.0 - ((x - 100.0) / 40.0).powi(2))).expect("points");
        let top = parabola.top().expect("a top");
        assert!((top.x - 100.0).abs() < 1e-6 && (top.y - 12.0).abs() < 1e-6, "{top:?}");
        assert!(parabola.chi_squared.0 < 1e-9 && parabola.chi_squared.1 == 6);
        assert!(top.low < 99.9 && top.high > 100.1 && parabola.error_at(100.0) > 0.1);
    }

    /// The ends are where the slope, with 1.96 of its errors, could still be 0; at the end of what was
    /// tried the interval reaches further to the side beyond.
    #[test]
    fn the_interval_is_fiellers() {
        let shape = |x: f64| 12.0 - ((x - 240.0) / 80.0).powi(2);
        let parabola = Parabola::through(&points(shape)).expect("points");
        let top = parabola.top().expect("a top");
        assert!(
            (top.x - 240.0).abs() < 1e-6 && top.high - top.x > 1.1 * (top.x - top.low),
            "{top:?}"
        );
        let [_, b, c] = parabola.coefficients;
        let [_, [_, v_bb, v_bc], [.., v_cc]] = parabola.covariance;
        for end in [top.low, top.high] {
            let u = (end - parabola.middle) / parabola.reach;
            let error = (v_bb + 4.0 * u * v_bc + 4.0 * u * u * v_cc).sqrt();
            assert!(((b + 2.0 * c * u).abs() / error - Z95).abs() < 1e-6, "{end}");
        }
    }

    #[test]
    fn no_top_is_made_up() {
        assert_eq!(Parabola::through(&points(|x| x)).expect("points").top(), None);
        assert_eq!(Parabola::through(&points(|x| (x - 50.0).powi(2))).expect("points").top(), None);
        assert_eq!(Parabola::through(&points(|_| f64::NAN)), None);
        assert_eq!(Parabola::through(&points(|x| x)[..2]), None);
    }
}
