//! What each value of each parameter is worth, the others equal: strength taken for a sum of one part
//! for each parameter.

/// Rounds of fitting each parameter to what the others leave; far more than it takes.
const ROUNDS: usize = 200;

/// A value of one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The value.
    pub value: i32,
    /// Elo beside the base's value, the others equal.
    pub elo: f64,
    /// Half the width of its 95 % interval, as if the others were known.
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

/// The effects of each axis' values, ascending; `base` are the base's values, whose effects are 0.
pub(super) fn effects(points: &[Measured], base: &[i32]) -> Vec<Vec<Effect>> {
    // The base's own 0 is exact; it weighs as much as the best known point.
    let least = points.iter().map(|point| point.error95).fold(f64::INFINITY, f64::min);
    let mut all = points.to_vec();
    if least.is_finite() {
        all.push(Measured { values: base, elo: 0.0, error95: least });
    }
    let mut axes: Vec<Vec<Effect>> = (0..base.len())
        .map(|axis| {
            let mut values: Vec<i32> = all.iter().map(|point| point.values[axis]).collect();
            values.sort_unstable();
            values.dedup();
            let effect = |value| Effect { value, elo: 0.0, error95: 0.0 };
            values.into_iter().map(effect).collect()
        })
        .collect();
    for _ in 0..ROUNDS {
        for axis in 0..axes.len() {
            fit(&all, &mut axes, axis);
        }
    }
    for (effects, base) in axes.iter_mut().zip(base) {
        let at_base = effects.iter().find(|effect| effect.value == *base).map(|effect| effect.elo);
        effects.iter_mut().for_each(|effect| effect.elo -= at_base.unwrap_or(0.0));
    }
    axes
}

/// Fits one axis to what the others leave.
fn fit(points: &[Measured], axes: &mut [Vec<Effect>], axis: usize) {
    let mut sums = vec![[0.0; 2]; axes[axis].len()];
    for point in points {
        let place = |axis: usize| {
            axes[axis].binary_search_by_key(&point.values[axis], |effect| effect.value).ok()
        };
        let others = (0..axes.len()).filter(|&other| other != axis);
        let others: f64 = others.filter_map(|other| Some(axes[other][place(other)?].elo)).sum();
        let Some(own) = place(axis) else { continue };
        let weight = point.error95.powi(-2);
        sums[own][0] += weight;
        sums[own][1] += weight * (point.elo - others);
    }
    for (effect, [weights, sum]) in axes[axis].iter_mut().zip(sums) {
        effect.elo = sum / weights;
        effect.error95 = 1.0 / f64::sqrt(weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever combinations were tried, and however well: parts that add up are found again.
    #[test]
    fn parts_are_told_apart() {
        let part = [[0.0, -7.0, -20.0], [0.0, 12.0, 3.0]];
        let tried = [[0, 1], [1, 1], [2, 1], [1, 2], [0, 2], [2, 0]];
        let points: Vec<Measured> = tried
            .iter()
            .enumerate()
            .map(|(number, values)| Measured {
                values,
                elo: part[0][values[0] as usize] + part[1][values[1] as usize],
                error95: 1.0 + number as f64,
            })
            .collect();
        let found = effects(&points, &[0, 0]);
        for (effects, part) in found.iter().zip(part) {
            for (effect, worth) in effects.iter().zip(part) {
                assert!((effect.elo - worth).abs() < 1e-6, "{found:?}");
            }
        }
        assert!(effects(&[], &[1]).iter().all(Vec::is_empty));
    }
}
