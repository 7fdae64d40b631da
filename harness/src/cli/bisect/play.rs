//! A session of a bisection: builds and plays what its search needs.

use std::path::Path;

use super::super::crew::Crew;
use super::super::interrupted;
use super::super::match_::{self, OutputFlags};
use super::super::stopping;
use crate::bisect::{self, BisectFile, Need, Outcome, Search, SharedSearch, Watch};
use crate::nightly::regression;
use crate::screen::MatchScreen;
use arena::build::{Built, Cache, Wanted, attempt};
use arena::record::{Faults, GAMES_FILE, RUN_FILE, SummaryStatistics};
use arena::runner::Stops;
use arena::session::{OpenRun, PlayedMatch, Resources, Session, SessionError};
use process::Error;

/// Does what is left, until the end or a stop. Returns the search, and the faults that have stopped
/// it.
pub(super) fn play(
    dir: &Path,
    file: &BisectFile,
    crew: &Crew,
    output: OutputFlags,
) -> Result<(Search, Option<String>), Error> {
    let search = SharedSearch::new(Search::read(file, dir)?);
    let faults = match_::run_session(async |stops: Stops| {
        let resources = crew.resources(&stops);
        let table = Table { dir, file, crew, output, search: search.clone(), stops, resources };
        table.play().await
    });
    // What the last games said is kept whatever has ended it.
    search.lock().write(dir)?;
    Ok((Search::read(file, dir)?, faults?))
}

struct Table<'a> {
    dir: &'a Path,
    file: &'a BisectFile,
    crew: &'a Crew,
    output: OutputFlags,
    search: SharedSearch,
    stops: Stops,
    resources: Resources,
}

