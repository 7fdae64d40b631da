//! Whether what a run's folder says can be true: each game's opening follows from the schedule, its result
//! from its moves, its line from the journal's digest.
//!
//! Numbers, colours and openings' indices are checked of all games; a game is played over again by the
//! referee, and its opening compared with the book's, where the sample has it or all are asked for.

mod openings;

use std::{fmt, path::Path};

use crate::{
    game::{Ends, recheck},
    opening::Words,
    plan::Plan,
    record::{GameRecord, Games, RecordError, RunFile, Termination, chain},
};
use openings::Openings;

/// Of small runs every game is replayed, of larger ones about so many for each doubling beyond.
const SAMPLE: u32 = 128;

/// How many games are replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The first few hundred, and of later ones fewer and fewer: the same ones each time.
    Sample,
    /// All.
    All,
}

impl Extent {
    fn takes(self, seed: u64, game: u64) -> bool {
        let Ok(bound) = u32::try_from(game.saturating_add(1)) else { return self == Extent::All };
        self == Extent::All || Words::new(b"verified games 1", seed, game).below(bound) < SAMPLE
    }
}

/// What was verified.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Games in the journal.
    pub games: u64,
    /// Those that were replayed.
    pub replayed: u64,
    /// What could not be checked, in words.
    pub unchecked: Vec<String>,
    /// What is to be told of the run's files, though no game is wrong.
    pub remarks: Vec<String>,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verified { games, replayed, unchecked, .. } = self;
        write!(f, "verified: {games} games, {replayed} of them replayed")?;
        unchecked.iter().try_for_each(|what| write!(f, "; not checked: {what}"))
    }
}

/// Verifies the run in `dir`.
///
/// # Errors
/// [`RecordError::Damaged`] names the line of the journal that cannot be true, and what was expected; others
/// when the files cannot be read.
pub fn run(dir: &Path, extent: Extent) -> Result<Verified, RecordError> {
    let file = RunFile::read(dir)?;
    let mut verified = Verified::default();
    let mut rules = Rules::of(&file, extent, &mut verified.unchecked);
    let mut digests = chain::Check::open(dir)?;
    let mut games = Games::open(dir)?;
    let mut by_tables = 0;
    while let Some(game) = games.next() {
        let game = game?;
        if digests.are_kept() {
            games.check_digest(&game, &mut digests)?;
        }
        let is_replayed = extent.takes(file.seed, game.game);
        rules.check_opening(&game, is_replayed).map_err(|reason| games.foreign(reason))?;
        if is_replayed {
            recheck(&game, rules.ends.as_ref()).map_err(|reason| games.refused(reason))?;
            by_tables += u64::from(game.termination == Termination::TablebaseAdjudication);
        }
        verified.games += 1;
        verified.replayed += u64::from(is_replayed);
    }
    let findings = digests.finish(games.has_grown())?;
    if !findings.are_kept {
        let none =
            "lines against the journal's digest (games.digest), which this run does not have";
        verified.unchecked.push(none.to_owned());
    }
    if by_tables > 0 {
        verified.unchecked.push(format!("results of {by_tables} games that tablebases ended"));
    }
    verified.remarks = findings.words();
    Ok(verified)
}

/// What all games of a run must keep to, as far as it is known.
struct Rules {
    openings: Option<Openings>,
    ends: Option<Ends>,
}

impl Rules {
    fn of(file: &RunFile, extent: Extent, unchecked: &mut Vec<String>) -> Rules {
        let plan: Plan = match serde_json::from_value(file.plan.clone()) {
            Ok(plan) => plan,
            Err(error) => {
                unchecked.push(format!("openings and adjudications: no plan ({error})"));
                return Rules { openings: None, ends: None };
            }
        };
        let openings = Openings::of(&plan, file.book.as_ref(), extent);
        let openings = openings.map_err(|why| unchecked.push(format!("openings: {why}"))).ok();
        let tables = (!plan.syzygy.is_empty()).then_some(plan.syzygy_results);
        Rules { openings, ends: Some(Ends { adjudication: plan.adjudication, tables }) }
    }

    fn check_opening(&mut self, game: &GameRecord, is_replayed: bool) -> Result<(), String> {
        self.openings.as_mut().map_or(Ok(()), |openings| openings.check(game, is_replayed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_runs_are_replayed_whole_and_large_ones_sparsely() {
        let taken =
            |extent: Extent, games| (0..games).filter(|&game| extent.takes(3, game)).count();
        assert_eq!(taken(Extent::Sample, 128), 128);
        assert_eq!(taken(Extent::All, 5000), 5000);
        // 128 · (1 + ln 100) = 717 are to be expected, give or take 25.
        let large = taken(Extent::Sample, 12_800);
        assert!((600..830).contains(&large), "{large}");
        assert_eq!(taken(Extent::Sample, 12_800), large);
    }
}
