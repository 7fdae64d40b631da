//! A sitting of a tuner: its games, the match that confirms what it found, what is told of it.

use std::{num::NonZeroU64, path::Path, slice};

use engine::Params;
use indicatif::ProgressBar;

use super::scale::scale;
use super::stopped::or_resumable;
use super::{
    DONE, FAULTS, UNDECIDED,
    match_::{self, OutputFlags},
    outcome, stopping,
};
use crate::cli::flags::{MatchFlags, PlayerFlag};
use crate::screen::{Screen, TournamentScreen};
use arena::plan::WidthOverrides;
use arena::{
    build::Cache,
    plan::{Plan, SideOverrides},
    player::spec::PlayerSpec,
    record::{FinalVerdict, RUN_FILE, output_files::TUNED_FILE},
    runner::Stops,
    session::{Begun, Resources, Session},
};
use process::Error;
use process::parallel;
use process::terminal::shell_path;
use tuning::{
    sweep::{CONFIRM_FOLDER, Confirm, SweepError, params_of},
    tune::{
        TuneError,
        preflight::{self, Probe, Turn},
        tuner::{self, Listeners, Tuner},
    },
};

/// Pairs of a run that does not say it.
pub(super) const PAIRS: u64 = 5000;
/// The most pairs of a run: what each has tried is kept.
const MOST_PAIRS: u64 = 10_000_000;
/// The most pairs that are tried before anything is learnt of them.
pub(super) const MOST_BATCH: u64 = 100_000;

/// The base's parameters, and the match of it against itself whose sides are called so.
pub(super) fn ready(
    base: PlayerFlag,
    mut flags: MatchFlags,
    names: [&str; 2],
    quiet: bool,
) -> Result<(Params, Plan), Error> {
    if let Some(rule) = flags.rule {
        return Err(TuneError::Rule(rule).into());
    }
    let say = |line: &str| {
        if !quiet {
            status!("{line}");
        }
    };
    let not_embedded = |spec: String| TuneError::Base(SweepError::NotEmbedded(spec));
    let PlayerFlag::Ready(spec) = &base else {
        return Err(not_embedded("of a build".to_owned()).into());
    };
    let params = params_of(spec).map_err(TuneError::Base)?;
    flags.pairs = flags.pairs.or(NonZeroU64::new(PAIRS));
    let player = flags.ready(base, &Cache::of_user(), &say)?;
    let players = names.map(|name| {
        (player.clone(), SideOverrides { name: Some(name.to_owned()), ..SideOverrides::default() })
    });
    let mut plan = flags.plan(players)?;
    if plan.pairs > MOST_PAIRS {
        return Err(TuneError::Pairs { found: plan.pairs, most: MOST_PAIRS }.into());
    }
    scale(slice::from_mut(&mut plan), &say);
    Ok((params, plan))
}

/// Which of the parameters change play when they are moved; those that do not are refused unless
/// `skip`.
pub(super) fn refuse_no_ops(
    turns: &[Turn],
    base: &Params,
    skip: bool,
    quiet: bool,
) -> Result<Vec<bool>, TuneError> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(turns.len() as u64) };
    if !quiet {
        status!("checking which of {} parameters change play", turns.len());
    }
    let found = |probe: &Probe| {
        let (name, all) = (&probe.name, preflight::positions());
        let said = match probe.differs {
            Some((depth, count)) => {
                format!("{name}: play differs in {count} of {all} positions at depth {depth}")
            }
            None => format!("{name}: no-op"),
        };
        if !quiet {
            bar.suspend(|| status!("{said}"));
        }
        bar.inc(1);
    };
    let probes = preflight::probe(turns, base, parallel::threads(None), found);
    bar.finish_and_clear();
    let no_ops = probes.iter().filter(|probe| probe.differs.is_none());
    let no_ops: Vec<&str> = no_ops.map(|probe| probe.name.as_str()).collect();
    if !no_ops.is_empty() && !skip {
        return Err(TuneError::NoOps(no_ops.join(", ")));
    }
    if no_ops.len() == probes.len() {
        return Err(TuneError::Nothing);
    }
    Ok(probes.iter().map(|probe| probe.differs.is_some()).collect())
}

