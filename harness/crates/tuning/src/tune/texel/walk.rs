//! Adam's walk down the gradient of batches of positions, or of all, until those held out gain no more.

use std::num::NonZeroUsize;

use process::parallel;
use process::progress::Progress;

use super::fit::Fitting;
use super::pairs::PhasePairs;
use super::slopes::{BLOCK, Examples, SlopeBlock};
use pgn::RandomWords;

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
    let mut deck = Deck::new(fitted, fitting.batch);
    let error = |set, moved: &[f32]| errors_of(set, &pairs.paired(moved), threads);
    let start = vec![0.0; weights.len()];
    let [error_before, held_out_before] = [fitted, held_out].map(|set| error(set, &start));
    let (mut moved, mut held_out_after, mut epochs) = (start, held_out_before, 0);
    for epoch in 1..=fitting.epochs {
        let steps = deck.steps(epoch);
        // Where the walk was in the middle of the epoch: single steps stray.
        let mut mean = vec![0.0; weights.len()];
        for slices in &steps {
            let gradient = gradient(slices, &pairs.paired(&walk.moved), threads);
            walk.step(pairs.by_cell(&gradient));
            for (mean, moved) in mean.iter_mut().zip(&walk.moved) {
                *mean += moved / steps.len() as f32;
            }
        }
        let held = error(held_out, &mean);
        if held < held_out_after {
            (moved, held_out_after, epochs) = (mean, held, epoch);
        }
        progress.advance(1);
        if epoch - epochs >= fitting.patience {
            break;
        }
    }
    let errors = [error_before, error(fitted, &moved)];
    Walked { moved, epochs, errors, held_out_errors: [held_out_before, held_out_after] }
}

/// Every so many positions of a block, from one on.
#[derive(Debug, Clone, Copy)]
struct Slice<'a> {
    block: &'a SlopeBlock,
    first: usize,
    stride: usize,
}

impl Slice<'_> {
    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        (self.first..self.block.values.len()).step_by(self.stride)
    }
}

/// Positions of a slice, where a step does not take all positions: few enough that a step is made of
/// slices from many blocks, since the positions of a block are often from the same games.
const SLICE: usize = 256;

/// The positions to fit, to be dealt out to the steps of an epoch.
struct Deck<'a> {
    slices: Vec<Slice<'a>>,
    steps: usize,
}

impl<'a> Deck<'a> {
    const PURPOSE: &'static [u8; 16] = b"batches of a fit";

    fn new(examples: &'a Examples, batch: Option<NonZeroUsize>) -> Deck<'a> {
        let count = examples.len();
        let batch = batch.map_or(count, NonZeroUsize::get).clamp(1, count.max(1));
        let stride = if batch < count { BLOCK.div_ceil(SLICE.min(batch)) } else { 1 };
        let of_block = |block| (0..stride).map(move |first| Slice { block, first, stride });
        let slices: Vec<Slice<'a>> = examples.0.iter().flat_map(of_block).collect();
        Deck { steps: count.div_ceil(batch).clamp(1, slices.len().max(1)), slices }
    }

    /// The slices of each step of an epoch, in another order than in the epochs before.
    fn steps(&mut self, epoch: usize) -> Vec<&[Slice<'a>]> {
        if self.steps > 1 {
            let mut chance = RandomWords::new(Deck::PURPOSE, 0, epoch as u64);
            for place in (1..self.slices.len()).rev() {
                let other = chance.below(u32::try_from(place + 1).unwrap_or(u32::MAX));
                self.slices.swap(place, other as usize);
            }
        }
        let end = |step: usize| step * self.slices.len() / self.steps;
        (0..self.steps).map(|step| &self.slices[end(step)..end(step + 1)]).collect()
    }
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
    steps_made: i32,
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
            steps_made: 0,
        }
    }

    fn step(&mut self, gradient: impl Iterator<Item = f64>) {
        let Fitting { rate, l2, .. } = *self.fitting;
        self.steps_made += 1;
        let correction = [Self::BETA_1, Self::BETA_2].map(|beta| 1.0 - beta.powi(self.steps_made));
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

/// The gradient of the mean error.
fn gradient(slices: &[Slice<'_>], moved: &[[f32; 2]], threads: NonZeroUsize) -> Vec<[f64; 2]> {
    let groups: Vec<&[Slice<'_>]> = slices.chunks(GROUP).collect();
    let of_group = |(): &mut (), group: &&[Slice<'_>]| {
        let mut gradient = vec![[0.0_f32; 2]; moved.len()];
        for slice in *group {
            add_gradient(slice, moved, &mut gradient);
        }
        gradient
    };
    let sums = parallel::map(&groups, threads, || (), of_group);
    let count = slices.iter().map(|slice| slice.places().count()).sum::<usize>().max(1) as f64;
    let mut total = vec![[0.0_f64; 2]; moved.len()];
    for gradient in sums {
        for (sum, part) in total.as_flattened_mut().iter_mut().zip(gradient.as_flattened()) {
            *sum += f64::from(*part) / count;
        }
    }
    total
}

/// Slices that one thread adds up at once.
const GROUP: usize = 8;

fn add_gradient(slice: &Slice<'_>, moved: &[[f32; 2]], gradient: &mut [[f32; 2]]) {
    let block = slice.block;
    for place in slice.places() {
        let (pairs, slopes) = block.row(place);
        let (expected, error) = judged(block, place, moved);
        let pull = 2.0 * error * expected * (1.0 - expected) * block.scales[place];
        for (&pair, slopes) in pairs.iter().zip(slopes) {
            let both = &mut gradient[usize::from(pair)];
            both[0] += pull * slopes[0];
            both[1] += pull * slopes[1];
        }
    }
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
