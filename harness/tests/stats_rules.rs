//! Rules: what text is understood, what is said of the rest, and when they decide.

use serde_json::{Value, json};
use stats::{Course, Judgement, Pentanomial, Rule, Sprt, Statistics, Verdict, Wdl};

/// Rules as typed, and as we write them.
const UNDERSTOOD: [(&str, &str); 12] = [
    ("los=95,pairs=200", "los=95,pairs=200"),
    ("los=97.5%", "los=97.5"),
    (" los = 95 , pairs = 1 ", "los=95,pairs=1"),
    ("sprt=0,5", "sprt=0,5,alpha=0.05,beta=0.05,model=normalized"),
    ("sprt=elo0=-3,elo1=1", "sprt=-3,1,alpha=0.05,beta=0.05,model=normalized"),
    ("sprt=0,2.5,model=logistic", "sprt=0,2.5,alpha=0.05,beta=0.05,model=logistic"),
    ("sprt=-5,0,alpha=0.01,beta=0.1", "sprt=-5,0,alpha=0.01,beta=0.1,model=normalized"),
    ("anytime=5%", "anytime=5%,bets=effects"),
    ("anytime = 2.5", "anytime=2.5%,bets=effects"),
    ("anytime=7%,bets=effects", "anytime=7%,bets=effects"),
    ("anytime=0.35%", "anytime=0.35%,bets=effects"),
    ("sprt=beta=0.02,elo1=2,elo0=0", "sprt=0,2,alpha=0.05,beta=0.02,model=normalized"),
];

/// Text that is no rule, and what is said of it.
const REFUSED: [(&str, &str); 27] = [
    (
        "",
        "unknown rule \"\": expected los=PERCENT[,pairs=N], sprt=ELO0,ELO1[,alpha=,beta=,model=] or \
         anytime=PERCENT[,bets=]",
    ),
    ("elo=5", "unknown rule \"elo=5\": expected los=PERCENT"),
    ("anytime=half", "anytime=\"half\": expected a probability of error in per cent"),
    ("anytime=5%,bets=all", "bets=\"all\": expected effects or shares"),
    ("anytime=5%,pairs=9", "unknown key \"pairs\" in a rule of anytime: expected one of bets"),
    ("anytime=50%", "anytime: alpha=0.5 is out of range"),
    ("los=", "los=\"\": expected a percentage above 50 and below 100"),
    ("los=50", "los=\"50\": expected a percentage above 50 and below 100"),
    ("los=100%", "los=\"100%\": expected a percentage above 50 and below 100"),
    ("los=NaN", "los=\"NaN\": expected a percentage above 50 and below 100"),
    ("los=95,pairs=0", "pairs=\"0\": expected a whole number of pairs from 1"),
    ("los=95,pairs=2.5", "pairs=\"2.5\": expected a whole number of pairs from 1"),
    ("los=95,pairs=5,pairs=6", "pairs is given twice"),
    ("los=95,games=5", "unknown key \"games\" in a rule of los: expected one of pairs"),
    ("los=95,5", "stray value \"5\" in a rule of los: expected key=value with one of pairs"),
    ("sprt=0", "elo1 is missing: expected sprt=ELO0,ELO1 or elo0=ELO0,elo1=ELO1"),
    ("sprt=0,five", "elo1=\"five\": expected an Elo difference"),
    ("sprt=0,5,0.05", "stray value \"0.05\" in a rule of sprt"),
    ("sprt=5,0", "elo0=5 must be below elo1=0"),
    ("sprt=0,0", "elo0=0 must be below elo1=0"),
    ("sprt=0,0.001", "elo0=0 and elo1=0.001 are too close: expected 0.01 between them, or more"),
    ("sprt=0,1e9", "elo1=1000000000 is out of range: expected -2000 to 2000"),
    ("sprt=nan,5", "elo0=NaN is out of range: expected -2000 to 2000"),
    ("sprt=0,5,alpha=0", "alpha=0 is out of range: expected a probability of error"),
    ("sprt=0,5,alpha=0.5,beta=0.5", "alpha=0.5 and beta=0.5 must not both be 0.5"),
    ("sprt=0,5,gamma=1", "unknown key \"gamma\" in a rule of sprt: expected one of elo0, elo1"),
    (
        "sprt=0,5,model=pentanomial",
        "model=\"pentanomial\": expected normalized, logistic or bayeselo",
    ),
];

