//! Symmetric positive definite matrices: Cholesky's factor and the inverse.

#[derive(Debug, Clone)]
pub struct Square {
    size: usize,
    cells: Vec<f64>,
}

impl Square {
    pub fn new(size: usize) -> Square {
        Square { size, cells: vec![0.0; size * size] }
    }

    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    pub fn add_all(&mut self, other: &Square) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| *cell += other);
    }

    pub fn scale(&mut self, by: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= by);
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] = value;
    }

    /// `None` when the matrix is not positive definite.
    pub fn inverse(self) -> Option<Square> {
        self.factor().map(Factor::inverse)
    }

    /// Cholesky's decomposition; `None` when the matrix is not positive definite.
    pub fn factor(self) -> Option<Factor> {
        self.factor_above(0.0)
    }

    /// As [`Square::factor`]; `None` also where a pivot is at most this share of its diagonal: the
    /// matrix is singular but for rounding.
    pub fn factor_above(mut self, share: f64) -> Option<Factor> {
        // The factor takes the place of the lower half.
        let size = self.size;
        for row in 0..size {
            for column in 0..=row {
                let known = dot(&self.row(row)[..column], &self.row(column)[..column]);
                let rest = self.at(row, column) - known;
                if column < row {
                    self.set(row, column, rest / self.at(column, column));
                } else if rest > share * self.at(row, row) && rest.is_finite() {
                    self.set(row, row, rest.sqrt());
                } else {
                    return None;
                }
            }
        }
        Some(Factor(self))
    }
}

/// The lower triangle `L` of a matrix `L Lᵀ`; the upper half is not used.
#[derive(Debug, Clone)]
pub struct Factor(Square);

impl Factor {
    /// `L` times a vector: of independent standard normal numbers it makes some with this
    /// covariance.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = 0..self.0.size;
        rows.map(|row| dot(&self.0.row(row)[..=row], &vector[..=row])).collect()
    }

    /// `Lᵀ` times a vector: the square of its length is `vᵀ L Lᵀ v`.
    pub fn transposed_times(&self, vector: &[f64]) -> Vec<f64> {
        let size = self.0.size;
        let cell = |column: usize| -> f64 {
            (column..size).map(|row| self.0.at(row, column) * vector[row]).sum()
        };
        (0..size).map(cell).collect()
    }

    /// The natural logarithm of the determinant of `L Lᵀ`.
    pub fn log_determinant(&self) -> f64 {
        2.0 * (0..self.0.size).map(|at| self.0.at(at, at).ln()).sum::<f64>()
    }

    /// The inverse of the matrix `L Lᵀ`.
    pub fn inverse(self) -> Square {
        let Factor(mut square) = self;
        let size = square.size;
        // Column k of the factor's inverse becomes row k here, so that all products run along rows.
        let mut inverse = Square::new(size);
        for k in 0..size {
            inverse.set(k, k, 1.0 / square.at(k, k));
            for row in k + 1..size {
                let known = dot(&square.row(row)[k..row], &inverse.row(k)[k..row]);
                inverse.set(k, row, -known / square.at(row, row));
            }
        }
        for row in 0..size {
            for column in 0..=row {
                let cell = dot(&inverse.row(row)[row..], &inverse.row(column)[row..]);
                square.set(row, column, cell);
                square.set(column, row, cell);
            }
        }
        square
    }
}

/// The product of two rows: eight partial sums, which a processor can add in parallel.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (a_parts, b_parts) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a_parts.remainder().iter().zip(b_parts.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; LANES];
    for (a, b) in a_parts.zip(b_parts) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    rest + sums.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_and_the_inverse_are_those_of_the_matrix() {
        let cells = [[4.0, 2.0, 0.6], [2.0, 5.0, -1.0], [0.6, -1.0, 3.0]];
        let mut square = Square::new(3);
        let places = (0..3).flat_map(|row| (0..3).map(move |column| (row, column)));
        places.clone().for_each(|(row, column)| square.add(row, column, cells[row][column]));
        let factor = square.clone().factor().expect("positive definite");
        let columns: Vec<Vec<f64>> = (0..3)
            .map(|column| {
                factor.times(&std::array::from_fn::<f64, 3, _>(|k| f64::from(k == column)))
            })
            .collect();
        let vector = [1.0, -2.0, 0.5];
        let length: f64 = factor.transposed_times(&vector).iter().map(|x| x * x).sum();
        let form = places.clone().map(|(i, j)| vector[i] * cells[i][j] * vector[j]);
        assert!((length - form.sum::<f64>()).abs() < 1e-12);
        // 4 (5 · 3 − 1) − 2 (2 · 3 + 0.6) + 0.6 (−2 − 3)
        assert!((factor.log_determinant() - 39.8_f64.ln()).abs() < 1e-12);
        let inverse = square.inverse().expect("positive definite");
        for (row, column) in places {
            let product: f64 = columns.iter().map(|l| l[row] * l[column]).sum();
            assert!((product - cells[row][column]).abs() < 1e-12);
            let unit: f64 = (0..3).map(|k| cells[row][k] * inverse.at(k, column)).sum();
            assert!((unit - f64::from(row == column)).abs() < 1e-12);
        }
        let mut saddle = Square::new(2);
        for (row, column, value) in [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)] {
            saddle.add(row, column, value);
        }
        assert!(saddle.factor().is_none());
    }
}
