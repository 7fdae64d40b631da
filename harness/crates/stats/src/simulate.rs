//! Simulated matches: how often a rule errs, and how many pairs it takes.

use std::num::{NonZeroU64, NonZeroUsize};

use serde::Serialize;

use super::anytime::{Bets, Course};
use super::counts::{Pentanomial, Wdl};
use super::los::los;
use super::pair_model::PairModel;
use super::pair_source::{PairSource, TwinPairs};
use super::rule::{Rule, Verdict};
use process::parallel;

/// How a simulated match is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judge {
    Rule(Rule),
    /// LOS in percent, looked at after every pair and believed as soon as it is high or low enough:
    /// a known mistake, simulated to show its error rate.
    LosPeeking(f64),
}

#[derive(Debug, Clone, Copy)]
pub struct Simulation {
    pub matches: NonZeroU64,
    pub max_pairs: NonZeroU64,
    /// Pairs between two looks; matches look after each.
    pub every: NonZeroU64,
    pub seed: u64,
    pub twins: TwinPairs,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Outcomes {
    /// Share of matches in which the test engine was accepted, 0 to 1.
    pub accepted: f64,
    pub rejected: f64,
    /// Mean number of pairs of a match.
    pub pairs: f64,
}

/// The games of simulated pairs; a pair of one point is taken for two draws.
fn games_of(pairs: &Pentanomial) -> Wdl {
    let Pentanomial { ll, ld, dd_wl, wd, ww } = pairs;
    Wdl { win: 2 * ww + wd, draw: ld + 2 * dd_wl + wd, loss: 2 * ll + ld }
}

impl Judge {
    fn verdict(&self, course: &Course, pairs: u64, max_pairs: u64) -> Option<Verdict> {
        let counts = &course.counts;
        match self {
            Judge::Rule(rule) => {
                rule.judge(course, Some(&games_of(counts)), pairs, max_pairs).verdict()
            }
            Judge::LosPeeking(percent) => {
                let share = los(counts).map_or(50.0, |los| 100.0 * los);
                // Here too LOS waits for a few pairs.
                if pairs < 10 {
                    None
                } else if share >= *percent {
                    Some(Verdict::Accept)
                } else if share <= 100.0 - percent {
                    Some(Verdict::Reject)
                } else {
                    (pairs >= max_pairs).then_some(Verdict::Undecided)
                }
            }
        }
    }

    /// Whether the order of the pairs matters.
    fn goes_by_bets(&self) -> bool {
        matches!(self, Judge::Rule(Rule::Anytime(test)) if test.bets() == Bets::Effects)
    }

