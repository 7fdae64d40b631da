//! Choice of points: the whole grid, lines through the base, or a Latin hypercube.

use std::num::NonZeroUsize;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// All combinations of values.
    Grid,
    /// One axis at a time, the others as the base has them.
    Lines,
    /// So many points of a Latin hypercube: each axis is divided evenly among them.
    Samples(NonZeroUsize),
}

/// The number of points, duplicates included.
pub(super) fn size(design: Design, axes: &[Vec<f64>]) -> u64 {
    let lengths = axes.iter().map(|values| values.len() as u64);
    match design {
        Design::Grid => lengths.fold(1, u64::saturating_mul),
        Design::Lines => lengths.fold(0, u64::saturating_add),
        Design::Samples(count) => count.get() as u64,
    }
}

/// Distinct points without the base's, one value an axis; `base` are the base's values.
pub(super) fn points(design: Design, axes: &[Vec<f64>], base: &[f64], seed: u64) -> Vec<Vec<f64>> {
    let all = match design {
        Design::Grid => grid(axes),
        Design::Lines => lines(axes, base),
        Design::Samples(count) => samples(axes, count.get(), seed),
    };
    let mut points: Vec<Vec<f64>> = Vec::with_capacity(all.len());
    for point in all {
        if point != base && !points.contains(&point) {
            points.push(point);
        }
    }
    points
}

/// The last axis changes fastest.
fn grid(axes: &[Vec<f64>]) -> Vec<Vec<f64>> {
    axes.iter().fold(vec![Vec::new()], |points, values| {
        let longer = |point: Vec<f64>| {
            values.iter().map(move |&value| point.iter().copied().chain([value]).collect())
        };
        points.into_iter().flat_map(longer).collect()
    })
}

fn lines(axes: &[Vec<f64>], base: &[f64]) -> Vec<Vec<f64>> {
    let on_axis = |(axis, values): (usize, &Vec<f64>)| {
        let at = |&value: &f64| {
            let mut point = base.to_vec();
            point[axis] = value;
            point
        };
        values.iter().map(at).collect::<Vec<_>>()
    };
    axes.iter().enumerate().flat_map(on_axis).collect()
}

/// Each axis is cut into as many equal parts as there are points, and each part has one of them.
fn samples(axes: &[Vec<f64>], count: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut points = vec![Vec::with_capacity(axes.len()); count];
    for values in axes {
        let mut parts: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            let other = rng.next_u64() % (last as u64 + 1);
            parts.swap(last, other as usize);
        }
        for (point, part) in points.iter_mut().zip(parts) {
            // The middle of the part, so that the ends of an axis are met as often as the rest.
            let place = (2 * part + 1) * values.len() / (2 * count);
            point.push(values[place.min(values.len() - 1)]);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn axes() -> [Vec<f64>; 2] {
        [vec![1.0, 2.0, 3.0], vec![10.0, 20.0]]
    }

    #[test]
    fn grids_and_lines() {
        let grid = points(Design::Grid, &axes(), &[2.0, 20.0], 1);
        assert_eq!(grid, [[1, 10], [1, 20], [2, 10], [3, 10], [3, 20]].map(|at| at.map(f64::from)));
        let lines = points(Design::Lines, &axes(), &[2.0, 15.0], 1);
        assert_eq!(lines, [[1, 15], [3, 15], [2, 10], [2, 20]].map(|at| at.map(f64::from)));
        assert_eq!([Design::Grid, Design::Lines].map(|design| size(design, &axes())), [6, 5]);
    }

    #[test]
    fn a_hypercube_divides_every_axis_evenly() {
        let axes = [8, 16].map(|count| (0..count).map(f64::from).collect::<Vec<f64>>());
        let design = Design::Samples(NonZeroUsize::new(8).expect("above 0"));
        let found = points(design, &axes, &[-1.0, -1.0], 5);
        assert_eq!(found.len(), 8);
        for axis in 0..2 {
            let parts: BTreeSet<i32> =
                found.iter().map(|point| point[axis] as i32 / (axis as i32 + 1)).collect();
            assert_eq!(parts.len(), 8, "{found:?}");
        }
        assert_eq!(found, points(design, &axes, &[-1.0, -1.0], 5));
        assert_ne!(found, points(design, &axes, &[-1.0, -1.0], 6));
    }
}
