//! What came of a night.

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::Word;
use crate::{record::Summary as RunSummary, stats::LEAST_PAIRS};

/// At most this likelihood of superiority shows that test is the weaker one.
const REGRESSION: f64 = 0.05;

/// How far an entry came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All of it is played.
    Finished,
    /// A part of it.
    Unfinished,
    /// Nothing of it.
    NotPlayed,
}

/// What came of an entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// What it plays.
    pub word: Word,
    /// How far it came.
    pub state: State,
    /// The folders of its matches.
    pub runs: Vec<PathBuf>,
    /// What it shows in a line; of a tournament the ratings.
    pub result: Option<String>,
    /// The rule's verdict, of a match.
    pub verdict: Option<String>,
    /// Whether it shows test to be the weaker one: a LOS of 5 % or less.
    pub regression: bool,
    /// Games that ended by a fault.
    pub faults: u64,
    /// Why its process did not end as it should.
    pub trouble: Option<String>,
}

/// Whether there are pairs enough for LOS to mean something.
fn shows_enough(summary: &RunSummary) -> bool {
    summary.details.effective_ptnml.iter().sum::<u64>() >= LEAST_PAIRS
}

impl Outcome {
    /// What the summaries of its matches say, and the ratings of a tournament.
    #[must_use]
    pub fn new(
        name: String,
        word: Word,
        state: State,
        runs: Vec<PathBuf>,
        summaries: &[RunSummary],
        ratings: Option<String>,
    ) -> Outcome {
        let only = match (word, summaries) {
            (Word::Match, [only]) => Some(only),
            _ => None,
        };
        Outcome {
            name,
            word,
            state,
            runs,
            result: only.map(RunSummary::one_line).or(ratings),
            verdict: only.and_then(|summary| summary.judged.verdict.clone()),
            regression: only
                .and_then(|summary| summary.judged.los)
                .is_some_and(|los| state == State::Finished && los <= REGRESSION)
                && only.is_some_and(shows_enough),
            faults: summaries.iter().map(|summary| summary.faults.total).sum(),
            trouble: None,
        }
    }

    /// In a line.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut text = match self.state {
            State::Finished => "finished".to_owned(),
            State::Unfinished => "unfinished".to_owned(),
            State::NotPlayed => "not played".to_owned(),
        };
        if self.regression {
            text.push_str(", A REGRESSION");
        }
        if self.faults > 0 {
            let _ = write!(text, ", {} faults", self.faults);
        }
        for part in [&self.verdict, &self.result, &self.trouble].into_iter().flatten() {
            let _ = write!(text, ", {part}");
        }
        text
    }
}

/// What came of a night.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Its name: the folder's.
    pub name: String,
    /// What came of each entry.
    pub entries: Vec<Outcome>,
}

impl Summary {
    /// The exit code: 1 when a regression is shown, 3 when a process or an engine failed, 2 when
    /// something is not played to its end, else 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if self.entries.iter().any(|entry| entry.regression) {
            1
        } else if self.entries.iter().any(|entry| entry.trouble.is_some() || entry.faults > 0) {
            3
        } else if self.entries.iter().any(|entry| entry.state != State::Finished) {
            2
        } else {
            0
        }
    }

    /// For people.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = format!("# {}\n\n| | |\n|---|---|\n", self.name);
        for entry in &self.entries {
            let words = entry.in_words().replace('|', "\\|");
            let _ = writeln!(page, "| {} | {words} |", entry.name);
        }
        page.push_str(
            "\nElo is test minus base; in a tournament ratings, of mean 0. A regression is a finished match with a LOS of 5 % or less.\n",
        );
        page
    }

    /// Writes `nightly.json` and `nightly.md`.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, dir: &Path) -> io::Result<()> {
        let json = serde_json::to_string_pretty(self)?;
        fs::write(dir.join("nightly.json"), json + "\n")?;
        fs::write(dir.join("nightly.md"), self.markdown())
    }
}
