//! Errors of fitted weights.
//!
//! The walk ends where positions held out gain no more, mostly before the least error of those
//! fitted. So an interval has two parts: how far a Newton step would still go, to the weights at
//! which error and penalty together are least; and the spread of those, by the sandwich covariance
//! of a penalised least-squares fit. In it the positions of one game count as one observation,
//! since they share its result, and the penalty as what it says: that weights lie about so far from
//! what they are drawn to.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::cells::Cells;
use super::fit::{Fitting, free};
use super::pairs::PhasePairs;
use super::slopes::Examples;
use super::walk::{FreeWeight, judged};
use crate::dot;
use process::parallel;
use stats::Z95;
use stats::dense::Square;

/// No errors from fewer games.
const LEAST: usize = 30;
/// No errors of more weights: the time grows with the cube of their number.
const MOST: usize = 4096;
/// Parts summed separately: a fixed number, so that the number of threads changes no bit of a sum.
const PARTS: usize = 4;

/// As [`errors_at`], of cells of the parameter table, in 1/256 pawn.
pub fn errors(
    examples: (&Examples, &[u32]),
    cells: &Cells,
    [at, values]: [&[i32]; 2],
    fitting: &Fitting,
    threads: NonZeroUsize,
) -> Vec<Option<f64>> {
    let (pairs, free) = (PhasePairs::of(cells), free(cells, at, fitting));
    let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
    errors_at(examples, &pairs, (&free, &values), fitting.l2, threads)
}

/// Half the width of each weight's 95 % interval at `values`, of which the slopes of `examples` were
/// taken where the weights stand; `games` has each position's game, those of one side by side; `l2`
/// is the penalty. `None` for weights that count in no position, and for all where there are fewer
/// than 30 games or more than 4,096 weights, or the positions do not tell the weights apart.
pub fn errors_at(
    (examples, games): (&Examples, &[u32]),
    pairs: &PhasePairs,
    (weights, values): (&[FreeWeight], &[f64]),
    l2: f64,
    threads: NonZeroUsize,
) -> Vec<Option<f64>> {
    let met = examples.met(pairs);
    let known: Vec<usize> = (0..weights.len()).filter(|&cell| met[cell] > 0).collect();
    let mut errors = vec![None; weights.len()];
    let ranges = games_of(games);
    if ranges.len() < LEAST || known.len() > MOST {
        return errors;
    }
    let moved = values.iter().zip(weights).map(|(to, weight)| (to - weight.at) as f32);
    let moved: Vec<f32> = moved.collect();
    let fit = Derivatives {
        examples,
        moved: pairs.paired(&moved),
        places: places(pairs, &known, weights.len()),
        size: known.len(),
    };
    let parts: Vec<&[Range<usize>]> = ranges.chunks(ranges.len().div_ceil(PARTS)).collect();
    let mut sums = NormalEquations::new(fit.size);
    for part in parallel::map(&parts, threads, || (), |(), games| fit.sums(games)) {
        sums.add(&part);
    }
    // The fit's penalty beside the mean of the squares, here their sum; of both the half.
    let count = examples.len() as f64;
    let penalties = known.iter().map(|&cell| count * l2 / weights[cell].step.powi(2));
    let penalties: Vec<f64> = penalties.collect();
    for (place, (&cell, &penalty)) in known.iter().zip(&penalties).enumerate() {
        sums.curvature.add(place, place, penalty);
        sums.pull[place] += penalty * (values[cell] - weights[cell].anchor);
    }
    let NormalEquations { curvature, pull, off } = sums;
    let Some(inverse) = curvature.inverse() else { return errors };
    let squares = parallel::map(&parts, threads, || (), |(), games| fit.squares(games, &inverse));
    let few = ranges.len() as f64 / (ranges.len() - 1) as f64;
    for (place, &cell) in known.iter().enumerate() {
        let row = inverse.row(place);
        let rest = dot(row, &pull);
        let of_games = squares.iter().map(|part| part[place]).sum::<f64>() * few;
        let of_penalty: f64 = row.iter().zip(&penalties).map(|(cell, by)| cell * cell * by).sum();
        errors[cell] = Some(rest.abs() + Z95 * (of_games + of_penalty * off / count).sqrt());
    }
    errors
}

