//! `verdict ledger`: many runs together.

mod rule;
mod years;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::report::check_page;
use super::{DONE, print, print_json};
use crate::ledger::{Ledger, LedgerOptions, TESTS_A_YEAR, alpha_text};
use arena::plan::parse::share;
use arena::record::atomic;
use process::terminal::window_width;
use process::{Context as _, Error};

pub(super) use rule::{AskedRule, rule};

const MOST_TESTS: u64 = 1_000_000;

/// Add up many runs: what was tried and accepted, how much of it is false, and what it was worth.
///
/// A run is a test of a change when two versions of one program (by the first word of its name) played under
/// one limit. Folders are searched with all that they hold; each run counts once. Tournaments, tuners'
/// games, candidates of sweeps and A/A tests are no tests; what is left out is listed with its reason.
///
/// Accepted gains are added up as measured, which is too high, and as estimated from all tests together,
/// the rejected ones too (empirical Bayes). The false-discovery rate over the series is controlled by
/// e-values (e-LOND).
#[derive(Debug, Clone, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    before_help = "Example:\n  verdict ledger results/ --check results/2026-12-31-year\n  \
        verdict match --rule anytime=ledger ...\n  verdict ledger simulate --world spiked"
)]
pub struct LedgerArgs {
    #[command(subcommand)]
    word: Option<LedgerCommand>,

    /// Folders of runs, or folders that contain runs.
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,

    /// A match of the newest version against the oldest; its Elo is compared with the sum.
    #[arg(long, value_name = "RUN")]
    check: Option<PathBuf>,

    /// Leave out a folder and all that it holds. May be repeated.
    #[arg(long, value_name = "DIR")]
    without: Vec<PathBuf>,

    #[command(flatten)]
    fdr: FdrFlags,

    /// Print only the probability of error that is left for the next test, for `--rule anytime=`.
    #[arg(long, conflicts_with_all = ["json", "markdown", "html"])]
    alpha_left: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,

    /// Print Markdown instead of text.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// Also write a page with a chart.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
struct FdrFlags {
    /// False-discovery rate: the share of discoveries that may be no gains, on average. A rule takes the same
    /// as anytime=ledger,fdr=PERCENT.
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = fdr)]
    fdr: f64,

    /// Tests that you plan, about: the first N share half of the false-discovery rate, all later ones the
    /// other half. A rule takes the same as anytime=ledger,tests=N.
    #[arg(long, value_name = "N", default_value_t = TESTS_A_YEAR, value_parser = tests)]
    tests: u64,
}

fn fdr(text: &str) -> Result<f64, String> {
    let share = share(text)?;
    if share > 0.0 && share < 0.5 {
        Ok(share)
    } else {
        Err("expected a percentage above 0% and below 50%".to_owned())
    }
}

fn tests(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST_TESTS).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST_TESTS}"))
}

#[derive(Debug, Clone, Subcommand)]
enum LedgerCommand {
    Simulate(years::YearsArgs),
}

pub fn run(args: &LedgerArgs) -> Result<u8, Error> {
    if let Some(LedgerCommand::Simulate(args)) = &args.word {
        return years::run(args);
    }
    args.html.as_deref().map_or(Ok(()), check_page)?;
    for dir in args.dirs.iter().chain(&args.without) {
        std::fs::read_dir(dir).context(format!("{}: cannot read", dir.display()))?;
    }
    let options = LedgerOptions {
        check: args.check.clone(),
        without: args.without.clone(),
        fdr: args.fdr.fdr,
        tests_a_year: args.fdr.tests,
    };
    let ledger = Ledger::read(&args.dirs, &options)?;
    if args.alpha_left {
        print(alpha_text(ledger.fdr.level_for_a_rule()) + "\n")?;
        return Ok(DONE);
    }
    if args.json {
        print_json(&ledger.json())?;
    } else if args.markdown {
        print(ledger.page().markdown())?;
    } else {
        print(ledger.page().plain(window_width()))?;
    }
    if let Some(out) = &args.html {
        atomic::replace_by(out, ledger.html())?;
    }
    Ok(DONE)
}
