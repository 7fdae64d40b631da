//! The race: which candidates are still worth games. Pure: results in, in any order between
//! candidates; the same results always drop the same candidates at the same pair.
//!
//! All candidates play the same openings against the same base, so two of them are compared pair by
//! pair: the difference of their scores in an opening. A bettor stakes on "the leader scores more
//! than this candidate" ([`Evidence::of_differences`]); the candidate is dropped when the stake has
//! grown (`arms` − 1) / α times, `arms` being all candidates and the base, which takes part with
//! its even score. For the truly strongest of them no such stake can be expected to grow, and there
//! are `arms` − 1 stakes against it: by Ville's inequality and Bonferroni's the chance that it is
//! ever dropped is at most α, however often one looks and whoever leads.

use arena::record::PairStatus;
use stats::{Evidence, Pentanomial};

/// Half points of the base in a pair against itself.
const EVEN: u8 = 2;

/// A pair of one candidate, as it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairResult {
    /// 0 to 4.
    pub half_points: u8,
    /// A repetition of an earlier pair of the candidate shows nothing new; a pair may also be void.
    pub pair_status: PairStatus,
}

/// Why a candidate left the race.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropped {
    /// Pairs that every candidate in the race had at that point.
    pub pairs: u64,
    /// Which candidate was shown to be better; `None`: the base.
    pub by: Option<usize>,
    /// Evidence for that, as a natural logarithm.
    pub evidence: f64,
}

#[derive(Debug, Clone)]
pub struct Race {
    alpha: f64,
    total: u64,
    /// Pairs compared so far: every candidate in the race has them.
    looked: u64,
    /// The base comes last.
    arms: Vec<Arm>,
    /// How often the pairs of arms `a` < `b` differed by −4 to 4 half points, in the order of
    /// [`place`].
    differences: Vec<[u64; 9]>,
}

#[derive(Debug, Clone, Default)]
struct Arm {
    /// In schedule order.
    pairs: Vec<PairResult>,
    counts: Pentanomial,
    dropped: Option<Dropped>,
}

impl Race {
    /// A race over at most `total` pairs that drops the strongest with a probability of at most
    /// `alpha`.
    pub fn new(candidates: usize, total: u64, alpha: f64) -> Race {
        let arms = candidates + 1;
        Race {
            alpha,
            total,
            looked: 0,
            arms: vec![Arm::default(); arms],
            differences: vec![[0; 9]; arms * arms.saturating_sub(1) / 2],
        }
    }

    /// Adds a candidate's next pair. Returns the candidates dropped by it.
    pub fn add(&mut self, candidate: usize, pair: PairResult) -> Vec<usize> {
        self.arms[candidate].pairs.push(pair);
        let mut gone = Vec::new();
        while !self.is_over() && self.next_is_there() {
            self.compare();
            gone.extend(self.drop_the_hopeless());
        }
        gone
    }

