//! Forecasts of the rest of a match, while it is played.

use std::fmt;

use statrs::distribution::{ContinuousCDF, Normal};

use super::anytime::{Anytime, Course};
use super::counts::Pentanomial;
use super::elo::elo_of_score;
use super::los::percent_clamped;
use super::pair_model::PairModel;
use super::power::Prospect;
use super::rule::Rule;
use super::sample::ScoreSample;

/// What a rule is expected to do, if the engines are as different as they seem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Forecast {
    /// It accepts with this chance, and ends after so many further pairs on average.
    Chance(Prospect),
    /// It decides after about so many further pairs.
    Decision { pairs: f64 },
    /// It has not decided when the run ends.
    Open { pairs: f64 },
}

impl Forecast {
    /// Further pairs.
    pub fn pairs(&self) -> f64 {
        match *self {
            Forecast::Chance(Prospect { pairs, .. })
            | Forecast::Decision { pairs }
            | Forecast::Open { pairs } => pairs,
        }
    }
}

/// The text behind "as it looks".
impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forecast::Chance(Prospect { accept, pairs }) => {
                write!(f, "{} to accept, {pairs:.0} pairs to go", percent_clamped(*accept))
            }
            Forecast::Decision { pairs } => write!(f, "a decision in about {pairs:.0} pairs"),
            Forecast::Open { pairs } => write!(f, "no decision in the {pairs:.0} pairs to go"),
        }
    }
}

/// No forecast from fewer pairs.
const LEAST_PAIRS: u64 = 20;

impl Rule {
    /// The forecast for the rest of a run of `total` pairs, of which `played` have taken this
    /// course. `None` while there is too little to go by, and for an SPRT in BayesElo.
    pub fn forecast(&self, course: &Course, played: u64, total: u64) -> Option<Forecast> {
        if played < LEAST_PAIRS || played >= total {
            return None;
        }
        let rest = (total - played) as f64;
        let counts = &course.counts;
        match self {
            Rule::Los(rule) => {
                let end = rule.pairs.filter(|&wanted| wanted > played).unwrap_or(total) as f64;
                let moments = ScoreSample::new(counts).moments().ok()?;
                let wanted = Normal::standard().inverse_cdf(rule.percent / 100.0);
                let rest = end - played as f64;
                // Lead at the end, in deviations of a pair, against what LOS asks for.
                let spare = moments.lead / moments.deviation * end - wanted * end.sqrt();
                let accept = Normal::standard().cdf(spare / rest.sqrt());
                Some(Forecast::Chance(Prospect { accept, pairs: rest }))
            }
            Rule::Sprt(sprt) => {
                let llr = sprt.llr(counts).ok()?;
                let [lower, upper] = sprt.bounds();
                if llr <= lower || llr >= upper {
                    return None;
                }
                let Prospect { accept, pairs } = sprt.prospect(&as_observed(counts)?, llr).ok()?;
                Some(Forecast::Chance(Prospect { accept, pairs: pairs.min(rest) }))
            }
            Rule::Anytime(test) => {
                let left = test.pairs_left(course, &as_observed(counts)?);
                Some(match left.filter(|&pairs| pairs <= rest) {
                    Some(pairs) => Forecast::Decision { pairs },
                    None => Forecast::Open { pairs: rest },
                })
            }
        }
    }
}

/// The model of the pairs so far.
fn as_observed(counts: &Pentanomial) -> Option<PairModel> {
    let elo = elo_of_score(ScoreSample::new(counts).moments().ok()?.mean).ok()?;
    PairModel::new(counts, elo).ok()
}

impl Anytime {
    /// About how many pairs after these it decides, when pairs come from the model: where the
    /// evidence of the expected counts reaches the bound. Half of all matches decide a little
    /// earlier, few much later. `None` where no number of pairs is enough, as for equal engines.
    pub fn pairs_left(&self, course: &Course, model: &PairModel) -> Option<f64> {
        /// More than anybody plays.
        const MOST: f64 = 1e12;
        let decides = |pairs: f64| self.decides(course, model, pairs);
        let mut high = 1.0;
        while !decides(high) {
            high *= 2.0;
            if high > MOST {
                return None;
            }
        }
        let mut low = high / 2.0;
        while high - low > 0.5 {
            let middle = f64::midpoint(low, high);
            if decides(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high)
    }
}

#[cfg(test)]
mod tests {
    use std::num::{NonZeroU64, NonZeroUsize};

