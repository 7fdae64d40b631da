//! What sweeps and tuners share: flags, the confirmation match, and what is said at the end.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;

use super::confirm::ConfirmFlags;
use super::crew::Crew;
use super::flags::{MatchFlags, PlayerFlag};
use super::match_::{self, OutputFlags};
use super::scale::scale;
use super::{DONE, FAULTS, UNDECIDED, print, print_json, stopping};
use crate::screen::MatchScreen;
use arena::build::{Cache, Hold};
use arena::output_folder::{self, Owner};
use arena::plan::{Plan, SideOverrides};
use arena::record::{FinalVerdict, GAMES_FILE, RUN_FILE, Side, Summary};
use arena::runner::Stops;
use arena::session::{OpenRun, Resources, Session, SessionError, again, ask};
use charts::page::Page;
use process::terminal::window_width;
use process::{Context as _, Error};
use tuning::base::{base_of, options_of};
use tuning::confirm::CONFIRM_FOLDER;
use tuning::report::{Circumstances, Report};
use tuning::simulated_engine::Peak;
use tuning::tunable::Base;

/// Flags of sweeps and tuners.
#[derive(Debug, Args)]
pub(super) struct ExperimentFlags {
    /// Engine whose parameters or options are varied, and opponent of what is found:
    /// embedded[:personality][,param=value…], uci:PATH[,Option=value…], xboard:PATH[,Option=value…],
    /// git:REV[,Option=value…] or workdir[,Option=value…]. A path or name alone is a UCI program.
    #[arg(long, value_name = "SPEC", default_value = "embedded:default", help_heading = "Players")]
    base: PlayerFlag,

    /// Simulate instead of playing: the Elo of a simulated engine is highest at OPTIMUM, and ELO
    /// lower at distance WIDTH from it [default ELO: 20]. May be repeated.
    #[arg(long = "truth", value_name = "NAME=OPTIMUM:WIDTH[:ELO]")]
    pub(super) peaks: Vec<Peak>,

    #[command(flatten)]
    pub(super) confirm: ConfirmFlags,

    #[command(flatten)]
    pub(super) flags: MatchFlags,

    /// Folder of the results, new or empty [default: results/DATE-METHOD].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) output: OutputFlags,
}

impl ExperimentFlags {
    /// The folder of an experiment of this kind. Fails where it is in use.
    pub(super) fn folder(&self, kind: &str) -> Result<PathBuf, Error> {
        let dir = self.out.clone().unwrap_or_else(|| super::new_folder(kind));
        output_folder::refuse(&dir, Owner::New)?;
        Ok(dir)
    }

    /// The match of the base against itself, whose sides may have names, and the values of the base;
    /// `instead` says what stands in for --rule.
    pub(super) fn varied(
        &self,
        names: Option<[&str; 2]>,
        pairs: Option<NonZeroU64>,
        instead: &str,
    ) -> Result<VariedPlayer, Error> {
        let mut flags = self.flags.clone();
        if let Some(rule) = flags.rule {
            return Err(Error::usage(format!("--rule {rule}: {instead}")));
        }
        flags.pairs = flags.pairs.or(pairs);
        let say = |line: &str| self.output.print_status(line);
        let player = flags.ready(self.base.clone(), &Cache::of_user(), &say)?;
        let players = [0, 1].map(|side| {
            let name = names.map(|names| names[side].to_owned());
            (player.clone(), SideOverrides { name, ..SideOverrides::default() })
        });
        let mut plan = flags.plan(players)?;
        scale(slice::from_mut(&mut plan), &say);
        let base = match plan.base.is_embedded() {
            true => base_of(&plan.base, &[])?,
            false => Base::Program(options_of(match_::run_session(async |stops: Stops| {
                Ok(ask(&as_base(&plan), Side::Base, &stops)?)
            })?)),
        };
        Ok(VariedPlayer { plan, base, _hold: player.hold })
    }

    pub(super) fn circumstances(&self) -> Circumstances<'_> {
        Circumstances { peaks: &self.peaks, ..Circumstances::default() }
    }

    /// Writes and says what a simulation found. Without a manifest there is nothing to resume.
    pub(super) fn simulated(&self, report: Report, dir: &Path) -> Result<u8, Error> {
        std::fs::create_dir_all(dir).context(dir.display())?;
        print_report(&report.write(dir)?, dir, self.output)?;
        Ok(DONE)
    }
}

