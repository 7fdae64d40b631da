//! What there is to do, and doing it.

use std::fs;
use std::path::{Path, PathBuf};

use engine::Position;
use serde_json::{Map, Value, json};

use super::share::{self, Share};
use super::speed::{self, Speedup};
use super::{Claim, ClaimsError, ClaimsFile};
use crate::nightly::{Deadline, Entry, Night, NightFolder, NightlyPlan, Word};
use crate::record::Summary;

/// How a claim is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Measure {
    /// Games with the mechanism against games without.
    Match,
    /// Time to a depth.
    Speed,
    /// What the search counts of itself.
    Share,
}

impl Measure {
    /// In a word, as in the names of folders.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Measure::Match => "match",
            Measure::Speed => "speed",
            Measure::Share => "share",
        }
    }
}

/// What of the file is asked for; empty lists ask for all.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Claims whose ids begin so.
    pub only: Vec<String>,
    /// Personalities.
    pub personalities: Vec<String>,
    /// Measures.
    pub measures: Vec<Measure>,
}

/// One measurement of one claim.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// In which personality.
    pub personality: &'a str,
    /// How.
    pub measure: Measure,
}

impl Job<'_> {
    /// The name of its folder.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}-{}-{}", self.claim.id, self.personality, self.measure.as_str())
    }

    /// Whether its result is in its folder.
    #[must_use]
    pub fn is_done(&self, dir: &Path) -> bool {
        let dir = dir.join(self.name());
        match self.measure {
            Measure::Match => summary(&dir).is_some(),
            Measure::Speed => Speedup::read(&dir).is_ok_and(|found| found.is_some()),
            Measure::Share => Share::read(&dir).is_ok_and(|found| found.is_some()),
        }
    }
}

/// The summary of a match that is finished.
pub(super) fn summary(run: &Path) -> Option<Summary> {
    Summary::read(run).ok().filter(|summary| summary.judged.verdict.is_some())
}

/// The measurements of a file of claims in a folder.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// The claims.
    pub file: &'a ClaimsFile,
    /// Where results lie.
    pub dir: &'a Path,
}

impl<'a> Work<'a> {
    /// All measurements of a selection, the matches last, which are long.
    #[must_use]
    pub fn jobs(&self, wanted: &Selection) -> Vec<Job<'a>> {
        let asks =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
        let of_measure = |measure: Measure| {
            let claims = self.file.claims.iter().filter(move |claim| match measure {
                Measure::Match => claim.elo.is_some(),
                Measure::Speed => claim.speed.is_some(),
                Measure::Share => claim.share.is_some(),
            });
            let personalities = &self.file.conditions.personalities;
            claims.flat_map(move |claim| {
                personalities.iter().map(move |personality| Job { claim, personality, measure })
            })
        };
        [Measure::Share, Measure::Speed, Measure::Match]
            .into_iter()
            .filter(|measure| wanted.measures.is_empty() || wanted.measures.contains(measure))
            .flat_map(of_measure)
            .filter(|job| {
                let begins = |id: &String| job.claim.id.starts_with(id.as_str());
                wanted.only.is_empty() || wanted.only.iter().any(begins)
            })
            .filter(|job| asks(&wanted.personalities, job.personality))
            .collect()
    }

    /// Measures what is not done yet, until the deadline or a signal. Returns how many are left.
    ///
    /// # Errors
    /// When files cannot be read or written, or processes not be started.
    pub async fn run(
        &self,
        jobs: &[Job<'_>],
        deadline: Option<Deadline>,
        say: &dyn Fn(&str),
    ) -> Result<usize, ClaimsError> {
        fs::create_dir_all(self.dir)
            .map_err(|source| ClaimsError::Folder { path: self.dir.to_owned(), source })?;
        let late = || deadline.is_some_and(Deadline::has_passed);
        let todo: Vec<&Job<'_>> = jobs.iter().filter(|job| !job.is_done(self.dir)).collect();
        let (of_games, of_positions): (Vec<&Job<'_>>, Vec<&Job<'_>>) =
            todo.into_iter().partition(|job| job.measure == Measure::Match);
        let positions = speed::positions(self.file.conditions.positions)?;
        for job in of_positions {
            if late() {
                break;
            }
            self.search(job, &positions, &late, say)?;
        }
        let matches: Vec<Entry> = of_games.iter().map(|job| self.entry(job)).collect();
        let plan = NightlyPlan { until: None, matches };
        let folder = &NightFolder::open(self.dir)?;
        Night { folder, plan: &plan, deadline, say, note: &|_| () }.play().await?;
        Ok(jobs.iter().filter(|job| !job.is_done(self.dir)).count())
    }

    /// Measures what needs no games; nothing is written when `late` says so meanwhile.
    fn search(
        &self,
        job: &Job<'_>,
        positions: &[Position],
        late: &dyn Fn() -> bool,
        say: &dyn Fn(&str),
    ) -> Result<(), ClaimsError> {
        let (claim, name) = (job.claim, job.name());
        let player = |with| {
            claim.params(job.personality, with).map_err(|reason| ClaimsError::Claim {
                path: self.dir.to_owned(),
                id: claim.id.clone(),
                reason,
            })
        };
        let conditions = &self.file.conditions;
        let depth = conditions.depth.get(job.personality).copied().unwrap_or(1);
        if let (Measure::Share, Some(shared)) = (job.measure, &claim.share) {
            let found = share::measure(player(true)?, shared.counter, depth, positions, late);
            let Some(found) = found else { return Ok(()) };
            let share = found.finding().map_or("nothing counted".to_owned(), |it| it.percent());
            say(&format!("{name}: {share}"));
            found.write(&self.dir.join(name))?;
            return Ok(());
        }
        let players = [player(true)?, player(false)?];
        if let Some(found) = speed::measure(players, (depth, conditions.rounds), positions, late) {
            say(&format!("{name}: {:.3} times as fast", found.faster().value));
            found.write(&self.dir.join(name))?;
        }
        Ok(())
    }

    fn entry(&self, job: &Job<'_>) -> Entry {
        let conditions = &self.file.conditions;
        let elo = job.claim.elo.as_ref();
        let nodes = elo.and_then(|elo| elo.nodes).unwrap_or(conditions.nodes);
        let limit = match elo.and_then(|elo| elo.depth) {
            Some(depth) => ("depth", json!(depth)),
            None => ("nodes", json!(nodes)),
        };
        let odds = elo.and_then(|elo| elo.odds);
        let odds = odds.map(|odds| ("test-limit", json!(format!("nodes={}", nodes * odds))));
        let flags: Map<String, Value> = [
            ("base", json!(job.claim.player(job.personality, false))),
            ("test", json!(job.claim.player(job.personality, true))),
            ("pairs", json!(conditions.pairs)),
            ("seed", json!(conditions.seed)),
            ("rule", json!(format!("los=95,pairs={}", conditions.pairs))),
            limit,
        ]
        .into_iter()
        .chain(odds)
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
        Entry { name: job.name(), word: Word::Match, flags }
    }

    /// Where the table is.
    #[must_use]
    pub fn readme(&self) -> PathBuf {
        self.dir.join("README.md")
    }
}
