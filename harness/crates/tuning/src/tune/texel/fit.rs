//! The fit: weights move until the values tell the results best.
//!
//! The error of a position is the square of target minus 1 / (1 + e^(−scale · value)), with a scale
//! for each source; what is made small is its mean, plus a penalty that draws each weight to where
//! it started. Adam walks down the gradient of all positions; the walk ends when positions held out
//! gain no more.

use std::num::NonZeroUsize;

use engine::Params;
use process::parallel;
use process::progress::Progress;
use serde::Serialize;

use super::cells::{Cells, Weight};
use super::pairs::PhasePairs;
use super::slopes::{Examples, SlopeBlock};

#[derive(Debug, Clone, Serialize)]
pub struct Fitting {
    /// Epochs at most in one round; an epoch is a pass over all positions.
    pub epochs: usize,
    /// The round ends after so many epochs without a gain in the positions held out.
    pub patience: usize,
    /// Adam's learning rate: about how far a weight moves in one epoch at most, in steps of the
    /// parameter table.
    pub rate: f64,
    /// The penalty's weight: for each free weight so much times its distance squared, in steps.
    pub l2: f64,
    /// The centre of the penalty.
    pub l2_to: Anchor,
}

/// Where a weight is drawn to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[derive(strum::Display, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// The default of the parameter table, which is the paper's value if a paper gives one.
    #[default]
    Table,
    /// The start value (--from).
    Start,
}

impl Anchor {
    pub(super) fn of(self, cell: &Weight) -> i32 {
        match self {
            Anchor::Table => cell.table(),
            Anchor::Start => cell.start,
        }
    }
}

impl Default for Fitting {
    fn default() -> Fitting {
        Fitting { epochs: 1000, patience: 50, rate: 0.1, l2: 1e-7, l2_to: Anchor::Table }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Fitted {
    /// In the cells' order.
    #[serde(skip)]
    pub values: Vec<i32>,
    /// Epochs until the best weights for the positions held out.
    pub epochs: usize,
    /// Mean error of the fitted positions at the round's start and at those weights.
    pub errors: [f64; 2],
    /// The same of the positions held out.
    pub held_out_errors: [f64; 2],
}

/// Fits the weights to the positions to fit, with those held out to stop. The result depends on the
/// arguments only; the number of threads changes no bit of it.
pub fn fit(
    [fitted, held_out]: &[Examples; 2],
    cells: &Cells,
    params: &Params,
    fitting: &Fitting,
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Fitted {
    let at = cells.values(params);
    let pairs = PhasePairs::of(cells);
    let counts = fitted.met(&pairs).into_iter().map(|met| met > 0).collect();
    let mut walk = AdamWalk::new(cells, &at, fitting, counts);
    let mut found: Option<Fitted> = None;
    let mut first = [0.0; 2];
    for epoch in 0..=fitting.epochs {
        let moved = pairs.paired(&walk.moved);
        let (error, gradient) = gradient(fitted, &moved, threads);
        let held = errors_of(held_out, &moved, threads);
        if epoch == 0 {
            first = [error, held];
        }
        if found.as_ref().is_none_or(|best| held < best.held_out_errors[1]) {
            found = Some(Fitted {
                values: walk.values(cells, &at),
                epochs: epoch,
                errors: [first[0], error],
                held_out_errors: [first[1], held],
            });
        }
        let best = found.as_ref().map_or(0, |best| best.epochs);
        if epoch - best >= fitting.patience {
            break;
        }
        walk.step(pairs.by_cell(&gradient));
        progress.advance(1);
    }
    found.unwrap_or(Fitted { values: at, epochs: 0, errors: first, held_out_errors: first })
}

/// Adam's walk, in 1/256 pawn from the round's start.
struct AdamWalk<'a> {
    fitting: &'a Fitting,
    moved: Vec<f32>,
    /// Each weight's distance from the centre of the penalty at the round's start.
    before: Vec<f64>,
    /// Whether the weight counts in any position; others stay where they are.
    counts: Vec<bool>,
    steps: Vec<f64>,
    /// How far down and up the parameter table lets each weight go.
    room: Vec<[f32; 2]>,
    mean: Vec<f64>,
    square: Vec<f64>,
    epoch: i32,
}

impl AdamWalk<'_> {
    const BETA_1: f64 = 0.9;
    const BETA_2: f64 = 0.999;

    fn new<'a>(cells: &Cells, at: &[i32], fitting: &'a Fitting, counts: Vec<bool>) -> AdamWalk<'a> {
        let cells = &cells.0;
        let count = cells.len();
        let from = |cell| fitting.l2_to.of(cell);
        let before = cells.iter().zip(at).map(|(cell, at)| f64::from(at - from(cell)));
        let room = |(cell, at): (&Weight, &i32)| {
            [cell.spec.min, cell.spec.max].map(|end| (end - at) as f32)
        };
        AdamWalk {
            fitting,
            counts,
            moved: vec![0.0; count],
            before: before.collect(),
            steps: cells.iter().map(|cell| f64::from(cell.spec.step)).collect(),
            room: cells.iter().zip(at).map(room).collect(),
            mean: vec![0.0; count],
            square: vec![0.0; count],
            epoch: 0,
        }
    }

    fn step(&mut self, gradient: impl Iterator<Item = f64>) {
        let Fitting { rate, l2, .. } = *self.fitting;
        self.epoch += 1;
        let correction = [Self::BETA_1, Self::BETA_2].map(|beta| 1.0 - beta.powi(self.epoch));
        for (cell, slope) in gradient.enumerate().filter(|(cell, _)| self.counts[*cell]) {
            let step = self.steps[cell];
            let distance = (self.before[cell] + f64::from(self.moved[cell])) / step;
            let slope = slope * step + 2.0 * l2 * distance;
            self.mean[cell] += (1.0 - Self::BETA_1) * (slope - self.mean[cell]);
            self.square[cell] += (1.0 - Self::BETA_2) * (slope * slope - self.square[cell]);
            let mean = self.mean[cell] / correction[0];
            let square = self.square[cell] / correction[1];
            let moved = self.moved[cell] - (rate * step * mean / (square.sqrt() + 1e-12)) as f32;
            // The other weights are fitted to where this one can stand, not to where it would go.
            let [down, up] = self.room[cell];
            self.moved[cell] = moved.clamp(down, up);
        }
    }

    fn values(&self, cells: &Cells, at: &[i32]) -> Vec<i32> {
        let moved = self.moved.iter().zip(at).zip(&cells.0);
        moved.map(|((moved, at), cell)| cell.allowed(f64::from(*at) + f64::from(*moved))).collect()
    }
}

