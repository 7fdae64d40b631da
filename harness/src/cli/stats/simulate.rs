//! `verdict stats simulate`: how often rules err, and how many pairs they take.

use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::json;

use super::super::numbers::at_most;
use super::super::{DONE, print};
use super::intervals::{self, CoverageRow, twins_in_words};
use super::model::ModelFlags;
use crate::screen::style;
use arena::plan::parse::share;
use charts::page::{Page, PageTable};
use process::terminal::window_width;
use process::{Error, parallel};
use stats::{Judge, Outcomes, Rule, Simulation, TwinPairs, coverage, simulate};

/// More matches or pairs than anybody waits for.
const MOST: u64 = 1_000_000_000_000;

/// Simulate matches: how often stopping rules accept and reject, and after how many pairs; or how often
/// intervals hold the truth.
///
/// Pairs are drawn from a pentanomial distribution (--shape) shifted to each Elo. `los-peeking=95` stops as
/// soon as LOS reaches 95 % after any pair; `verdict match` has no such rule, and this shows how often it
/// errs. For sprt with model=bayeselo, which uses single games, a pair worth one point is two draws.
///
/// --intervals plays every match to its last pair and compares the plain 95 % interval with the one that
/// holds at every look.
#[derive(Debug, Clone, Args)]
#[command(before_help = "Example:\n  verdict stats simulate --rule los=95,pairs=1000 --rule \
    los-peeking=95 --rule anytime=5% --elo 0,5 --max-pairs 1000")]
pub(super) struct SimulateArgs {
    /// Stopping rule, as for matches, or los-peeking=PERCENT. May be repeated.
    #[arg(
        long = "rule",
        required_unless_present = "intervals",
        value_name = "RULE",
        allow_hyphen_values = true
    )]
    rules: Vec<Named>,
    /// Measure how often intervals of Elo hold the truth, and their width, instead of rules.
    #[arg(long, conflicts_with_all = ["rules", "every"])]
    intervals: bool,
    #[command(flatten)]
    model: ModelFlags,
    /// Simulated matches per rule and Elo, at most 10^12.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = at_most::<MOST>)]
    matches: NonZeroU64,
    /// Largest number of pairs per match, at most 10^12.
    #[arg(long, value_name = "N", default_value = "20000", value_parser = at_most::<MOST>)]
    max_pairs: NonZeroU64,
    /// Check the rule every N pairs. Larger is faster, and stops a little later than real matches.
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroU64,
    /// Share of pairs that repeat an earlier pair move by move. Runs leave these out of Elo and verdict.
    #[arg(long, value_name = "PERCENT", default_value = "0%", value_parser = share)]
    twins: f64,
    /// Count them all the same, to show why runs do not.
    #[arg(long, requires = "twins")]
    count_twins: bool,
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

/// A judge and what it was called.
#[derive(Debug, Clone)]
struct Named {
    name: String,
    judge: Judge,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        if let Some(percent) = text.strip_prefix("los-peeking=") {
            let percent = percent.trim_end_matches('%');
            let percent =
                percent.parse().ok().filter(|percent| *percent > 50.0 && *percent < 100.0);
            let percent = percent.ok_or("expected los-peeking=PERCENT, above 50 and below 100")?;
            let name = format!("los-peeking={percent}");
            return Ok(Named { name, judge: Judge::LosPeeking(percent) });
        }
        let rule: Rule = text.parse()?;
        Ok(Named { name: rule.to_string(), judge: Judge::Rule(rule) })
    }
}

#[derive(Serialize)]
struct SimulationRow<'a> {
    rule: &'a str,
    elo: f64,
    outcomes: Outcomes,
}

pub(super) fn run(args: &SimulateArgs) -> Result<u8, Error> {
    let models = args.model.models()?;
    let threads = parallel::threads(args.threads);
    let simulation = Simulation {
        matches: args.matches,
        max_pairs: args.max_pairs,
        every: args.every,
        seed: args.seed,
        twins: TwinPairs { share: args.twins, are_counted: args.count_twins },
    };
    let bar = match args.quiet {
        true => ProgressBar::hidden(),
        false => ProgressBar::new((args.rules.len().max(1) * models.len()) as u64)
            .with_style(style("{bar:30} {pos}/{len} {msg}, {eta} left")),
    };
    if args.intervals {
        let mut rows = Vec::new();
        for (elo, model) in &models {
            bar.set_message(format!("intervals at {elo} Elo"));
            let coverage = coverage(model, &simulation, threads)
                .map_err(|why| Error::usage(format!("--elo {elo}: {why}")))?;
            rows.push(CoverageRow { elo: *elo, coverage });
            bar.inc(1);
        }
        bar.finish_and_clear();
        let shape = &args.model.shape;
        let text = match args.json {
            true => intervals::as_json(shape, &simulation, &rows),
            false => intervals::table(shape, &simulation, &rows).plain(window_width()),
        };
        print(text)?;
        return Ok(DONE);
    }
    let mut rows = Vec::new();
    for rule in &args.rules {
        for (elo, model) in &models {
            bar.set_message(format!("{} at {elo} Elo", rule.name));
            let outcomes = simulate(&rule.judge, model, &simulation, threads);
            rows.push(SimulationRow { rule: &rule.name, elo: *elo, outcomes });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let text =
        if args.json { as_json(args, &rows) } else { table(args, &rows).plain(window_width()) };
    print(text)?;
    Ok(DONE)
}

fn as_json(args: &SimulateArgs, rows: &[SimulationRow<'_>]) -> String {
    let all = json!({
        "shape": args.model.shape, "matches": args.matches, "max_pairs": args.max_pairs,
        "every": args.every, "seed": args.seed, "twins": args.twins, "count_twins": args.count_twins,
        "rows": rows,
    });
    format!("{all}\n")
}

fn table(args: &SimulateArgs, rows: &[SimulationRow<'_>]) -> Page {
    let mut page = Page::default();
    page.text(format!(
        "{} matches each, at most {} pairs, judged every {} pairs, shape {}{}.",
        args.matches,
        args.max_pairs,
        args.every,
        args.model.shape,
        twins_in_words(&TwinPairs { share: args.twins, are_counted: args.count_twins })
    ));
    let mut table =
        PageTable::new(1, ["rule", "true Elo", "accepted", "rejected", "pairs on average"]);
    for SimulationRow { rule, elo, outcomes: Outcomes { accepted, rejected, pairs } } in rows {
        let shares = [accepted, rejected].map(|share| format!("{:.2} %", 100.0 * share));
        let [accepted, rejected] = shares;
        let pairs = format!("{pairs:.0}");
        table.rows.push(vec![(*rule).to_owned(), elo.to_string(), accepted, rejected, pairs]);
    }
    page.table(table);
    page
}