/// The plan without the names of its sides: messages call the player --base, as it was given.
pub(super) fn as_base(plan: &Plan) -> Plan {
    let [base_overrides, test_overrides] = [&plan.base_overrides, &plan.test_overrides]
        .map(|own| SideOverrides { name: None, ..own.clone() });
    Plan { base_overrides, test_overrides, ..plan.clone() }
}

/// A player and what can be varied of it.
pub(super) struct VariedPlayer {
    /// The match of the player against itself.
    pub(super) plan: Plan,
    pub(super) base: Base,
    /// Keeps its build until the first game.
    _hold: Option<Arc<Hold>>,
}

/// Folder, flags and resources of one session.
pub(super) struct ExperimentSession<'a> {
    pub(super) dir: &'a Path,
    pub(super) crew: &'a Crew,
    pub(super) output: OutputFlags,
    pub(super) resources: Resources,
    pub(super) stops: Stops,
}

/// The result of a session.
#[derive(Debug, Default)]
pub(super) struct SessionOutcome {
    /// Why games were stopped by faults.
    pub(super) faults: Vec<String>,
    /// Of the confirmation match.
    pub(super) summary: Option<Summary>,
    pub(super) verdict: Option<FinalVerdict>,
    pub(super) is_complete: bool,
}

impl<'a> ExperimentSession<'a> {
    pub(super) fn new(
        dir: &'a Path,
        crew: &'a Crew,
        output: OutputFlags,
        stops: Stops,
    ) -> ExperimentSession<'a> {
        let resources = crew.resources(&stops);
        ExperimentSession { dir, crew, output, resources, stops }
    }

    /// Opens the match in `folder`: resumes it if it has games, else begins it.
    pub(super) fn open(
        &mut self,
        plan: Plan,
        folder: &str,
        stops: Stops,
    ) -> Result<Session, SessionError> {
        let run = self.dir.join(folder);
        if run.join(GAMES_FILE).exists() && run.join(RUN_FILE).exists() {
            let begun = OpenRun::open(&run)?;
            return self.crew.resume(begun, &mut self.resources, stops);
        }
        Session::begin(again(plan, &self.crew.width)?, Some(run), &mut self.resources, stops)
    }

    /// Plays the confirmation match, unless a stop was asked for.
    pub(super) async fn confirm(
        &mut self,
        plan: Plan,
        name: &str,
        ending: &mut SessionOutcome,
    ) -> Result<(), Error> {
        ending.is_complete = false;
        if self.stops.no_new_games() {
            return Ok(());
        }
        let (rule, pairs) = (plan.rule, plan.pairs);
        let session = self.open(plan, CONFIRM_FOLDER, self.stops.part())?;
        let OutputFlags { quiet, interval, .. } = self.output;
        let screen = MatchScreen::new(session.match_state(), quiet, interval);
        let status_line = screen.status_line();
        let _listening = stopping::listen(self.stops.clone(), status_line.clone())?;
        if !quiet {
            status_line.print(&format!("confirming {name}: {pairs} pairs at most, {rule}"));
        }
        let played = session.play(screen).await?;
        ending.faults.extend(played.too_many_faults.map(|faults| faults.0));
        ending.is_complete = played.verdict.is_some();
        ending.verdict = played.verdict;
        ending.summary = Some(played.summary);
        Ok(())
    }
}

impl SessionOutcome {
    /// Says what came of the experiment; returns the exit code.
    pub(super) fn conclude(
        &self,
        summary: &(Page, Value),
        dir: &Path,
        (crew, output): (&Crew, OutputFlags),
    ) -> Result<u8, Error> {
        print_report(summary, dir, output)?;
        for faults in &self.faults {
            status!("stopped: {faults}");
        }
        if !self.is_complete {
            status!("{}", crew.not_finished(dir));
        }
        Ok(match self.verdict {
            _ if !self.faults.is_empty() => FAULTS,
            _ if !self.is_complete => UNDECIDED,
            Some(verdict) => verdict.exit_code(),
            None => DONE,
        })
    }
}

/// Says the summary for people, or with --json for programs, and where it is recorded.
pub(super) fn print_report(
    (page, json): &(Page, Value),
    dir: &Path,
    output: OutputFlags,
) -> Result<(), Error> {
    match output.json {
        true => print_json(json),
        false => {
            let (text, dir) = (page.plain(window_width()), dir.display());
            print(format_args!("{text}\nRecorded in {dir}\n"))
        }
    }
}
