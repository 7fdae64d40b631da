//! What changes no search is found before the first game.

use indicatif::ProgressBar;

use super::experiment::as_base;
use super::{interrupted, match_};
use crate::screen::{ProgressLine, style};
use arena::plan::Plan;
use arena::record::Side;
use arena::runner::Stops;
use arena::session::Resources;
use process::{Error, parallel};
use tuning::preflight::program::ProgramPlay;
use tuning::preflight::{self, Change, Probe, TunableSpan, embedded};
use tuning::tunable::{Base, Tunable};

/// Which of the parameters change play when they are moved; those that do not are refused unless
/// `skip`.
pub(super) fn refuse(
    turns: &[TunableSpan],
    base: &Base,
    plan: &Plan,
    (skip, quiet): (bool, bool),
) -> Result<Vec<bool>, Error> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(turns.len() as u64) };
    let bar = bar.with_style(style("looking for no-ops {bar:30} {pos}/{len}"));
    if !quiet {
        status!("checking which of {} parameters change play", turns.len());
    }
    let found = |probe: &Probe, all: usize| {
        if !quiet {
            bar.suspend(|| status!("{}", words(probe, all)));
        }
        bar.inc(1);
    };
    let probes = match base {
        Base::Embedded(params) => {
            let found = |probe: &Probe| found(probe, preflight::positions());
            embedded::probe(turns, params, parallel::threads(None), found)
        }
        Base::Program(_) => {
            let start = turns.iter().map(|turn| (turn.tunable, turn.start));
            with_program(plan, start, quiet, |play| {
                let all = play.positions();
                play.probe(turns, &|probe| found(probe, all))
            })?
        }
    };
    bar.finish_and_clear();
    check(&probes)?;
    let no_ops = tuning::sweep::no_ops(&probes);
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
    Ok(probes.iter().map(|probe| probe.change != Change::NoOp).collect())
}

/// Lets a program play the positions with these values, and `work` with it. Until it returns, a
/// signal ends the process: nothing is written yet.
pub(super) fn with_program<'a, T>(
    plan: &Plan,
    start: impl Iterator<Item = (&'a Tunable, f64)>,
    quiet: bool,
    work: impl FnOnce(&mut ProgramPlay) -> Result<T, Error>,
) -> Result<T, Error> {
    let _ending =
        interrupted::end_with_engines("stopped before the first game; nothing is written");
    match_::run_session(async |stops: Stops| {
        // Whether it plays at all, and by this limit.
        Resources::new(stops.clone()).look_at(&as_base(plan), &[Side::Base])?;
        let mut play =
            ProgramPlay::begin(plan, start, &stops, &ProgressLine::new("searches", quiet))?;
        let (strayed, all) = (play.strayed(), play.positions());
        if strayed > 0 && !quiet {
            let meaning = match play.is_unknown() {
                true => "no-ops cannot be told and are not refused",
                false => "these do not count",
            };
            status!(
                "the engine does not repeat itself in {strayed} of {all} positions with the same values: \
                 {meaning}"
            );
        }
        work(&mut play)
    })
}

/// Fails where a program does not keep what it is told.
pub(super) fn check(probes: &[Probe]) -> Result<(), Error> {
    let of = |change: Change| {
        let names = probes.iter().filter(|probe| probe.change == change);
        let names: Vec<&str> = names.map(|probe| probe.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    if let Some(names) = of(Change::ForgottenAtNewGame) {
        return Err(Error::usage(format!(
            "{names}: the engine forgets it at ucinewgame: after that it plays as by default again, so no \
             game would be played with another value"
        )));
    }
    if let Some(names) = of(Change::ReadAtStart) {
        return Err(Error::usage(format!(
            "{names}: the engine reads it only when it starts: expected --restart, a new process for every \
             game"
        )));
    }
    if let Some(names) = of(Change::MixedBetweenGames) {
        return Err(Error::usage(format!(
            "{names}: told of it between games, the engine plays otherwise than when it is started with \
             it, so it keeps something of the values before: expected --restart, a new process for every \
             game"
        )));
    }
    Ok(())
}

fn words(Probe { name, change }: &Probe, all: usize) -> String {
    match change {
        Change::Differs(limit, count) => {
            format!("{name}: play differs in {count} of {all} positions at {limit}")
        }
        Change::NoOp => format!("{name}: no-op"),
        Change::ForgottenAtNewGame => format!("{name}: forgotten at ucinewgame"),
        Change::MixedBetweenGames => {
            format!("{name}: keeps something of the value before when it is told between games")
        }
        Change::ReadAtStart => format!("{name}: read only at the start of the engine"),
        Change::Unknown => format!("{name}: not told from the engine's own chance"),
    }
}
