//! Every known answer in `data/stats_golden.json`: numbers that other projects publish in their
//! tests, or that their code computes; file, line and commit of each stand there. Each expected
//! number of each case of a wanted kind must be met, or stand in `DIFFERENCES` with what we answer
//! instead and why.

mod differences;

use std::collections::BTreeMap;

use differences::{DIFFERENCES, Ours};
use serde_json::Value;
use statrs::distribution::{ContinuousCDF as _, Normal};
use stats::bayeselo::{self, BayesElo};
use stats::{
    Counts, Decision, Defined, IntervalKind, Model, Pentanomial, Sprt, Statistics, Wdl, Why, elo,
    los, nelo, unbiased,
};

const GOLDEN: &str = include_str!("data/stats_golden.json");

/// Kinds that wait for later work: simulation, tuning.
const SKIPPED_KINDS: [&str; 2] = ["spsa", "sprt_simulation"];

/// The kind of estimates after a stopped SPRT.
const STOPPED: &str = "sprt_elo (median-unbiased estimate, Brownian)";

/// How many cases of each wanted kind there are; a case that vanished should be noticed.
const WANTED_KINDS: [(&str, usize); 9] = [
    ("bayeselo_model", 3),
    ("bounds", 3),
    ("elo", 16),
    ("elo_edge", 5),
    ("elo_student_t", 2),
    ("sprt", 20),
    ("sprt_edge", 3),
    (STOPPED, 7),
    ("sprt_update", 1),
];

/// How near we must come: relative to the expected value, or absolute, whichever is wider.
#[derive(Debug, Clone, Copy)]
struct Tolerance {
    relative: f64,
    absolute: f64,
}

const fn relative(relative: f64) -> Tolerance {
    Tolerance { relative, absolute: 0.0 }
}

const fn absolute(absolute: f64) -> Tolerance {
    Tolerance { relative: 0.0, absolute }
}

/// Ten digits of the same formula.
const SAME: Tolerance = Tolerance { relative: 1e-8, absolute: 1e-8 };
/// Printed with as many digits as a percentage of two decimals has.
const TWO_DECIMALS: Tolerance = absolute(0.005_001);

/// The tolerance of `key` in a case's `section` ("expected", "full_precision" or, for a key of the
/// case itself, "").
fn tolerance(case: &Value, section: &str, key: &str) -> Tolerance {
    let id = text(case, "id");
    let model = case.get("model").and_then(Value::as_str).unwrap_or_default();
    match (section, key) {
        // fastchess prints LOS, and so does its code's number.
        (_, "los_percent") if id.starts_with("fc-") => TWO_DECIMALS,
        // cutechess approximates the quantile of the normal distribution.
        (_, "elo_error95") if id.starts_with("cc-") => relative(2e-3),
        ("", _) | ("full_precision", "llr") if model == "normalized" => relative(1e-6),
        // fastchess approximates the likeliest distribution of the logistic model.
        ("full_precision", "llr") if id.starts_with("fc-") => relative(1e-3),
        ("expected", "fastchess_llr") => relative(6e-3),
        ("full_precision", "llr") => SAME,
        // The same likelihood ratio with BayesElo's distributions instead of the likeliest ones.
        ("", "crosscheck_fishtest_llr") if model == "bayesian" => relative(1e-4),
        ("", _) => relative(1e-6),
        // c-chess-cli's and fishtest's approximations of what is exact here.
        ("expected", "llr") if model.contains("asymptotic") => absolute(1e-3),
        ("expected", "llr_normalized_alt" | "llr_logistic_alt" | "llr_logistic_alt2") => {
            absolute(1e-3 * expected_llr(case))
        }
        ("expected", "fishtest_llr_normalized_alt") => absolute(1e-3),
        ("expected", "probs3" | "probs5") => absolute(5e-5),
        ("expected", key) if case.get("tolerance").is_some() => match text(case, "tolerance") {
            "abs 0.01" => absolute(0.01),
            t if t.starts_with("1% relative") || t.contains("(1% relative)") => relative(0.01),
            other => panic!("{id}: {key}: unknown tolerance {other:?}"),
        },
        // fishtest takes a part of the last step off a test that went beyond its bound.
        ("expected", "sprt_elo" | "ci95") => absolute(2e-3),
        ("expected", "sprt_los") => absolute(1e-4),
        // An approximation of the ratio for short tests.
        ("expected", "llr") if text(case, "kind") == STOPPED => relative(1e-6),
        _ if text(case, "kind").starts_with("sprt") => relative(1e-6),
        _ => SAME,
    }
}