    /// How many further pairs cannot bring a verdict, so that no look is needed.
    fn pairs_to_spare(&self, counts: &Pentanomial) -> u64 {
        match self {
            Judge::Rule(Rule::Sprt(sprt)) => sprt.units_to_spare(counts),
            _ => 0,
        }
    }
}

/// The result does not depend on the number of threads.
pub fn simulate(
    judge: &Judge,
    model: &PairModel,
    simulation: &Simulation,
    threads: NonZeroUsize,
) -> Outcomes {
    let matches = simulation.matches.get();
    let sums = parallel::sums(matches, threads, |sum: &mut SimulatedSums, number| {
        let (verdict, _, pairs) = play(judge, model, simulation, number);
        sum.accepted += u64::from(verdict == Verdict::Accept);
        sum.rejected += u64::from(verdict == Verdict::Reject);
        sum.pairs += u128::from(pairs);
    });
    let all = sums.iter().fold(SimulatedSums::default(), |all, sum| SimulatedSums {
        accepted: all.accepted + sum.accepted,
        rejected: all.rejected + sum.rejected,
        pairs: all.pairs + sum.pairs,
    });
    let matches = matches as f64;
    Outcomes {
        accepted: all.accepted as f64 / matches,
        rejected: all.rejected as f64 / matches,
        pairs: all.pairs as f64 / matches,
    }
}

#[derive(Default)]
struct SimulatedSums {
    accepted: u64,
    rejected: u64,
    pairs: u128,
}

/// One match: its verdict, its course up to then (bets only where they judge), and its number of pairs.
pub(super) fn play(
    judge: &Judge,
    model: &PairModel,
    simulation: &Simulation,
    number: u64,
) -> (Verdict, Course, u64) {
    let mut source = PairSource::new(model, simulation.twins, simulation.seed, number);
    let mut course = Course::default();
    let most = simulation.max_pairs.get();
    let bets = judge.goes_by_bets();
    let mut next_look = 1;
    for pairs in 1..=most {
        match source.next() {
            Some(half_points) if bets => course.add_pair(half_points),
            Some(half_points) => course.counts.add_pair(half_points),
            None => (),
        }
        let looks = pairs >= next_look && pairs % simulation.every == 0;
        if !looks && pairs != most {
            continue;
        }
        // What is so far from deciding that pairs can be spared does not decide now.
        let spare = judge.pairs_to_spare(&course.counts);
        next_look = (pairs + 1).saturating_add(spare);
        if (spare == 0 || pairs == most)
            && let Some(verdict) = judge.verdict(&course, pairs, most)
        {
            return (verdict, course, pairs);
        }
    }
    (Verdict::Undecided, course, most)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    const SHAPE: [u64; 5] = [10, 15, 50, 15, 10];

    fn model(elo: f64) -> PairModel {
        PairModel::new(&Pentanomial::from(SHAPE), elo).unwrap()
    }

    fn outcomes(judge: &Judge, elo: f64, matches: u64, max_pairs: u64) -> Outcomes {
        let simulation = Simulation {
            matches: NonZeroU64::new(matches).unwrap(),
            max_pairs: NonZeroU64::new(max_pairs).unwrap(),
            every: NonZeroU64::MIN,
            seed: 1,
            twins: TwinPairs::default(),
        };
        simulate(judge, &model(elo), &simulation, NonZeroUsize::MIN)
    }

    /// LOS judged once errs as often as it says; believed at the first look that pleases, it errs
    /// several times as often.
    #[test]
    fn peeking_breaks_los() {
        let once = Judge::Rule("los=95,pairs=300".parse().unwrap());
        let judged = outcomes(&once, 0.0, 1000, 300);
        assert!((0.03..0.07).contains(&judged.accepted), "{judged:?}");
        assert_eq!(judged.pairs, 300.0);
        let peeked = outcomes(&Judge::LosPeeking(95.0), 0.0, 1000, 300);
        assert!(peeked.accepted > 0.15, "{peeked:?}");
    }

    /// Accepts a change worth nothing at most once in twenty, and one worth much always.
    #[test]
    fn sequential_rules_keep_their_word() {
        for rule in ["sprt=0,20,model=logistic", "anytime=5%"] {
            let judge = Judge::Rule(rule.parse().unwrap());
            let nothing = outcomes(&judge, 0.0, 200, 1500);
            assert!(nothing.accepted <= 0.09, "{rule}: {nothing:?}");
            let much = outcomes(&judge, 60.0, 50, 3000);
            assert_eq!(much.accepted, 1.0, "{rule}: {much:?}");
        }
    }

    /// A test of single games decides, too.
    #[test]
    fn games_are_judged_in_bayeselo() {
        let pairs = Pentanomial::from([1, 2, 3, 4, 5]);
        assert_eq!(games_of(&pairs), Wdl { win: 14, draw: 12, loss: 4 });
        let judge = Judge::Rule("sprt=0,20,model=bayeselo".parse().unwrap());
        assert_eq!(outcomes(&judge, 60.0, 50, 3000).accepted, 1.0);
        assert_eq!(outcomes(&judge, -60.0, 50, 3000).rejected, 1.0);
    }

    /// Pairs at which nobody looks decide nothing: a match that is looked at after each has the same
    /// verdict after the same pair.
    #[test]
    fn spared_looks_change_nothing() {
        let model = model(4.0);
        for text in ["sprt=0,10", "sprt=0,10,model=logistic", "sprt=-5,5"] {
            let rule: Rule = text.parse().unwrap();
            let judge = Judge::Rule(rule);
            let mut spared = 0;
            for number in 0..6 {
                let simulation = Simulation {
                    matches: NonZeroU64::MIN,
                    max_pairs: NonZeroU64::new(3000).unwrap(),
                    every: NonZeroU64::MIN,
                    seed: 11,
                    twins: TwinPairs::default(),
                };
                let (verdict, _, pairs) = play(&judge, &model, &simulation, number);
                let mut rng = ChaCha8Rng::seed_from_u64(simulation.seed);
                rng.set_stream(number);
                let mut course = Course::default();
                let looked = (1..=3000).find_map(|pairs| {
                    course.add_pair(model.draw(&mut rng));
                    spared += u64::from(judge.pairs_to_spare(&course.counts) > 0);
                    judge.verdict(&course, pairs, 3000).map(|verdict| (verdict, pairs))
                });
                assert_eq!(Some((verdict, pairs)), looked, "{text}, match {number}");
            }
            assert!(spared > 1000, "{text}: only {spared}");
        }
    }

    #[test]
    fn threads_change_nothing() {
        let judge = Judge::Rule("anytime=5%".parse().unwrap());
        let simulation = Simulation {
            matches: NonZeroU64::new(50).unwrap(),
            max_pairs: NonZeroU64::new(200).unwrap(),
            every: NonZeroU64::MIN,
            seed: 9,
            twins: TwinPairs::default(),
        };
        let with = |threads| {
            simulate(&judge, &model(30.0), &simulation, NonZeroUsize::new(threads).unwrap())
        };
        assert_eq!(with(1), with(4));
    }
}
