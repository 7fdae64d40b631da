//! `verdict tune`: numbers of the engine fitted to games.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::choices::one_of;
use super::clop::ClopArgs;
use super::numbers::{number, positive};
use super::spsa::SpsaArgs;
use super::texel_trace::{self, TraceFlags};
use super::verify::VerifyFlags;
use super::{DONE, clop, folders, print, print_json, spsa};
use crate::screen::ProgressLine;
use arena::output_folder::{self, Owner};
use arena::player::spec::{PlayerSpec, embedded_params};
use arena::record::{GAMES_FILE, GAMES_ZST_FILE};
use process::{Context as _, Error, parallel};
use serde_json::Value;
use tuning::tune::texel::fit::{Anchor, Fitting};
use tuning::tune::texel::sample::Sampling;
use tuning::tune::texel::{self, TexelPlan, report};

/// Tune an engine: evaluation weights to games (texel), any parameters or options by games (spsa, clop).
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict tune texel results/2026-11-22-a-match --out tuned")]
pub struct TuneArgs {
    #[command(subcommand)]
    method: Method,
}

#[derive(Debug, Subcommand)]
enum Method {
    Texel(Box<TexelArgs>),
    Spsa(Box<SpsaArgs>),
    Clop(Box<ClopArgs>),
}

/// Fit evaluation weights to the results of games (Texel's method).
///
/// Takes quiet positions from runs, from PGN files, or from lists of positions. A line of a list is
/// FEN | score | result (as by `verdict export --as training`), FEN | result, or an EPD followed by
/// c9 "1-0"; or by [0.5]. Minimizes the mean squared error between result and sigmoid(evaluation)
/// by gradient descent, until the error of the validation set stops falling. Writes the tuned
/// personality (tuned.json), the old and new value of each weight (weights.md) and the settings
/// (texel.json). Play a match to see whether it is stronger.
///
/// For other engines: --trace takes what the engine writes of its evaluation, a line for each
/// position: FEN or GAME/POSITION; result; index:count index:count …, and --coefficients their names and
/// start values. Counts are White's less Black's, results White's. See the documentation on tuning.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict tune texel results/*-v-default --out tuned\n  \
    verdict match --base embedded:default --test embedded:tuned/tuned.json --pairs 1000 --nodes 5000\n  \
    verdict tune texel --trace trace.txt.zst --coefficients names.txt --out tuned")]
struct TexelArgs {
    /// Folders of runs, tournaments and sweeps, PGN files, lists of positions; files may be compressed.
    #[arg(required_unless_present_any = ["traces", "fleet"], value_name = "SOURCE")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    trace: TraceFlags,
    /// Start values of the weights: embedded[:personality][,param=value…].
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "embedded:default",
        conflicts_with = "traces"
    )]
    from: PlayerSpec,
    /// Weights to fit, separated by commas; * matches any text [default: all linear weights].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "traces")]
    weights: Vec<String>,
    /// Folder of the results, new or empty.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Share of the game's result in the target, 0 to 1. The rest is the score that the player reported
    /// (in PGN: in the comments).
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share, conflicts_with = "traces")]
    lambda: f64,
    /// Validation set: the games of one opening in N; of a list, one block of 1,024 lines in N; of a trace,
    /// one GAME in N, or one block of 1,024 lines (fewer in a short trace). The fit stops when the error of the
    /// validation set stops falling.
    #[arg(long, value_name = "N", default_value = "10")]
    held_out: NonZeroUsize,
    /// Use the games of these sources, or these traces, as validation set instead.
    #[arg(long, value_name = "SOURCE", num_args = 1.., conflicts_with = "held_out")]
    validate: Vec<PathBuf>,
    #[command(flatten)]
    verify: VerifyFlags,
    /// Recompute the gradients N times. More than once helps only non-linear weights.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "traces")]
    rounds: NonZeroUsize,
    /// Maximum epochs per round.
    #[arg(long, value_name = "N", default_value_t = Fitting::default().epochs)]
    epochs: usize,
    /// Positions after which the weights move, about; an epoch is a pass over all [default: all].
    #[arg(long, value_name = "N")]
    batch: Option<NonZeroUsize>,
    /// Learning rate: about how far a weight moves at most each time, in steps. A step is that of the
    /// parameter table; with --trace it is 0.01 / K, which is 2 centipawns at a --scale of 0.005.
    #[arg(long, value_name = "STEPS", default_value_t = Fitting::default().rate, value_parser = positive)]
    rate: f64,
    /// L2 regularisation towards --l2-to (with --trace towards the start values): WEIGHT times the squared
    /// distance of each weight, in steps as of --rate. Weights that no position uses stay unchanged.
    #[arg(long, value_name = "WEIGHT", default_value_t = Fitting::default().l2, value_parser = not_negative)]
    l2: f64,
    /// Target of the L2 regularisation.
    #[arg(long, value_name = "VALUES", value_parser = one_of::<Anchor>(), default_value_t, conflicts_with = "traces")]
    l2_to: Anchor,
    /// Threads [default: all processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    told: TexelOutput,
    /// Of the words that play games.
    #[arg(long, value_name = "AT", num_args = 0..=1, hide = true)]
    fleet: Option<Option<String>>,
}

