//! What counts so far, and what it decides: the gap-free prefix of pairs under the rule.

use crate::record::{DuplicatePair, GameKey, GameRecord, PairJoiner, PairStatus, Prefix, Repeats};
use stats::{Evidence, Forecast, Judgement, Pentanomial, Rule, Statistics, Wdl};

/// A pair at the moment it begins to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Pairs that count, this one among them.
    pub pairs: u64,
    /// Test's half points in its two games, 0 to 2 each, the lower game number first.
    pub half_points: [u8; 2],
    /// What it shows: counts that statistics go by grow only where it is new, and those of single
    /// games not by what is void.
    pub novelty: PairStatus,
    /// All pairs that count so far without those that repeat others: what the rule judges by.
    pub effective: Pentanomial,
    /// The games of these pairs.
    pub effective_games: Wdl,
}

/// The counts of a match as they grow. Pure: fed with games in any order, it says the same.
#[derive(Debug, Clone)]
pub struct MatchState {
    rule: Rule,
    total_pairs: u64,
    halves: PairJoiner<(u8, GameKey)>,
    prefix: Prefix<[(u8, GameKey); 2]>,
    repeats: Repeats,
    wdl: Wdl,
    pairs: u64,
    /// Without pairs that repeat an earlier one: what statistics and rule go by.
    effective: Pentanomial,
    /// The games of these pairs.
    effective_games: Wdl,
    judgement: Judgement,
    finished: u64,
}

impl MatchState {
    /// No games yet of a match of `total_pairs`.
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

    /// Adds a finished game. The rule is asked after each pair that became contiguous, and no
    /// more after it has decided: pairs beyond the deciding one do not count.
    ///
    /// # Errors
    /// When the game's pair was complete already.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), DuplicatePair> {
        self.add_each(game, |_| ())
    }

    /// As [`MatchState::add`]; also passes each pair that now counts to `show`, in schedule order.
    ///
    /// # Errors
    /// When the game's pair was complete already.
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

    /// What the rule says.
    pub fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    /// What the rule waits for, in words.
    pub fn waits_for(&self) -> String {
        self.rule.waits(self.pairs, self.total_pairs)
    }

    /// Pairs of the schedule up to the deciding one, those that are void among them.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Pairs that count, without those that repeat others: what statistics and rule go by.
    pub fn effective(&self) -> Pentanomial {
        self.effective
    }

    /// Games of the whole match.
    pub fn total_games(&self) -> u64 {
        self.total_pairs.saturating_mul(2)
    }

    /// Finished games, those that do not count among them.
    pub fn finished_games(&self) -> u64 {
        self.finished
    }

    /// What the rule decides by, if it is [`Rule::Anytime`].
    pub fn evidence(&self) -> Option<Evidence> {
        matches!(self.rule, Rule::Anytime(_)).then(|| Evidence::of(&self.effective))
    }

    /// Elo, LOS and so on of what counts; pairs that repeat an earlier one show nothing.
    pub fn statistics(&self) -> Statistics {
        Statistics::of_pairs(&self.effective, Some(&self.effective_games), self.rule.sprt())
            .with_verdict(self.judgement.verdict())
    }

    /// What is to be expected of the rest of the match.
    pub fn forecast(&self) -> Option<Forecast> {
        match self.judgement {
            Judgement::Continue => {
                self.rule.forecast(&self.effective, self.pairs, self.total_pairs)
            }
            Judgement::Decided(..) => None,
        }
    }

    /// Games won, drawn and lost by test among those that count.
    pub fn wdl(&self) -> Wdl {
        self.wdl
    }
}