/// The scale on which approximations of a case's LLR are judged, at least 1.
fn expected_llr(case: &Value) -> f64 {
    case["expected"]["llr_normalized"].as_f64().map_or(1.0, |llr| llr.abs().max(1.0))
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{key} is no text in {case}"))
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {value}"))
}

/// A case's counts.
#[derive(Debug, Clone, Copy)]
enum Given {
    Games(Wdl),
    Pairs(Pentanomial),
}

impl Given {
    fn of(case: &Value) -> Given {
        let array = |key: &str| -> Vec<u64> {
            let counts = case[key].as_array().into_iter().flatten();
            counts.map(|count| count.as_u64().expect("a count")).collect()
        };
        if let Some(wld) = case.get("wld") {
            let count = |key: &str| wld[key].as_u64().expect("a count");
            return Given::Games(Wdl { win: count("w"), draw: count("d"), loss: count("l") });
        }
        let key = if case.get("penta").is_some() { "penta" } else { "counts_low_to_high" };
        match array(key)[..] {
            [loss, draw, win] => Given::Games(Wdl { win, draw, loss }),
            [ll, ld, dd_wl, wd, ww] => Given::Pairs([ll, ld, dd_wl, wd, ww].into()),
            _ => panic!("no counts in {case}"),
        }
    }

    fn statistics(&self) -> Statistics {
        match self {
            Given::Games(games) => Statistics::of_games(games, None),
            Given::Pairs(pairs) => Statistics::of_pairs(pairs, None, None),
        }
    }

    fn llr(&self, sprt: &Sprt) -> Defined {
        match self {
            Given::Games(games) => sprt.llr(games),
            Given::Pairs(pairs) => sprt.llr(pairs),
        }
    }

    fn games(&self) -> Wdl {
        match self {
            Given::Games(games) => *games,
            Given::Pairs(pairs) => panic!("games wanted, found {pairs:?}"),
        }
    }
}

fn sprt(case: &Value, model: Model) -> Sprt {
    let error = |key: &str| case.get(key).and_then(Value::as_f64).unwrap_or(0.05);
    let (elo0, elo1) = (number(case, "elo0"), number(case, "elo1"));
    Sprt::new(elo0, elo1, error("alpha"), error("beta"), model).expect("a sound test")
}

/// Our number for an expected `key` of an Elo case.
fn our_elo(case: &Value, key: &str) -> Defined {
    let given = Given::of(case);
    let statistics = given.statistics();
    let elo_with = |tail| match given {
        Given::Games(games) => elo(&games, tail),
        Given::Pairs(pairs) => elo(&pairs, tail),
    };
    let (plain, student) = (elo_with(IntervalKind::Normal), || elo_with(IntervalKind::StudentT));
    let (nelo, los) = match given {
        Given::Games(games) => (nelo(&games), los(&games)),
        Given::Pairs(pairs) => (nelo(&pairs), los(&pairs)),
    };
    match key {
        "elo" => plain.elo,
        "elo_error95" => plain.error95,
        "nelo" => nelo.nelo,
        "nelo_error95" => nelo.error95,
        "score" => statistics.score,
        "draw_ratio" => statistics.draw_ratio,
        "los_percent" => los.map(|los| 100.0 * los),
        "los_percent_wl_only" => los_of_decisive_games(&given.games()).map(|los| 100.0 * los),
        "elo_low" => student().low95,
        "elo_high" => student().high95,
        _ => panic!("{}: unknown key {key}", text(case, "id")),
    }
}