    /// Candidates in the race.
    pub fn running(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.base()).filter(|&candidate| self.arms[candidate].dropped.is_none())
    }

    pub fn looked(&self) -> u64 {
        self.looked
    }

    /// The counts of a candidate's pairs until it was dropped, or of all compared; without repeated
    /// and void pairs.
    pub fn counts(&self, candidate: usize) -> Pentanomial {
        self.arms[candidate].counts
    }

    /// Counted pairs of a candidate, repeated ones included.
    pub fn pairs(&self, candidate: usize) -> u64 {
        self.dropped(candidate).map_or(self.looked, |dropped| dropped.pairs)
    }

    pub fn dropped(&self, candidate: usize) -> Option<Dropped> {
        self.arms[candidate].dropped
    }

    /// Whether the base is shown to be worse than a candidate.
    pub fn base_is_beaten(&self) -> bool {
        self.arms[self.base()].dropped.is_some()
    }

    /// Whether no further pair can matter: all are played, or one arm is left.
    pub fn is_over(&self) -> bool {
        let left = self.arms.iter().filter(|arm| arm.dropped.is_none()).count();
        left <= 1 || self.running().next().is_none() || self.looked >= self.total
    }

    /// The candidate in the race with the highest score, if above the base's; the earlier of
    /// equals.
    pub fn best(&self) -> Option<usize> {
        Some(self.leader()).filter(|&arm| arm != self.base())
    }

    /// The log evidence at which a candidate is dropped.
    pub fn bound(&self) -> f64 {
        (self.base().max(1) as f64 / self.alpha).ln()
    }

    fn base(&self) -> usize {
        self.arms.len() - 1
    }

    fn next_is_there(&self) -> bool {
        let next = self.looked as usize;
        self.running().all(|candidate| self.arms[candidate].pairs.len() > next)
    }

    /// Compares the next pair of all in the race.
    fn compare(&mut self) {
        let at = self.looked as usize;
        self.looked += 1;
        let even = PairResult { half_points: EVEN, pair_status: PairStatus::Repeated };
        let base = self.base();
        let live: Vec<(usize, PairResult)> = (0..self.arms.len())
            .filter(|&arm| self.arms[arm].dropped.is_none())
            .map(|arm| (arm, if arm == base { even } else { self.arms[arm].pairs[at] }))
            .collect();
        for (place_of, &(a, first)) in live.iter().enumerate() {
            if a != base && first.pair_status == PairStatus::New {
                self.arms[a].counts.add_pair(first.half_points);
            }
            for &(b, second) in &live[place_of + 1..] {
                let either = [first.pair_status, second.pair_status];
                // What repeats earlier games of both shows nothing new.
                if either.contains(&PairStatus::New) && !either.contains(&PairStatus::Void) {
                    let difference = 4 + first.half_points - second.half_points.min(4);
                    self.differences[place(a, b)][usize::from(difference)] += 1;
                }
            }
        }
    }

    /// The arm in the race that has scored most, the base with its even score. Of equals the base
    /// first, then the earlier.
    fn leader(&self) -> usize {
        let base = Some(self.base()).filter(|_| !self.base_is_beaten());
        let arms = base.into_iter().chain(self.running());
        let leader = arms.reduce(|best, arm| if self.lead(arm, best) > 0 { arm } else { best });
        leader.unwrap_or(self.base())
    }

    /// Half points by which arm `a` leads arm `b` since both are in the race.
    fn lead(&self, a: usize, b: usize) -> i64 {
        let counts = self.differences[place(a.min(b), a.max(b))];
        let lead: i64 = (-4..=4).zip(counts).map(|(half, count)| half * count as i64).sum();
        if a < b { lead } else { -lead }
    }

    fn drop_the_hopeless(&mut self) -> Vec<usize> {
        let (leader, base, bound) = (self.leader(), self.base(), self.bound());
        let mut gone = Vec::new();
        for arm in (0..self.arms.len()).filter(|&arm| arm != leader) {
            if self.arms[arm].dropped.is_some() {
                continue;
            }
            let evidence = Evidence::of_differences(
                &self.differences[place(arm.min(leader), arm.max(leader))],
            );
            let against = if arm < leader { evidence.worse } else { evidence.better };
            if against >= bound {
                let by = Some(leader).filter(|&leader| leader != base);
                self.arms[arm].dropped =
                    Some(Dropped { pairs: self.looked, by, evidence: against });
                gone.extend(Some(arm).filter(|&arm| arm != base));
            }
        }
        gone
    }
}

