//! A sitting of a sweep: the race, then the match that confirms its best.

use std::path::Path;

use super::super::match_::OutputFlags;
use super::super::stopping;
use crate::screen::{Screen, StatusLine, TournamentScreen};
use arena::plan::WidthOverrides;
use arena::{
    plan::Plan,
    record::{FinalVerdict, GAMES_FILE, RUN_FILE, Summary},
    runner::Stops,
    session::{Begun, Resources, Session, SessionError, play_together},
};
use process::Error;
use tuning::{
    sweep::{CONFIRM_FOLDER, Champion, Confirm, Outcome, Racing, SweepFile},
    tunable::Tunable,
};

/// What a sitting came to.
#[derive(Debug, Default)]
pub(super) struct Sitting {
    /// Why matches were stopped by faults.
    pub(super) faults: Vec<String>,
    /// Of the confirming match.
    pub(super) summary: Option<Summary>,
    /// Of the confirming match.
    pub(super) verdict: Option<FinalVerdict>,
    pub(super) is_complete: bool,
}

/// What a sitting is played with.
struct Table<'a> {
    dir: &'a Path,
    file: &'a SweepFile,
    tunables: Vec<Tunable>,
    racing: &'a Racing,
    width: &'a WidthOverrides,
    output: OutputFlags,
    resources: Resources,
    stops: Stops,
}

impl Sitting {
    /// Plays what is left of the sweep in `dir`, whose games so far `racing` has.
    pub(super) async fn play(
        dir: &Path,
        file: &SweepFile,
        racing: &Racing,
        width: &WidthOverrides,
        output: OutputFlags,
        stops: Stops,
    ) -> Result<Sitting, Error> {
        let tunables = file.axes()?.into_iter().map(|axis| axis.tunable).collect();
        let resources = Resources::new(stops.clone());
        let mut table = Table { dir, file, tunables, racing, width, output, resources, stops };
        let mut sitting = Sitting::default();
        table.race(&mut sitting).await?;
        let race = racing.race();
        sitting.is_complete = race.is_over();
        let champion = Outcome::new(file, file.axes()?, &race).champion(file.takes_top);
        if let (Some(champion), Some(confirm), true) = (champion, file.confirm, race.is_over()) {
            sitting.is_complete = false;
            if !table.stops.no_new_games() {
                table.confirm(&champion, confirm, &mut sitting).await?;
            }
        }
        Ok(sitting)
    }
}

impl Table<'_> {
    async fn race(&mut self, sitting: &mut Sitting) -> Result<(), Error> {
        let race = self.racing.race();
        let mut sessions = Vec::new();
        for number in race.running().filter(|_| !race.is_over()) {
            let candidate = &self.file.candidates[number];
            let plan = self.file.match_of(&self.tunables, &candidate.name, &candidate.values)?;
            let (run, part) = (self.dir.join(&candidate.folder), self.stops.part());
            sessions.push((number, self.open(plan, &run, part.clone())?, part));
        }
        let standings = sessions.iter().map(|(_, session, _)| session.standing());
        let OutputFlags { quiet, interval, .. } = self.output;
        let screen = TournamentScreen::new(standings, quiet, interval);
        let voice = screen.voice();
        if !quiet {
            let voice = screen.voice();
            self.racing.tell(move |line| voice.say(line));
        }
        let _listening = stopping::listen(self.stops.clone(), screen.voice())?;
        let Some((_, first, _)) = sessions.first() else { return Ok(()) };
        let width = first.plan().width();
        self.announce(first, sessions.len(), &voice);
        let watched = sessions.into_iter().map(|(number, session, part)| {
            let name = &self.file.candidates[number].name;
            (session, self.racing.watch(number, part, screen.of(name)))
        });
        for played in play_together(watched.collect(), width, self.stops.clone()).await? {
            sitting.faults.extend(played?.too_many_faults.map(|faults| faults.0));
        }
        Ok(())
    }

    async fn confirm(
        &mut self,
        champion: &Champion,
        confirm: Confirm,
        sitting: &mut Sitting,
    ) -> Result<(), Error> {
        let plan = self.file.confirming(&self.tunables, champion, confirm)?;
        let stops = self.stops.part();
        let session = self.open(plan, &self.dir.join(CONFIRM_FOLDER), stops)?;
        let screen = Screen::new(session.standing(), self.output.quiet).every(self.output.interval);
        let voice = screen.voice();
        let _listening = stopping::listen(self.stops.clone(), voice.clone())?;
        if !self.output.quiet {
            let (name, Confirm { rule, pairs }) = (&champion.name, confirm);
            voice.say(&format!("confirming {name}: {pairs} pairs at most, {rule}"));
        }
        let played = session.play(screen).await?;
        sitting.faults.extend(played.too_many_faults.map(|faults| faults.0));
        sitting.is_complete = played.verdict.is_some();
        sitting.verdict = played.verdict;
        sitting.summary = Some(played.summary);
        Ok(())
    }

    /// A match that is begun, or gone on with where its folder has one.
    fn open(&mut self, plan: Plan, run: &Path, stops: Stops) -> Result<Session, SessionError> {
        if run.join(GAMES_FILE).exists() && run.join(RUN_FILE).exists() {
            // Its players are part of this program: their options name no files.
            let begun = Begun::open(run)?;
            return Session::resume(begun, self.width, false, &mut self.resources, stops);
        }
        let plan = plan.with_width(self.width);
        Session::begin(plan, Some(run.to_owned()), &mut self.resources, stops)
    }

    fn announce(&self, first: &Session, running: usize, voice: &StatusLine) {
        if self.output.quiet {
            return;
        }
        let (plan, all) = (first.plan(), self.file.candidates.len());
        voice.say(&format!(
            "{running} of {all} candidates, at most {} pairs each, {}, {}; {}",
            plan.pairs,
            first.run_file().conditions(),
            plan.width(),
            self.dir.display()
        ));
        first.note().iter().for_each(|note| voice.say(note));
        first.warnings().iter().flatten().for_each(|it| voice.say(&format!("warning: {it}")));
    }
}
