//! Which pairs of a run count for its verdict.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize as _;

use arena::record::{Games, MatchState, PairStatus, RunFile, has_games_of_a_tuner};
use arena::report::VerdictTerms;
use process::{Context as _, Error};

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum TableStatus {
    Counted,
    /// Both games equal those of an earlier pair.
    Repeated,
    /// A game did not begin, or verdict has spoilt it.
    Void,
    /// Complete, but behind the pair that decided or behind a gap.
    Beyond,
    /// One of its games is not recorded.
    Incomplete,
}

impl TableStatus {
    pub(super) fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The pairs of a run as its journal had them.
pub(super) struct Statuses {
    /// Memory: some 20 bytes a pair.
    by_pair: BTreeMap<u64, TableStatus>,
    /// Games in the journal. A run that is played on may have more by now.
    pub(super) games: usize,
}

impl Statuses {
    /// Reads the journal once. In a tuner's run, which has no verdict, all pairs count up to the
    /// first gap.
    pub(super) fn read(dir: &Path, run: &RunFile) -> Result<Statuses, Error> {
        let mut state = match VerdictTerms::deserialize(&run.plan) {
            _ if has_games_of_a_tuner(dir) => MatchState::default(),
            Ok(terms) => MatchState::new(terms.rule, terms.pairs),
            Err(error) => {
                let why = "run.json holds no plan with a rule and a number of pairs";
                return Err(Error::input_output(format!("{why}: {error}")));
            }
        };
        let mut statuses = Statuses { by_pair: BTreeMap::new(), games: 0 };
        for game in Games::open(dir)? {
            let game = game?;
            statuses.games += 1;
            statuses
                .by_pair
                .entry(game.pair)
                .and_modify(|status| *status = TableStatus::Beyond)
                .or_insert(TableStatus::Incomplete);
            let counted = state.add(&game).map_err(Error::input_output);
            for pair in counted.context("games.jsonl")? {
                let status = match pair.pair_status {
                    PairStatus::New => TableStatus::Counted,
                    PairStatus::Repeated => TableStatus::Repeated,
                    PairStatus::Void => TableStatus::Void,
                };
                // They begin to count in the order of their numbers, from 0.
                statuses.by_pair.insert(pair.pairs - 1, status);
            }
        }
        Ok(statuses)
    }

    pub(super) fn of(&self, pair: u64) -> TableStatus {
        self.by_pair.get(&pair).copied().unwrap_or(TableStatus::Incomplete)
    }
}
