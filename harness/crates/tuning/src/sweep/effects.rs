//! The effect of each value of each parameter, the others equal: strength is taken for a sum of one
//! part for each parameter.

use crate::dot;
use stats::dense::Square;
use stats::{IntervalKind, Z95};

/// A smaller pivot, as a share of its diagonal, is 0 but for rounding: its value's part is a sum of
/// others in all points.
const LEAST_PIVOT: f64 = 1e-9;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    pub value: f64,
    /// Elo relative to the base's value, the others equal.
    pub elo: f64,
    /// Half the width of its 95 % interval; 0 for the base's value.
    pub error95: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Measured<'a> {
    pub(super) values: &'a [f64],
    /// Elo against the base.
    pub(super) elo: f64,
    /// Half the width of its 95 % interval, above 0.
    pub(super) error95: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Effects {
    /// By axis, ascending by value; the base's is 0.
    pub axes: Vec<Vec<Effect>>,
    /// Whether the parts are parabolas over the values, because the points do not tell single
    /// values apart. Errors grow with the distance of the points from them, then.
    pub is_smooth: bool,
}

/// A fitted coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
enum EffectTerm {
    /// The effect of a value of an axis.
    Value { axis: usize, value: f64 },
    /// What the distance to the base's value adds, to this power; as a share of the greatest.
    Power { axis: usize, greatest: f64, power: i32 },
}

impl EffectTerm {
    /// Its factor at a point.
    fn of(self, values: &[f64], base: &[f64]) -> f64 {
        match self {
            EffectTerm::Value { axis, value } => f64::from(u8::from(values[axis] == value)),
            EffectTerm::Power { axis, greatest, power } => {
                ((values[axis] - base[axis]) / greatest).powi(power)
            }
        }
    }
}

/// The effects of each axis' values; `base` are the base's values, whose effects are 0. If the
/// points can tell single values apart, each value has its own effect. Otherwise each axis has a
/// parabola through the base, provided that the base lies within its values: extrapolated to a base
/// outside, the effects of two axes could not be told apart. `None` if the points do not determine
/// these either.
pub(super) fn effects(points: &[Measured], base: &[f64]) -> Option<Effects> {
    // The base's values have no part, and there is no constant: the base's 0 is exact.
    let cells = points.iter().flat_map(|point| point.values.iter().copied().enumerate());
    let mut tried: Vec<(usize, f64)> = cells.filter(|&(axis, value)| value != base[axis]).collect();
    tried.sort_unstable_by(|(a, x), (b, y)| a.cmp(b).then(x.total_cmp(y)));
    tried.dedup();
    let each = tried.iter().map(|&(axis, value)| EffectTerm::Value { axis, value }).collect();
    let (fit, is_smooth) = match Additive::of(points, base, each) {
        Some(fit) => (fit, false),
        None if !is_among(points, base) => return None,
        None => {
            (Additive::of(points, base, powers(&tried, base))?.with_misfit(points, base)?, true)
        }
    };
    let of = |axis: usize| {
        let own = tried.iter().filter(|(of, _)| *of == axis);
        let mut effects: Vec<Effect> =
            own.map(|&(_, value)| fit.effect(axis, value, base)).collect();
        if !points.is_empty() {
            effects.push(Effect { value: base[axis], elo: 0.0, error95: 0.0 });
        }
        effects.sort_unstable_by(|a, b| a.value.total_cmp(&b.value));
        effects
    };
    Some(Effects { axes: (0..base.len()).map(of).collect(), is_smooth })
}

/// Whether on each axis points have values on both sides of the base's, or that value.
fn is_among(points: &[Measured], base: &[f64]) -> bool {
    base.iter().enumerate().all(|(axis, base)| {
        let values = || points.iter().map(|point| point.values[axis]);
        values().any(|value| value <= *base) && values().any(|value| value >= *base)
    })
}

/// A line for an axis with one value beside the base's, a parabola for one with more.
fn powers(tried: &[(usize, f64)], base: &[f64]) -> Vec<EffectTerm> {
    let of = |axis: usize| {
        let own = tried.iter().filter(move |(of, _)| *of == axis);
        let greatest = own.clone().map(|(_, value)| (value - base[axis]).abs()).fold(0.0, f64::max);
        let powers = own.count().min(2) as i32;
        (1..=powers).map(move |power| EffectTerm::Power { axis, greatest, power })
    };
    (0..base.len()).flat_map(of).collect()
}

