//! Tuners by games: their flags, and a session of a run.

use std::num::NonZeroU64;
use std::path::Path;

use clap::Args;

use super::crew::Crew;
use super::experiment::{ExperimentFlags, ExperimentSession, SessionOutcome, VariedPlayer};
use super::match_::{self, OutputFlags};
use super::{no_ops, stopping};
use crate::screen::TournamentScreen;
use arena::plan::{Plan, SideOverrides};
use arena::player::spec::PlayerSpec;
use arena::record::output_files::TUNED_FILE;
use arena::runner::Stops;
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};
use tuning::base::{params_of, with_values};
use tuning::confirm::Confirm;
use tuning::form::{self, GivenFile};
use tuning::report::Circumstances;
use tuning::simulated_engine::SimulatedEngine;
use tuning::tunable::{Base, Tunable};
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
    /// What is tuned, the sides of its match against itself called so, and the confirmation match.
    pub(super) fn varied(
        &self,
        names: [&str; 2],
    ) -> Result<(VariedPlayer, Option<Confirm>), Error> {
        let instead = "a tuner has no --rule; --confirm is for the confirmation match";
        let varied = self.experiment.varied(Some(names), NonZeroU64::new(PAIRS), instead)?;
        let plan = &varied.plan;
        if plan.pairs > MOST_PAIRS {
            return Err(Error::usage(format!(
                "--pairs {}: expected at most {MOST_PAIRS}, a tuner remembers what each has tried",
                plan.pairs
            )));
        }
        let confirm = self.experiment.confirm.of(plan.pairs.div_ceil(4));
        Ok((varied, confirm))
    }

    /// Plays the run, or simulates it; returns the exit code.
    pub(super) fn run<T: Tuner>(&self, dir: &Path, mut file: T) -> Result<u8, Error> {
        let (mut search, base) = (file.begin(dir)?, file.base()?);
        let (peaks, output) = (&self.experiment.peaks, self.experiment.output);
        if peaks.is_empty() {
            let turns = search.turns(&base);
            let how = (self.skip_no_ops, output.quiet);
            file.retain(&no_ops::refuse(&turns, &base, file.plan(), how)?);
            file.write(dir)?;
            let crew = Crew::of(&self.experiment.flags.width)?;
            return crew.or_resumable(dir, play(dir, &file, &crew, output));
        }
        let names = search.tunables().into_iter().map(Tunable::name);
        let engine = SimulatedEngine::new(names, peaks)?;
        tuner::simulate(&mut search, |values| engine.elo(values), file.plan().seed);
        let report = file.report(&search, true, self.experiment.circumstances())?;
        self.experiment.simulated(report, dir)
    }
}

/// Reads a parameter file of any form.
pub(super) fn read_form(path: &Path) -> Result<GivenFile, Error> {
    let place = path.display().to_string();
    let text = plain_file::read_given_text(path, DOCUMENT).context(&place)?;
    form::read(&place, &text)
}

pub(super) fn resume<T: Tuner>(dir: &Path, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    crew.or_resumable(dir, play(dir, &T::read(dir)?, crew, output))
}

/// Plays what is left of the run in `dir`, whose file is written; returns the exit code.
fn play<T: Tuner>(dir: &Path, file: &T, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    let (progress, ending, mut summary) = match_::run_session(async |stops: Stops| {
        let mut session = ExperimentSession::new(dir, crew, output, stops);
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
        let width = (&crew.width, crew.changed_files);
        let (resources, stops) = (&mut session.resources, &session.stops);
        let progress = tuner::play(dir, file, width, resources, stops, listeners).await?;
        let mut ending =
            SessionOutcome { is_complete: progress.is_over, ..SessionOutcome::default() };
        ending.faults.extend(progress.faults.clone());
        let summary = file.render(dir, &progress, Circumstances::default())?;
        if let Some(confirm) = file.confirm().filter(|_| progress.is_over) {
            let plan = confirm_plan(dir, file, &progress.search, confirm)?;
            if plan.test != plan.base && !are_equal(&plan)? {
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
    ending.conclude(&summary, dir, (crew, output))
}

/// The match of the tuned values against the base, in openings behind those of the run, as far as
/// the book has them.
fn confirm_plan<T: Tuner>(
    dir: &Path,
    file: &T,
    search: &T::Search,
    confirm: Confirm,
) -> Result<Plan, Error> {
    let plan = file.plan();
    let test = match file.base()? {
        Base::Embedded(_) => {
            let tuned = dir.join(TUNED_FILE);
            let tuned = std::path::absolute(&tuned).unwrap_or(tuned);
            let (personality, parameters) = (tuned.display().to_string(), Vec::new());
            PlayerSpec::Embedded { personality, parameters }
        }
        base => {
            let values = search.tunables().into_iter().zip(file.tuned(search));
            with_values(&plan.base, &base, values)
        }
    };
    let name = Some("tuned".to_owned());
    Ok(Plan {
        test,
        test_overrides: SideOverrides { name, ..SideOverrides::default() },
        base_overrides: SideOverrides::default(),
        ..confirm.of(plan.clone())
    })
}

/// Whether both are embedded players with the same parameters.
fn are_equal(plan: &Plan) -> Result<bool, Error> {
    let are_embedded = plan.test.is_embedded() && plan.base.is_embedded();
    Ok(are_embedded && params_of(&plan.test)? == params_of(&plan.base)?)
}
