//! `verdict ledger simulate`: years of tests whose truth is known.

use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::json;

use super::super::numbers::at_most;
use super::super::{DONE, print};
use super::FdrFlags;
use crate::screen::style;
use charts::page::{Page, PageTable};
use process::terminal::window_width;
use process::{Error, parallel};
use stats::{Pentanomial, Rule, World, YearRule, Years, YearsFound, simulate_years};

/// More than anybody waits for.
const MOST: u64 = 1_000_000_000;

/// Simulate years of tests with known effects: how far the sums are off, how often the interval holds the
/// truth, and how many acceptances are false.
#[derive(Debug, Clone, Args)]
#[command(
    before_help = "Example:\n  verdict ledger simulate --world spiked,harmful --rule sprt=0,5"
)]
pub(super) struct YearsArgs {
    /// What the changes are like: ordinary (mean 0, deviation 3 Elo), spiked (7 of 10 do nothing, else
    /// deviation 5), heavy (Student's t, 3 degrees, times 2), harmful (mean -3, deviation 3), lucky (1 of 20 gains 10 ± 3,
    /// the others lose 1 ± 1) [default: all].
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',')]
    world: Vec<World>,
    /// Stopping rule of all tests, or ledger (or anytime=ledger): anytime at what the false-discovery
    /// rate leaves.
    #[arg(
        long = "rule",
        value_name = "RULE",
        default_value = "sprt=0,5",
        allow_hyphen_values = true
    )]
    rules: Vec<Named>,
    /// Years per world and rule.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = at_most::<MOST>)]
    years: NonZeroU64,
    /// Largest number of pairs per test.
    #[arg(long, value_name = "N", default_value = "20000", value_parser = at_most::<MOST>)]
    max_pairs: NonZeroU64,
    /// Check the rule every N pairs. Smaller is slower.
    #[arg(long, value_name = "N", default_value = "100")]
    every: NonZeroU64,
    #[command(flatten)]
    fdr: FdrFlags,
    /// Pentanomial distribution of equal engines; it is shifted to each effect.
    #[arg(long, value_name = "LL,LD,DD,WD,WW", default_value = "10,15,50,15,10")]
    shape: Pentanomial,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads [default: all processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    threads: Option<NonZeroUsize>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

/// A rule and what it is called.
#[derive(Debug, Clone)]
struct Named {
    name: String,
    rule: YearRule,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        if ["ledger", "anytime=ledger"].contains(&text) {
            return Ok(Named { name: "ledger".to_owned(), rule: YearRule::Ledger });
        }
        if text.starts_with("anytime=ledger") {
            return Err(
                "expected ledger alone: a simulation reads no folder, and --fdr and --tests \
                        set its rate and its tests"
                    .to_owned(),
            );
        }
        let rule: Rule = text.parse()?;
        Ok(Named { name: rule.to_string(), rule: YearRule::Same(rule) })
    }
}

#[derive(Serialize)]
struct YearsRow<'a> {
    world: String,
    rule: &'a str,
    found: YearsFound,
}

pub(super) fn run(args: &YearsArgs) -> Result<u8, Error> {
    let worlds = if args.world.is_empty() { World::ALL } else { &args.world };
    // Each test of a year is played.
    let tests = NonZeroU64::new(args.fdr.tests).unwrap_or(NonZeroU64::MIN);
    let bar = match args.quiet {
        true => ProgressBar::hidden(),
        false => ProgressBar::new((args.rules.len() * worlds.len()) as u64)
            .with_style(style("{bar:30} {pos}/{len} {msg}, {eta} left")),
    };
    let mut rows = Vec::new();
    for &world in worlds {
        for Named { name, rule } in &args.rules {
            bar.set_message(format!("{world}, {name}"));
            let years = Years {
                world,
                years: args.years,
                tests,
                rule: *rule,
                max_pairs: args.max_pairs,
                every: args.every,
                shape: args.shape,
                fdr: args.fdr.fdr,
                seed: args.seed,
            };
            let found = simulate_years(&years, parallel::threads(args.threads))
                .map_err(|why| Error::usage(format!("--shape {}: {why}", args.shape)))?;
            rows.push(YearsRow { world: world.to_string(), rule: name, found });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    print(match args.json {
        true => as_json(args, &rows),
        false => page(args, &rows).plain(window_width()),
    })?;
    Ok(DONE)
}

fn as_json(args: &YearsArgs, rows: &[YearsRow<'_>]) -> String {
    let all = json!({
        "years": args.years, "tests": args.fdr.tests, "max_pairs": args.max_pairs, "every": args.every,
        "shape": args.shape, "fdr": args.fdr.fdr, "seed": args.seed, "rows": rows,
    });
    format!("{all}\n")
}

fn page(args: &YearsArgs, rows: &[YearsRow<'_>]) -> Page {
    let mut page = Page::default();
    page.text(format!(
        "{} years of {} tests each, at most {} pairs a test, judged every {} pairs, shape {}. Means over \
         years; gains in Elo, of all accepted changes together.",
        args.years, args.fdr.tests, args.max_pairs, args.every, args.shape
    ));
    let share = |share: f64| format!("{:.1} %", 100.0 * share);
    let gain_heads = [
        "world",
        "rule",
        "accepted",
        "true gain",
        "measured",
        "covers",
        "estimated",
        "± 95 %",
        "covers",
    ];
    let mut gains = PageTable::new(2, gain_heads);
    let false_heads =
        ["world", "rule", "false accepts", "expected", "discoveries", "false-discovery rate"];
    let mut false_accepts = PageTable::new(2, false_heads);
    for YearsRow { world, rule, found } in rows {
        gains.rows.push(vec![
            world.clone(),
            (*rule).to_owned(),
            format!("{:.1}", found.accepted),
            format!("{:+.1}", found.truth),
            format!("{:+.1}", found.measured),
            share(found.measured_covered),
            format!("{:+.1}", found.shrunk),
            format!("{:.1}", found.half_width),
            share(found.covered),
        ]);
        false_accepts.rows.push(vec![
            world.clone(),
            (*rule).to_owned(),
            format!("{:.2}", found.false_accepts),
            format!("{:.2}", found.false_accepts_expected),
            format!("{:.2}", found.discoveries),
            share(found.false_discovery_rate),
        ]);
    }
    page.table(gains);
    page.text("Accepted changes that are no gains, and what e-LOND calls discoveries.".to_owned());
    page.table(false_accepts);
    page
}