    use super::*;
    use crate::{Judge, Simulation, TwinPairs, simulate};

    /// A match that is far ahead will be accepted, one that is far behind will not, and one in the
    /// middle of its way to LOS of 95 % may.
    #[test]
    fn chances() {
        let chance = |rule: &str, counts: [u64; 5], played: u64| {
            let rule: Rule = rule.parse().unwrap();
            let course = Course { counts: counts.into(), ..Course::default() };
            match rule.forecast(&course, played, 1000)? {
                Forecast::Chance(prospect) => Some(prospect),
                other => panic!("{rule}: {other:?}"),
            }
        };
        for rule in ["los=95", "sprt=0,20,model=logistic"] {
            let accept = |counts| chance(rule, counts, 100).unwrap().accept;
            assert!(accept([8, 15, 45, 18, 14]) > 0.8, "{rule}");
            assert!(accept([14, 18, 45, 15, 8]) < 0.1, "{rule}");
            assert!(chance(rule, [5, 0, 5, 0, 5], 15).is_none(), "{rule}");
            assert!(chance(rule, [100, 200, 400, 200, 100], 1000).is_none(), "{rule}");
        }
        let half = chance("los=95", [100, 100, 200, 100, 100], 600).unwrap();
        assert!(half.accept < 0.05 && half.pairs == 400.0, "{half:?}");
    }

    /// A test at any time decides after about as many pairs as is said, from the start and on its way.
    #[test]
    fn pairs_to_a_decision() {
        for rule in ["anytime=5%", "anytime=5%,bets=shares"] {
            pairs_to_a_decision_by(rule.parse().unwrap());
        }
    }

    /// The pairs of these counts, well mixed.
    fn mixed(counts: [u64; 5]) -> Course {
        let total: u64 = counts.iter().sum();
        let mut course = Course::default();
        for number in 1..=total {
            let due = |&points: &usize| {
                let so_far = course.counts.to_array()[points];
                counts[points] * number / total > so_far
            };
            let points = (0..5).find(due).or_else(|| {
                (0..5).find(|&points| course.counts.to_array()[points] < counts[points])
            });
            course.add_pair(points.unwrap() as u8);
        }
        course
    }

    fn pairs_to_a_decision_by(rule: Rule) {
        let Rule::Anytime(test) = rule else { unreachable!() };
        let nothing = Course::default();
        for shape in [[10, 15, 50, 15, 10], [2, 20, 56, 20, 2]] {
            for elo in [-30.0, 60.0] {
                let model = PairModel::new(&Pentanomial::from(shape), elo).unwrap();
                let simulation = Simulation {
                    matches: NonZeroU64::new(100).unwrap(),
                    max_pairs: NonZeroU64::new(50_000).unwrap(),
                    every: NonZeroU64::new(5).unwrap(),
                    seed: 3,
                    twins: TwinPairs::default(),
                };
                let played =
                    simulate(&Judge::Rule(rule), &model, &simulation, NonZeroUsize::MIN).pairs;
                let told = test.pairs_left(&nothing, &model).unwrap();
                assert!(
                    (told / played).ln().abs() < 1.3_f64.ln(),
                    "{shape:?} {elo}: {told} {played}"
                );
            }
            let equal = PairModel::new(&Pentanomial::from(shape), 0.0).unwrap();
            assert_eq!(test.pairs_left(&nothing, &equal), None);
        }
        let ahead = mixed([8, 15, 45, 22, 17]);
        assert_eq!(ahead.counts.to_array(), [8, 15, 45, 22, 17]);
        let forecast = |total| rule.forecast(&ahead, 107, total).unwrap();
        let Forecast::Decision { pairs } = forecast(2000) else { panic!("{:?}", forecast(2000)) };
        let all = test.pairs_left(&nothing, &as_observed(&ahead.counts).unwrap()).unwrap();
        assert!((pairs + 107.0 - all).abs() < 0.1 * all, "{rule}: {pairs} {all}");
        assert_eq!(forecast(2000).to_string(), format!("a decision in about {pairs:.0} pairs"));
        assert_eq!(forecast(110).to_string(), "no decision in the 3 pairs to go");
        let even = mixed([10, 15, 50, 15, 10]);
        assert_eq!(rule.forecast(&even, 100, 400), Some(Forecast::Open { pairs: 300.0 }));
        let drawn = mixed([0, 0, 100, 0, 0]);
        assert_eq!(rule.forecast(&drawn, 100, 400), Some(Forecast::Open { pairs: 300.0 }));
    }
}
