//! A parabola through measured points: where the best value is, and how well that is known.

use crate::stats::Z95;

/// A measured point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The parameter's value.
    pub x: f64,
    /// What was measured there.
    pub y: f64,
    /// Its standard error.
    pub error: f64,
}

/// The parabola of least weighted squares, `y = a + b u + c u²` with `u = (x − middle) / reach`.
#[derive(Debug, Clone, PartialEq)]
pub struct Parabola {
    middle: f64,
    reach: f64,
    coefficients: [f64; 3],
    covariance: [[f64; 3]; 3],
    /// The sum of squared distances in standard errors, and the points beyond the three that a
    /// parabola always meets: more than about twice as much says that it is none.
    pub chi_squared: (f64, usize),
}

/// The top of a parabola.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Top {
    /// Where it is.
    pub x: f64,
    /// Half the width of its 95 % interval.
    pub error95: f64,
    /// How high it is.
    pub y: f64,
}

impl Parabola {
    /// The parabola nearest to the points; `None` for fewer than three different places, or for
    /// errors that are no numbers above 0.
    #[must_use]
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

    /// Whether the points lie no further from it than chance has them but for one time in a hundred
    /// or fewer.
    #[must_use]
    pub fn fits(&self) -> bool {
        let (chi_squared, freedom) = self.chi_squared;
        let freedom = freedom as f64;
        // Three deviations of χ² above its mean; the last bits of three points are no distance.
        chi_squared <= freedom + 3.0 * (2.0 * freedom).sqrt() + 1e-6
    }

    /// Its height.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        dot(&powers((x - self.middle) / self.reach), &self.coefficients)
    }

    /// The standard error of its height.
    #[must_use]
    pub fn error_at(&self, x: f64) -> f64 {
        let row = powers((x - self.middle) / self.reach);
        let along = self.covariance.map(|line| dot(&line, &row));
        dot(&along, &row).max(0.0).sqrt()
    }

    /// Its top; `None` unless it is shown, at 95 %, to have one.
    #[must_use]
    pub fn top(&self) -> Option<Top> {
        let [_, b, c] = self.coefficients;
        if c + Z95 * self.covariance[2][2].max(0.0).sqrt() >= 0.0 {
            return None;
        }
        let u = -b / (2.0 * c);
        // How the place moves with b and c.
        let slopes = [0.0, -1.0 / (2.0 * c), b / (2.0 * c * c)];
        let along = self.covariance.map(|line| dot(&line, &slopes));
        let error = dot(&along, &slopes).max(0.0).sqrt();
        let x = self.middle + self.reach * u;
        Some(Top { x, error95: Z95 * self.reach * error, y: self.at(x) })
    }
}

fn powers(u: f64) -> [f64; 3] {
    [1.0, u, u * u]
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a symmetric matrix, by its cofactors.
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
        assert!(top.error95 > 0.1 && parabola.error_at(100.0) > 0.1);
        let worse: Vec<Point> = points(|x| 12.0 - ((x - 100.0) / 40.0).powi(2))
            .into_iter()
            .map(|p| Point { error: 2.0, ..p })
            .collect();
        let wider = Parabola::through(&worse).and_then(|p| p.top()).expect("a top");
        assert!((wider.error95 / top.error95 - 2.0).abs() < 1e-6);
    }

    #[test]
    fn no_top_is_made_up() {
        assert_eq!(Parabola::through(&points(|x| x)).expect("points").top(), None);
        assert_eq!(Parabola::through(&points(|x| (x - 50.0).powi(2))).expect("points").top(), None);
        assert_eq!(Parabola::through(&points(|_| f64::NAN)), None);
        assert_eq!(Parabola::through(&points(|x| x)[..2]), None);
    }
}