struct Additive {
    parts: Vec<EffectTerm>,
    elo: Vec<f64>,
    /// Of the parts, in squares of half the widths of 95 % intervals.
    covariance: Square,
}

impl Additive {
    fn of(points: &[Measured], base: &[f64], parts: Vec<EffectTerm>) -> Option<Additive> {
        let (mut normal, mut right) = (Square::new(parts.len()), vec![0.0; parts.len()]);
        for point in points {
            let weight = point.error95.powi(-2);
            let own: Vec<f64> = parts.iter().map(|part| part.of(point.values, base)).collect();
            let has = |&(_, &times): &(usize, &f64)| times != 0.0;
            for (row, &times) in own.iter().enumerate().filter(has) {
                right[row] += weight * times * point.elo;
                for (column, &other) in own.iter().enumerate().filter(has) {
                    normal.add(row, column, weight * times * other);
                }
            }
        }
        let covariance = normal.factor_above(LEAST_PIVOT)?.inverse();
        let elo = (0..parts.len()).map(|row| dot(covariance.row(row), &right)).collect();
        Some(Additive { parts, elo, covariance })
    }

    /// Widens the errors to the misfit of the points. `None` without degrees of freedom.
    fn with_misfit(mut self, points: &[Measured], base: &[f64]) -> Option<Additive> {
        let freedom = points.len().checked_sub(self.parts.len()).filter(|&freedom| freedom > 0)?;
        let distances = points.iter().map(|point| {
            let fitted = dot(&self.own(point.values, base), &self.elo);
            (Z95 * (point.elo - fitted) / point.error95).powi(2)
        });
        let misfit = distances.sum::<f64>() / freedom as f64;
        if misfit > 1.0 {
            // An estimate from so few distances: Student's t in the normal quantile's place.
            let wider = IntervalKind::StudentT.reach(freedom as f64 + 1.0) / Z95;
            self.covariance.scale(misfit * wider.powi(2));
        }
        Some(self)
    }

    /// The factor of each part at a point.
    fn own(&self, values: &[f64], base: &[f64]) -> Vec<f64> {
        self.parts.iter().map(|part| part.of(values, base)).collect()
    }

    /// The effect of a value against the base's.
    fn effect(&self, axis: usize, value: f64, base: &[f64]) -> Effect {
        let mut values = base.to_vec();
        values[axis] = value;
        let own = self.own(&values, base);
        let rows = (0..own.len()).map(|row| dot(self.covariance.row(row), &own));
        let variance = dot(&rows.collect::<Vec<_>>(), &own);
        Effect { value, elo: dot(&own, &self.elo), error95: variance.sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(values: &[f64], elo: f64, error95: f64) -> Measured<'_> {
        Measured { values, elo, error95 }
    }

    /// Whatever combinations were tried, and however well: parts that add up are found again.
    #[test]
    fn parts_are_told_apart() {
        let part = [[0.0, -7.0, -20.0], [0.0, 12.0, 3.0]];
        let tried = [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0], [0.0, 2.0], [2.0, 0.0]];
        let elo = |values: &[f64; 2]| part[0][values[0] as usize] + part[1][values[1] as usize];
        let points = tried.iter().zip(1..);
        let points: Vec<Measured> =
            points.map(|(values, n)| measured(values, elo(values), f64::from(n))).collect();
        let found = effects(&points, &[0.0, 0.0]).expect("enough points");
        assert!(!found.is_smooth);
        for (effects, part) in found.axes.iter().zip(part) {
            for (effect, worth) in effects.iter().zip(part) {
                assert!((effect.elo - worth).abs() < 1e-6, "{found:?}");
            }
        }
        let nothing = effects(&[], &[1.0]).expect("nothing is unknown");
        assert_eq!((nothing.axes, nothing.is_smooth), (vec![Vec::new()], false));
    }