/// LOS, 0 to 1, from won and lost games alone: the formula of cutechess and of the older literature.
fn los_of_decisive_games(counts: &Wdl) -> Defined {
    let (win, loss) = (counts.win as f64, counts.loss as f64);
    if win + loss == 0.0 {
        return Err(Why::NoGames);
    }
    Ok(Normal::standard().cdf((win - loss) / (win + loss).sqrt()))
}

/// The trinomial log-likelihood ratio for hypotheses in logistic Elo, scaled to BayesElo, with ½
/// added to each count: cutechess' SPRT.
fn scaled_llr(counts: &Wdl, elo0: f64, elo1: f64) -> Defined {
    let counts = [counts.loss, counts.draw, counts.win].map(|count| count as f64 + 0.5);
    let [loss, draw, win] = counts;
    let draw_elo = -200.0 * (win / (loss + draw) * (loss / (win + draw))).log10();
    let x = 10f64.powf(-draw_elo / 400.0);
    let scale = 4.0 * x / ((1.0 + x) * (1.0 + x));
    let [p0, p1] = [elo0, elo1].map(|elo| BayesElo { elo: elo / scale, draw_elo }.probabilities());
    Ok((0..counts.len()).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum())
}

/// Probabilities of the pair scores `[LL, LD, DD+WL, WD, WW]`, where the opening gives White `bias`
/// BayesElo and the games are otherwise independent.
fn pair_probabilities(model: BayesElo, bias: f64) -> [f64; 5] {
    let with = |bias: f64| BayesElo { elo: model.elo + bias, ..model }.probabilities();
    let (first, second) = (with(bias), with(-bias));
    let mut pairs = [0.0; 5];
    for (i, p) in first.into_iter().enumerate() {
        for (j, q) in second.into_iter().enumerate() {
            pairs[i + j] += p * q;
        }
    }
    pairs
}

/// Our number for an expected `key` of an SPRT case.
fn our_llr(case: &Value, key: &str) -> Defined {
    let given = Given::of(case);
    let model = case.get("model").and_then(Value::as_str).unwrap_or_default();
    let of_model = |model| given.llr(&sprt(case, model));
    let (elo0, elo1) = (number(case, "elo0"), number(case, "elo1"));
    match key {
        "lower" => Ok(sprt(case, Model::Normalized).bounds()[0]),
        "upper" => Ok(sprt(case, Model::Normalized).bounds()[1]),
        "llr_logistic" | "llr_logistic_alt" | "llr_logistic_alt2" => of_model(Model::Logistic),
        "llr_normalized" | "llr_normalized_alt" => of_model(Model::Normalized),
        _ => match model.split([' ', ',']).next() {
            Some("normalized") => of_model(Model::Normalized),
            Some("logistic") => of_model(Model::Logistic),
            Some("bayesian") => bayeselo::llr(&given.games(), elo0, elo1),
            Some("bayesian_scaled") => scaled_llr(&given.games(), elo0, elo1),
            _ => panic!("{}: unknown model {model:?}", text(case, "id")),
        },
    }
}

/// Our numbers for an expected `key` of a case of estimates after a stopped SPRT between two
/// BayesElo.
fn our_unbiased(case: &Value, key: &str) -> Vec<Defined> {
    let games = Given::of(case).games();
    let sprt = sprt(case, Model::Logistic);
    let draw_elo = BayesElo::estimate(&games).map_or(0.0, |model| model.draw_elo);
    let [elo0, elo1] = ["elo0", "elo1"].map(|key| BayesElo { elo: number(case, key), draw_elo });
    let score = |model: BayesElo| {
        let [_, draw, win] = model.probabilities();
        win + draw / 2.0
    };
    let found = unbiased(&games, sprt.bounds(), [score(elo0), score(elo1)]);
    // fishtest ends its scale at the same place, and gives its end.
    let at_end = |number: Defined| match number {
        Err(Why::Above) => Ok(1000.0),
        Err(Why::Below) => Ok(-1000.0),
        other => other,
    };
    let logistic = |model: BayesElo| model.logistic().expect("an Elo");
    match key {
        "lower" => vec![Ok(sprt.bounds()[0])],
        "upper" => vec![Ok(sprt.bounds()[1])],
        "llr" => {
            let (elo0, elo1) = (logistic(elo0), logistic(elo1));
            let test = Sprt::new(elo0, elo1, sprt.alpha(), sprt.beta(), Model::Logistic);
            vec![test.expect("a sound test").llr(&games)]
        }
        "sprt_elo" => vec![found.and_then(|found| at_end(found.elo))],
        "ci95" => vec![
            found.and_then(|found| at_end(found.low95)),
            found.and_then(|found| at_end(found.high95)),
        ],
        "sprt_los" => vec![found.map(|found| found.los)],
        _ => panic!("{}: unknown key {key}", text(case, "id")),
    }
}

