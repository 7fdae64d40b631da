//! How many pairs a question takes (TST-01), before they are played.

use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::{Counts as _, Pentanomial};
use super::simulate::PairModel;
use super::sprt::Sprt;
use super::why::Defined;

/// The expected course of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// The chance that it ends by accepting, 0 to 1.
    pub accept: f64,
    /// Pairs until it ends, on average.
    pub pairs: f64,
}

/// Pairs after which a match of such pairs reaches a LOS of `percent` with probability `power`, 0
/// to 1; `None` when the test engine is not the stronger one, or the count is beyond all bounds.
pub fn pairs_for_los(model: &PairModel, percent: f64, power: f64) -> Option<u64> {
    let (mean, deviation) = model.moments();
    let lead = mean - 0.5;
    let normal = Normal::standard();
    let wanted = normal.inverse_cdf(percent / 100.0) + normal.inverse_cdf(power);
    if lead <= 0.0 || wanted <= 0.0 {
        return None;
    }
    let pairs = (wanted * deviation / lead).powi(2).ceil();
    (pairs < 1e15).then_some(pairs as u64)
}

/// The probability, 0 to 1, that LOS is at least `percent` after so many pairs of a model.
pub fn power_of_los(model: &PairModel, percent: f64, pairs: u64) -> f64 {
    let (mean, deviation) = model.moments();
    let normal = Normal::standard();
    let lead = (mean - 0.5) / deviation * (pairs as f64).sqrt();
    normal.cdf(lead - normal.inverse_cdf(percent / 100.0))
}

impl Sprt {
    /// The expected course of this test when its LLR stands at `llr`, between its bounds, and pairs
    /// come from the model. The LLR is taken for a Brownian motion, which ignores that it
    /// overshoots its bounds a little. Undefined in BayesElo.
    pub fn prospect(&self, model: &PairModel, llr: f64) -> Defined<Prospect> {
        let (mean, deviation) = model.moments();
        let [score0, score1] = self.scores(deviation, Pentanomial::GAMES)?;
        let spread = ((score1 - score0) / deviation).powi(2);
        let drift = (score1 - score0) * (2.0 * mean - score0 - score1) / deviation.powi(2) / 2.0;
        let [lower, upper] = self.bounds().map(|bound| bound - llr);
        // Without drift the fractions below are 0 / 0; so little of it makes no difference.
        let least = 1e-9 * spread;
        let drift = if drift.abs() < least { least.copysign(drift) } else { drift };
        let pull = -2.0 * drift / spread;
        let accept = (pull * lower).exp_m1() / ((pull * lower).exp_m1() - (pull * upper).exp_m1());
        let accept = if accept.is_nan() { f64::from(drift > 0.0) } else { accept };
        Ok(Prospect { accept, pairs: (accept * upper + (1.0 - accept) * lower) / drift })
    }
}

#[cfg(test)]
mod tests {
    use std::num::{NonZeroU64, NonZeroUsize};

    use super::*;
    use crate::{Judge, LosRule, Rule, Simulation, simulate};

    const SHAPE: [u64; 5] = [10, 15, 50, 15, 10];

    fn model(elo: f64) -> PairModel {
        PairModel::new(&Pentanomial::from(SHAPE), elo).unwrap()
    }

    fn simulated(rule: Rule, elo: f64) -> crate::Outcomes {
        let simulation = Simulation {
            matches: NonZeroU64::new(1000).unwrap(),
            max_pairs: NonZeroU64::new(20_000).unwrap(),
            every: NonZeroU64::MIN,
            seed: 5,
        };
        simulate(&Judge::Rule(rule), &model(elo), &simulation, NonZeroUsize::MIN)
    }

    /// A match of as many pairs as it says is accepted as often as it says.
    #[test]
    fn a_los_match_has_the_power_asked_for() {
        let pairs = pairs_for_los(&model(30.0), 95.0, 0.8).unwrap();
        let rule = Rule::Los(LosRule { percent: 95.0, pairs: Some(pairs) });
        let simulation = Simulation {
            matches: NonZeroU64::new(1000).unwrap(),
            max_pairs: NonZeroU64::new(pairs).unwrap(),
            every: NonZeroU64::MIN,
            seed: 5,
        };
        let outcomes = simulate(&Judge::Rule(rule), &model(30.0), &simulation, NonZeroUsize::MIN);
        let accepted = outcomes.accepted;
        assert!((0.76..=0.84).contains(&accepted), "{accepted} after {pairs} pairs");
        assert!((power_of_los(&model(30.0), 95.0, pairs) - 0.8).abs() < 0.01);
        assert!((power_of_los(&model(0.0), 95.0, pairs) - 0.05).abs() < 1e-6);
        assert_eq!(pairs_for_los(&model(0.0), 95.0, 0.8), None);
        assert_eq!(pairs_for_los(&model(-5.0), 95.0, 0.8), None);
    }

    /// What is expected of an SPRT is what simulated ones do, but for a few per cent.
    #[test]
    fn prospects_come_true() {
        for rule in ["sprt=0,30,model=logistic", "sprt=0,30"] {
            let rule: Rule = rule.parse().unwrap();
            for elo in [0.0, 15.0, 30.0] {
                let expected = rule.sprt().unwrap().prospect(&model(elo), 0.0).unwrap();
                let found = simulated(rule, elo);
                assert!(
                    (expected.accept - found.accepted).abs() < 0.05,
                    "{rule} at {elo}: {expected:?} {found:?}"
                );
                assert!(
                    (expected.pairs / found.pairs - 1.0).abs() < 0.15,
                    "{rule} at {elo}: {expected:?} {found:?}"
                );
            }
        }
    }

    #[test]
    fn near_a_bound_little_is_left() {
        let sprt: Sprt = "0,5".parse().unwrap();
        let [_, upper] = sprt.bounds();
        let (far, near) = (
            sprt.prospect(&model(5.0), 0.0).unwrap(),
            sprt.prospect(&model(5.0), upper - 0.1).unwrap(),
        );
        assert!(near.accept > 0.98 && near.pairs < far.pairs / 5.0, "{far:?} {near:?}");
    }
}