    /// By hand: a grid of two by two with parts a and b, `2a + b = 4 + 9` and `a + 2b = 1 + 9` weighted
    /// alike, whose inverse is (2 −1; −1 2) / 3.
    #[test]
    fn errors_are_those_of_the_difference_to_the_base() {
        let of = |order: [usize; 2]| {
            let points = [([1.0, 0.0], 4.0), ([0.0, 1.0], 1.0), ([1.0, 1.0], 9.0)];
            let points = points.map(|(values, elo)| (order.map(|axis| values[axis]), elo));
            let points: Vec<Measured> =
                points.iter().map(|(values, elo)| measured(values, *elo, 3.0)).collect();
            let found = effects(&points, &[0.0, 0.0]).expect("a grid");
            order.map(|axis| found.axes[axis][1])
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
        let points = [measured(&[3.0, 5.0], 8.0, 2.0), measured(&[1.0, 9.0], -6.0, 4.0)];
        let found = effects(&points, &[1.0, 5.0]).expect("lines");
        let effect = |value, elo, error95| Effect { value, elo, error95 };
        assert_eq!(found.axes[0], [effect(1.0, 0.0, 0.0), effect(3.0, 8.0, 2.0)]);
        assert_eq!(found.axes[1], [effect(5.0, 0.0, 0.0), effect(9.0, -6.0, 4.0)]);
    }

    #[test]
    fn nothing_is_told_of_what_was_not_parted() {
        // Fewer points than numbers of two parabolas.
        let few = [
            measured(&[1.0, 7.0], 4.0, 2.0),
            measured(&[2.0, 8.0], -9.0, 1.0),
            measured(&[3.0, 6.0], 1.0, 3.0),
        ];
        assert_eq!(effects(&few, &[0.0, 0.0]), None);
        // A grid without the base's values: what one axis gains the other may lose.
        let grid = [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0], [2.0, 2.0]];
        let grid: Vec<Measured> =
            grid.iter().zip([0.3, 0.7, 1.1, 1.9]).map(|(at, e)| measured(at, 5.0, e)).collect();
        assert_eq!(effects(&grid, &[0.0, 0.0]), None);
        assert!(effects(&grid, &[1.0, 0.0]).is_some());
        // One of more values, through which a parabola could be laid from afar.
        let grid: Vec<[f64; 2]> =
            (6..11).flat_map(|a| (6..11).map(move |b| [a, b].map(f64::from))).collect();
        let grid: Vec<Measured> = grid.iter().map(|at| measured(at, 30.0, 8.0)).collect();
        assert_eq!(effects(&grid, &[4.0, 4.0]), None);
        // With the base's value on one axis the other's stand alone there.
        let known = effects(&grid, &[8.0, 4.0]).expect("parted");
        assert!(
            !known.is_smooth
                && known.axes[1].iter().all(|it| it.value == 4.0 || (it.elo - 30.0).abs() < 1e-6)
        );
    }

    /// A Latin hypercube has a value of its own for nearly every point: parabolas that add up are found again, and
    /// what does not lie on them makes the errors greater.
    #[test]
    fn parabolas_where_values_are_too_many() {
        let base = [4.0, 10.0];
        let worth = |x: f64, y: f64| 3.0 * (x - 4.0) - (x - 4.0).powi(2) - 2.0 * (y - 10.0);
        let points: Vec<[f64; 2]> = (0..7).map(|n| [n, (5 * n) % 7 + 8].map(f64::from)).collect();
        let of = |noise: f64| {
            let elo =
                |n: usize| worth(points[n][0], points[n][1]) + noise * (-1.0_f64).powi(n as i32);
            let measured: Vec<Measured> =
                (0..7).map(|n| measured(&points[n], elo(n), Z95)).collect();
            effects(&measured, &base).expect("seven points, four numbers")
        };
        let (exact, noisy) = (of(0.0), of(10.0));
        assert!(exact.is_smooth && noisy.is_smooth);
        for effect in &exact.axes[0] {
            assert!((effect.elo - worth(effect.value, 10.0)).abs() < 1e-6, "{exact:?}");
        }
        for effect in &exact.axes[1] {
            assert!((effect.elo - worth(4.0, effect.value)).abs() < 1e-6, "{exact:?}");
        }
        for (exact, noisy) in exact.axes.iter().flatten().zip(noisy.axes.iter().flatten()) {
            assert!(exact.error95 == 0.0 || noisy.error95 > 3.0 * exact.error95, "{noisy:?}");
        }
    }
}