/// Our number for an expected `key` of a bounds case.
fn our_bound(case: &Value, key: &str) -> Defined {
    let (alpha, beta) = (number(case, "alpha"), number(case, "beta"));
    let sprt = Sprt::new(0.0, 5.0, alpha, beta, Model::default()).expect("a sound test");
    Ok(sprt.bounds()[usize::from(key == "upper")])
}

/// Our numbers for an expected `key` of a BayesElo case.
fn our_model(case: &Value, key: &str) -> Vec<Defined> {
    let input = &case["input"];
    let elo = if input.get("elo").is_some() { "elo" } else { "bayeselo" };
    let draw_elo = if input.get("draw_elo").is_some() { "draw_elo" } else { "drawelo" };
    let model = BayesElo { elo: number(input, elo), draw_elo: number(input, draw_elo) };
    let [loss, draw, win] = model.probabilities();
    let biases = || {
        let biases = input["biases"].as_array().expect("biases");
        biases.iter().map(|bias| bias.as_f64().expect("a bias")).collect::<Vec<f64>>()
    };
    // Over openings of all biases, and in each both colours.
    let over_openings = |of: &dyn Fn(f64) -> Vec<f64>| {
        let biases = biases();
        let rows: Vec<Vec<f64>> = biases.iter().flat_map(|bias| [of(*bias), of(-bias)]).collect();
        let mean = |i: usize| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64;
        (0..rows[0].len()).map(|i| Ok(mean(i))).collect()
    };
    match key {
        "p_loss" => vec![Ok(loss)],
        "p_draw" => vec![Ok(draw)],
        "p_win" => vec![Ok(win)],
        "logistic_elo" => vec![model.logistic()],
        "probs3" => over_openings(&|bias| {
            BayesElo { elo: model.elo + bias, ..model }.probabilities().to_vec()
        }),
        "probs5" => over_openings(&|bias| pair_probabilities(model, bias).to_vec()),
        _ => panic!("{}: unknown key {key}", text(case, "id")),
    }
}

/// Compares one number; what is wrong, if anything.
fn difference(
    case: &Value,
    section: &str,
    key: &str,
    ours: Defined,
    theirs: &Value,
) -> Option<String> {
    let id = text(case, "id");
    let listed = DIFFERENCES.iter().find(|(case, listed, ..)| *case == id && *listed == key);
    let bad = match (listed, ours) {
        (Some((_, _, Ours::Undefined(why), _)), Err(ours)) => ours != *why,
        (Some((_, _, Ours::Value(value), _)), Ok(ours)) => (ours - value).abs() > 1e-5,
        (Some(_), _) => true,
        // Their failures and omissions: any answer of ours is finite or a reason.
        (None, Ok(ours)) => match theirs.as_f64() {
            Some(theirs) => {
                let Tolerance { relative, absolute } = tolerance(case, section, key);
                let off = (ours - theirs).abs();
                off.is_nan() || off > (relative * theirs.abs()).max(absolute)
            }
            None => !ours.is_finite(),
        },
        (None, Err(_)) => true,
    };
    bad.then(|| format!("{id}: {section} {key}: ours {ours:?}, theirs {theirs}, listed {listed:?}"))
}

/// Keys of `full_precision` that are not numbers to compare.
const NO_NUMBERS: [&str; 1] = ["by"];

