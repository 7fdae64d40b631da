//! Texel's method: evaluation weights are fitted so that the evaluation of quiet positions tells
//! how their games ended.
//!
//! The way of the data:
//!
//! ```text
//! source (runs, PGN, lists) ─► sample (quiet positions) ─► slopes (what each weight adds) ─► fit ─► report
//! ```
//!
//! The [`cells`] are those of the parameter table, so every weight the evaluation has can be
//! fitted, tables square by square. What a weight adds to a position's value is found by moving it
//! and looking again ([`slopes`]): exact where the value is linear in the weight, a tangent
//! elsewhere, which a further round takes anew.

mod batches;
pub mod cells;
pub mod errors;
mod eval_comment;
pub mod fit;
mod games;
mod king_cells;
pub mod pairs;
pub mod parts;
pub mod report;
pub mod sample;
pub mod slopes;
pub(crate) mod source;
pub mod targets;
pub mod trace;
pub mod walk;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use engine::Params;
use process::Error;
use process::progress::Progress;

pub(crate) use batches::GameLine;
use cells::Cells;
use errors::errors;
use fit::{Fitted, Fitting};
use pairs::PhasePairs;
use parts::{FamilyError, Judged, PhaseErrors};
use sample::{Sampled, Sampling};
use slopes::Examples;

#[derive(Debug, Clone)]
pub struct TexelPlan {
    /// Run folders, PGN files and lists of positions.
    pub runs: Vec<PathBuf>,
    /// Held out to see when to stop; empty: a part of `runs`.
    pub validate: Vec<PathBuf>,
    /// Where the weights start.
    pub params: Params,
    /// Names of weights, `*` matches any text; empty: every linear weight.
    pub patterns: Vec<String>,
    pub sampling: Sampling,
    pub fitting: Fitting,
    /// How often the slopes are computed.
    pub rounds: NonZeroUsize,
    pub threads: NonZeroUsize,
}

#[derive(Debug)]
pub struct Tuned {
    /// The free weights, with their values at the start.
    pub cells: Cells,
    pub sampled: Sampled,
    /// By source: an advantage of `v` (1/256 pawn) has the expected score 1 / (1 + e^(−scale · v)).
    pub scales: Vec<f64>,
    pub rounds: Vec<Fitted>,
    /// Mean squared error of the evaluation itself, before and after, of the positions held out.
    pub held_out_errors: [f64; 2],
    /// The same of the fitted positions.
    pub errors: [f64; 2],
    /// The same of both by phase of the game.
    pub phases: Vec<PhaseErrors>,
    /// What each changed family of weights does for the positions held out.
    pub families: Vec<FamilyError>,
    /// In how many fitted positions each cell counted.
    pub met: Vec<u32>,
    /// Half the width of each cell's 95 % interval, see [`errors::errors`].
    pub errors95: Vec<Option<f64>>,
    pub params: Params,
}

/// The least number of positions.
const LEAST: usize = 100;

