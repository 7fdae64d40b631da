//! `verdict tune clop`: the best of few parameters, by a quadratic fitted to games.

use std::{num::NonZeroU64, path::PathBuf};

use clap::Args;

use super::{
    DONE,
    confirm::ConfirmFlags,
    embedded::of_a_tuner,
    match_::OutputFlags,
    numbers::at_most,
    outcome,
    tuner::{self, MOST_BATCH},
};
use crate::cli::flags::{MatchFlags, PlayerFlag};
use arena::plan::WidthOverrides;
use arena::{
    output_folder::{self, Owner},
    record::Manifest as _,
};
use process::{Context as _, Error};
use tuning::{
    simulated_engine::{Peak, SimulatedEngine},
    tune::{
        TuneError,
        clop::{
            ClopFile, Range,
            report::{self, Told},
            simulated,
        },
    },
};

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
    /// Parameter ranges: NAME=FROM..TO. Units are those of engine/PARAMETERS.md; for parameters in 1/256
    /// pawn a decimal number is in pawns. NAME[*] scales a table and a NAME with * in it all matching
    /// weights, in per cent.
    #[arg(required = true, value_name = "RANGE")]
    ranges: Vec<Range>,

    /// Engine to tune, and opponent in all games: embedded[:personality][,param=value…].
    #[arg(long, value_name = "SPEC", default_value = "embedded:default", help_heading = "Players")]
    base: PlayerFlag,

    /// Pairs between two fits. At least one per search thread keeps all of them busy.
    #[arg(long, value_name = "N", default_value = "16", value_parser = at_most::<MOST_BATCH>, help_heading = "CLOP")]
    batch: NonZeroU64,

    /// Skip parameters that do not change the bench, instead of refusing them.
    #[arg(long, help_heading = "CLOP")]
    skip_no_ops: bool,

    /// Simulate instead of playing: the Elo of a simulated engine is highest at OPTIMUM and ELO (20)
    /// lower at distance WIDTH from it. Shows what this run would find. May be repeated.
    #[arg(long, value_name = "NAME=OPTIMUM:WIDTH[:ELO]", help_heading = "CLOP")]
    truth: Vec<Peak>,

    #[command(flatten)]
    confirm: ConfirmFlags,

    #[command(flatten)]
    flags: MatchFlags,

    /// Folder of the run, new or empty [default: results/DATE-clop].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,
}

pub fn run(args: ClopArgs) -> Result<u8, Error> {
    let dir = args.out.clone().unwrap_or_else(|| super::new_folder("clop"));
    output_folder::refuse(&dir, Owner::New)?;
    let (base, plan) = tuner::ready(args.base, args.flags, ["base", "trial"], args.output.quiet)?;
    let confirm = args.confirm.of(plan.pairs.div_ceil(4));
    for range in &args.ranges {
        range.check_on(&base).map_err(TuneError::from)?;
    }
    let mut file = ClopFile::new(&args.ranges, args.batch.get(), confirm, plan)?;
    if args.truth.is_empty() {
        let ranges = file.ranges()?;
        let turns: Vec<_> = ranges.iter().map(|range| range.turn(&base)).collect();
        let mut moving =
            tuner::refuse_no_ops(&turns, &base, args.skip_no_ops, args.output.quiet)?.into_iter();
        file.axes.retain(|_| moving.next() == Some(true));
    }
    if args.truth.is_empty() {
        file.write(&dir)?;
        return tuner::play(&dir, &file, &WidthOverrides::default(), args.output);
    }
    let mut clop = file.start(Vec::new())?;
    let names = clop.ranges().iter().map(|range| range.tunable.name());
    let truth = SimulatedEngine::new(names, &args.truth).map_err(TuneError::from)?;
    let at_base = clop.ranges().iter().map(|range| f64::from(range.tunable.get(&base)));
    let at_base: Vec<f64> = at_base.collect();
    simulated::run(&mut clop, &at_base, &truth, file.plan.seed);
    std::fs::create_dir_all(&dir).context(dir.display())?;
    let told = Told::new(&clop, &file, true, None, &args.truth)?;
    outcome::say(&report::write_all(&dir, &told)?, &dir, args.output)?;
    Ok(DONE)
}
