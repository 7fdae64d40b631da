//! `verdict sweep`: values of parameters raced against one base.

mod play;

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    slice,
};

use clap::Args;
use process::progress::Progress as _;

use self::play::Sitting;
use super::embedded::of_a_sweep;
use super::scale::scale;
use super::{
    DONE, FAULTS, UNDECIDED,
    confirm::ConfirmFlags,
    interrupted,
    match_::{self, OutputFlags},
    outcome,
    stopped::or_resumable,
};
use crate::cli::choices::one_of;
use crate::cli::flags::{MatchFlags, PlayerFlag};
use crate::screen::ProgressLine;
use arena::plan::WidthOverrides;
use arena::{
    build::Cache,
    output_folder::{self, Owner},
    plan::{SideOverrides, read_percentage},
    record::Manifest as _,
    runner::Stops,
    session::openings,
};
use process::parallel;
use process::terminal::shell_path;
use process::{Context as _, Error};
use tuning::{
    simulated_engine::Peak,
    sweep::{
        Axis, Design, Measure, Racing, SweepError, SweepFile, no_ops, render, simulated, speed,
    },
    tunable::Tunable,
    tune::preflight,
};

/// Test many values of mutineer's parameters against one base, and confirm the best.
///
/// All candidates play the same openings against the base. A candidate that is shown to be worse than
/// the leader is dropped (see --alpha). At the end the best candidate plays a new match against the base.
/// `verdict resume` continues an interrupted sweep.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict sweep lazy.margin=0.25:2.0:0.25 --pairs 500 --nodes 5000",
    mut_args(of_a_sweep)
)]
pub struct SweepArgs {
    /// Values to test: NAME=FROM:TO:STEP, NAME=FROM..TO with the step of the parameter table, or
    /// NAME=VALUE,VALUE,…
    ///
    /// Units are those of engine/PARAMETERS.md; for parameters in 1/256 pawn a decimal number is in pawns.
    /// NAME[*] scales all cells of a table, in per cent.
    #[arg(required = true, value_name = "AXIS")]
    axes: Vec<Axis>,

    /// Base of all candidates, and their opponent: embedded[:personality][,param=value…].
    #[arg(long, value_name = "SPEC", default_value = "embedded:default", help_heading = "Players")]
    base: PlayerFlag,

    /// Vary one parameter at a time, the others as in the base, instead of every combination.
    #[arg(long, conflicts_with = "samples", help_heading = "Sweep")]
    lines: bool,

    /// Test N points chosen by Latin hypercube sampling, instead of every combination.
    #[arg(long, value_name = "N", help_heading = "Sweep")]
    samples: Option<NonZeroUsize>,

    /// Largest probability that the strongest candidate is dropped [default: 5%].
    #[arg(long, value_name = "PERCENT", value_parser = alpha, help_heading = "Sweep")]
    alpha: Option<f64>,

    /// elo: by games. speed: nodes and time to --depth N over the bench positions; with --book FILE over
    /// its first --pairs positions.
    #[arg(long, value_name = "WHAT", default_value = "elo", value_parser = one_of::<Measure>(), help_heading = "Sweep")]
    measure: Measure,

    #[command(flatten)]
    confirm: ConfirmFlags,

    /// Confirm the maximum of the fitted parabola, if there is one, instead of the best candidate.
    #[arg(long, help_heading = "Confirmation")]
    confirm_top: bool,

    /// Play even if no candidate changes the bench.
    #[arg(long, help_heading = "Sweep")]
    keep_no_ops: bool,

    /// Simulate instead of playing: the Elo of a simulated engine is highest at OPTIMUM and ELO (20)
    /// lower at distance WIDTH from it. Shows what this sweep would find. May be repeated.
    #[arg(long, value_name = "NAME=OPTIMUM:WIDTH[:ELO]", help_heading = "Sweep")]
    truth: Vec<Peak>,

    #[command(flatten)]
    flags: MatchFlags,

    /// Folder of the sweep, new or empty [default: results/DATE-sweep].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,
}

/// The chance that the race drops the strongest, where none is given.
const ALPHA: f64 = 0.05;

fn alpha(text: &str) -> Result<f64, String> {
    let share = read_percentage(text)?;
    let fits = share > 0.0 && share < 0.5;
    if fits {
        Ok(share)
    } else {
        Err(format!("expected a percentage above 0 and below 50, found '{text}'"))
    }
}

