//! The scale of an evaluation, and whether it has the viewpoint of the results.

use process::Error;

use super::super::slopes::{Examples, SlopeBlock};
use super::super::targets::expected;

/// Where a scale is looked for, by natural logarithm.
const SCALES: [f64; 2] = [-16.0, 3.0];
/// Standard errors below which the evaluations are taken for those of the other side.
const OPPOSITE: f64 = -4.0;
/// Standard errors above which they are taken to tell something of the results.
const TELLING: f64 = 2.0;

/// How the evaluations before the fit agree with the results.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agreement {
    /// The sum of value times (result − ½), in standard errors; the positions of a game count as one.
    /// 0 if all evaluations are 0.
    deviations: f64,
}

impl Agreement {
    /// `games` has each position's game, those of one side by side.
    pub(super) fn of(examples: &Examples, games: &[u32]) -> Agreement {
        let blocks = examples.0.iter();
        let values = blocks.flat_map(|block| block.values.iter().zip(&block.targets));
        let (mut sum, mut squares, mut of_game) = (0.0, 0.0, 0.0_f64);
        let mut last = None;
        for ((value, target), game) in values.zip(games) {
            if last != Some(game) {
                squares += of_game * of_game;
                (of_game, last) = (0.0, Some(game));
            }
            let product = f64::from(*value) * (f64::from(*target) - 0.5);
            of_game += product;
            sum += product;
        }
        squares += of_game * of_game;
        Agreement { deviations: if squares > 0.0 { sum / squares.sqrt() } else { 0.0 } }
    }

    /// Fails where White wins what the evaluations call lost.
    pub(super) fn refuse_opposite(self) -> Result<(), Error> {
        if self.deviations > OPPOSITE {
            return Ok(());
        }
        Err(Error::input_output(format!(
            "the evaluations before the fit have the opposite sign of the results ({:.1} standard errors below \
             0): expected counts of White's less Black's and White's results, whoever is to move; where the \
             counts are right, the start values have the wrong sign: start those at 0, with --scale K",
            self.deviations
        )))
    }
}

/// The scale under which the values predict the results best (golden-section search).
pub(super) fn scale_of(examples: &Examples, agreement: Agreement) -> Result<f64, Error> {
    let unknown = |why: &str| {
        Error::usage(format!(
            "{why}, so their scale is not known: expected --scale K, like 0.005 for centipawns"
        ))
    };
    if examples.0.iter().flat_map(|block| &block.values).all(|&value| value == 0.0) {
        return Err(unknown("all evaluations are 0 before the fit"));
    }
    if agreement.deviations < TELLING {
        return Err(unknown(
            "the evaluations before the fit tell nothing of the results (are the counts White's less Black's, \
             whoever is to move?)",
        ));
    }
    let error = |logarithm: f64| mean_error(&examples.0, logarithm.exp());
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let [mut low, mut high] = SCALES;
    while high - low > 1e-5 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if error(left) < error(right) {
            high = right;
        } else {
            low = left;
        }
    }
    let found = f64::midpoint(low, high);
    if SCALES.iter().any(|end| (end - found).abs() < 1e-3) {
        return Err(unknown("no scale of the evaluations before the fit is the best one"));
    }
    Ok(found.exp())
}

fn mean_error(blocks: &[SlopeBlock], scale: f64) -> f64 {
    let squares = |block: &SlopeBlock| -> f64 {
        let each = block.values.iter().zip(&block.targets);
        each.map(|(value, target)| {
            (expected(scale * f64::from(*value)) - f64::from(*target)).powi(2)
        })
        .sum()
    };
    let count: usize = blocks.iter().map(|block| block.values.len()).sum();
    blocks.iter().map(squares).sum::<f64>() / count.max(1) as f64
}
