//! What counts so far, and what it decides: the gap-free prefix of pairs under the rule.

use crate::record::{DuplicatePair, GameKey, GameRecord, PairJoiner, PairStatus, Prefix, Repeats};
use stats::{Evidence, Forecast, Judgement, Pentanomial, Rule, Statistics, Wdl};

/// A pair at the moment it begins to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Pairs that count, this one included.
    pub pairs: u64,
    /// Test's half points a game, 0 to 2, the lower game number first.
    pub half_points: [u8; 2],
    /// Counts that statistics go by grow only where it is new; those of single games not where it
    /// is void.
    pub novelty: PairStatus,
    /// All pairs that count so far, without repeats: what the rule judges by.
    pub effective: Pentanomial,
    pub effective_games: Wdl,
}

/// The counts of a match as they grow. The order of the games does not matter.
#[derive(Debug, Clone)]
pub struct MatchState {
    rule: Rule,
    total_pairs: u64,
    halves: PairJoiner<(u8, GameKey)>,
    prefix: Prefix<[(u8, GameKey); 2]>,
    repeats: Repeats,
    wdl: Wdl,
    pairs: u64,
    /// Without repeats: what statistics and rule go by.
    effective: Pentanomial,
    effective_games: Wdl,
    judgement: Judgement,
    finished: u64,
}

impl MatchState {
    pub fn new(rule: Rule, total_pairs: u64) -> MatchState {
        MatchState {
            rule,
            total_pairs,
            halves: PairJoiner::default(),
            prefix: Prefix::default(),
            repeats: Repeats::default(),
            wdl: Wdl::default(),
            pairs: 0,
            effective: Pentanomial::default(),
            effective_games: Wdl::default(),
            judgement: Judgement::Continue,
            finished: 0,
        }
    }

    /// Adds a finished game. The rule is asked after each pair that became contiguous, and no more
    /// after it has decided: pairs beyond the deciding one do not count.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), DuplicatePair> {
        self.add_each(game, |_| ())
    }

    /// As [`MatchState::add`]; also passes each pair that now counts to `show`, in schedule order.
    pub fn add_each(
        &mut self,
        game: &GameRecord,
        mut show: impl FnMut(Counted),
    ) -> Result<(), DuplicatePair> {
        self.finished += 1;
        let result = (game.test_half_points(), GameKey::of(game));
        let Some(pair) = self.halves.add(game.game, result) else { return Ok(()) };
        for (_, pair) in self.prefix.add(game.pair, pair)? {
            if self.judgement.verdict().is_some() {
                break;
            }
            let points = pair.map(|(half_points, _)| half_points);
            self.pairs += 1;
            let novelty = self.repeats.note(pair.map(|(_, likeness)| likeness));
            if novelty != PairStatus::Void {
                points.iter().for_each(|&half_points| self.wdl.add_game(half_points));
            }
            if novelty == PairStatus::New {
                self.effective.add_pair(points.iter().sum());
                points.iter().for_each(|&points| self.effective_games.add_game(points));
            }
            show(Counted {
                pairs: self.pairs,
                half_points: points,
                novelty,
                effective: self.effective,
                effective_games: self.effective_games,
            });
            let games = Some(&self.effective_games);
            self.judgement = self.rule.judge(&self.effective, games, self.pairs, self.total_pairs);
        }
        Ok(())
    }

    pub fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    pub fn waits_for(&self) -> String {
        self.rule.waits(self.pairs, self.total_pairs)
    }

    /// Pairs of the schedule up to the deciding one, void ones included.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Pairs that count, without repeats: what statistics and rule go by.
    pub fn effective(&self) -> Pentanomial {
        self.effective
    }

    /// Of the whole match.
    pub fn total_games(&self) -> u64 {
        self.total_pairs.saturating_mul(2)
    }

    /// Those that do not count included.
    pub fn finished_games(&self) -> u64 {
        self.finished
    }

    /// Only of [`Rule::Anytime`].
    pub fn evidence(&self) -> Option<Evidence> {
        matches!(self.rule, Rule::Anytime(_)).then(|| Evidence::of(&self.effective))
    }

    /// Of what counts; pairs that repeat an earlier one are left out.
    pub fn statistics(&self) -> Statistics {
        Statistics::of_pairs(&self.effective, Some(&self.effective_games), self.rule.sprt())
            .with_verdict(self.judgement.verdict())
    }

    /// For the rest of the match.
    pub fn forecast(&self) -> Option<Forecast> {
        match self.judgement {
            Judgement::Continue => {
                self.rule.forecast(&self.effective, self.pairs, self.total_pairs)
            }
            Judgement::Decided(..) => None,
        }
    }

    /// Test's results among the games that count.
    pub fn wdl(&self) -> Wdl {
        self.wdl
    }
}
