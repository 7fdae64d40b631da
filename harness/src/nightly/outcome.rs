//! The outcome of an entry.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{EntryBisection, EntryKind, NightEntry, Rating, ratings, regression};
use crate::tournament::{Pairing, TournamentFile, TournamentKind};
use arena::record::{
    Faults, FinalVerdict, Manifest as _, Summary as RunSummary, SummaryStatistics,
};
use stats::Wdl;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum EntryState {
    Finished,
    Unfinished,
    #[strum(to_string = "not played")]
    NotPlayed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    #[strum(to_string = "the deadline")]
    Deadline,
    /// A signal: Ctrl-C, or the end of a session.
    #[strum(to_string = "the user")]
    User,
    /// Too many faults, or an embedded search that did not stop.
    #[strum(to_string = "faults")]
    Faults,
    /// Its process failed otherwise, or did not begin.
    #[strum(to_string = "an error")]
    Error,
}

/// Why an entry stopped early, or why its result is void.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stop {
    pub by: Cause,
    pub why: String,
}

/// Games that ended by a fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FaultCounts {
    /// Of all sides, those of the harness among them.
    pub total: u64,
    /// Of the tested side: test in a match, first players in a gauntlet, all in a round robin.
    pub own: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NightRun {
    pub dir: PathBuf,
    /// Its numbers; absent until it has a summary.
    #[serde(flatten)]
    pub numbers: Option<MatchNumbers>,
}

/// The numbers of a match, by the names that they have in `summary.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchNumbers {
    pub test: String,
    pub base: String,
    pub rule: String,
    /// Pairs that count.
    pub pairs: u64,
    pub games: u64,
    /// Test's results.
    pub wdl: Wdl,
    /// Pairs by test's score 0, ½, 1, 1½, 2.
    pub ptnml: [u64; 5],
    /// Elo to verdict, and why numbers are missing.
    #[serde(flatten)]
    pub judged: SummaryStatistics,
    pub faults: Faults,
}

