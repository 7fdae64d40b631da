//! A session of a sweep: the race, then the match that confirms its best.

use super::super::experiment::{ExperimentSession, SessionOutcome};
use super::super::match_::OutputFlags;
use super::super::stopping;
use crate::screen::{StatusLine, TournamentScreen};
use arena::session::{Session, play_together};
use process::Error;
use tuning::sweep::{Racing, SweepFile, SweepOutcome};
use tuning::tunable::Tunable;

/// Plays what is left of the sweep, whose games so far `racing` has.
pub(super) async fn play(
    file: &SweepFile,
    racing: &Racing,
    mut table: ExperimentSession<'_>,
) -> Result<SessionOutcome, Error> {
    let axes = file.axes()?;
    let tunables: Vec<Tunable> = axes.iter().map(|axis| axis.tunable.clone()).collect();
    let faults = race(file, &tunables, racing, &mut table).await?;
    let race = racing.race();
    let mut ending =
        SessionOutcome { faults, is_complete: race.is_over(), ..SessionOutcome::default() };
    let champion = SweepOutcome::new(file, axes, &race).champion(file.takes_top);
    if let (Some(champion), Some(confirm), true) = (champion, file.confirm, race.is_over()) {
        let plan = confirm.of(file.match_of(&tunables, &champion.name, &champion.values)?);
        table.confirm(plan, &champion.name, &mut ending).await?;
    }
    Ok(ending)
}

/// Returns why matches were stopped by faults.
async fn race(
    file: &SweepFile,
    tunables: &[Tunable],
    racing: &Racing,
    table: &mut ExperimentSession<'_>,
) -> Result<Vec<String>, Error> {
    let race = racing.race();
    // Candidates that are programs differ in options only: they use the same processes.
    table.resources.vary(file.options.clone());
    let mut sessions = Vec::new();
    for number in race.running().filter(|_| !race.is_over()) {
        let candidate = &file.candidates[number];
        let plan = file.match_of(tunables, &candidate.name, &candidate.values)?;
        let part = table.stops.part();
        sessions.push((number, table.open(plan, &candidate.folder, part.clone())?, part));
    }
    let states = sessions.iter().map(|(_, session, _)| session.match_state());
    let OutputFlags { quiet, interval, .. } = table.output;
    let screen = TournamentScreen::new(states, quiet, interval);
    if !quiet {
        let status_line = screen.status_line();
        racing.on_event(move |line| status_line.print(line));
    }
    let _listening = stopping::listen(table.stops.clone(), screen.status_line())?;
    let Some((_, first, _)) = sessions.first() else { return Ok(Vec::new()) };
    let width = first.plan.width();
    if !quiet {
        announce(first, [sessions.len(), file.candidates.len()], table, &screen.status_line());
    }
    let watched = sessions.into_iter().map(|(number, session, part)| {
        let name = &file.candidates[number].name;
        (session, racing.watch(number, part, screen.of(name)))
    });
    let mut faults = Vec::new();
    for played in play_together(watched.collect(), width, table.stops.clone()).await? {
        faults.extend(played?.too_many_faults.map(|faults| faults.0));
    }
    Ok(faults)
}

fn announce(
    first: &Session,
    [running, all]: [usize; 2],
    table: &ExperimentSession<'_>,
    status_line: &StatusLine,
) {
    let plan = &first.plan;
    status_line.print(&format!(
        "{running} of {all} candidates, at most {} pairs each, {}, {}; {}",
        plan.pairs,
        first.run.conditions(),
        table.crew.width_in_words(&plan.width()),
        table.dir.display()
    ));
    first.note().iter().for_each(|note| status_line.print(note));
    first.warnings().iter().flatten().for_each(|it| status_line.print(&format!("warning: {it}")));
}