/// Sums over positions.
struct NormalEquations {
    /// Half the second derivative of the squared errors (Gauss and Newton).
    curvature: Square,
    /// Half the first derivative.
    pull: Vec<f64>,
    /// The squared errors.
    off: f64,
}

impl NormalEquations {
    fn new(size: usize) -> NormalEquations {
        NormalEquations { curvature: Square::new(size), pull: vec![0.0; size], off: 0.0 }
    }

    fn add(&mut self, part: &NormalEquations) {
        self.curvature.add_all(&part.curvature);
        self.pull.iter_mut().zip(&part.pull).for_each(|(sum, part)| *sum += part);
        self.off += part.off;
    }
}

/// The positions of each game.
fn games_of(games: &[u32]) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |game: &[u32]| {
        end += game.len();
        end - game.len()..end
    };
    games.chunk_by(|a, b| a == b).map(range).collect()
}

/// By pair and half: the index of its cell among the known ones.
fn places(pairs: &PhasePairs, known: &[usize], cells: usize) -> Vec<[Option<usize>; 2]> {
    let mut places = vec![[None; 2]; pairs.count()];
    for cell in 0..cells {
        let (pair, half) = pairs.place(cell as u16);
        places[usize::from(pair)][half] = known.binary_search(&cell).ok();
    }
    places
}

struct Derivatives<'a> {
    examples: &'a Examples,
    moved: Vec<[f32; 2]>,
    places: Vec<[Option<usize>; 2]>,
    size: usize,
}