impl Table<'_> {
    async fn play(mut self) -> Result<Option<String>, Error> {
        loop {
            let need = {
                let mut search = self.search.lock();
                let need = search.need();
                search.write(self.dir)?;
                need
            };
            match need {
                Need::Ended(_) => return Ok(None),
                _ if self.stops.no_new_games() => return Ok(None),
                Need::Build(version) => {
                    self.build(version)?;
                }
                Need::Pairs(version, _) | Need::Verdict(version) => {
                    if let Some(faults) = self.play_match(version).await? {
                        return Ok(Some(faults));
                    }
                }
            }
        }
    }

    fn say(&self, line: &str) {
        self.output.print_status(line);
    }

    /// Builds a version, or passes it over.
    fn build(&self, version: usize) -> Result<Option<Built>, Error> {
        let _listener = interrupted::end_with(self.crew.not_finished(self.dir));
        let wanted = Wanted::Revision(self.file.commits[version].commit.clone());
        let cache = Cache::of_user();
        let built = attempt(&wanted, &self.file.recipe(), &cache, &|line| self.say(line))?;
        let name = format!("{version} of {}, {}", self.file.last(), self.file.words(version));
        let built = match built {
            Ok(built) => built,
            Err(why) => {
                self.say(&why);
                self.pass_over(version, why.lines().next().unwrap_or_default().to_owned());
                return Ok(None);
            }
        };
        let mut search = self.search.lock();
        if !search.versions()[version].is_built {
            let bench = built.identity.bench;
            search.built(version, bench);
            let same = search.versions()[version].same_as;
            let later = search.versions().iter().rposition(|it| it.same_as == Some(version));
            drop(search);
            let bench = bench.map_or("no bench".to_owned(), |nodes| format!("bench {nodes}"));
            self.say(&match same.or(later) {
                Some(other) => format!(
                    "{name}: {bench}, as {other} {}: nothing between them changes play",
                    self.file.short(other)
                ),
                None => format!("{name}: {bench}"),
            });
        }
        Ok(Some(built))
    }

    fn pass_over(&self, version: usize, why: String) {
        self.say(&format!("{} is passed over: {why}", self.file.words(version)));
        self.search.lock().pass_over(version, why);
    }

    /// Plays the match of a version as long as its games are needed. Returns the faults of the good
    /// commit that stop the bisection; a version with too many of its own is passed over.
    async fn play_match(&mut self, version: usize) -> Result<Option<String>, Error> {
        let stops = self.stops.part();
        let session = match self.open(version, stops.clone()) {
            Ok(Some(session)) => session,
            Ok(None) => return Ok(None),
            Err(SessionError::Program { who, reason }) if who == self.file.short(version) => {
                self.pass_over(version, format!("{who}: {reason}"));
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let screen =
            MatchScreen::new(session.match_state(), self.output.quiet, self.output.interval);
        let status_line = screen.status_line();
        let listening = stopping::listen(self.stops.clone(), status_line)?;
        let run = session.dir.clone();
        let watch = Watch::new(self.search.clone(), version, &run, stops, screen)?;
        let played = session.play(watch).await?;
        drop(listening);
        self.conclude(version, &played)
    }

    fn conclude(&self, version: usize, played: &PlayedMatch) -> Result<Option<String>, Error> {
        if let Some(faults) = &played.too_many_faults {
            let Faults { base, test, .. } = &played.summary.faults;
            let [of_good, of_version] = [base, test].map(|of| of.values().sum::<u64>());
            if of_version <= of_good {
                return Ok(Some(format!("{}: {}", played.dir.display(), faults.0)));
            }
            self.pass_over(version, faults.0.clone());
            return Ok(None);
        }
        let mut search = self.search.lock();
        if played.verdict.is_some() && search.need() == Need::Verdict(version) {
            search.judged(version, has_lost(played));
        }
        let outcome = Outcome::new(self.file, &mut search, self.dir);
        drop(search);
        // So that the page shows how far it is.
        bisect::write(self.file, &outcome, self.dir)?;
        let elo = elo_in_words(&played.summary.judged);
        let likeliest = outcome.likeliest().map_or(String::new(), |row| {
            let probability = 100.0 * row.probability.unwrap_or(0.0);
            format!("; likeliest {} {:.0} %", self.file.words(row.number), probability)
        });
        let pairs = played.summary.pairs;
        let name = self.file.short(version);
        self.say(&format!("{version} {name}: {elo}, {pairs} pairs{likeliest}"));
        Ok(None)
    }

    /// The match of a version, begun or gone on with; `None` where its build is passed over, or its
    /// match is decided already.
    fn open(&mut self, version: usize, stops: Stops) -> Result<Option<Session>, SessionError> {
        let run = self.file.run(self.dir, version);
        if run.join(GAMES_FILE).exists() && run.join(RUN_FILE).exists() {
            let begun = OpenRun::open(&run)?;
            if begun.is_finished() {
                self.conclude_finished(version, begun)?;
                return Ok(None);
            }
            return self.crew.resume(begun, &mut self.resources, stops).map(Some);
        }
        let Some(built) = self.build(version)? else { return Ok(None) };
        let plan = self.file.match_of(version, built)?.with_width(&self.crew.width);
        Session::begin(plan, Some(run), &mut self.resources, stops).map(Some)
    }

    fn conclude_finished(&self, version: usize, begun: OpenRun) -> Result<(), SessionError> {
        let played = begun.conclude()?;
        let mut search = self.search.lock();
        match search.need() {
            Need::Verdict(wanted) if wanted == version => search.judged(version, has_lost(&played)),
            // A finished match has all its pairs; nothing would change by asking again.
            _ => search.pass_over(version, "its match ended before its last pair".to_owned()),
        }
        Ok(())
    }
}

/// Whether the match shows the version to be weaker than the good one.
fn has_lost(played: &PlayedMatch) -> bool {
    regression(&played.summary).is_some()
}

fn elo_in_words(judged: &SummaryStatistics) -> String {
    match (judged.elo, judged.elo_error95) {
        (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1} Elo"),
        (Some(elo), None) => format!("{elo:+.1} Elo"),
        (None, _) => "Elo undefined".to_owned(),
    }
}
