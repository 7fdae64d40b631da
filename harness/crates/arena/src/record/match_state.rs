//! What counts so far, and what it decides: the gap-free prefix of pairs under the rule.

use super::{DuplicatePair, GameKey, GameRecord, PairJoiner, PairStatus, Prefix, Repeats};
use stats::{Course, Evidence, Forecast, Judgement, Pentanomial, Rule, Statistics, Wdl};

/// A pair at the moment it begins to count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountedPair {
    /// Pairs that count, this one included.
    pub pairs: u64,
    /// Test's half points a game, 0 to 2, the lower game number first.
    pub half_points: [u8; 2],
    pub keys: [GameKey; 2],
    /// Counts that statistics go by grow only where it is new; those of single games not where it
    /// is void.
    pub pair_status: PairStatus,
    /// All pairs that count so far, without repeats: what the rule judges by.
    pub effective: Pentanomial,
    pub effective_games: Wdl,
    /// Of these pairs; only of [`Rule::Anytime`].
    pub evidence: Option<Evidence>,
}

/// The counts of a match as they grow. The order of the games does not matter. `T` is what its
/// reader keeps of a game until the game's pair counts.
#[derive(Debug, Clone)]
pub struct MatchState<T = ()> {
    rule: Rule,
    total_pairs: u64,
    joiner: PairJoiner<(GameKey, u8, T)>,
    prefix: Prefix<[(GameKey, u8, T); 2]>,
    repeats: Repeats,
    wdl: Wdl,
    pairs: u64,
    /// Without repeats: what statistics and rule go by.
    effective: Course,
    effective_games: Wdl,
    judgement: Judgement,
    finished: u64,
}

/// Without a rule: counts all pairs of the gap-free prefix, since the default rule judges only
/// after pair [`u64::MAX`].
impl<T> Default for MatchState<T> {
    fn default() -> MatchState<T> {
        MatchState::new(Rule::default(), u64::MAX)
    }
}

impl MatchState {
    /// As [`MatchState::add_with`], where nothing is kept.
    pub fn add(&mut self, game: &GameRecord) -> Result<Vec<CountedPair>, DuplicatePair> {
        Ok(self.add_with(game, ())?.into_iter().map(|(pair, _)| pair).collect())
    }
}

impl<T> MatchState<T> {
    pub fn new(rule: Rule, total_pairs: u64) -> MatchState<T> {
        MatchState {
            rule,
            total_pairs,
            joiner: PairJoiner::default(),
            prefix: Prefix::default(),
            repeats: Repeats::default(),
            wdl: Wdl::default(),
            pairs: 0,
            effective: Course::default(),
            effective_games: Wdl::default(),
            judgement: Judgement::Continue,
            finished: 0,
        }
    }

    /// Of the same match, before its first game.
    pub fn emptied(&self) -> MatchState<T> {
        MatchState::new(self.rule, self.total_pairs)
    }

    /// Adds a finished game. Returns the pairs that count from now on, in schedule order, with what
    /// was kept of their games. The rule is asked after each pair that became contiguous, and no
    /// more after it has decided: pairs beyond the deciding one do not count.
    pub fn add_with(
        &mut self,
        game: &GameRecord,
        data: T,
    ) -> Result<Vec<(CountedPair, [T; 2])>, DuplicatePair> {
        self.finished += 1;
        let mut counted = Vec::new();
        let half = (GameKey::of(game), game.test_half_points(), data);
        let Some(pair) = self.joiner.add(game.game, half) else { return Ok(counted) };
        for (_, pair) in self.prefix.add(game.pair, pair)? {
            if self.judgement.verdict().is_some() {
                break;
            }
            let [(first, first_points, data), (second, second_points, other_data)] = pair;
            let pair = self.count([first, second], [first_points, second_points]);
            counted.push((pair, [data, other_data]));
        }
        Ok(counted)
    }

    fn count(&mut self, keys: [GameKey; 2], half_points: [u8; 2]) -> CountedPair {
        self.pairs += 1;
        let pair_status = self.repeats.note(keys);
        if pair_status != PairStatus::Void {
            half_points.iter().for_each(|&points| self.wdl.add_game(points));
        }
        if pair_status == PairStatus::New {
            self.effective.add_pair(half_points.iter().sum());
            half_points.iter().for_each(|&points| self.effective_games.add_game(points));
        }
        let (pairs, effective_games) = (self.pairs, self.effective_games);
        let games = Some(&effective_games);
        self.judgement = self.rule.judge(&self.effective, games, pairs, self.total_pairs);
        let effective = self.effective.counts;
        let evidence = self.evidence();
        CountedPair { pairs, half_points, keys, pair_status, effective, effective_games, evidence }
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

    /// Pairs of the gap-free prefix, those beyond the deciding one included.
    pub fn gap_free_pairs(&self) -> u64 {
        self.prefix.len()
    }

    /// Those beyond a gap or the deciding pair included.
    pub fn complete_pairs(&self) -> u64 {
        self.prefix.len() + self.prefix.waiting().count() as u64
    }

    /// Pairs that count, without repeats: what statistics and rule go by.
    pub fn effective(&self) -> Pentanomial {
        self.effective.counts
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
        self.rule.evidence(&self.effective)
    }

    /// Of what counts; pairs that repeat an earlier one are left out.
    pub fn statistics(&self) -> Statistics {
        let (counts, games) = (&self.effective.counts, &self.effective_games);
        Statistics::of_pairs(counts, Some(games), self.rule.sprt())
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
