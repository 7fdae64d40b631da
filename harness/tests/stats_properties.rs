//! What must hold of the statistics of any counts.

use proptest::prelude::*;
use serde_json::Value;
use stats::{
    Counts, Defined, IntervalKind, LosRule, Model, Pentanomial, Rule, Sprt, Statistics, Wdl, elo,
    los, nelo,
};

/// Counts from none to more than any run will have.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => Just(0u64),
        3 => 1..10u64,
        3 => 10..100_000u64,
        1 => 1_000_000_000..1_000_000_000_000u64,
    ]
}

fn pairs() -> impl Strategy<Value = Pentanomial> {
    prop::array::uniform5(count()).prop_map(Pentanomial::from)
}

/// Counts, and some of them beyond what a sum can hold.
fn absurd_pairs() -> impl Strategy<Value = Pentanomial> {
    prop::array::uniform5(prop_oneof![4 => count(), 1 => Just(u64::MAX)])
        .prop_map(Pentanomial::from)
}

fn games() -> impl Strategy<Value = Wdl> {
    (count(), count(), count()).prop_map(|(win, draw, loss)| Wdl { win, draw, loss })
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![Just(Model::Normalized), Just(Model::Logistic)]
}

fn error() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.05), 1e-9..0.49f64]
}

/// Tests, from the usual ones to absurd ones.
fn sprt() -> impl Strategy<Value = Sprt> {
    let elos = prop_oneof![
        (-10.0..10.0f64, 0.01..10.0f64),
        (-2000.0..1999.0f64, 0.01..1.0f64),
        (-2000.0..0.0f64, 0.01..2000.0f64),
    ];
    (elos, error(), error(), model()).prop_map(|((elo0, width), alpha, beta, model)| {
        Sprt::new(elo0, elo0 + width, alpha, beta, model).expect("a sound test")
    })
}

fn near(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * (1.0 + a.abs().max(b.abs()))
}

/// Both undefined, or `a` near `of(b)`.
fn both(a: Defined, b: Defined, of: impl Fn(f64) -> f64) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => near(a, of(b), 1e-8),
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

fn assert_sound(statistics: &Statistics) -> Result<(), TestCaseError> {
    let Statistics { elo, nelo, unbiased, .. } = statistics;
    let numbers = [
        unbiased.and_then(|it| it.elo),
        unbiased.and_then(|it| it.low95),
        unbiased.and_then(|it| it.high95),
        statistics.score,
        statistics.draw_ratio,
        statistics.pair_ratio,
        statistics.los,
        statistics.llr,
        elo.elo,
        elo.error95,
        elo.low95,
        elo.high95,
        nelo.nelo,
        nelo.error95,
    ];
    for number in numbers.into_iter().flatten() {
        prop_assert!(number.is_finite(), "{statistics:?}");
    }
    if let (Ok(low), Ok(high), Ok(elo)) = (elo.low95, elo.high95, elo.elo) {
        let slack = 1e-9 * (1.0 + elo.abs());
        prop_assert!(low <= elo + slack && elo <= high + slack, "{statistics:?}");
    }
    prop_assert!(statistics.los.is_none_or_probability(), "{statistics:?}");
    let json = serde_json::to_value(statistics).expect("JSON");
    let why = json.get("why").and_then(Value::as_object);
    for (key, value) in json.as_object().expect("an object") {
        let explained = why.is_some_and(|why| why.contains_key(key));
        prop_assert_eq!(value.is_null(), explained, "{}: {}", key, json);
    }
    Ok(())
}

trait Probability {
    fn is_none_or_probability(&self) -> bool;
}

impl Probability for Defined {
    fn is_none_or_probability(&self) -> bool {
        self.map_or(true, |probability| (0.0..=1.0).contains(&probability))
    }
}

fn assert_mirrored<C: Counts>(counts: &C, mirrored: &C, sprt: &Sprt) -> Result<(), TestCaseError> {
    let (a, b) = (elo(counts, IntervalKind::Normal), elo(mirrored, IntervalKind::Normal));
    prop_assert!(both(a.elo, b.elo, |elo| -elo), "{a:?} {b:?}");
    prop_assert!(both(a.error95, b.error95, |error| error), "{a:?} {b:?}");
    prop_assert!(both(a.low95, b.high95, |elo| -elo), "{a:?} {b:?}");
    let (a, b) = (nelo(counts), nelo(mirrored));
    prop_assert!(both(a.nelo, b.nelo, |nelo| -nelo), "{a:?} {b:?}");
    prop_assert!(both(a.error95, b.error95, |error| error), "{a:?} {b:?}");
    let (a, b) = (los(counts), los(mirrored));
    prop_assert!(both(a, b, |los| 1.0 - los), "{a:?} {b:?}");
    let turned = Sprt::new(-sprt.elo1(), -sprt.elo0(), sprt.beta(), sprt.alpha(), sprt.model());
    let turned = turned.expect("a sound test");
    let (a, b) = (sprt.llr(counts), turned.llr(mirrored));
    // Each of n games adds the logarithm of a ratio that may be 1 but for its last digits.
    let games: u64 = counts.low_to_high().as_ref().iter().sum();
    let rounding = 1e-15 * games as f64;
    let sum = a.expect("defined") + b.expect("defined");
    prop_assert!(both(a, b, |llr| -llr) || sum.abs() < rounding, "{a:?} {b:?}");
    prop_assert!(near(sprt.bounds()[0], -turned.bounds()[1], 1e-12));
    Ok(())
}

