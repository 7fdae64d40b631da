//! Texel's method for any engine, from the trace that the engine writes of its evaluation.
//!
//! A trace has a line for each position: `FEN or id; result; index:count index:count …`, and behind
//! a further `;` what the evaluation adds beside the coefficients. Counts are White's less Black's;
//! the evaluation is the sum of count times coefficient. A tapered coefficient has an index for the
//! middle game and one for the end game, with the count times the share of each phase. A second
//! file names the coefficients, with their values before the fit.

mod coefficients;
mod lines;
mod report;
mod scale;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use process::Error;
use process::progress::Progress;

pub use coefficients::{Coefficient, Coefficients};
pub use lines::{TraceLine, read_line};
pub use report::{settings, summary, write};

use self::lines::Split;
use self::scale::{Agreement, scale_of};
use super::errors::errors_at;
use super::fit::Fitting;
use super::pairs::PhasePairs;
use super::walk::{FreeWeight, Walked, walk};

/// The least number of positions.
const LEAST: usize = 100;
/// Lines without games that are held out together: neighbours are often from one game.
const BLOCK: u64 = 1024;
/// Blocks held out of a trace that is too short for such large ones.
const SHORT_BLOCKS: u64 = 4;
/// A step of the fit changes a score of one half by a four-hundredth.
const STEP: f64 = 0.01;

#[derive(Debug, Clone)]
pub struct TracePlan {
    pub traces: Vec<PathBuf>,
    /// Held out to see when to stop; empty: a part of `traces`.
    pub validate: Vec<PathBuf>,
    pub coefficients: Coefficients,
    /// One game in so many is held out; of lines without games one block of 1,024 lines, or of fewer if
    /// there are few lines.
    pub held_out: NonZeroUsize,
    /// An evaluation `v` has the expected score 1 / (1 + e^(−scale · v)); `None`: the scale under
    /// which the values before the fit predict the results best.
    pub scale: Option<f64>,
    pub fitting: Fitting,
    pub threads: NonZeroUsize,
}

#[derive(Debug, Clone)]
pub struct TracedFit {
    pub scale: f64,
    /// By coefficient.
    pub values: Vec<f64>,
    /// Half the width of each one's 95 % interval.
    pub errors95: Vec<Option<f64>>,
    /// In how many fitted positions each counts.
    pub met: Vec<u32>,
    /// Fitted and held out.
    pub positions: [usize; 2],
    /// Lines without games that were held out together.
    pub block: u64,
    /// Known by their ids; a position without one counts as a game.
    pub games: usize,
    pub epochs: usize,
    /// Mean squared error of the fitted positions, before and after.
    pub errors: [f64; 2],
    pub held_out_errors: [f64; 2],
}

/// Fails when a trace cannot be read, has an index that is no coefficient's, or too few positions.
pub fn run(plan: &TracePlan, progress: &dyn Progress) -> Result<TracedFit, Error> {
    let names: Vec<String> =
        plan.coefficients.0.iter().map(|coefficient| coefficient.name.clone()).collect();
    let pairs = PhasePairs::of_names(&names);
    let mut block = BLOCK;
    let Split { fitted, held_out, .. } = loop {
        progress.begin("reading traces", None);
        let split = read(plan, &pairs, block, progress)?;
        let smaller = (split.lines() / (SHORT_BLOCKS * plan.held_out.get() as u64)).max(1);
        let is_short = split.held_out.examples.len() < LEAST && split.alone > 0;
        if !(is_short && plan.validate.is_empty() && smaller < block) {
            break split;
        }
        block = smaller;
    };
    let (games, count) = (fitted.games, fitted.count);
    let positions = [fitted.examples.len(), held_out.examples.len()];
    if positions.into_iter().any(|count| count < LEAST) {
        let traces = plan.traces.iter().map(|path| path.display().to_string());
        return Err(Error::input_output(format!(
            "{}: {} positions to fit and {} held out, expected at least {LEAST} of both; another --held-out, \
             or --validate TRACE, holds out others",
            traces.collect::<Vec<_>>().join(", "),
            positions[0],
            positions[1]
        )));
    }
    let agreement = Agreement::of(&fitted.examples, &games);
    agreement.refuse_opposite()?;
    let scale = match plan.scale {
        Some(scale) => scale,
        None => scale_of(&fitted.examples, agreement)?,
    };
    let mut examples = [fitted.examples, held_out.examples];
    for block in examples.iter_mut().flat_map(|set| &mut set.0) {
        block.scales.fill(scale as f32);
    }
    let weights = free(&plan.coefficients, scale);
    progress.begin("fitting", Some(plan.fitting.epochs as u64));
    let Walked { moved, epochs, errors, held_out_errors } =
        walk(&examples, &pairs, &weights, &plan.fitting, plan.threads, progress);
    let each = weights.iter().zip(&moved);
    let values: Vec<f64> = each.map(|(weight, moved)| weight.at + f64::from(*moved)).collect();
    let errors95 = errors_at(
        (&examples[0], &games),
        &pairs,
        (&weights, &values),
        plan.fitting.l2,
        plan.threads,
    );
    let met = examples[0].met(&pairs);
    Ok(TracedFit {
        scale,
        values,
        errors95,
        met,
        positions,
        block,
        games: count,
        epochs,
        errors,
        held_out_errors,
    })
}

/// All positions, with blocks of so many lines.
fn read<'a>(
    plan: &'a TracePlan,
    pairs: &'a PhasePairs,
    block: u64,
    progress: &dyn Progress,
) -> Result<Split<'a>, Error> {
    let mut split = Split::new(&plan.coefficients, pairs, block);
    for path in &plan.traces {
        let held_out = plan.validate.is_empty().then_some(plan.held_out.get() as u64);
        split.read(path, held_out, progress)?;
    }
    for path in &plan.validate {
        split.read(path, Some(1), progress)?;
    }
    Ok(split)
}

/// The coefficients as the fit moves them; the penalty draws them to where they stand.
fn free(coefficients: &Coefficients, scale: f64) -> Vec<FreeWeight> {
    let weight = |coefficient: &Coefficient| FreeWeight {
        at: coefficient.start,
        ends: coefficient.ends,
        step: STEP / scale,
        anchor: coefficient.start,
    };
    coefficients.0.iter().map(weight).collect()
}

#[cfg(test)]
mod tests;