#[test]
fn rules_are_understood() {
    for (typed, written) in UNDERSTOOD {
        let rule: Rule = typed.parse().unwrap_or_else(|error| panic!("{typed}: {error}"));
        assert_eq!(rule.to_string(), written, "{typed}");
        let json = serde_json::to_value(rule).expect("JSON");
        assert_eq!(json, json!(written));
        assert_eq!(serde_json::from_value::<Rule>(json).expect("a rule"), rule);
    }
}

/// What older versions recorded without the name of its bets is judged by the bets of then, and is
/// written as it was.
#[test]
fn a_recorded_rule_keeps_its_bets() {
    let older: Rule = serde_json::from_value(json!("anytime=5%")).expect("a rule");
    assert_eq!(older.to_string(), "anytime=5%,bets=shares");
    assert_eq!(older.to_string().parse(), Ok(older));
    assert_eq!(serde_json::to_value(older).expect("JSON"), json!("anytime=5%"));
    assert_ne!(Ok(older), "anytime=5%".parse());
}

#[test]
fn what_is_no_rule_is_said_precisely() {
    for (typed, message) in REFUSED {
        let error = typed.parse::<Rule>().expect_err(typed).to_string();
        assert!(error.starts_with(message), "{typed}: {error}");
    }
    for (typed, found) in [("1,2,3,4", "found 4 "), ("1,2,-3,4,5", "found \"-3\"")] {
        let error = typed.parse::<Pentanomial>().expect_err(typed).to_string();
        assert!(error.contains(found), "{error}");
    }
    let error = "1,2".parse::<Wdl>().expect_err("two counts").to_string();
    assert!(error.contains("found 2 "), "{error}");
}

/// Rule, counts, pairs of the run, and the verdict with its reason; no text: play on.
const JUDGED: [(&str, [u64; 5], u64, &str); 19] = [
    ("los=95,pairs=100", [0, 0, 0, 0, 99], 200, ""),
    (
        "los=95,pairs=100",
        [0, 0, 0, 0, 100],
        200,
        "ACCEPT: LOS 99.99% (accept from 95%, reject to 5%)",
    ),
    ("los=95,pairs=100", [100, 0, 0, 0, 0], 200, "REJECT: LOS 0.01%"),
    ("los=95,pairs=100", [10, 20, 40, 20, 10], 200, "UNDECIDED: LOS 50.00%"),
    ("los=95,pairs=100", [0, 0, 100, 0, 0], 200, "UNDECIDED: LOS 50.00%"),
    ("los=95,pairs=100", [5, 15, 40, 25, 15], 200, "ACCEPT: LOS 99.78%"),
    (
        "los=95,pairs=100",
        [1, 1, 1, 1, 1],
        5,
        "UNDECIDED: the run has 5 pairs, the rule asks for 100",
    ),
    // Ten pairs of LOS 95.68 % prove less: the spread of so few is hardly known.
    (
        "los=95",
        [0, 1, 5, 2, 2],
        10,
        "UNDECIDED: LOS 95.68%, but 91.14% by Student's t (accept from 95%",
    ),
    ("los=95,pairs=1", [0, 0, 0, 0, 1], 1, "UNDECIDED: a single result has no spread"),
    ("los=95", [0, 0, 1, 3, 5], 10, ""),
    ("los=95", [0, 0, 1, 4, 5], 10, "ACCEPT: LOS 99.99%"),
    ("los=95", [0, 0, 0, 0, 0], 0, "UNDECIDED: no games"),
    ("los=95", [0, 0, 0, 1, 1], 2, "UNDECIDED: 2 different pairs are too few"),
    ("sprt=0,5", [0, 0, 0, 0, 0], 10, ""),
    ("sprt=0,5", [0, 0, 10, 0, 0], 10, "UNDECIDED: LLR -0.00 (reject to -2.94, accept from 2.94)"),
    ("sprt=0,5", [0, 0, 0, 0, 5550], 10_000, "ACCEPT: LLR 111.80"),
    ("sprt=0,500", [10, 0, 0, 0, 0], 10_000, "REJECT: LLR -22.78"),
    ("sprt=0,5,beta=0.1", [10, 60, 120, 70, 12], 10_000, ""),
    ("sprt=-3,1,model=logistic", [10789, 19328, 33806, 19402, 10543], 1_000_000, ""),
];

#[test]
fn rules_decide_when_they_should() {
    for (rule, counts, total_pairs, wanted) in JUDGED {
        let played = counts.iter().sum();
        let parsed = rule.parse::<Rule>().expect(rule);
        let course = Course { counts: counts.into(), ..Course::default() };
        let judgement = parsed.judge(&course, None, played, total_pairs);
        let text = match judgement {
            Judgement::Continue => String::new(),
            Judgement::Decided(verdict, reason) => format!("{verdict}: {reason}"),
        };
        let as_wanted = if wanted.is_empty() { text.is_empty() } else { text.starts_with(wanted) };
        assert!(as_wanted, "{rule} of {counts:?}: {text}");
    }
}