proptest! {
    #[test]
    fn pairs_give_numbers_or_reasons(pairs in absurd_pairs(), sprt in sprt()) {
        assert_sound(&Statistics::of_pairs(&pairs, None, Some(&sprt)))?;
        prop_assert!(sprt.llr(&pairs).is_ok(), "every hypothesis can be met");
        let normal = elo(&pairs, IntervalKind::Normal).error95;
        let student = elo(&pairs, IntervalKind::StudentT).error95;
        if let (Ok(normal), Ok(student)) = (normal, student) {
            prop_assert!(normal <= student * (1.0 + 1e-9), "{normal} {student}");
        }
    }

    #[test]
    fn games_give_numbers_or_reasons(games in games(), sprt in sprt()) {
        assert_sound(&Statistics::of_games(&games, Some(&sprt)))?;
        prop_assert!(sprt.llr(&games).is_ok(), "every hypothesis can be met");
    }

    #[test]
    fn the_other_viewpoint_negates(pairs in pairs(), games in games(), sprt in sprt()) {
        assert_mirrored(&pairs, &pairs.mirrored(), &sprt)?;
        assert_mirrored(&games, &games.mirrored(), &sprt)?;
    }

    #[test]
    fn a_better_pair_never_lowers_elo(pairs in pairs(), from in 0..4usize) {
        let (mut worse, mut better) = (pairs.to_array(), pairs.to_array());
        worse[from] += 1;
        better[from + 1] += 1;
        let before = Statistics::of_pairs(&worse.into(), None, None);
        let after = Statistics::of_pairs(&better.into(), None, None);
        prop_assert!(after.score.expect("games") >= before.score.expect("games"));
        if let (Ok(before), Ok(after)) = (before.elo.elo, after.elo.elo) {
            prop_assert!(after >= before);
        }
    }

    #[test]
    fn the_same_games_again_narrow_the_interval(
        counts in prop::array::uniform5(1..1000u64),
        times in 2..1000u64,
        sprt in sprt(),
    ) {
        let once = Pentanomial::from(counts);
        let many = Pentanomial::from(counts.map(|count| count * times));
        let root = (times as f64).sqrt();
        let (a, b) = (nelo(&once), nelo(&many));
        prop_assert!(both(b.nelo, a.nelo, |nelo| nelo));
        prop_assert!(both(b.error95, a.error95, |error| error / root));
        prop_assert!(both(elo(&many, IntervalKind::Normal).elo, elo(&once, IntervalKind::Normal).elo, |elo| elo));
        prop_assert!(both(sprt.llr(&many), sprt.llr(&once), |llr| llr * times as f64));
    }

    #[test]
    fn llr_adds_up(
        pairs in pairs(),
        elo0 in -100.0..100.0f64,
        (a, b) in (0.1..50.0f64, 0.1..50.0f64),
        model in model(),
    ) {
        let llr = |from: f64, to: f64| {
            let sprt = Sprt::new(from, to, 0.05, 0.05, model).expect("a sound test");
            sprt.llr(&pairs).expect("defined")
        };
        let (first, second) = (llr(elo0, elo0 + a), llr(elo0 + a, elo0 + a + b));
        let scale = 1.0 + first.abs() + second.abs();
        prop_assert!((llr(elo0, elo0 + a + b) - first - second).abs() <= 1e-8 * scale);
    }

    /// Of two hypotheses on the same side of what was seen, the nearer is the likelier. A search
    /// that ends at a merely locally likeliest distribution breaks this.
    #[test]
    fn the_nearer_hypothesis_is_likelier(
        counts in prop::array::uniform5(prop_oneof![1..5u64, 1..10_000u64]),
        sprt in sprt(),
    ) {
        let pairs = Pentanomial::from(counts);
        let observed = match sprt.model() {
            Model::Normalized => nelo(&pairs).nelo,
            Model::Logistic => elo(&pairs, IntervalKind::Normal).elo,
            Model::BayesElo => unreachable!("pairs have no LLR in it"),
        };
        let (observed, llr) = (observed.expect("defined"), sprt.llr(&pairs).expect("defined"));
        if observed >= sprt.elo1() {
            prop_assert!(llr > 0.0, "{observed} {llr}");
        } else if observed <= sprt.elo0() {
            prop_assert!(llr < 0.0, "{observed} {llr}");
        }
    }

    #[test]
    fn more_caution_widens_the_bounds(sprt in sprt(), factor in 0.01..0.99f64) {
        let (alpha, beta) = ((sprt.alpha() * factor).max(1e-9), (sprt.beta() * factor).max(1e-9));
        let careful = Sprt::new(sprt.elo0(), sprt.elo1(), alpha, beta, sprt.model());
        let [lower, upper] = careful.expect("a sound test").bounds();
        prop_assert!(lower <= sprt.bounds()[0] && upper >= sprt.bounds()[1]);
    }

    #[test]
    fn rules_are_read_as_they_are_written(
        sprt in sprt(),
        percent in 50.01..99.99f64,
        pairs in prop::option::of(1..u64::MAX),
    ) {
        for rule in [Rule::Sprt(sprt), Rule::Los(LosRule { percent, pairs })] {
            prop_assert_eq!(rule.to_string().parse(), Ok(rule));
        }
    }

    #[test]
    fn no_text_breaks_the_parser(text in "(los|sprt|any|)=?[-0-9a-z.,=% ]{0,30}") {
        let _: Result<Rule, _> = text.parse();
        let _: Result<Sprt, _> = text.parse();
        let _: Result<Pentanomial, _> = text.parse();
    }
}
