//! `verdict sweep`: values of parameters raced against one base.

mod play;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use charts::numbers::counted;
use clap::Args;
use process::progress::Progress as _;
use process::terminal::shell_path;
use process::{Context as _, Error, parallel};

use super::crew::Crew;
use super::experiment::{self, ExperimentFlags, ExperimentSession};
use super::experiment_help::of_a_sweep;
use super::match_::{self, OutputFlags};
use super::no_ops::{check, with_program};
use super::tuner::read_form;
use super::{DONE, interrupted};
use crate::cli::choices::one_of;
use crate::screen::ProgressLine;
use arena::plan::read_percentage;
use arena::record::Manifest as _;
use arena::runner::Stops;
use arena::session::openings;
use tuning::preflight;
use tuning::report::Circumstances;
use tuning::sweep::speed::{self, SpeedOutcome};
use tuning::sweep::{
    Axis, Design, Measure, Racing, SweepFile, no_ops, of_embedded, of_program, report, simulated,
};
use tuning::tunable::{Base, Tunable};

/// Test many values of an engine's parameters or options against one base, and confirm the best.
///
/// All candidates play the same openings against the base. A candidate that is shown to be worse than
/// the leader is dropped (see --alpha). At the end the best candidate plays a new match against the base.
/// `verdict resume` continues an interrupted sweep.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict sweep lazy.margin=0.25:2.0:0.25 --pairs 500 --nodes 5000\n  \
    verdict sweep --base uci:./engine 'Contempt=-50:50:10' --tc 2+0.02",
    mut_args(of_a_sweep)
)]
pub struct SweepArgs {
    /// Values to test: NAME=FROM:TO:STEP, NAME=FROM..TO with the step of the parameter table (of a
    /// program's numbers 1), or NAME=VALUE,VALUE,…
    ///
    /// Units are those of engine/PARAMETERS.md; for parameters in 1/256 pawn a decimal number is in pawns.
    /// NAME[*] scales all cells of a table, in per cent. A program's options may be numbers, switches
    /// (true,false) and lists.
    #[arg(required_unless_present = "params", value_name = "AXIS")]
    axes: Vec<String>,

    /// File of parameters: lines of OpenBench or fishtest or the JSON of weather-factory (the value,
    /// and one and two perturbations to either side), or of chess-tuning-tools (nine values of a
    /// range, all of a list).
    #[arg(long, value_name = "FILE", help_heading = "Sweep")]
    params: Option<PathBuf>,

    /// Vary one parameter at a time, the others as in the base, instead of every combination.
    #[arg(long, conflicts_with = "samples", help_heading = "Sweep")]
    lines: bool,

    /// Test N points chosen by Latin hypercube sampling, instead of every combination.
    #[arg(long, value_name = "N", help_heading = "Sweep")]
    samples: Option<NonZeroUsize>,

    /// Largest probability that the strongest candidate is dropped [default: 5%].
    #[arg(long, value_name = "PERCENT", value_parser = alpha, help_heading = "Sweep")]
    alpha: Option<f64>,

    /// elo: by games. speed: nodes and time to --depth N over the bench positions; with --book FILE
    /// over --pairs of its positions, chosen by --order, --seed and --opening-offset.
    #[arg(long, value_name = "WHAT", default_value = "elo", value_parser = one_of::<Measure>(), help_heading = "Sweep")]
    measure: Measure,

    /// Confirm the maximum of the fitted parabola, if there is one, instead of the best candidate.
    #[arg(long, help_heading = "Confirmation")]
    confirm_top: bool,

    /// Play, or measure the speed, even if no candidate changes the bench.
    #[arg(long, help_heading = "Sweep")]
    keep_no_ops: bool,