/// Wald's test in BayesElo, its arithmetic written out.
#[test]
fn an_sprt_may_be_of_games_in_bayeselo() {
    let rule: Rule = "sprt=0,10,model=bayesian".parse().expect("a rule");
    assert_eq!(rule.to_string(), "sprt=0,10,alpha=0.05,beta=0.05,model=bayeselo");
    let games = Wdl { win: 1300, draw: 2500, loss: 1200 };
    // The margin at which as many games are drawn as were.
    let (win, loss): (f64, f64) = (1300.0 / 5000.0, 1200.0 / 5000.0);
    let draw_elo = 200.0 * ((1.0 - win) / win * ((1.0 - loss) / loss)).log10();
    let beats = |elo: f64| 1.0 / (1.0 + 10f64.powf((draw_elo - elo) / 400.0));
    let chances = |elo: f64| [beats(elo), 1.0 - beats(elo) - beats(-elo), beats(-elo)];
    let (p0, p1) = (chances(0.0), chances(10.0));
    let counts = [1300.0, 2500.0, 1200.0];
    let wanted: f64 = (0..3).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum();
    assert!(wanted > 0.5 && wanted < 2.9, "{wanted}");
    let sprt = rule.sprt().expect("an SPRT");
    let found = sprt.llr(&games).expect("defined");
    assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");

    // Pairs alone do not tell; with their games a match is decided by it.
    let pairs = Pentanomial::from([50, 300, 1750, 300, 100]);
    assert!(sprt.llr(&pairs).is_err());
    let course = Course { counts: pairs, ..Course::default() };
    let judged = rule.judge(&course, Some(&games), 2500, 20_000);
    assert_eq!(judged, Judgement::Continue);
    let games = Wdl { win: 1500, ..games };
    let judged = rule.judge(&course, Some(&games), 2600, 20_000);
    assert_eq!(judged.verdict(), Some(Verdict::Accept));
    let statistics = Statistics::of_pairs(&pairs, Some(&games), Some(sprt));
    assert_eq!(statistics.llr, sprt.llr(&games));
    assert!(statistics.unbiased.is_err());
}

/// The keys of `summary.json`, in order.
const KEYS: [&str; 15] = [
    "pairs",
    "games",
    "wdl",
    "ptnml",
    "elo",
    "elo_error95",
    "elo_anytime95",
    "nelo",
    "nelo_error95",
    "los",
    "llr",
    "llr_bounds",
    "elo_unbiased",
    "elo_unbiased_ci95",
    "verdict",
];

fn keys(json: &Value) -> Vec<&str> {
    json.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn json_has_the_stable_keys() {
    let sprt: Sprt = "0,5".parse().expect("a test");
    let pairs = Pentanomial::from([34, 54, 63, 64, 75]);
    let wdl = Wdl { win: 250, draw: 172, loss: 158 };
    let full = Statistics::of_pairs(&pairs, Some(&wdl), Some(&sprt));
    let full = full.with_verdict(Some(Verdict::Undecided));
    let json = serde_json::to_value(full).expect("JSON");
    assert_eq!(keys(&json), KEYS);
    assert_eq!(json["pairs"], json!(290));
    assert_eq!(json["games"], json!(580));
    assert_eq!(json["wdl"], json!({"win": 250, "draw": 172, "loss": 158}));
    assert_eq!(json["ptnml"], json!([34, 54, 63, 64, 75]));
    assert_eq!(json["verdict"], json!("UNDECIDED"));
    assert_eq!(json["llr_bounds"].as_array().map(Vec::len), Some(2));
}

#[test]
fn json_says_why_a_key_is_null() {
    let json = serde_json::to_value(Statistics::of_pairs(&Pentanomial::default(), None, None));
    let json = json.expect("JSON");
    assert_eq!(keys(&json), KEYS.iter().copied().chain(["why"]).collect::<Vec<&str>>());
    assert_eq!(json["pairs"], json!(0));
    for key in ["elo", "elo_error95", "nelo", "nelo_error95", "los"] {
        assert_eq!((&json[key], &json["why"][key]), (&Value::Null, &json!("no games")), "{key}");
    }
    assert_eq!(json["why"]["llr"], json!("no SPRT was asked for"));
    assert!(json["why"].get("pairs").is_none());
}
