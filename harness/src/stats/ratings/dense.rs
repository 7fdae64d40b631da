//! The inverse of a symmetric positive definite matrix.

/// A square matrix by rows.
#[derive(Debug, Clone)]
pub(crate) struct Square {
    size: usize,
    cells: Vec<f64>,
}

impl Square {
    /// All zeros.
    pub(crate) fn new(size: usize) -> Square {
        Square { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] = value;
    }

    /// The inverse by Cholesky's decomposition; none when the matrix is not positive definite.
    pub(crate) fn inverse(mut self) -> Option<Square> {
        let size = self.size;
        // The factor takes the place of the lower half.
        for row in 0..size {
            for column in 0..=row {
                let known = dot(&self.row(row)[..column], &self.row(column)[..column]);
                let rest = self.at(row, column) - known;
                if column < row {
                    self.set(row, column, rest / self.at(column, column));
                } else if rest > 0.0 && rest.is_finite() {
                    self.set(row, row, rest.sqrt());
                } else {
                    return None;
                }
            }
        }
        // Column k of the factor's inverse becomes row k here, so that all products run along rows.
        let mut inverse = Square::new(size);
        for k in 0..size {
            inverse.set(k, k, 1.0 / self.at(k, k));
            for row in k + 1..size {
                let known = dot(&self.row(row)[k..row], &inverse.row(k)[k..row]);
                inverse.set(k, row, -known / self.at(row, row));
            }
        }
        for row in 0..size {
            for column in 0..=row {
                let cell = dot(&inverse.row(row)[row..], &inverse.row(column)[row..]);
                self.set(row, column, cell);
                self.set(column, row, cell);
            }
        }
        Some(self)
    }
}

/// The product of two rows. Eight sums at once, which a processor can add in parallel.
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