impl SweepArgs {
    /// The first flag that says how games are played or judged.
    fn of_games(&self) -> Option<&'static str> {
        let given = [
            ("--truth", !self.truth.is_empty()),
            ("--alpha", self.alpha.is_some()),
            ("--confirm", self.confirm.is_given()),
            ("--confirm-top", self.confirm_top),
            ("--keep-no-ops", self.keep_no_ops),
            ("--pairs without --book", self.flags.pairs.is_some() && self.flags.book.is_none()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}

pub fn run(args: SweepArgs) -> Result<u8, Error> {
    if let (Measure::Speed, Some(flag)) = (args.measure, args.of_games()) {
        return Err(SweepError::OfGames(flag).into());
    }
    let SweepArgs { axes, base, flags, output, .. } = args;
    let dir = args.out.unwrap_or_else(|| super::new_folder("sweep"));
    output_folder::refuse(&dir, Owner::New)?;
    let design = match args.samples {
        Some(count) => Design::Samples(count),
        None if args.lines => Design::Lines,
        None => Design::Grid,
    };
    let say = |line: &str| {
        if !output.quiet {
            status!("{line}");
        }
    };
    let PlayerFlag::Ready(spec) = &base else {
        return Err(SweepError::NotEmbedded("of a build".to_owned()).into());
    };
    if !spec.is_embedded() {
        return Err(SweepError::NotEmbedded(spec.to_string()).into());
    }
    if let Some(rule) = flags.rule {
        return Err(SweepError::Rule(rule).into());
    }
    let player = flags.ready(base, &Cache::of_user(), &say)?;
    let plan = flags
        .plan([(player.clone(), SideOverrides::default()), (player, SideOverrides::default())]);
    let mut plan = plan?;
    scale(slice::from_mut(&mut plan), &say);
    let confirm = if args.truth.is_empty() && args.measure == Measure::Elo && plan.repeats_itself()
    {
        let used = plan.openings.offset.saturating_add(plan.pairs);
        let unused = openings(&plan)?.saturating_sub(used);
        args.confirm.in_unused(plan.pairs, unused)?
    } else {
        args.confirm.of(plan.pairs)
    };
    let file = SweepFile::new(&axes, design, args.alpha.unwrap_or(ALPHA), confirm, plan)?;
    if args.confirm_top && (axes.len() > 1 || file.confirm.is_none()) {
        return Err(SweepError::NoTop.into());
    }
    let file = SweepFile { takes_top: args.confirm_top, ..file.measuring(args.measure)? };
    if !args.truth.is_empty() {
        return simulate(&dir, &file, &args.truth, output);
    }
    match file.measure {
        Measure::Elo => tell_no_ops(&file, args.keep_no_ops, output.quiet, &say)?,
        // A book that cannot be read is no reason for a folder.
        Measure::Speed => drop(speed::positions(&file.plan)?),
    }
    file.write(&dir)?;
    or_resumable(&dir, play(&dir, &file, &WidthOverrides::default(), output))
}

/// Says which candidates search as the base does; if all do, nothing is played, unless `keep`.
fn tell_no_ops(
    file: &SweepFile,
    keep: bool,
    quiet: bool,
    say: &dyn Fn(&str),
) -> Result<(), SweepError> {
    let axes = file.axes().map_err(SweepError::Axis)?;
    let tunables: Vec<Tunable> = axes.into_iter().map(|axis| axis.tunable).collect();
    let count = file.candidates.len() as u64;
    let line = ProgressLine::new("candidates", quiet);
    line.begin("looking for no-ops", Some(count));
    let found = no_ops(file, &tunables, parallel::threads(None), &line)?;
    drop(line);
    let (count, of) = (found.len(), preflight::positions());
    if count == file.candidates.len() && !keep {
        return Err(SweepError::NoOps(of));
    }
    if count > 0 {
        say(&format!(
            "no-op: {count} of {} candidates search like the base in {of} positions to depth 8: {}",
            file.candidates.len(),
            found.join("; ")
        ));
    }
    Ok(())
}

/// The sweep of a simulated engine. Its folder holds no `sweep.json`: there is nothing to resume.
fn simulate(
    dir: &Path,
    file: &SweepFile,
    peaks: &[Peak],
    output: OutputFlags,
) -> Result<u8, Error> {
    let race = simulated::race(file, peaks, file.plan.seed)?;
    std::fs::create_dir_all(dir).context(dir.display())?;
    outcome::say(&render::write(dir, file, &race, None, peaks)?, dir, output)?;
    Ok(DONE)
}

pub(super) fn resume(dir: &Path, width: &WidthOverrides, output: OutputFlags) -> Result<u8, Error> {
    or_resumable(dir, play(dir, &SweepFile::read(dir)?, width, output))
}

/// Measures what is left of a sweep for speed. Every measurement is recorded when it is made, so an
/// interruption needs no care.
fn measure_speed(
    dir: &Path,
    file: &SweepFile,
    depth: u32,
    output: OutputFlags,
) -> Result<u8, Error> {
    let positions = speed::positions(&file.plan)?;
    let tell = |line: &str| {
        if !output.quiet {
            status!("{line}");
        }
    };
    let listener = interrupted::end_with(format!(
        "not finished yet; continue with: verdict resume {}",
        shell_path(dir)
    ));
    let timings = speed::measure(dir, file, depth, &positions, &tell)?;
    drop(listener);
    if let Some(told) = speed::Told::new(file, (depth, positions.len()), &timings)? {
        outcome::say(&render::write_speed(dir, &told)?, dir, output)?;
    }
    Ok(DONE)
}

fn play(
    dir: &Path,
    file: &SweepFile,
    width: &WidthOverrides,
    output: OutputFlags,
) -> Result<u8, Error> {
    if let (Measure::Speed, Some(depth)) = (file.measure, file.depth()) {
        return measure_speed(dir, file, depth, output);
    }
    let racing = Racing::read(file, dir)?;
    let sitting = match_::sitting(async |stops: Stops| {
        Sitting::play(dir, file, &racing, width, output, stops).await
    })?;
    conclude(dir, file, output, &racing, &sitting)
}

/// Renders the folder's files, and says what came of it.
fn conclude(
    dir: &Path,
    file: &SweepFile,
    output: OutputFlags,
    racing: &Racing,
    sitting: &Sitting,
) -> Result<u8, Error> {
    let summary = sitting.summary.as_ref();
    outcome::say(&render::write(dir, file, &racing.race(), summary, &[])?, dir, output)?;
    for faults in &sitting.faults {
        status!("stopped: {faults}");
    }
    if !sitting.is_complete {
        status!("not finished yet; continue with: verdict resume {}", shell_path(dir));
    }
    Ok(match sitting.verdict {
        _ if !sitting.faults.is_empty() => FAULTS,
        _ if !sitting.is_complete => UNDECIDED,
        Some(verdict) => verdict.exit_code(),
        None => DONE,
    })
}
