use std::num::{NonZeroU64, NonZeroUsize};

use super::*;
use crate::TwinPairs;
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
        twins: TwinPairs::default(),
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
        twins: TwinPairs::default(),
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

/// The nominal alpha is for a change of elo0: one that does nothing is accepted more often, or less.
#[test]
fn equal_engines_are_accepted_as_often_as_told() {
    let accepts = |rule: &str| rule.parse::<Rule>().unwrap().sprt().unwrap().accepts_equal();
    for (rule, expected) in [("sprt=0,30", 0.05), ("sprt=-30,0", 0.95), ("sprt=-15,15", 0.5)] {
        assert!((accepts(rule) - expected).abs() < 1e-6, "{rule}: {}", accepts(rule));
    }
    for text in ["sprt=-25,5", "sprt=-10,30", "sprt=10,40", "sprt=-20,15,model=logistic"] {
        let found = simulated(text.parse().unwrap(), 0.0);
        let expected = accepts(text);
        assert!((expected - found.accepted).abs() < 0.05, "{text}: {expected} {found:?}");
    }
    // Bounds so far away that powers overflow.
    assert_eq!(accepts("sprt=-2000,-1999"), 1.0);
    assert!(accepts("sprt=1999,2000") < 1e-9);
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
