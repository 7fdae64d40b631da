//! Tuners by games: their flags, and a session of a run.

use std::num::NonZeroU64;
use std::path::Path;

use clap::Args;
use engine::Params;
use indicatif::ProgressBar;

use super::disk_full::or_resumable;
use super::experiment::{ExperimentFlags, ExperimentSession, SessionOutcome};
use super::match_::{self, OutputFlags};
use super::stopping;
use crate::screen::TournamentScreen;
use arena::plan::{Plan, SideOverrides, WidthOverrides};
use arena::player::spec::PlayerSpec;
use arena::record::output_files::TUNED_FILE;
use arena::runner::Stops;
use process::{Error, parallel};
use tuning::base::params_of;
use tuning::confirm::Confirm;
use tuning::preflight::{self, Probe, TunableSpan};
use tuning::report::Circumstances;
use tuning::simulated_engine::SimulatedEngine;
use tuning::tunable::Tunable;
use tuning::tune::tuner::{self, Listeners, Optimizer as _, Tuner};

/// Pairs of a run that does not say it.
pub(super) const PAIRS: u64 = 5000;
/// The most pairs of a run: what each has tried is kept.
const MOST_PAIRS: u64 = 10_000_000;
/// The most pairs that are tried before anything is learnt of them.
pub(super) const MOST_BATCH: u64 = 100_000;

/// Flags of tuners by games.
#[derive(Debug, Args)]
pub(super) struct TunerFlags {
    /// Skip parameters that do not change the bench, instead of refusing them.
    #[arg(long)]
    skip_no_ops: bool,

    #[command(flatten)]
    pub(super) experiment: ExperimentFlags,
}

impl TunerFlags {
    /// The match of the base against itself whose sides are called so, and the confirmation match.
    pub(super) fn plan(&self, names: [&str; 2]) -> Result<(Plan, Option<Confirm>), Error> {
        let instead = "a tuner has no --rule; --confirm is for the confirmation match";
        let plan = self.experiment.plan(Some(names), NonZeroU64::new(PAIRS), instead)?;
        if plan.pairs > MOST_PAIRS {
            return Err(Error::usage(format!(
                "--pairs {}: expected at most {MOST_PAIRS}, a tuner remembers what each has tried",
                plan.pairs
            )));
        }
        let confirm = self.experiment.confirm.of(plan.pairs.div_ceil(4));
        Ok((plan, confirm))
    }

    /// Plays the run, or simulates it; returns the exit code.
    pub(super) fn run<T: Tuner>(&self, dir: &Path, mut file: T) -> Result<u8, Error> {
        let (mut search, base) = (file.begin(dir)?, params_of(&file.plan().base)?);
        let (peaks, output) = (&self.experiment.peaks, self.experiment.output);
        if peaks.is_empty() {
            let turns = search.turns(&base);
            file.retain(&refuse_no_ops(&turns, &base, self.skip_no_ops, output.quiet)?);
            file.write(dir)?;
            return or_resumable(dir, play(dir, &file, &WidthOverrides::default(), output));
        }
        let names = search.tunables().into_iter().map(Tunable::name);
        let engine = SimulatedEngine::new(names, peaks)?;
        tuner::simulate(&mut search, |values| engine.elo(values), file.plan().seed);
        let report = file.report(&search, true, self.experiment.circumstances())?;
        self.experiment.simulated(report, dir)
    }
}

/// Which of the parameters change play when they are moved; those that do not are refused unless
/// `skip`.
fn refuse_no_ops(
    turns: &[TunableSpan],
    base: &Params,
    skip: bool,
    quiet: bool,
) -> Result<Vec<bool>, Error> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(turns.len() as u64) };
    if !quiet {
        status!("checking which of {} parameters change play", turns.len());
    }
    let found = |probe: &Probe| {
        let (name, all) = (&probe.name, preflight::positions());
        let text = match probe.differs {
            Some((depth, count)) => {
                format!("{name}: play differs in {count} of {all} positions at depth {depth}")
            }
            None => format!("{name}: no-op"),
        };
        if !quiet {
            bar.suspend(|| status!("{text}"));
        }
        bar.inc(1);
    };
    let probes = preflight::probe(turns, base, parallel::threads(None), found);
    bar.finish_and_clear();
    let no_ops = probes.iter().filter(|probe| probe.differs.is_none());
    let no_ops: Vec<&str> = no_ops.map(|probe| probe.name.as_str()).collect();
    if !no_ops.is_empty() && !skip {
        return Err(Error::usage(format!(
            "no-op: {}: moving them up or down changes no search of the bench positions; their mechanism \
             may be off. Leave them out, or skip them with --skip-no-ops",
            no_ops.join(", ")
        )));
    }
    if no_ops.len() == probes.len() {
        return Err(Error::usage("nothing is left to tune: all parameters are no-ops"));
    }
    Ok(probes.iter().map(|probe| probe.differs.is_some()).collect())
}

pub(super) fn resume<T: Tuner>(
    dir: &Path,
    width: &WidthOverrides,
    output: OutputFlags,
) -> Result<u8, Error> {
    or_resumable(dir, play(dir, &T::read(dir)?, width, output))
}

/// Plays what is left of the run in `dir`, whose file is written; returns the exit code.
fn play<T: Tuner>(
    dir: &Path,
    file: &T,
    width: &WidthOverrides,
    output: OutputFlags,
) -> Result<u8, Error> {
    let (progress, ending, mut summary) = match_::run_session(async |stops: Stops| {
        let mut session = ExperimentSession::new(dir, width, output, stops);
        // Only for its status line: a tuner shows no bar, it prints its parameters as lines.
        let screen = TournamentScreen::new(std::iter::empty(), true, None);
        let status_line = screen.status_line();
        let _listening = stopping::listen(session.stops.clone(), status_line.clone())?;
        let say = |line: &str| {
            if !output.quiet {
                status_line.print(line);
            }
        };
        let listeners = Listeners { line: &say, trouble: &|what| status_line.print(what) };
        let (resources, stops) = (&mut session.resources, &session.stops);
        let progress = tuner::play(dir, file, width, resources, stops, listeners).await?;
        let mut ending =
            SessionOutcome { is_complete: progress.is_over, ..SessionOutcome::default() };
        ending.faults.extend(progress.faults.clone());
        let summary = file.render(dir, &progress, Circumstances::default())?;
        if let Some(confirm) = file.confirm().filter(|_| progress.is_over) {
            let plan = confirm_plan(dir, file.plan(), confirm);
            if params_of(&plan.test)? != params_of(&plan.base)? {
                session.confirm(plan, "the tuned values", &mut ending).await?;
            } else {
                output.print_status("the tuned values equal those of the base: nothing to confirm");
            }
        }
        Ok((progress, ending, summary))
    })?;
    if let Some(confirmation) = &ending.summary {
        summary = file.render(dir, &progress, Circumstances::confirmed_by(Some(confirmation)))?;
    }
    ending.conclude(&summary, dir, output)
}

/// The match of the tuned values against the base, in openings behind those of the run, as far as
/// the book has them.
fn confirm_plan(dir: &Path, plan: &Plan, confirm: Confirm) -> Plan {
    let tuned = dir.join(TUNED_FILE);
    let tuned = std::path::absolute(&tuned).unwrap_or(tuned);
    let (personality, parameters) = (tuned.display().to_string(), Vec::new());
    let name = Some("tuned".to_owned());
    Plan {
        test: PlayerSpec::Embedded { personality, parameters },
        test_overrides: SideOverrides { name, ..SideOverrides::default() },
        base_overrides: SideOverrides::default(),
        ..confirm.of(plan.clone())
    }
}
