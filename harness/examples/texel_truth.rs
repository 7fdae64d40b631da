//! Texel's method on a known truth: quiet positions of real games, whose results are drawn by what
//! weights make of them that are known, some way from where the fit starts. Prints a line of a table:
//! how far the fit comes, and how often the true weights are within the errors that it states.
//!
//! `texel_truth RUN SEEDS [LIMIT]`: a run's folder, how often it is done, most positions taken.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use engine::Params;
use process::parallel;
use process::progress::Unseen;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use tuning::tune::texel::cells::Cells;
use tuning::tune::texel::fit::{Anchor, Fitting};
use tuning::tune::texel::sample::{Sampling, sample};
use tuning::tune::texel::{TexelPlan, Tuned, run, slopes};

/// Half a pawn is worth 0.59: an ordinary scale, by 1/256 pawn.
const SCALE: f64 = 0.003;
/// A true weight lies at most so many steps of the parameter table from the start.
const STEPS: i32 = 6;
/// Weights that count in fewer positions are left out of the account.
const LEAST: u32 = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(games), Some(seeds)) = (words.next(), words.next()) else {
        return Err("expected: texel_truth RUN SEEDS [LIMIT]".into());
    };
    let seeds: u64 = seeds.parse()?;
    let limit: usize = words.next().map_or(Ok(usize::MAX), |limit| limit.parse())?;
    let threads = parallel::threads(None);
    let start = Params::standard();
    let sampled = sample(
        &[games.into()],
        &[],
        &Arc::new(start.clone()),
        &Sampling::default(),
        threads,
        &Unseen,
    )?;
    let mut positions = [sampled.fitted, sampled.held_out].concat();
    positions.truncate(limit);

    let cells = Cells::matching(&start, &[])?;
    let dir = std::env::temp_dir().join(format!("texel-truth-{}", std::process::id()));
    fs::create_dir_all(&dir)?;
    let mut sum = Account::default();
    for seed in 1..=seeds {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut truth = start.clone();
        let far = |cell: &tuning::tune::texel::cells::Weight, random: &mut ChaCha8Rng| {
            let steps = (random.next_u32() % (2 * STEPS as u32 + 1)) as i32 - STEPS;
            cell.allowed(f64::from(cell.start + steps * cell.spec.step))
        };
        let values: Vec<i32> = cells.0.iter().map(|cell| far(cell, &mut random)).collect();
        cells.put(&values, &mut truth);
        let worth = slopes::values(&positions, &Arc::new(truth.clone()), threads);
        let mut list = String::new();
        for (position, value) in positions.iter().zip(worth) {
            let expected = 1.0 / (1.0 + (-SCALE * f64::from(value)).exp());
            let won = f64::from(random.next_u32()) < expected * f64::from(u32::MAX);
            writeln!(list, "{} | {}", position.fen, if won { "1.0" } else { "0.0" })?;
        }
        let path = dir.join("list");
        fs::write(&path, list)?;
        sum.add(&run(&plan(path, start.clone(), threads), &Unseen)?, &truth);
    }
    fs::remove_dir_all(&dir)?;
    println!("{}", sum.line(positions.len()));
    Ok(())
}

fn plan(list: PathBuf, params: Params, threads: NonZeroUsize) -> TexelPlan {
    TexelPlan {
        runs: vec![list],
        validate: Vec::new(),
        params,
        patterns: Vec::new(),
        sampling: Sampling::default(),
        fitting: Fitting { l2_to: Anchor::Start, ..Fitting::default() },
        rounds: NonZeroUsize::MIN,
        threads,
    }
}

/// What all fits together have shown.
#[derive(Default)]
struct Account {
    fits: u32,
    weights: u32,
    within: u32,
    /// Sums of squared distances from the truth, in steps: of the start, of what was found.
    squares: [f64; 2],
    /// Sums of errors of what is held out: before and after.
    held_out: [f64; 2],
}

impl Account {
    fn add(&mut self, tuned: &Tuned, truth: &Params) {
        self.fits += 1;
        for (sum, error) in self.held_out.iter_mut().zip(tuned.held_out_errors) {
            *sum += error;
        }
        // Weights and scale are known only as their product.
        let by = tuned.scales.iter().copied().fold(0.0, f64::max) / SCALE;
        let cells = tuned.cells.0.iter().zip(tuned.met.iter().zip(&tuned.errors95));
        for (cell, (_, &error)) in cells.filter(|(_, (met, _))| **met >= LEAST) {
            let Some(error) = error else { continue };
            let at = |params: &Params| f64::from(cell.spec.get(params, cell.index));
            let (found, truth) = (by * at(&tuned.params), at(truth));
            let step = f64::from(cell.spec.step);
            self.weights += 1;
            self.within += u32::from((found - truth).abs() <= by * error);
            self.squares[0] += ((f64::from(cell.start) - truth) / step).powi(2);
            self.squares[1] += ((found - truth) / step).powi(2);
        }
    }

    fn line(&self, positions: usize) -> String {
        let root = |sum: f64| (sum / f64::from(self.weights.max(1))).sqrt();
        let mean = |sum: f64| sum / f64::from(self.fits.max(1));
        format!(
            "| {positions} | {} | {} | {:.2} → {:.2} | {} of {} ({:.1} %) | {:.6} → {:.6} |",
            self.fits,
            self.weights / self.fits.max(1),
            root(self.squares[0]),
            root(self.squares[1]),
            self.within,
            self.weights,
            100.0 * f64::from(self.within) / f64::from(self.weights.max(1)),
            mean(self.held_out[0]),
            mean(self.held_out[1]),
        )
    }
}
