//! What each value of each parameter is worth, the others equal: strength taken for a sum of one part
//! for each parameter.

use crate::dense::Square;

/// A pivot of so small a share of its diagonal is one of 0 but for rounding: its value's part is a sum of
/// others in all points.
const LEAST_PIVOT: f64 = 1e-9;

/// A value of one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The value.
    pub value: i32,
    /// Elo beside the base's value, the others equal.
    pub elo: f64,
    /// Half the width of its 95 % interval; 0 of the base's value.
    pub error95: f64,
}

/// A measured point.
#[derive(Debug, Clone)]
pub(super) struct Measured<'a> {
    /// Its value on each axis.
    pub(super) values: &'a [i32],
    /// Elo against the base.
    pub(super) elo: f64,
    /// Half the width of its 95 % interval, above 0.
    pub(super) error95: f64,
}

/// The effects of each axis' values, ascending; `base` are the base's values, whose effects are 0. `None`
/// where the points do not tell the values apart: where they are fewer than the values, say, or none has
/// the base's value on another axis.
pub(super) fn effects(points: &[Measured], base: &[i32]) -> Option<Vec<Vec<Effect>>> {
    // The base's values have no column, and there is no constant: the base's 0 is exact.
    let cells = points.iter().flat_map(|point| point.values.iter().copied().enumerate());
    let mut columns: Vec<(usize, i32)> =
        cells.filter(|&(axis, value)| value != base[axis]).collect();
    columns.sort_unstable();
    columns.dedup();
    let (mut normal, mut right) = (Square::new(columns.len()), vec![0.0; columns.len()]);
    for point in points {
        let weight = point.error95.powi(-2);
        let cells = point.values.iter().copied().enumerate();
        let own: Vec<usize> = cells.filter_map(|cell| columns.binary_search(&cell).ok()).collect();
        for &row in &own {
            right[row] += weight * point.elo;
            own.iter().for_each(|&column| normal.add(row, column, weight));
        }
    }
    let inverse = normal.factor_above(LEAST_PIVOT)?.inverse();
    let effect = |(row, &(_, value)): (usize, &(usize, i32))| {
        let elo = inverse.row(row).iter().zip(&right).map(|(cell, right)| cell * right).sum();
        Effect { value, elo, error95: inverse.at(row, row).sqrt() }
    };
    let of = |axis: usize| {
        let own = columns.iter().enumerate().filter(|(_, column)| column.0 == axis);
        let mut effects: Vec<Effect> = own.map(effect).collect();
        if !points.is_empty() {
            effects.push(Effect { value: base[axis], elo: 0.0, error95: 0.0 });
        }
        effects.sort_unstable_by_key(|effect| effect.value);
        effects
    };
    Some((0..base.len()).map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(values: &[i32], elo: f64, error95: f64) -> Measured<'_> {
        Measured { values, elo, error95 }
    }

    /// Whatever combinations were tried, and however well: parts that add up are found again.
    #[test]
    fn parts_are_told_apart() {
        let part = [[0.0, -7.0, -20.0], [0.0, 12.0, 3.0]];
        let tried = [[0, 1], [1, 1], [2, 1], [1, 2], [0, 2], [2, 0]];
        let elo = |values: &[i32; 2]| part[0][values[0] as usize] + part[1][values[1] as usize];
        let points = tried.iter().zip(1..);
        let points: Vec<Measured> =
            points.map(|(values, n)| measured(values, elo(values), f64::from(n))).collect();
        let found = effects(&points, &[0, 0]).expect("enough points");
        for (effects, part) in found.iter().zip(part) {
            for (effect, worth) in effects.iter().zip(part) {
                assert!((effect.elo - worth).abs() < 1e-6, "{found:?}");
            }
        }
        assert_eq!(effects(&[], &[1]), Some(vec![Vec::new()]));
    }

    /// By hand: a grid of two by two with parts a and b, `2a + b = 4 + 9` and `a + 2b = 1 + 9` weighted
    /// alike, whose inverse is (2 −1; −1 2) / 3.
    #[test]
    fn errors_are_those_of_the_difference_to_the_base() {
        let of = |order: [usize; 2]| {
            let points = [([1, 0], 4.0), ([0, 1], 1.0), ([1, 1], 9.0)];
            let points = points.map(|(values, elo)| (order.map(|axis| values[axis]), elo));
            let points: Vec<Measured> =
                points.iter().map(|(values, elo)| measured(values, *elo, 3.0)).collect();
            let found = effects(&points, &[0, 0]).expect("a grid");
            order.map(|axis| found[axis][1])
        };
        let [a, b] = of([0, 1]);
        assert!(
            (a.elo - 16.0 / 3.0).abs() < 1e-9 && (b.elo - 7.0 / 3.0).abs() < 1e-9,
            "{a:?} {b:?}"
        );
        for effect in [a, b] {
            assert!((effect.error95 - 3.0 * (2.0_f64 / 3.0).sqrt()).abs() < 1e-9, "{effect:?}");
        }
        let [c, d] = of([1, 0]);
        assert!((a.elo - c.elo).abs() < 1e-9 && (b.elo - d.elo).abs() < 1e-9, "{c:?} {d:?}");
    }

    /// One axis at a time, a point is what its value is worth.
    #[test]
    fn lines_are_as_measured() {
        let points = [measured(&[3, 5], 8.0, 2.0), measured(&[1, 9], -6.0, 4.0)];
        let found = effects(&points, &[1, 5]).expect("lines");
        let effect = |value, elo, error95| Effect { value, elo, error95 };
        assert_eq!(found[0], [effect(1, 0.0, 0.0), effect(3, 8.0, 2.0)]);
        assert_eq!(found[1], [effect(5, 0.0, 0.0), effect(9, -6.0, 4.0)]);
    }

    #[test]
    fn nothing_is_told_of_what_was_not_parted() {
        // Fewer points than values, as in a Latin hypercube.
        let few = [
            measured(&[1, 7], 4.0, 2.0),
            measured(&[2, 8], -9.0, 1.0),
            measured(&[3, 6], 1.0, 3.0),
        ];
        assert_eq!(effects(&few, &[0, 0]), None);
        // A grid without the base's values: what one axis gains the other may lose.
        let grid = [[1, 1], [1, 2], [2, 1], [2, 2]];
        let grid: Vec<Measured> =
            grid.iter().zip([0.3, 0.7, 1.1, 1.9]).map(|(at, e)| measured(at, 5.0, e)).collect();
        assert_eq!(effects(&grid, &[0, 0]), None);
        assert!(effects(&grid, &[1, 0]).is_some());
    }
}