fn check(case: &Value, kind: &str, problems: &mut Vec<String>) -> usize {
    let mut compared = 0;
    let sections = ["expected", "full_precision"].map(|section| (section, case.get(section)));
    let of_case = case.as_object().expect("an object");
    let own = of_case.iter().filter(|(key, _)| key.starts_with("crosscheck"));
    let mut numbers: Vec<(&str, &str, &Value)> = own.map(|(k, v)| ("", k.as_str(), v)).collect();
    for (section, object) in sections {
        let object = object.and_then(Value::as_object).into_iter().flatten();
        numbers.extend(object.map(|(key, value)| (section, key.as_str(), value)));
    }
    for (section, key, theirs) in numbers {
        if section == "full_precision" && NO_NUMBERS.contains(&key) {
            continue;
        }
        compared += 1;
        if key == "decision" || key == "state" {
            problems.extend(wrong_decision(case, section, theirs));
            continue;
        }
        let ours = match kind {
            "elo" | "elo_edge" | "elo_student_t" => vec![our_elo(case, key)],
            "sprt" | "sprt_edge" | "sprt_update" => vec![our_llr(case, key)],
            STOPPED => our_unbiased(case, key),
            "bounds" => vec![our_bound(case, key)],
            "bayeselo_model" => our_model(case, key),
            _ => panic!("{}: unknown kind {kind:?}", text(case, "id")),
        };
        let one = [theirs.clone()];
        let theirs: &[Value] = theirs.as_array().map_or(&one, Vec::as_slice);
        assert_eq!(ours.len(), theirs.len(), "{}: {key}", text(case, "id"));
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            problems.extend(difference(case, section, key, ours, theirs));
        }
    }
    compared
}

fn wrong_decision(case: &Value, section: &str, theirs: &Value) -> Option<String> {
    let decision = our_llr(case, "llr").map(|llr| sprt(case, Model::Normalized).decide(llr));
    let wanted = match theirs.as_str() {
        Some("H0") => Decision::H0,
        Some("H1") => Decision::H1,
        Some("continue" | "") => Decision::Continue,
        _ => panic!("{}: unknown decision {theirs}", text(case, "id")),
    };
    (decision != Ok(wanted))
        .then(|| format!("{}: {section}: ours {decision:?}, theirs {theirs}", text(case, "id")))
}

#[test]
fn every_known_answer_is_met() {
    let golden: Value = serde_json::from_str(GOLDEN).expect("JSON");
    let mut checked: BTreeMap<&str, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for case in ["published", "computed"].iter().flat_map(|list| golden[list].as_array()).flatten()
    {
        let kind = text(case, "kind");
        if SKIPPED_KINDS.contains(&kind) {
            continue;
        }
        let compared = check(case, kind, &mut problems);
        assert!(compared > 0, "{}: nothing was compared", text(case, "id"));
        *checked.entry(kind).or_default() += 1;
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert_eq!(checked, BTreeMap::from(WANTED_KINDS));
}

#[test]
fn every_listed_difference_is_in_the_data() {
    let golden: Value = serde_json::from_str(GOLDEN).expect("JSON");
    let cases =
        || ["published", "computed"].iter().flat_map(|list| golden[list].as_array()).flatten();
    for (id, key, ..) in &DIFFERENCES {
        let named =
            cases().any(|case| text(case, "id") == *id && case["expected"].get(key).is_some());
        assert!(named, "{id}: {key}");
    }
}

#[test]
fn conventions_are_the_files() {
    let golden: Value = serde_json::from_str(GOLDEN).expect("JSON");
    let conventions = &golden["conventions"];
    let even = Wdl { win: 1_000_000, draw: 0, loss: 1_000_000 };
    let error = stats::nelo(&even).error95.expect("defined");
    let expected =
        number(conventions, "z95") * number(conventions, "nelo_constant") / 2e6f64.sqrt();
    assert!((error - expected).abs() < 1e-8 * expected, "{error} {expected}");
    assert_eq!(<Pentanomial as Counts>::GAMES, 2);
}
