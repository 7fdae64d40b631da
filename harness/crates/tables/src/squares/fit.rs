//! Tables from what standing there was worth: logistic regression of results on squares.
//!
//! For each phase on its own, White's score in a game is explained by the men on the board of one
//! of its quiet positions: by their numbers (White minus Black: what a man is worth), by who is to
//! move, and by the squares the men stand on, White's and Black's merged by turning the board
//! upside down. Squares are held near 0 by a penalty on their squared values, so that what few
//! positions say counts for little. Newton's method finds the one best fit.

use std::num::NonZeroUsize;

use super::super::count::pst::Phase;
use super::super::count::sample::{PositionSample, SampledPosition};
use super::SquareTables;
use process::parallel;
use stats::dense::Square as Matrix;

/// Five roles' worth, White's advantage, that of the side to move; then six roles' squares.
const OTHERS: usize = 7;
const SIZE: usize = OTHERS + 6 * 64;
/// Fixed, so that the order of additions does not depend on the number of threads.
const PARTS: usize = 16;
/// Steps at most; Newton's method needs far fewer.
const MOST_STEPS: usize = 50;
/// Newton's method stops when no weight moves by more; in logits.
const CLOSE_ENOUGH: f64 = 1e-9;
/// Fewer positions of a phase are refused.
const LEAST_POSITIONS: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitPlan {
    /// The weight of the penalty: a square's value is drawn to 0 as strongly as by so many
    /// positions with an even result.
    pub ridge: f64,
    /// It is the middle game while both sides' pieces together exceed this.
    pub phase_limit: i32,
    pub threads: NonZeroUsize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FittedTables {
    /// In 1/256 of the pawn of their phase.
    pub tables: SquareTables,
    /// Worth of pawn, knight, bishop, rook, queen in each phase, in its pawns.
    pub worth: [[f64; 5]; 2],
    /// By phase.
    pub positions: [usize; 2],
    /// By phase, the mean squared difference between score and forecast; and with the mean score as
    /// the forecast.
    pub error: [(f64, f64); 2],
}

/// Fails when the sample does not determine the tables.
pub fn fit(sample: &PositionSample, plan: &FitPlan) -> Result<FittedTables, String> {
    let all = sample.sorted();
    let mut weights = Vec::new();
    let (mut positions, mut error) = ([0; 2], [(0.0, 0.0); 2]);
    for phase in Phase::ALL {
        let of_phase: Vec<SampledPosition> = all
            .iter()
            .copied()
            .filter(|position| phase_of(*position, plan.phase_limit) == phase)
            .collect();
        if of_phase.len() < LEAST_POSITIONS {
            return Err(format!(
                "{} sampled positions of the {phase}, expected at least {LEAST_POSITIONS}",
                of_phase.len()
            ));
        }
        let found = newton(&of_phase, plan)
            .ok_or_else(|| format!("no single fit of the {phase}: expected a greater ridge"))?;
        if found[0] < 1e-3 {
            return Err(format!(
                "in the {phase} a pawn more does not score better: there is no unit for the tables"
            ));
        }
        positions[phase as usize] = of_phase.len();
        error[phase as usize] = errors(&of_phase, &found);
        weights.push(found);
    }
    let worth: Vec<[f64; 5]> = weights
        .iter()
        .map(|weights| std::array::from_fn(|role| weights[role] / weights[0]))
        .collect();
    let meaning =
        "1/256 pawn of the phase: how much better men scored on a square than elsewhere, \
                   colours merged"
            .to_owned();
    let tables = SquareTables::new(meaning, |phase, role, square| {
        let weights = &weights[phase as usize];
        (256.0 * weights[OTHERS + role * 64 + square] / weights[0]).round() as i32
    });
    Ok(FittedTables { tables, worth: [worth[0], worth[1]], positions, error })
}

fn phase_of(position: SampledPosition, limit: i32) -> Phase {
    const WORTH: [i32; 6] = [0, 3, 3, 5, 9, 0];
    let pieces: i32 = position.men().map(|(man, _)| WORTH[man % 6]).sum();
    if pieces > limit { Phase::Middlegame } else { Phase::Endgame }
}

/// The features of a position that are not 0, with their indices.
fn features(position: SampledPosition, out: &mut Vec<(usize, f64)>) {
    out.clear();
    let mut worth = [0.0; 5];
    for (man, square) in position.men() {
        let (role, black) = (man % 6, man >= 6);
        let sign = if black { -1.0 } else { 1.0 };
        if role < 5 {
            worth[role] += sign;
        }
        let square = usize::from(square) ^ if black { 56 } else { 0 };
        out.push((OTHERS + role * 64 + square, sign));
    }
    out.extend(worth.into_iter().enumerate().filter(|(_, number)| *number != 0.0));
    out.push((5, 1.0));
    out.push((6, if position.is_blacks() { -1.0 } else { 1.0 }));
    out.sort_unstable_by_key(|&(place, _)| place);
    // Men of both sides on a square and its mirror image cancel.
    let mut unique = 0;
    for index in 0..out.len() {
        if unique > 0 && out[unique - 1].0 == out[index].0 {
            out[unique - 1].1 += out[index].1;
        } else {
            out[unique] = out[index];
            unique += 1;
        }
    }
    out.truncate(unique);
    out.retain(|(_, number)| *number != 0.0);
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Gradient and curvature of the likelihood.
fn slopes(positions: &[SampledPosition], weights: &[f64]) -> (Vec<f64>, Matrix) {
    let (mut gradient, mut curvature) = (vec![0.0; SIZE], Matrix::new(SIZE));
    let mut numbers = Vec::new();
    for &position in positions {
        features(position, &mut numbers);
        let logit: f64 = numbers.iter().map(|&(place, number)| weights[place] * number).sum();
        let forecast = logistic(logit);
        let (miss, weight) = (position.score() - forecast, forecast * (1.0 - forecast));
        for (index, &(place, number)) in numbers.iter().enumerate() {
            gradient[place] += miss * number;
            for &(other, second) in &numbers[..=index] {
                curvature.add(place, other, weight * number * second);
            }
        }
    }
    (gradient, curvature)
}

/// The weights of the greatest penalized likelihood.
fn newton(positions: &[SampledPosition], plan: &FitPlan) -> Option<Vec<f64>> {
    let mut weights = vec![0.0; SIZE];
    let parts: Vec<&[SampledPosition]> =
        positions.chunks(positions.len().div_ceil(PARTS).max(1)).collect();
    // A position with an even score has a curvature of a quarter.
    let ridge = plan.ridge / 4.0;
    for _ in 0..MOST_STEPS {
        let sums = parallel::map(&parts, plan.threads, || (), |(), part| slopes(part, &weights));
        let (mut gradient, mut curvature) = (vec![0.0; SIZE], Matrix::new(SIZE));
        for (part_gradient, part_curvature) in &sums {
            for (sum, part) in gradient.iter_mut().zip(part_gradient) {
                *sum += part;
            }
            for row in 0..SIZE {
                for (column, part) in part_curvature.row(row)[..=row].iter().enumerate() {
                    curvature.add(row, column, *part);
                }
            }
        }
        for place in 0..SIZE {
            // A man's worth may be anything; what no position shows stays at 0.
            let penalty = if place < OTHERS { 1e-6 } else { ridge };
            gradient[place] -= penalty * weights[place];
            curvature.add(place, place, penalty);
        }
        let inverse = curvature.inverse()?;
        let step: Vec<f64> = (0..SIZE)
            .map(|row| inverse.row(row).iter().zip(&gradient).map(|(a, b)| a * b).sum())
            .collect();
        for (weight, step) in weights.iter_mut().zip(&step) {
            // Far from the solution a full step may overshoot.
            *weight += step.clamp(-1.0, 1.0);
        }
        if step.iter().all(|step| step.abs() < CLOSE_ENOUGH) {
            break;
        }
    }
    weights.iter().all(|weight| weight.is_finite()).then_some(weights)
}

fn errors(positions: &[SampledPosition], weights: &[f64]) -> (f64, f64) {
    let count = positions.len() as f64;
    let mean = positions.iter().map(|position| position.score()).sum::<f64>() / count;
    let mut numbers = Vec::new();
    let (mut with, mut without) = (0.0, 0.0);
    for &position in positions {
        features(position, &mut numbers);
        let logit: f64 = numbers.iter().map(|&(place, number)| weights[place] * number).sum();
        with += (position.score() - logistic(logit)).powi(2);
        without += (position.score() - mean).powi(2);
    }
    (with / count, without / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::RandomWords;

    /// Positions with kings, some pawns and knights, and results drawn with known worths: a pawn 0.5
    /// logits, a knight 1.5, and 0.4 more on e5 (Black's on e4).
    fn drawn(count: usize) -> PositionSample {
        let mut words = RandomWords::new(b"a fit of squares", 5, 0);
        let mut sample = PositionSample::new(count);
        for number in 0..count {
            let mut men: Vec<(u32, u128)> = vec![(4, 5), (60, 11)];
            let mut logit = 0.0;
            for (man, worth, most, range) in
                [(0, 0.5, 4, 8..56), (6, -0.5, 4, 8..56), (1, 1.5, 2, 0..64), (7, -1.5, 2, 0..64)]
            {
                for _ in 0..words.below(most + 1) {
                    let square = range.start + words.below(range.end - range.start);
                    if men.iter().all(|(other, _)| *other != square) {
                        men.push((square, man));
                        logit += worth;
                        logit += match (man, square) {
                            (1, 36) => 0.4,
                            (7, 28) => -0.4,
                            _ => 0.0,
                        };
                    }
                }
            }
            // Queens decide the phase, and cancel.
            if number % 2 == 0 {
                for (square, man) in [(3, 4), (59, 10), (2, 4), (58, 10)] {
                    if men.iter().all(|(other, _)| *other != square) {
                        men.push((square, man));
                        logit += if man == 4 { 4.0 } else { -4.0 };
                    }
                }
            }
            men.sort_unstable();
            let won = f64::from(words.below(1 << 20)) / f64::from(1 << 20) < logistic(logit);
            sample.add(SampledPosition {
                priority: number as u64,
                occupied: men.iter().map(|(square, _)| 1_u64 << square).sum(),
                men: men.iter().rev().fold(0, |all, (_, man)| all << 4 | man),
                black: number % 3 == 0,
                points: if won { 2 } else { 0 },
            });
        }
        sample
    }

    fn plan(threads: usize) -> FitPlan {
        let threads = NonZeroUsize::new(threads).expect("positive");
        FitPlan { ridge: 10.0, phase_limit: 17, threads }
    }

    #[test]
    fn known_worths_are_found() {
        let sample = drawn(60_000);
        let fitted = fit(&sample, &plan(2)).expect("a fit");
        let knight = fitted.worth[1][1];
        assert!((knight - 3.0).abs() < 0.3, "{:?}", fitted.worth);
        let table = fitted.tables.table(Phase::Endgame, 1);
        let e5 = f64::from(table[36]) / 256.0;
        assert!((e5 - 0.8).abs() < 0.4, "{table:?}");
        assert!(table.iter().all(|&value| value <= table[36]), "{table:?}");
        assert!(fitted.error[1].0 < fitted.error[1].1);
        assert_eq!(fit(&sample, &plan(1)), Ok(fitted), "threads make no difference");
    }

    #[test]
    fn too_little_is_told() {
        let error = fit(&drawn(1500), &plan(1)).expect_err("750 of each phase");
        assert!(error.starts_with("750 sampled positions of the middlegame"), "{error}");
    }
}