/// What a fit prints.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct TexelOutput {
    /// Print the content of texel.json instead of text.
    #[arg(long)]
    json: bool,
    /// Print no progress.
    #[arg(long)]
    pub(super) quiet: bool,
}

impl TexelOutput {
    pub(super) fn print(
        self,
        out: &Path,
        settings: impl FnOnce() -> Value,
        summary: impl FnOnce() -> String,
    ) -> Result<u8, Error> {
        match self.json {
            true => print_json(&settings())?,
            false => print(format_args!("{}written    {}\n", summary(), out.display()))?,
        }
        Ok(DONE)
    }
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=1.0).contains(&share), "a share from 0 to 1")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0 && number.is_finite(), "a number not below 0")
}

pub fn run(args: TuneArgs) -> Result<u8, Error> {
    let args = match args.method {
        Method::Texel(args) => *args,
        Method::Spsa(args) => return spsa::run(*args),
        Method::Clop(args) => return clop::run(*args),
    };
    if args.fleet.is_some() {
        return Err(Error::usage(
            "--fleet: tune texel plays no games, so there is nothing to hand out; it uses all processors of this \
             machine (--threads)",
        ));
    }
    output_folder::refuse(&args.out, Owner::New)?;
    let fitted = if args.trace.is_given() { args.trace.files() } else { &args.runs };
    refuse_shared(fitted, &args.validate)?;
    let fitting = Fitting {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        l2: args.l2,
        l2_to: args.l2_to,
        ..Fitting::default()
    };
    if args.trace.is_given() {
        let (held_out, threads) = (args.held_out, parallel::threads(args.threads));
        let plan = args.trace.plan(args.validate, held_out, fitting, threads)?;
        return texel_trace::run(plan, &args.out, args.told);
    }
    let PlayerSpec::Embedded { personality, parameters } = &args.from else {
        return Err(Error::usage(
            "--from: expected embedded[:personality][,param=value…]; only the embedded engine has \
             weights to fit",
        ));
    };
    let params = embedded_params(personality, parameters).context("--from")?;
    let [runs, validate] = [sources(&args.runs)?, sources(&args.validate)?];
    args.verify.check(&runs)?;
    args.verify.check(&validate)?;
    let plan = TexelPlan {
        runs,
        validate,
        params,
        patterns: args.weights,
        sampling: Sampling { held_out: args.held_out, lambda: args.lambda, ..Sampling::default() },
        fitting,
        rounds: args.rounds,
        threads: parallel::threads(args.threads),
    };
    let tuned =
        with_folder(&args.out, || texel::run(&plan, &ProgressLine::new("games", args.told.quiet)))?;
    report::write(&args.out, &plan, &tuned)?;
    args.told.print(&args.out, || report::json(&plan, &tuned), || report::summary(&tuned))
}

/// What is fitted says nothing about where to stop.
fn refuse_shared(fitted: &[PathBuf], validate: &[PathBuf]) -> Result<(), Error> {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let fitted: Vec<PathBuf> = fitted.iter().map(|path| real(path)).collect();
    match validate.iter().find(|path| fitted.contains(&real(path))) {
        Some(path) => Err(Error::usage(format!(
            "--validate {}: expected sources that are not fitted, too; without --validate a part of them is held \
             out",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// Makes the folder before the fit, which takes long: one that cannot be made would lose it. After an
/// error a new folder is removed.
pub(super) fn with_folder<T>(
    out: &Path,
    fit: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    let is_new = !out.exists();
    fs::create_dir_all(out).context(out.display())?;
    let fitted = fit();
    if is_new && fitted.is_err() {
        // Others may have put something there meanwhile: then it stays.
        let _ = fs::remove_dir(out);
    }
    fitted
}

/// The given files, and the runs in the given folders. A journal is replaced by its run.
pub(super) fn sources(given: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::with_capacity(given.len());
    for path in given {
        let is_journal = [GAMES_FILE, GAMES_ZST_FILE].iter().any(|name| path.ends_with(name));
        let run = path.parent().filter(|_| is_journal);
        let run = run.map(|run| if run.as_os_str().is_empty() { Path::new(".") } else { run });
        all.extend(folders::runs_in(run.unwrap_or(path))?);
    }
    Ok(all)
}