/// Mean error and its gradient.
fn gradient(
    examples: &Examples,
    moved: &[[f32; 2]],
    threads: NonZeroUsize,
) -> (f64, Vec<[f64; 2]>) {
    let groups: Vec<&[SlopeBlock]> = examples.0.chunks(GROUP).collect();
    let of_group = |(): &mut (), group: &&[SlopeBlock]| {
        let (mut error, mut gradient) = (0.0, vec![[0.0_f32; 2]; moved.len()]);
        for block in *group {
            error += add_gradient(block, moved, &mut gradient);
        }
        (error, gradient)
    };
    let sums = parallel::map(&groups, threads, || (), of_group);
    let count = examples.len().max(1) as f64;
    let mut total = (0.0, vec![[0.0_f64; 2]; moved.len()]);
    for (error, gradient) in sums {
        total.0 += error / count;
        for (sum, part) in total.1.as_flattened_mut().iter_mut().zip(gradient.as_flattened()) {
            *sum += f64::from(*part) / count;
        }
    }
    total
}

/// Blocks that one thread adds up at once.
const GROUP: usize = 8;

/// Adds a block's gradient; returns its squared errors.
fn add_gradient(block: &SlopeBlock, moved: &[[f32; 2]], gradient: &mut [[f32; 2]]) -> f64 {
    let mut squares = 0.0;
    for place in 0..block.values.len() {
        let (pairs, slopes) = block.row(place);
        let (expected, error) = judged(block, place, moved);
        squares += f64::from(error * error);
        let pull = 2.0 * error * expected * (1.0 - expected) * block.scales[place];
        for (&pair, slopes) in pairs.iter().zip(slopes) {
            let both = &mut gradient[usize::from(pair)];
            both[0] += pull * slopes[0];
            both[1] += pull * slopes[1];
        }
    }
    squares
}

/// White's expected score in a position, and its error against the target.
#[inline]
pub(super) fn judged(block: &SlopeBlock, place: usize, moved: &[[f32; 2]]) -> (f32, f32) {
    let (pairs, slopes) = block.row(place);
    let value = block.values[place] + added(pairs, slopes, moved);
    let expected = 1.0 / (1.0 + (-block.scales[place] * value).exp());
    (expected, expected - block.targets[place])
}

/// What the moved weights add to a value. Several parallel sums: no addition waits for the one
/// before it.
#[inline]
fn added(pairs: &[u16], slopes: &[[f32; 2]], moved: &[[f32; 2]]) -> f32 {
    const SIDE_BY_SIDE: usize = 4;
    let mut sums = [[0.0_f32; 2]; SIDE_BY_SIDE];
    let (pairs, pairs_left) = pairs.as_chunks::<SIDE_BY_SIDE>();
    let (slopes, slopes_left) = slopes.as_chunks::<SIDE_BY_SIDE>();
    let mut add = |sum: usize, pair: u16, slopes: &[f32; 2]| {
        let moved = moved[usize::from(pair)];
        sums[sum][0] += moved[0] * slopes[0];
        sums[sum][1] += moved[1] * slopes[1];
    };
    for (pairs, slopes) in pairs.iter().zip(slopes) {
        for sum in 0..SIDE_BY_SIDE {
            add(sum, pairs[sum], &slopes[sum]);
        }
    }
    for (&pair, slopes) in pairs_left.iter().zip(slopes_left) {
        add(0, pair, slopes);
    }
    sums.as_flattened().iter().sum()
}

fn errors_of(examples: &Examples, moved: &[[f32; 2]], threads: NonZeroUsize) -> f64 {
    let of_block = |(): &mut (), block: &SlopeBlock| {
        let square = |place| f64::from(judged(block, place, moved).1.powi(2));
        (0..block.values.len()).map(square).sum::<f64>()
    };
    let squares = parallel::map(&examples.0, threads, || (), of_block);
    squares.iter().sum::<f64>() / examples.len().max(1) as f64
}

#[cfg(test)]
mod tests;