pub(super) fn resume<T: Tuner>(
    dir: &Path,
    width: &WidthOverrides,
    output: OutputFlags,
) -> Result<u8, Error> {
    play(dir, &T::read(dir)?, width, output)
}

/// Plays what is left of the run in `dir`, whose file is written; returns the exit code.
pub(super) fn play<T: Tuner>(
    dir: &Path,
    file: &T,
    width: &WidthOverrides,
    output: OutputFlags,
) -> Result<u8, Error> {
    or_resumable(dir, play_on(dir, file, width, output))
}

fn play_on<T: Tuner>(
    dir: &Path,
    file: &T,
    width: &WidthOverrides,
    output: OutputFlags,
) -> Result<u8, Error> {
    let (sitting, confirmed, is_same) = match_::sitting(async |stops: Stops| {
        let mut resources = Resources::new(stops.clone());
        // For its voice; a run has no bar, its parameters are told in lines.
        let screen = TournamentScreen::new(std::iter::empty(), true, None);
        let voice = screen.voice();
        let _listening = stopping::listen(stops.clone(), screen.voice())?;
        let say = |line: &str| {
            if !output.quiet {
                voice.say(line);
            }
        };
        let (parameters, pairs) = (file.parameters(), file.plan().pairs);
        say(&format!("{parameters} parameters, {pairs} pairs; {}", dir.display()));
        let listeners = Listeners { line: &say, trouble: &|what| voice.say(what) };
        let mut sitting = tuner::play(dir, file, width, &mut resources, &stops, listeners).await?;
        file.render(dir, &sitting, None)?;
        let (Some(confirm), true, false) = (file.confirm(), sitting.is_over, stops.no_new_games())
        else {
            return Ok((sitting, None, false));
        };
        let plan = confirm_plan(dir, file.plan(), confirm).with_width(width);
        if params_of(&plan.test)? == params_of(&plan.base)? {
            say("the tuned values equal those of the base: nothing to confirm");
            return Ok((sitting, None, true));
        }
        let run = dir.join(CONFIRM_FOLDER);
        let session = if run.join(RUN_FILE).exists() {
            // Its players are part of this program: their options name no files.
            Session::resume(Begun::open(&run)?, width, false, &mut resources, stops.part())?
        } else {
            Session::begin(plan, Some(run), &mut resources, stops.part())?
        };
        say(&format!("confirming: {} pairs at most, {}", confirm.pairs, confirm.rule));
        let screen = Screen::new(session.standing(), output.quiet).every(output.interval);
        let played = session.play(screen).await?;
        sitting.faults = played.too_many_faults.map(|faults| faults.0);
        Ok((sitting, Some((played.summary, played.verdict)), false))
    })?;
    let summary = confirmed.as_ref().map(|(summary, _)| summary);
    outcome::say(&file.render(dir, &sitting, summary)?, dir, output)?;
    if let Some(fault) = &sitting.faults {
        status!("stopped, too many faults: {fault}");
        return Ok(FAULTS);
    }
    let verdict = confirmed.and_then(|(_, verdict)| verdict);
    let is_complete = sitting.is_over && (file.confirm().is_none() || verdict.is_some() || is_same);
    if !is_complete {
        status!("not finished yet; continue with: verdict resume {}", shell_path(dir));
    }
    Ok(match verdict {
        _ if !is_complete => UNDECIDED,
        verdict => verdict.map_or(DONE, FinalVerdict::exit_code),
    })
}

/// The match of the tuned values against the base, in openings behind those of the run, as far as
/// the book has them.
fn confirm_plan(dir: &Path, plan: &Plan, confirm: Confirm) -> Plan {
    let tuned = dir.join(TUNED_FILE);
    let tuned = std::path::absolute(&tuned).unwrap_or(tuned);
    let mut plan = plan.clone();
    plan.openings.offset = plan.openings.offset.saturating_add(plan.pairs);
    Plan {
        test: PlayerSpec::Embedded {
            personality: tuned.display().to_string(),
            parameters: Vec::new(),
        },
        test_own: SideOverrides { name: Some("tuned".to_owned()), ..SideOverrides::default() },
        base_own: SideOverrides::default(),
        rule: confirm.rule,
        pairs: confirm.pairs,
        ..plan
    }
}