/// Fails when a source cannot be read, no such weights exist, or there are too few positions.
pub fn run(plan: &TexelPlan, progress: &dyn Progress) -> Result<Tuned, Error> {
    let cells = Cells::matching(&plan.params, &plan.patterns)?;
    let start = Arc::new(plan.params.clone());
    progress.begin("reading games", None);
    let TexelPlan { runs, validate, sampling, threads, .. } = plan;
    let sampled = sample::sample(runs, validate, &start, sampling, *threads, progress)?;
    let (fitted, held_out) = (&sampled.fitted, &sampled.held_out);
    if fitted.len().min(held_out.len()) < LEAST {
        let sources = plan.runs.iter().chain(&plan.validate).map(|path| path.display().to_string());
        let skipped = sampled.skipped_words().map_or(String::new(), |words| format!("; {words}"));
        return Err(Error::input_output(format!(
            "{}: {} quiet positions to fit and {} held out, expected at least {LEAST} of both; games are \
             held out by their openings and lists in blocks of 1,024 lines: another --held-out, or \
             --validate SOURCE, holds out others{skipped}",
            sources.collect::<Vec<_>>().join(", "),
            fitted.len(),
            held_out.len()
        )));
    }
    let values = [fitted, held_out].map(|list| slopes::values(list, &start, plan.threads));
    let sources = sampled.games.len();
    // A scale is fitted, too; only a source that is all held out needs the held-out positions for
    // it.
    let is_fitted: HashSet<u16> = fitted.iter().map(|sample| sample.source).collect();
    let lists = [fitted, held_out];
    let scales_of = |numbers: [&[f32]; 2], expected: [&[f32]; 2]| {
        let of = |set: usize| {
            let numbers = numbers[set].iter().zip(expected[set]);
            lists[set].iter().zip(numbers).map(|(sample, (&n, &to))| (sample.source, n, to))
        };
        let only = of(1).filter(|(source, ..)| !is_fitted.contains(source));
        targets::scales(of(0).chain(only), sources)
    };
    let lambda = plan.sampling.lambda;
    let score_scales = if lambda < 1.0 {
        let scores = lists.map(|list| list.iter().map(|sample| sample.score).collect::<Vec<_>>());
        let results = lists.map(|list| list.iter().map(|sample| sample.result).collect::<Vec<_>>());
        scales_of([&scores[0], &scores[1]], [&results[0], &results[1]])
    } else {
        vec![0.0; sources]
    };
    let expected = lists.map(|list| targets::expected_scores(list, &score_scales, lambda));
    let scales = scales_of([&values[0], &values[1]], [&expected[0], &expected[1]]);
    let targets = [0, 1].map(|set| targets::targets(lists[set], &expected[set], &scales));
    let error_of =
        |values: &[Vec<f32>; 2], set: usize| targets::mean_error(&values[set], &targets[set]);
    let (values_before, before) = (&values, [error_of(&values, 0), error_of(&values, 1)]);

    let mut params = plan.params.clone();
    let mut rounds = Vec::new();
    let (mut met, mut errors95) = (Vec::new(), Vec::new());
    let games: Vec<u32> = fitted.iter().map(|sample| sample.game).collect();
    for round in 1..=plan.rounds.get() {
        let here = Arc::new(params.clone());
        let examples: [Examples; 2] = std::array::from_fn(|set| {
            let list = [fitted, held_out][set];
            let what = format!("round {round}: slopes of {} positions", list.len());
            progress.begin(&what, Some(list.len() as u64));
            slopes::examples(list, &targets[set], &cells, &here, plan.threads, progress)
        });
        progress.begin(&format!("round {round}: fitting"), Some(plan.fitting.epochs as u64));
        let found = fit::fit(&examples, &cells, &here, &plan.fitting, plan.threads, progress);
        cells.put(&found.values, &mut params);
        met = examples[0].met(&PhasePairs::of(&cells));
        if round == plan.rounds.get() {
            let at = cells.values(&here);
            let of = (&examples[0], &games[..]);
            errors95 = errors(of, &cells, [&at, &found.values], &plan.fitting, plan.threads);
        }
        rounds.push(found);
    }
    let tuned = Arc::new(params.clone());
    let values = [fitted, held_out].map(|list| slopes::values(list, &tuned, plan.threads));
    let after = [error_of(&values, 0), error_of(&values, 1)];
    let phases = parts::by_phase(&[0, 1].map(|set| Judged {
        samples: lists[set],
        targets: &targets[set],
        values: [&values_before[set], &values[set]],
    }));
    let families = parts::by_family(&cells, &start, &params, |without| {
        let values = slopes::values(held_out, &Arc::new(without), plan.threads);
        targets::mean_error(&values, &targets[1])
    });
    Ok(Tuned {
        phases,
        families,
        cells,
        scales,
        rounds,
        errors: [before[0], after[0]],
        held_out_errors: [before[1], after[1]],
        met,
        errors95,
        params,
        sampled,
    })
}