/// The index of two arms' differences, `a` < `b`.
fn place(a: usize, b: usize) -> usize {
    b * b.saturating_sub(1) / 2 + a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(half_points: u8) -> PairResult {
        PairResult { half_points, pair_status: PairStatus::New }
    }

    #[test]
    fn places_are_each_their_own() {
        let places: Vec<usize> = (0..5).flat_map(|b| (0..b).map(move |a| place(a, b))).collect();
        assert_eq!(places, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn the_hopeless_go_and_the_order_of_results_is_nothing() {
        let results = |candidate: usize, pair: u64| {
            [[2, 3, 2, 4], [1, 0, 2, 0], [2, 2, 3, 1]][candidate][(pair % 4) as usize]
        };
        let mut in_turn = Race::new(3, 400, 0.05);
        let mut gone = Vec::new();
        for number in 0..400 {
            for candidate in 0..3 {
                gone.extend(in_turn.add(candidate, pair(results(candidate, number))));
            }
        }
        let mut one_by_one = Race::new(3, 400, 0.05);
        for candidate in [2, 0, 1] {
            for number in 0..400 {
                one_by_one.add(candidate, pair(results(candidate, number)));
            }
        }
        assert_eq!(gone[0], 1);
        assert_eq!(in_turn.best(), Some(0));
        let first = in_turn.dropped(1).expect("it lost nearly all");
        assert_eq!((first.by, first.pairs < 60), (Some(0), true), "{first:?}");
        for candidate in 0..3 {
            assert_eq!(in_turn.dropped(candidate), one_by_one.dropped(candidate));
            assert_eq!(in_turn.counts(candidate), one_by_one.counts(candidate));
        }
        assert!(in_turn.base_is_beaten() && in_turn.is_over());
    }

    #[test]
    fn the_base_can_win() {
        let mut race = Race::new(2, 1000, 0.05);
        for number in 0..200 {
            for candidate in 0..2 {
                race.add(candidate, pair([1, 2, 0, 1][number % 4]));
            }
        }
        assert_eq!((race.best(), race.running().count(), race.is_over()), (None, 0, true));
        assert!(race.dropped(0).is_some_and(|dropped| dropped.by.is_none()));
    }

    /// The steady candidate beats the base, then the other one passes it by: the lead over a base
    /// that is out of the race stands still and says nothing.
    #[test]
    fn who_passes_by_after_the_base_is_out_wins() {
        for steady in [0, 1] {
            let mut race = Race::new(2, 10_000, 0.05);
            let mut number = 0;
            while !race.is_over() {
                let scores = match (race.base_is_beaten(), number % 2) {
                    (true, _) => [2, 4],
                    (false, 0) => [3, 0],
                    (false, _) => [3, 4],
                };
                race.add(steady, pair(scores[0]));
                race.add(1 - steady, pair(scores[1]));
                number += 1;
            }
            assert!(race.base_is_beaten());
            assert_eq!(race.best(), Some(1 - steady));
            assert_eq!(race.dropped(steady).and_then(|dropped| dropped.by), Some(1 - steady));
        }
    }

    #[test]
    fn what_repeats_is_no_evidence() {
        let mut race = Race::new(1, 10_000, 0.05);
        race.add(0, pair(4));
        for _ in 0..1000 {
            race.add(0, PairResult { half_points: 4, pair_status: PairStatus::Repeated });
        }
        assert_eq!(race.counts(0).pairs(), 1);
        assert!(!race.base_is_beaten());
        assert_eq!(race.looked(), 1001);
    }

    /// What the harness has spoilt counts in no comparison, whatever the other one has scored.
    #[test]
    fn what_is_void_is_no_evidence_against_anyone() {
        let mut race = Race::new(2, 10_000, 0.05);
        for _ in 0..1000 {
            race.add(0, PairResult { half_points: 0, pair_status: PairStatus::Void });
            race.add(1, pair(2));
        }
        assert_eq!(race.running().count(), 2);
        assert_eq!((race.counts(0).pairs(), race.counts(1).pairs()), (0, 1000));
        assert_eq!(race.lead(1, 0), 0);
    }

    #[test]
    fn nobody_races() {
        let race = Race::new(0, 10, 0.05);
        assert!(race.is_over() && race.best().is_none());
    }
}