impl MatchNumbers {
    fn of(summary: &RunSummary) -> MatchNumbers {
        MatchNumbers {
            test: summary.test.label.clone(),
            base: summary.base.label.clone(),
            rule: summary.details.rule.clone(),
            pairs: summary.pairs,
            games: summary.games,
            wdl: summary.wdl,
            ptnml: summary.ptnml,
            judged: summary.judged.clone(),
            faults: summary.faults.clone(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryOutcome {
    pub name: String,
    pub word: EntryKind,
    pub state: EntryState,
    pub stopped: Option<Stop>,
    /// Why it shows the tested player to be weaker, if it does; see `verdict nightly --help`.
    /// Tournaments only measure.
    pub regression: Option<String>,
    /// The search for the commit behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bisect: Option<EntryBisection>,
    pub faults: FaultCounts,
    /// The verdict of a match.
    pub verdict: Option<FinalVerdict>,
    /// The result in one line: of a match, or the ratings of a tournament.
    pub result: Option<String>,
    /// The players of a tournament, the strongest first.
    pub ratings: Vec<Rating>,
    pub runs: Vec<NightRun>,
}

impl EntryOutcome {
    /// Reads the outcome of an entry from its folder.
    pub(super) fn read(
        entry: &NightEntry,
        dir: &Path,
        begun: bool,
        finished: bool,
    ) -> EntryOutcome {
        let file = match entry.word {
            EntryKind::Tournament => TournamentFile::read(dir).ok(),
            EntryKind::Match => None,
        };
        let dirs: Vec<PathBuf> = match (&file, entry.word) {
            (Some(file), _) => file.runs(dir),
            (None, EntryKind::Match) => vec![dir.to_owned()],
            (None, EntryKind::Tournament) => Vec::new(),
        };
        let summaries: Vec<Option<RunSummary>> =
            dirs.iter().map(|dir| RunSummary::read(dir).ok()).collect();
        let sides = |at: usize| match &file {
            Some(file) => file.matches.get(at).map_or([false; 2], |it| tested(file.kind, it)),
            None => [false, true],
        };
        let only = match (entry.word, summaries.as_slice()) {
            (EntryKind::Match, [Some(only)]) => Some(only),
            _ => None,
        };
        let known = || summaries.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?)));
        let own = known().map(|(at, summary)| own_faults(&summary.faults, sides(at))).sum();
        let total = known().map(|(_, summary)| summary.faults.total).sum();
        let voids = known().filter_map(|(at, summary)| {
            let why = summary.judged.void.as_deref()?;
            let of = file.as_ref().and_then(|file| file.matches.get(at));
            Some(of.map_or(why.to_owned(), |pairing| format!("{}: {why}", pairing.folder)))
        });
        let voids: Vec<String> = voids.collect();
        let numbers = summaries.iter().map(|summary| summary.as_ref().map(MatchNumbers::of));
        let ratings = if file.is_some() { Rating::read(&dirs) } else { Vec::new() };
        let rated = (!ratings.is_empty()).then(|| ratings::one_line(&ratings));
        EntryOutcome {
            name: entry.name.clone(),
            word: entry.word,
            state: match (finished, begun) {
                (true, _) => EntryState::Finished,
                (false, true) => EntryState::Unfinished,
                (false, false) => EntryState::NotPlayed,
            },
            stopped: (finished && !voids.is_empty())
                .then(|| Stop { by: Cause::Faults, why: voids.join("; ") }),
            regression: only.filter(|_| finished).and_then(regression),
            bisect: None,
            faults: FaultCounts { total, own },
            verdict: only.and_then(|summary| summary.judged.verdict),
            result: only.map(RunSummary::one_line).or(rated),
            ratings,
            runs: dirs
                .into_iter()
                .zip(numbers)
                .map(|(dir, numbers)| NightRun { dir, numbers })
                .collect(),
        }
    }

    /// Adds why it was stopped. For a finished entry a stop by the deadline or the user is ignored.
    pub(super) fn stopped(self, stop: Option<Stop>) -> EntryOutcome {
        let ends = |stop: &Stop| !matches!(stop.by, Cause::Deadline | Cause::User);
        let stop = stop.filter(|stop| self.state != EntryState::Finished || ends(stop));
        EntryOutcome { stopped: stop.or(self.stopped), ..self }
    }

    /// Whether it failed: stopped by faults or an error, or the tested side had a fault.
    pub fn has_failed(&self) -> bool {
        let failed = |stop: &Stop| matches!(stop.by, Cause::Faults | Cause::Error);
        self.stopped.as_ref().is_some_and(failed) || self.faults.own > 0
    }

    pub fn in_words(&self) -> String {
        let mut text = self.state.to_string();
        if let Some(why) = &self.regression {
            text += &format!(", A REGRESSION ({why})");
        }
        if let Some(words) = self.faults.words() {
            text += &format!(", {words}");
        }
        for part in
            [self.verdict.map(FinalVerdict::as_str), self.result.as_deref()].into_iter().flatten()
        {
            text += &format!(", {part}");
        }
        if let Some(Stop { by, why }) = &self.stopped {
            text += &format!(", stopped by {by}: {why}");
        }
        if let Some(bisect) = &self.bisect {
            text += &format!(". {} See {}", bisect.words, bisect.dir.display());
        }
        text
    }
}

impl FaultCounts {
    pub fn words(self) -> Option<String> {
        let FaultCounts { total, own } = self;
        let plural = if total == 1 { "" } else { "s" };
        (total > 0).then(|| format!("{total} fault{plural}, {own} by the tested side"))
    }
}

/// Which sides of a pairing are tested, base and test.
fn tested(kind: TournamentKind, pairing: &Pairing) -> [bool; 2] {
    match kind {
        TournamentKind::RoundRobin => [true; 2],
        TournamentKind::Gauntlet { seeds } => {
            [pairing.base, pairing.test].map(|player| player < seeds.get())
        }
    }
}

/// Faults of the sides that are tested, base and test.
fn own_faults(faults: &Faults, tested: [bool; 2]) -> u64 {
    let sides = [&faults.base, &faults.test].into_iter().zip(tested);
    sides.filter(|(_, tested)| *tested).map(|(side, _)| side.values().sum::<u64>()).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn faults_of_opponents_are_not_ours() {
        let kinds = |count| BTreeMap::from([("crash".to_owned(), count)]);
        let faults = Faults {
            total: 7,
            base: kinds(1),
            test: kinds(2),
            harness: kinds(4),
            ..Faults::default()
        };
        let pairing = |test, base| Pairing {
            folder: String::new(),
            test,
            base,
            plan: serde_json::Value::Null,
        };
        let gauntlet = TournamentKind::Gauntlet { seeds: NonZeroUsize::MIN };
        assert_eq!(own_faults(&faults, [false, true]), 2);
        assert_eq!(own_faults(&faults, tested(gauntlet, &pairing(0, 2))), 2);
        assert_eq!(own_faults(&faults, tested(TournamentKind::RoundRobin, &pairing(0, 2))), 3);
    }
}