    #[command(flatten, next_help_heading = "Sweep")]
    experiment: ExperimentFlags,
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
        let ExperimentFlags { peaks, confirm, flags, .. } = &self.experiment;
        let given = [
            ("--truth", !peaks.is_empty()),
            ("--alpha", self.alpha.is_some()),
            ("--confirm", confirm.is_given()),
            ("--confirm-top", self.confirm_top),
            ("--pairs without --book", flags.pairs.is_some() && flags.book.is_none()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}

pub fn run(args: SweepArgs) -> Result<u8, Error> {
    if let (Measure::Speed, Some(flag)) = (args.measure, args.of_games()) {
        let why = format!("{flag} does not apply to --measure speed, which plays no games");
        return Err(Error::usage(why));
    }
    let experiment = &args.experiment;
    let ExperimentFlags { peaks, output, .. } = experiment;
    let dir = experiment.folder("sweep")?;
    let design = match args.samples {
        Some(count) => Design::Samples(count),
        None if args.lines => Design::Lines,
        None => Design::Grid,
    };
    let instead =
        "a sweep has no --rule; --alpha is for the race, --confirm for the confirmation match";
    let varied = experiment.varied(None, None, instead)?;
    let axes = axes(&args, &varied.base)?;
    let plan = varied.plan.clone();
    let confirm = if peaks.is_empty() && args.measure == Measure::Elo && plan.repeats_itself() {
        let used = plan.openings.offset.saturating_add(plan.pairs);
        let unused = openings(&plan)?.saturating_sub(used);
        experiment.confirm.in_unused(plan.pairs, unused)?
    } else {
        experiment.confirm.of(plan.pairs)
    };
    let file =
        SweepFile::new(&axes, design, args.alpha.unwrap_or(ALPHA), confirm, plan, &varied.base)?;
    if args.confirm_top && (axes.len() > 1 || file.confirm.is_none()) {
        let why = "--confirm-top: expected one axis (for a parabola) and a confirmation match";
        return Err(Error::usage(why));
    }
    if args.measure == Measure::Speed && file.depth().is_none() {
        return Err(Error::usage("--measure speed: expected --depth N, the depth to measure"));
    }
    let file = SweepFile { takes_top: args.confirm_top, measure: args.measure, ..file };
    if !peaks.is_empty() {
        let race = simulated::race(&file, peaks, file.plan.seed)?;
        return experiment.simulated(report(&file, &race, experiment.circumstances())?, &dir);
    }
    if file.measure == Measure::Speed {
        // A book that cannot be read is no reason for a folder.
        speed::positions(&file.plan)?;
    }
    let crew = Crew::of(&experiment.flags.width)?;
    print_no_ops(&file, args.keep_no_ops, *output)?;
    file.write(&dir)?;
    crew.or_resumable(&dir, play(&dir, &file, &crew, *output))
}

/// The axes of the file and of the command line.
fn axes(args: &SweepArgs, base: &Base) -> Result<Vec<Axis>, Error> {
    let mut axes = Vec::<Axis>::new();
    let apart = |axis: Axis, others: &[Axis]| {
        axis.tunable.check_apart(others.iter().map(|other| &other.tunable)).map(|()| axis)
    };
    if let Some(path) = &args.params {
        for param in read_form(path)?.params {
            let axis = Axis::given(&param.what, base);
            axes.push(axis.and_then(|axis| apart(axis, &axes)).context(&param.place)?);
        }
    }
    for text in &args.axes {
        let axis = apart(Axis::read(text, base)?, &axes);
        axes.push(axis.context(format_args!("'{text}'"))?);
    }
    Ok(axes)
}

/// Says which candidates search as the base does; if all do, nothing is played, unless `keep`.
fn print_no_ops(file: &SweepFile, keep: bool, output: OutputFlags) -> Result<(), Error> {
    let tunables: Vec<Tunable> = file.axes()?.into_iter().map(|axis| axis.tunable).collect();
    let count = file.candidates.len() as u64;
    output.print_status(&format!("checking which of {count} candidates change play"));
    let line = ProgressLine::new("candidates", output.quiet);
    line.begin("looking for no-ops", Some(count));
    let (probes, positions) = match file.base_values()? {
        Base::Embedded(params) => {
            let probes = of_embedded(file, &params, &tunables, parallel::threads(None), &line)?;
            (probes, preflight::positions())
        }
        Base::Program(_) => {
            let start = tunables.iter().zip(file.base.iter().copied());
            with_program(&file.plan, start, output.quiet, |play| {
                Ok((of_program(file, play, &tunables, &line)?, play.positions()))
            })?
        }
    };
    drop(line);
    check(&probes)?;
    let found = no_ops(&probes);
    let (count, searched) = (found.len(), counted(positions as u64, "position"));
    if count == file.candidates.len() && !keep {
        return Err(Error::usage(format!(
            "no-op: all candidates search like the base in {searched}; --keep-no-ops takes them anyway"
        )));
    }
    if count > 0 {
        output.print_status(&format!(
            "no-op: {count} of {} candidates search like the base in {searched}: {}",
            file.candidates.len(),
            found.join("; ")
        ));
    }
    Ok(())
}

pub(super) fn resume(dir: &Path, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    crew.or_resumable(dir, play(dir, &SweepFile::read(dir)?, crew, output))
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
    let listener = interrupted::end_with(format!(
        "not finished yet; continue with: verdict resume {}",
        shell_path(dir)
    ));
    let timings = match_::run_session(async |_| {
        speed::measure(dir, file, depth, &positions, &|line| output.print_status(line))
    })?;
    drop(listener);
    if let Some(outcome) = SpeedOutcome::new(file, (depth, positions.len()), &timings)? {
        experiment::print_report(&outcome.report().write(dir)?, dir, output)?;
    }
    Ok(DONE)
}

fn play(dir: &Path, file: &SweepFile, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    if let (Measure::Speed, Some(depth)) = (file.measure, file.depth()) {
        return measure_speed(dir, file, depth, output);
    }
    let racing = Racing::read(file, dir)?;
    let ending = match_::run_session(async |stops: Stops| {
        play::play(file, &racing, ExperimentSession::new(dir, crew, output, stops)).await
    })?;
    let circumstances = Circumstances::confirmed_by(ending.summary.as_ref());
    let summary = report(file, &racing.race(), circumstances)?.write(dir)?;
    ending.conclude(&summary, dir, (crew, output))
}
