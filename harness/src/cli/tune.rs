//! `verdict tune`: numbers of the engine fitted to games.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::verify::VerifyFlags;
use super::{DONE, INPUT_OUTPUT, WRONG_USAGE, clop, clop::ClopArgs, folders, spsa, spsa::SpsaArgs};
use crate::occupied::{self, Owner};
use crate::parallel;
use crate::player::spec::{PlayerSpec, embedded_params};
use crate::record::{GAMES_FILE, GAMES_ZST_FILE};
use crate::screen::ProgressLine;
use crate::tune::texel::{
    self, TexelError, TexelPlan,
    fit::{Anchor, Fitting},
    report,
    sample::Sampling,
};

/// Fit numbers of the engine.
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
/// Takes quiet positions from the games of runs or of PGN files, or from lists of positions with their
/// games' results (FEN | score | result as `verdict export --as training` writes them, FEN | result, EPD with
/// c9 "1-0"; or [0.5]), finds by trial what each weight adds to each, and
/// walks down the gradient of the mean squared error until games that were held out gain no more.
/// Writes a personality to play with (tuned.json), each weight old and new (weights.md), and how it
/// was done (texel.json). Whether the result plays better, a match must say.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict tune texel results/*-v-default --out tuned\n  \
    verdict match --base embedded:default --test embedded:tuned/tuned.json --pairs 1000 --nodes 5000")]
struct TexelArgs {
    /// Folders of runs, tournaments and sweeps, PGN files and lists of positions, packed or not.
    #[arg(required = true, value_name = "SOURCE")]
    runs: Vec<PathBuf>,
    /// Where the weights start: embedded[:personality][,param=value…].
    #[arg(long, value_name = "PLAYER", default_value = "embedded:default")]
    from: PlayerSpec,
    /// Weights to fit, * for any letters, several parted by commas [default: all linear ones].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
    /// The folder of the results, a new one.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Part of the target that is the game's result, 0 to 1; the rest is the players' scores: those of
    /// runs and lists, and in the comments of PGN.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    lambda: f64,
    /// Hold out all games of one opening in so many, to see when to stop; of lists one of so many blocks of
    /// 1,024 lines.
    #[arg(long, value_name = "N", default_value = "10")]
    held_out: NonZeroUsize,
    /// Hold out the games of these instead.
    #[arg(long, value_name = "SOURCE", num_args = 1..)]
    validate: Vec<PathBuf>,
    #[command(flatten)]
    verify: VerifyFlags,
    /// How often slopes are taken anew: more than once only helps weights that are not linear.
    #[arg(long, value_name = "N", default_value = "1")]
    rounds: NonZeroUsize,
    /// Most walks over all positions in a round.
    #[arg(long, value_name = "N", default_value_t = Fitting::default().epochs)]
    epochs: usize,
    /// How far a weight goes in one walk, in steps of the parameter table.
    #[arg(long, value_name = "STEPS", default_value_t = Fitting::default().rate, value_parser = positive)]
    rate: f64,
    /// How strongly weights are drawn to the values that --l2-to says: by so much times the squared
    /// distance of each in steps. Weights that count in no position stay where they are.
    #[arg(long, value_name = "WEIGHT", default_value_t = Fitting::default().l2, value_parser = not_negative)]
    l2: f64,
    /// What weights are drawn to.
    #[arg(long, value_name = "VALUES", value_enum, default_value_t)]
    l2_to: Anchor,
    /// Threads [default: the processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    threads: Option<NonZeroUsize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=1.0).contains(&share), "a share from 0 to 1")
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "a number above 0")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0 && number.is_finite(), "a number not below 0")
}

fn number(text: &str, good: impl Fn(f64) -> bool, wanted: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number| good(number)).ok_or_else(|| format!("expected {wanted}"))
}

/// Runs `verdict tune`; returns the exit code.
///
/// # Errors
/// When the folder is not free, standard output cannot be written, or as `spsa::run` and `clop::run`.
pub fn run(args: TuneArgs) -> anyhow::Result<u8> {
    let args = match args.method {
        Method::Texel(args) => *args,
        Method::Spsa(args) => return spsa::run(*args),
        Method::Clop(args) => return clop::run(*args),
    };
    occupied::refuse(&args.out, Owner::New)?;
    let PlayerSpec::Embedded { personality, parameters } = &args.from else {
        return Ok(wrong_usage("--from: only the embedded engine has weights to fit"));
    };
    let params = match embedded_params(personality, parameters) {
        Ok(params) => params,
        Err(error) => return Ok(wrong_usage(&format!("--from: {error}"))),
    };
    let [runs, validate] = [sources(&args.runs)?, sources(&args.validate)?];
    args.verify.check(&runs)?;
    args.verify.check(&validate)?;
    let plan = TexelPlan {
        runs,
        validate,
        params,
        patterns: args.weights,
        sampling: Sampling { held_out: args.held_out, lambda: args.lambda, ..Sampling::default() },
        fitting: Fitting {
            epochs: args.epochs,
            rate: args.rate,
            l2: args.l2,
            l2_to: args.l2_to,
            ..Fitting::default()
        },
        rounds: args.rounds,
        threads: parallel::threads(args.threads),
    };
    // Before the fit, which takes long: a folder that cannot be made would lose it.
    let is_new = !args.out.exists();
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let tuned = match texel::run(&plan, &ProgressLine::new("games", args.quiet)) {
        Ok(tuned) => tuned,
        Err(error) => {
            if is_new {
                // Others may have put something there meanwhile: then it stays.
                let _ = fs::remove_dir(&args.out);
            }
            tell!("error: {error}");
            return Ok(if matches!(error, TexelError::Cells(_)) {
                WRONG_USAGE
            } else {
                INPUT_OUTPUT
            });
        }
    };
    report::write(&args.out, &plan, &tuned)?;
    let text = format!("{}written    {}\n", report::summary(&tuned), args.out.display());
    std::io::stdout().write_all(text.as_bytes()).context("cannot write to standard output")?;
    Ok(DONE)
}

/// Files, and the runs that folders are or hold; a journal stands for its run.
fn sources(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::with_capacity(given.len());
    for path in given {
        let is_journal = [GAMES_FILE, GAMES_ZST_FILE].iter().any(|name| path.ends_with(name));
        let run = path.parent().filter(|_| is_journal);
        let run = run.map(|run| if run.as_os_str().is_empty() { Path::new(".") } else { run });
        all.extend(folders::runs_in(run.unwrap_or(path))?);
    }
    Ok(all)
}

fn wrong_usage(message: &str) -> u8 {
    tell!("error: {message}");
    WRONG_USAGE
}
