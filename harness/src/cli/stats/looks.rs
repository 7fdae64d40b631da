//! `verdict stats RUN --at GAMES,…`: what a run said after fewer games, and how it wavered.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::folders::{Holds, holds};
use arena::record::{Games, Tally};
use charts::page::{Page, PageTable};
use process::{Context as _, Error};
use stats::{Course, Pentanomial, Rule, Statistics, Verdict, percent_clamped};

/// Games before which the range of Elo is not told: it is wide at any match's beginning.
const SETTLED: u64 = 100;

/// A run after some of its games.
struct Look {
    games: u64,
    statistics: Statistics,
    /// By LOS 95 %.
    verdict: Verdict,
}

/// All looks that could be taken at a run, one after each pair.
#[derive(Default)]
pub(super) struct Looks {
    asked: Vec<Look>,
    games: u64,
    last: Option<Verdict>,
    /// Games at the first verdict.
    first: Option<u64>,
    /// Games since which the verdict is the last one.
    since: u64,
    changes: u64,
    /// Least and most, from [`SETTLED`] games on.
    elo: Option<[f64; 2]>,
}

/// The looks after so many games, where any are asked for: they are of one run.
pub(super) fn asked(runs: &[PathBuf], at: &[u64]) -> Result<Option<Looks>, Error> {
    match runs {
        _ if at.is_empty() => Ok(None),
        [dir] if dir.is_dir() && matches!(holds(dir)?, Holds::Run) => Looks::of(dir, at).map(Some),
        _ => Err(Error::usage(
            "--at: expected the folder of one run, as verdict match --out makes it",
        )),
    }
}

impl Looks {
    /// Of the gap-free prefix of a run's folder, whatever its rule; `at` are numbers of games.
    fn of(dir: &Path, at: &[u64]) -> Result<Looks, Error> {
        let (mut tally, mut looks) = (Tally::default(), Looks::default());
        for game in Games::open(dir)? {
            let counted = tally.add(&game?).map_err(Error::input_output).context(dir.display())?;
            for (pair, _) in counted {
                looks.add(2 * pair.pairs, &pair.effective, at);
            }
        }
        Ok(looks)
    }

    /// The next pair, with which there are so many games.
    fn add(&mut self, games: u64, counts: &Pentanomial, at: &[u64]) {
        let verdict = by_los(counts);
        let asked = at.iter().any(|&wanted| wanted == games || wanted + 1 == games);
        if asked || games >= SETTLED {
            let statistics = Statistics::of_pairs(counts, None, None);
            if let (Ok(elo), true) = (statistics.elo.elo, games >= SETTLED) {
                let [low, high] = self.elo.unwrap_or([elo, elo]);
                self.elo = Some([low.min(elo), high.max(elo)]);
            }
            if asked {
                self.asked.push(Look { games, statistics, verdict });
            }
        }
        if verdict != Verdict::Undecided && self.first.is_none() {
            self.first = Some(games);
        }
        if self.last.is_some_and(|last| last != verdict) {
            self.changes += 1;
            self.since = games;
        }
        (self.games, self.last) = (games, Some(verdict));
    }

    pub(super) fn page(&self) -> Page {
        let mut page = Page::default();
        let mut table = PageTable::new(0, ["games", "Elo", "95 % interval", "LOS", "LOS 95 says"]);
        for Look { games, statistics, verdict } in &self.asked {
            let elo = &statistics.elo;
            let unknown = || "–".to_owned();
            let ends = elo.low95.and_then(|low| Ok((low, elo.high95?)));
            table.rows.push(vec![
                games.to_string(),
                elo.elo.map_or_else(|_| unknown(), |elo| format!("{elo:+.1}")),
                ends.map_or_else(|_| unknown(), |(low, high)| format!("{low:+.1} to {high:+.1}")),
                statistics.los.map_or_else(|_| unknown(), percent_clamped),
                verdict.to_string(),
            ]);
        }
        page.text("What it would have said, had it ended earlier:".to_owned());
        page.table(table);
        page.text(self.course());
        page
    }

    fn course(&self) -> String {
        let Some(first) = self.first else {
            return format!("LOS left 5 to 95 % at no look in {} games.", self.games);
        };
        let mut text = format!("LOS first left 5 to 95 % after {first} games. ");
        text += &match (self.changes, self.last) {
            (0 | 1, Some(last)) => format!("The verdict was {last} ever since."),
            (changes, Some(last)) => {
                let since = self.since;
                format!("The verdict changed {changes} times; since {since} games it is {last}.")
            }
            (_, None) => String::new(),
        };
        if let Some([low, high]) = self.elo {
            text += &format!(" From {SETTLED} games on Elo was between {low:+.1} and {high:+.1}.");
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let look = |Look { games, statistics, verdict }: &Look| {
            let mut json = json!(statistics);
            (json["games"], json["verdict"]) = (json!(games), json!(verdict));
            json
        };
        json!({
            "looks": self.asked.iter().map(look).collect::<Vec<_>>(), "games": self.games,
            "first_verdict": self.first, "verdict": self.last, "since": self.since,
            "changes": self.changes, "elo_range": self.elo,
        })
    }
}

/// What `los=95` says of a match that ends here.
fn by_los(counts: &Pentanomial) -> Verdict {
    let course = Course { counts: *counts, ..Course::default() };
    let pairs = counts.pairs();
    Rule::default().judge(&course, None, pairs, pairs).verdict().unwrap_or(Verdict::Undecided)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20 pairs won, then as many lost: accepted early, undecided at the end.
    #[test]
    fn early_looks_err() {
        let (mut looks, mut counts) = (Looks::default(), Pentanomial::default());
        for pair in 1..=60 {
            counts.add_pair(if pair <= 20 { 3 } else { 1 + (pair % 2) as u8 });
            looks.add(2 * pair, &counts, &[9, 40, 121]);
        }
        let games: Vec<u64> = looks.asked.iter().map(|look| look.games).collect();
        assert_eq!(games, [10, 40], "odd numbers are those of the next pair");
        let verdicts: Vec<Verdict> = looks.asked.iter().map(|look| look.verdict).collect();
        assert_eq!(verdicts, [Verdict::Undecided, Verdict::Accept]);
        assert_eq!(looks.first, Some(20), "fewer than ten pairs are no judges");
        let words = looks.course();
        assert!(
            words.starts_with("LOS first left 5 to 95 % after 20 games. The verdict changed 2")
        );
        assert!(words.contains(" it is UNDECIDED. From 100 games on Elo was between "), "{words}");
    }
}
