//! How far the results of one machine are from those of all others: chi² of a table of two rows, and
//! p-values that are corrected for the number of machines.

/// Every cell of the table has to expect more pairs than this; else chi² does not hold.
const EXPECTED: f64 = 5.0;

/// Chi² of the counts of one machine against those of all others (fishtest: "residual"). `total` has all
/// machines, this one included. It has two degrees of freedom. `None` where a cell expects five or fewer.
pub fn residual(machine: [u64; 3], total: [u64; 3]) -> Option<f64> {
    let others = [0, 1, 2].map(|class| total[class].saturating_sub(machine[class]));
    let sum = |row: [u64; 3]| row.iter().sum::<u64>() as f64;
    let all = sum(total);
    let mut chi2 = 0.0;
    for row in [machine, others] {
        for (found, column) in row.into_iter().zip(total) {
            let expected = sum(row) * column as f64 / all;
            if expected.is_nan() || expected <= EXPECTED {
                return None;
            }
            chi2 += (found as f64 - expected).powi(2) / expected;
        }
    }
    Some(chi2)
}

/// The probability of this chi² or a higher one by luck alone: with two degrees of freedom chi² is an
/// exponential distribution.
pub fn residual_p(chi2: f64) -> f64 {
    (-chi2 / 2.0).exp()
}

/// Holm's correction: the chance that any of all machines is below its value by luck alone. A `None`
/// stays one, and does not count.
pub fn holm(raw: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> =
        raw.iter().enumerate().filter_map(|(place, p)| Some((place, (*p)?))).collect();
    order.sort_by(|one, other| one.1.total_cmp(&other.1));
    let mut corrected = vec![None; raw.len()];
    let mut least = 0.0_f64;
    for (done, (place, p)) in order.iter().enumerate() {
        // Values may not fall where the raw ones rise.
        least = least.max((p * (order.len() - done) as f64).min(1.0));
        corrected[*place] = Some(least);
    }
    corrected
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{ChiSquared, ContinuousCDF as _};

    use super::*;

    #[test]
    fn chi2_of_a_table_worked_by_hand() {
        // Expected by rows: 15, 30, 15 and 15, 30, 15.
        let found = residual([10, 30, 20], [30, 60, 30]).unwrap();
        assert!((found - 20.0 / 3.0).abs() < 1e-12, "{found}");
        assert!((residual_p(found) - (-10.0_f64 / 3.0).exp()).abs() < 1e-12);
        // Expected: 27.5, 41.25, 31.25 of 100 pairs, and thrice that of the 300 others.
        let found = residual([20, 45, 35], [110, 165, 125]).unwrap();
        assert!((found - 208.0 / 55.0).abs() < 1e-12, "{found}");
        assert!((residual_p(found) - 0.150_934_5).abs() < 1e-6, "{}", residual_p(found));
        assert_eq!(residual([10, 30, 20], [10, 30, 20]), None, "alone");
        assert_eq!(residual([5, 5, 5], [10, 10, 10]), None, "five are too few");
        assert_eq!(residual([6, 6, 6], [12, 12, 12]), Some(0.0));
        assert_eq!(residual([0; 3], [0; 3]), None);
    }

    #[test]
    fn two_degrees_of_freedom() {
        let chi2 = ChiSquared::new(2.0).unwrap();
        for value in [0.0, 0.1, 1.0, 5.991_464_547, 9.210_340_372, 40.0] {
            assert!((residual_p(value) - chi2.sf(value)).abs() < 1e-12, "{value}");
        }
        assert!((residual_p(5.991_464_547) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn holm_by_its_definition() {
        let raw = [Some(0.01), None, Some(0.04), Some(0.03), Some(0.9)];
        let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        let found = holm(&raw);
        assert_eq!(found[1], None);
        for (place, expected) in [(0, 0.04), (3, 0.09), (2, 0.09), (4, 0.9)] {
            assert!(close(found[place], expected), "{found:?}");
        }
        assert_eq!(holm(&[Some(0.7), Some(0.8)]), [Some(1.0), Some(1.0)]);
    }
}