impl Derivatives<'_> {
    /// The derivatives of a position's expected score by the weights; returns its error.
    fn row(&self, position: usize, row: &mut Vec<(usize, f64)>) -> f64 {
        let (block, place) = self.examples.position(position);
        let (expected, off) = judged(block, place, &self.moved);
        let pull = f64::from(expected * (1.0 - expected) * block.scales[place]);
        let (pairs, slopes) = block.row(place);
        row.clear();
        for (&pair, slopes) in pairs.iter().zip(slopes) {
            for (place, &slope) in self.places[usize::from(pair)].iter().zip(slopes) {
                if let Some(place) = *place
                    && slope != 0.0
                {
                    row.push((place, pull * f64::from(slope)));
                }
            }
        }
        f64::from(off)
    }

    fn sums(&self, games: &[Range<usize>]) -> NormalEquations {
        let mut sums = NormalEquations::new(self.size);
        let mut row = Vec::new();
        for position in games.iter().cloned().flatten() {
            let off = self.row(position, &mut row);
            sums.off += off * off;
            for &(first, a) in &row {
                sums.pull[first] += off * a;
                for &(second, b) in &row {
                    sums.curvature.add(first, second, a * b);
                }
            }
        }
        sums
    }

    /// For each weight, the sum over games of the squared pull of the game.
    fn squares(&self, games: &[Range<usize>], inverse: &Square) -> Vec<f64> {
        let mut squares = vec![0.0; self.size];
        let mut pull = vec![0.0; self.size];
        let mut row = Vec::new();
        for game in games {
            let mut touched: Vec<usize> = Vec::new();
            for position in game.clone() {
                let off = self.row(position, &mut row);
                for &(place, slope) in &row {
                    pull[place] += off * slope;
                    touched.push(place);
                }
            }
            touched.sort_unstable();
            touched.dedup();
            let mut shift = vec![0.0; self.size];
            for place in touched {
                let pull = std::mem::take(&mut pull[place]);
                let column = inverse.row(place);
                shift.iter_mut().zip(column).for_each(|(sum, cell)| *sum += pull * cell);
            }
            squares.iter_mut().zip(&shift).for_each(|(sum, shift)| *sum += shift * shift);
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use engine::Params;
    use process::progress::Unseen;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

    use super::super::fit::fit;
    use super::super::slopes::SlopeBlock;
    use super::super::targets::Target;
    use super::*;

    const SCALE: f32 = 0.01;
    /// Positions of a game, all of one result.
    const OF_A_GAME: usize = 5;

    /// Games whose results are drawn by what the weights make of them, moved from the start by
    /// `true_values`.
    fn drawn(true_values: &[f32], cells: &Cells, games: usize, seed: u64) -> Examples {
        let pairs = PhasePairs::of(cells);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // 0 to 1.
        let mut chance = move || random.next_u32() as f32 / u32::MAX as f32;
        let mut examples = Examples(Vec::new());
        let mut block = SlopeBlock::default();
        for _ in 0..games {
            let slopes: Vec<(u16, f32)> =
                (0..cells.0.len()).map(|cell| (cell as u16, 4.0 * chance() - 2.0)).collect();
            let value: f32 =
                slopes.iter().zip(true_values).map(|((_, slope), by)| slope * by).sum();
            let expected = 1.0 / (1.0 + (-SCALE * value).exp());
            let result = if chance() < expected { 1.0 } else { 0.0 };
            for _ in 0..OF_A_GAME {
                block.push(0.0, Target { expected: result, scale: SCALE }, &slopes, &pairs);
                if block.is_full() {
                    examples.0.push(std::mem::take(&mut block));
                }
            }
        }
        examples.0.push(block);
        examples
    }

    /// The true weights are within the errors as often as these say.
    #[test]
    fn errors_keep_their_word() {
        let params = Params::default();
        let cells = Cells::matching(&params, &["material.*".to_owned()]).unwrap();
        let start = cells.values(&params);
        let true_values: Vec<f32> =
            (0..cells.0.len()).map(|cell| cell as f32 * 20.0 - 40.0).collect();
        let fitting = Fitting { epochs: 300, rate: 0.5, l2: 0.0, ..Fitting::default() };
        let games: Vec<u32> = (0..400 * OF_A_GAME).map(|n| (n / OF_A_GAME) as u32).collect();
        let threads = NonZeroUsize::MIN;
        let (mut within, mut all) = (0, 0);
        for seed in 0..60 {
            let examples = drawn(&true_values, &cells, 400, seed);
            // Held out is the same: the walk goes to its end.
            let both = [examples, drawn(&true_values, &cells, 400, seed)];
            let values = fit(&both, &cells, &params, &fitting, threads, &Unseen).values;
            let of = (&both[0], &games[..]);
            let errors = errors(of, &cells, [&start, &values], &fitting, threads);
            for ((value, start), (truth, error)) in
                values.iter().zip(&start).zip(true_values.iter().zip(&errors))
            {
                let off = f64::from((value - start) as f32 - truth);
                within += usize::from(off.abs() <= error.unwrap());
                all += 1;
            }
        }
        // 95 % of 300, whose spread is 1.3 %.
        let share = f64::from(within as u32) / f64::from(all);
        assert!((0.91..=0.985).contains(&share), "{within} of {all}");
    }

    #[test]
    fn few_games_say_nothing() {
        let params = Params::default();
        let cells = Cells::matching(&params, &["material.*".to_owned()]).unwrap();
        let start = cells.values(&params);
        let examples = drawn(&vec![0.0; cells.0.len()], &cells, 29, 1);
        let games: Vec<u32> = (0..29 * OF_A_GAME).map(|n| (n / OF_A_GAME) as u32).collect();
        let of = (&examples, &games[..]);
        let at = [&start[..], &start[..]];
        let found = errors(of, &cells, at, &Fitting::default(), NonZeroUsize::MIN);
        assert!(found.iter().all(Option::is_none));
    }
}
