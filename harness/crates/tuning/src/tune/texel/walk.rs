//! Adam's walk down the gradient of all positions, until those held out gain no more.

use std::num::NonZeroUsize;

use process::parallel;
use process::progress::Progress;

use super::fit::Fitting;
use super::pairs::PhasePairs;
use super::slopes::{Examples, SlopeBlock};

/// A weight that may move, in its own unit.
#[derive(Debug, Clone, Copy)]
pub struct FreeWeight {
    /// Where it stands, and where the slopes are taken.
    pub at: f64,
    /// The least and the greatest value.
    pub ends: [f64; 2],
    /// What is little for it.
    pub step: f64,
    /// Where the penalty draws it to.
    pub anchor: f64,
}

#[derive(Debug, Clone)]
pub struct Walked {
    /// How far each weight has moved.
    pub moved: Vec<f32>,
    /// Epochs until then.
    pub epochs: usize,
    /// Mean error of the fitted positions at the start and there.
    pub errors: [f64; 2],
    /// The same of the positions held out.
    pub held_out_errors: [f64; 2],
}

/// Walks to the weights that are best for the positions held out. The number of threads changes no
/// bit of the result.
pub fn walk(
    [fitted, held_out]: &[Examples; 2],
    pairs: &PhasePairs,
    weights: &[FreeWeight],
    fitting: &Fitting,
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Walked {
    let counts = fitted.met(pairs).into_iter().map(|met| met > 0).collect();
    let mut walk = AdamWalk::new(weights, fitting, counts);
    let mut found: Option<Walked> = None;
    let mut first = [0.0; 2];
    for epoch in 0..=fitting.epochs {
        let moved = pairs.paired(&walk.moved);
        let (error, gradient) = gradient(fitted, &moved, threads);
        let held = errors_of(held_out, &moved, threads);
        if epoch == 0 {
            first = [error, held];
        }
        if found.as_ref().is_none_or(|best| held < best.held_out_errors[1]) {
            found = Some(Walked {
                moved: walk.moved.clone(),
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
    let nothing = vec![0.0; weights.len()];
    found.unwrap_or(Walked { moved: nothing, epochs: 0, errors: first, held_out_errors: first })
}

/// Adam's walk, in the weights' unit from where they started.
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

    fn new<'a>(weights: &[FreeWeight], fitting: &'a Fitting, counts: Vec<bool>) -> AdamWalk<'a> {
        let count = weights.len();
        AdamWalk {
            fitting,
            counts,
            moved: vec![0.0; count],
            before: weights.iter().map(|weight| weight.at - weight.anchor).collect(),
            steps: weights.iter().map(|weight| weight.step).collect(),
            room: weights
                .iter()
                .map(|weight| weight.ends.map(|end| (end - weight.at) as f32))
                .collect(),
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

pub(super) fn errors_of(examples: &Examples, moved: &[[f32; 2]], threads: NonZeroUsize) -> f64 {
    let of_block = |(): &mut (), block: &SlopeBlock| {
        let square = |place| f64::from(judged(block, place, moved).1.powi(2));
        (0..block.values.len()).map(square).sum::<f64>()
    };
    let squares = parallel::map(&examples.0, threads, || (), of_block);
    squares.iter().sum::<f64>() / examples.len().max(1) as f64
}
