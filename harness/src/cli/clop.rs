//! `verdict tune clop`: the best of few parameters, by a quadratic fitted to games.

use std::num::NonZeroU64;

use clap::Args;

use super::embedded::of_a_tuner;
use super::numbers::at_most;
use super::tuner::{MOST_BATCH, TunerFlags};
use process::Error;
use tuning::tune::clop::{ClopFile, ClopParam};

/// Find the best values of one to four parameters within given ranges, by games against one base (CLOP).
///
/// Every pair of games plays new values. A weighted quadratic is fitted to the results: points that the
/// fit predicts to be weak get a low weight. New values are drawn with the same weights (Coulom's
/// Confident Local Optimization). For more parameters use `tune spsa`. Writes the tuned personality to
/// tuned.json, the fitted landscape to report.html, and plays the tuned values against the base.
/// `verdict resume` continues an interrupted run.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tune clop lazy.margin=0.25..2.0 lmr.min_move=2..10 \
    --pairs 5000 --nodes 5000",
    mut_args(of_a_tuner)
)]
pub struct ClopArgs {
    /// Parameter ranges: NAME=FROM..TO. Units are those of engine/PARAMETERS.md; for parameters in
    /// 1/256 pawn a decimal number is in pawns. NAME[*] scales all cells of a table, and a NAME
    /// with a * elsewhere all matching weights; both are in per cent.
    #[arg(required = true, value_name = "RANGE")]
    ranges: Vec<ClopParam>,

    /// Pairs between two fits. At least one per search thread keeps all of them busy.
    #[arg(long, value_name = "N", default_value = "16", value_parser = at_most::<MOST_BATCH>, help_heading = "CLOP")]
    batch: NonZeroU64,

    #[command(flatten, next_help_heading = "CLOP")]
    tuner: TunerFlags,
}

pub fn run(args: ClopArgs) -> Result<u8, Error> {
    let ClopArgs { ranges, batch, tuner } = args;
    let dir = tuner.experiment.folder("clop")?;
    let (plan, confirm) = tuner.plan(["base", "trial"])?;
    tuner.run(&dir, ClopFile::new(&ranges, batch.get(), confirm, plan)?)
}
