//! `verdict stats bisect`: how often searches for a commit err, and how many pairs they take.

use std::num::{NonZeroU64, NonZeroUsize};

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::super::bisect::{Others, alpha, others};
use super::super::numbers::{at_most, number};
use super::super::{DONE, print};
use charts::page::{Page, PageTable};
use process::terminal::window_width;
use process::{Error, parallel};
use stats::culprit::{CulpritOutcomes, CulpritTerms, CulpritTruth, HalvingTerms, halve, simulate};
use stats::{Defined, MAX_ELO, Pentanomial, Rule};

const MOST: u64 = 1_000_000_000;
const MOST_CHANGES: usize = 10_000;

/// Simulate `verdict bisect`: how often it names the wrong commit, and after how many pairs.
///
/// One commit of --commits, drawn at random, loses --loss Elo. Pairs are drawn from a pentanomial
/// distribution (--shape) shifted to the Elo of the version that plays. With --rule the same is done
/// by plain halving, a match of --pairs pairs at each step.
#[derive(Debug, Clone, Args)]
#[command(before_help = "Example:\n  verdict stats bisect --loss 5,10,20 --commits 64")]
pub(super) struct BisectArgs {
    /// True loss in Elo; several are separated by commas.
    #[arg(long, value_name = "ELO,…", value_delimiter = ',', default_value = "5,10,20",
          value_parser = elo, allow_negative_numbers = true)]
    loss: Vec<f64>,
    /// Number of commits.
    #[arg(long, value_name = "N", default_value = "64", value_parser = changes)]
    commits: NonZeroUsize,
    /// Standard deviation of what each commit does besides, in Elo.
    #[arg(long, value_name = "ELO", default_value = "0", value_parser = elo,
          allow_negative_numbers = true)]
    noise: f64,
    /// Smallest loss that matters, as for `verdict bisect`.
    #[arg(long, value_name = "ELO", default_value = "5", value_parser = elo,
          allow_negative_numbers = true)]
    elo: f64,
    /// What `verdict bisect` takes --noise to be; `learn`: as the results tell [default: 0.03 of --elo].
    #[arg(long, value_name = "ELO|learn", value_parser = others, allow_negative_numbers = true)]
    others: Option<Others>,
    /// Probability of naming a wrong commit.
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = alpha)]
    alpha: f64,
    /// Plain halving by matches with this rule. May be repeated.
    #[arg(long = "rule", value_name = "RULE", allow_hyphen_values = true)]
    rules: Vec<Rule>,
    /// Largest number of pairs of a match of plain halving; several (one for each --loss) are separated
    /// by commas.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "20000",
          value_parser = at_most::<MOST>)]
    pairs: Vec<NonZeroU64>,
    /// Pentanomial distribution of equal engines.
    #[arg(long, value_name = "LL,LD,DD,WD,WW", default_value = "10,15,50,15,10")]
    shape: Pentanomial,
    /// Simulated searches of each kind.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = at_most::<MOST>)]
    searches: NonZeroU64,
    /// Largest number of pairs of a search.
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = at_most::<MOST>)]
    max_pairs: NonZeroU64,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads [default: all processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    threads: Option<NonZeroUsize>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn elo(text: &str) -> Result<f64, String> {
    let wanted = format!("Elo, 0 to {MAX_ELO}");
    number(text, |elo| (0.0..=MAX_ELO).contains(&elo), &wanted)
}

fn changes(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST_CHANGES);
    number.ok_or_else(|| format!("expected 1 to {MOST_CHANGES} commits, found '{text}'"))
}

#[derive(Serialize)]
struct Row {
    loss: f64,
    method: String,
    outcomes: CulpritOutcomes,
}

pub(super) fn run(args: &BisectArgs) -> Result<u8, Error> {
    if args.elo <= 0.0 {
        return Err(Error::usage("--elo 0: expected the smallest loss that matters, above 0"));
    }
    let threads = parallel::threads(args.threads);
    let drift = Others::drift(args.others, args.elo);
    let terms = CulpritTerms { alpha: args.alpha, least_elo: args.elo, drift };
    let mut rows = Vec::new();
    for (at, &loss) in args.loss.iter().enumerate() {
        let truth =
            CulpritTruth { changes: args.commits, loss, drift: args.noise, shape: args.shape };
        let defined = |outcomes: Defined<CulpritOutcomes>| {
            outcomes
                .map_err(|why| Error::usage(format!("--shape {} at {loss} Elo: {why}", args.shape)))
        };
        let (searches, seed, max_pairs) = (args.searches, args.seed, args.max_pairs.get());
        let outcomes = simulate(terms, &truth, searches, max_pairs, seed, threads);
        rows.push(Row { loss, method: "bisect".to_owned(), outcomes: defined(outcomes)? });
        let pairs = args.pairs.get(at).or(args.pairs.last()).copied().unwrap_or(NonZeroU64::MIN);
        for rule in &args.rules {
            let halving = HalvingTerms { rule: *rule, pairs };
            let outcomes = defined(halve(halving, &truth, searches, seed, threads))?;
            let method = format!("halving, {rule}, {pairs} pairs");
            rows.push(Row { loss, method, outcomes });
        }
    }
    let text =
        if args.json { as_json(args, &rows) } else { page(args, &rows).plain(window_width()) };
    print(text)?;
    Ok(DONE)
}

fn as_json(args: &BisectArgs, rows: &[Row]) -> String {
    let all = json!({
        "commits": args.commits, "noise": args.noise, "elo": args.elo, "others": Others::drift(args.others, args.elo),
        "alpha": args.alpha, "shape": args.shape, "searches": args.searches,
        "max_pairs": args.max_pairs, "seed": args.seed, "rows": rows,
    });
    format!("{all}\n")
}

fn page(args: &BisectArgs, rows: &[Row]) -> Page {
    let mut page = Page::default();
    page.text(format!(
        "{} searches each over {} commits, shape {}.",
        args.searches, args.commits, args.shape
    ));
    let head = ["loss", "method", "wrong", "no loss", "undecided", "pairs on average", "versions"];
    let mut table = PageTable::new(2, head);
    for Row { loss, method, outcomes } in rows {
        let CulpritOutcomes { wrong, no_loss, undecided, pairs, versions, .. } = outcomes;
        let shares = [wrong, no_loss, undecided].map(|share| format!("{:.1} %", 100.0 * share));
        let [wrong, no_loss, undecided] = shares;
        let cells = [loss.to_string(), method.clone(), wrong, no_loss, undecided];
        let means = [format!("{pairs:.0}"), format!("{versions:.1}")];
        table.rows.push(cells.into_iter().chain(means).collect());
    }
    page.table(table);
    page
}
