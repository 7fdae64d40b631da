//! `verdict stats` from arguments to statistics and text.

use clap::{Args as _, Command, FromArgMatches as _};
use harness::cli::stats::{StatsArgs, render, statistics};
use stats::Verdict;

fn parse(line: &str) -> Result<StatsArgs, clap::Error> {
    let command = StatsArgs::augment_args(Command::new("stats"));
    let words = std::iter::once("stats").chain(line.split(' '));
    StatsArgs::from_arg_matches(&command.try_get_matches_from(words)?)
}

/// Arguments, and lines that must be in the output.
const SHOWN: [(&str, &[&str]); 9] = [
    (
        "--ptnml 34,54,63,64,75 --sprt elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized",
        &[
            "games    580 in 290 pairs",
            "Ptnml    LL 34, LD 54, DD+WL 63, WD 64, WW 75",
            "score    57.93%",
            "Elo      +55.58 ± 27.65",
            "nElo     +57.94 ± 28.28",
            "LOS      99.99%",
            "LLR      1.30 (reject to -2.94, accept from 2.94)",
            "SPRT     elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized",
            "verdict  UNDECIDED",
        ],
    ),
    (
        "--wdl 76,123,89",
        &["games    288", "WDL      76 won, 123 drawn, 89 lost", "LOS      15.53%"],
    ),
    (
        "--ptnml 0,0,0,0,2",
        &[
            "LOS      undefined: fewer than 10 pairs, or 20 games: their spread is not known well enough",
        ],
    ),
    (
        "--ptnml 0,0,30,0,0",
        &["Elo      +0.00, error undefined: all results are alike: their spread is not known"],
    ),
    (
        "--ptnml 0,0,0,0,30 --sprt 0,5,model=logistic",
        &[
            "unbiased beyond +1000 Elo, 95% from +450.41 to beyond +1000 Elo: corrected for early stopping",
        ],
    ),
    (
        "--wdl 1300,2500,1200 --sprt 0,10,model=bayeselo",
        &[
            "LLR      1.99 (reject to -2.94, accept from 2.94)",
            "SPRT     elo0=0,elo1=10,alpha=0.05,beta=0.05,model=bayeselo",
        ],
    ),
    ("--sprt -1.75,0.25 --ptnml 127,4883,10712,5150,104", &["verdict  ACCEPT"]),
    (
        "--wdl 10,0,0",
        &["Elo      undefined: the test engine won every game: its Elo has no upper bound"],
    ),
    (
        "--ptnml 0,0,0,1,0",
        &[
            "Elo      +190.85, error undefined: fewer than 10 pairs, or 20 games: their spread is not known well enough",
        ],
    ),
];

#[test]
fn numbers_are_shown_or_explained() {
    for (line, wanted) in SHOWN {
        let args = parse(line).expect(line);
        let text = render(&statistics(&args), args.sprt.as_ref(), None);
        for wanted in wanted {
            assert!(text.lines().any(|line| line == *wanted), "{line}: {wanted:?} not in\n{text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}

#[test]
fn verdicts_need_a_test() {
    let verdict = |line: &str| statistics(&parse(line).expect(line)).verdict.ok();
    assert_eq!(verdict("--ptnml 0,0,0,0,5550"), None);
    assert_eq!(verdict("--ptnml 0,0,0,0,5550 --sprt 0,5"), Some(Verdict::Accept));
    assert_eq!(verdict("--wdl 3,1,1490 --sprt 0,5,model=logistic"), Some(Verdict::Reject));
}

/// Wrong usage, and what is said of it.
const REFUSED: [(&str, &str); 5] = [
    ("--json", "the following required arguments were not provided"),
    ("--wdl 1,2,3 --ptnml 1,2,3,4,5", "cannot be used with"),
    ("--wdl 1,2", "expected three counts W,D,L, found 2 of them"),
    ("--ptnml a,b,c,d,e", "each a whole number from 0, found \"a\""),
    ("--wdl 1,2,3 --sprt 5,0", "elo0=5 must be below elo1=0"),
];

#[test]
fn wrong_usage_is_explained() {
    for (line, wanted) in REFUSED {
        let error = parse(line).expect_err(line).to_string();
        assert!(error.contains(wanted), "{line}: {error}");
    }
}

/// Counts that cannot have been played are no counts: no number of them means anything.
#[test]
fn counts_beyond_all_that_was_played_are_refused() {
    let run = |counts: [&str; 2]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_verdict"));
        let output = command.arg("stats").args(counts).output().expect("runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let most = [u64::MAX.to_string().as_str(); 5].join(",");
    for counts in [
        ["--ptnml", &most],
        ["--ptnml", "0,0,1000000001,0,0"],
        ["--wdl", "999999999,1,1"],
        ["--wdl", "18446744073709551615,1,1"],
    ] {
        let (code, told) = run(counts);
        assert_eq!(code, Some(64), "{counts:?}");
        assert!(told.contains("expected counts of at most 1000000000 in all"), "{told}");
    }
    assert_eq!(run(["--wdl", "999999998,1,1"]).0, Some(0));
}

/// `verdict stats simulate`, run as a program: output, exit code and errors.
#[test]
fn rules_are_simulated() {
    let run = |words: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_verdict"));
        let most = if words.contains("--max-pairs") { "" } else { "--max-pairs 300 " };
        let words = format!("stats simulate --quiet --matches 200 {most}{words}");
        let output = command.args(words.split(' ')).output().expect("runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, text, _) = run("--rule los=95 --rule los-peeking=95 --elo 0,-20 --every 5");
    assert_eq!(code, Some(0));
    let rows = text.lines().filter(|line| line.starts_with("los")).count();
    assert_eq!(rows, 4, "{text}");

    let (_, one, _) = run("--rule anytime=5% --elo 50 --json --threads 1");
    let (_, two, _) = run("--rule anytime=5% --elo 50 --json --threads 2");
    assert_eq!(one, two);
    let report: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    let outcomes = &report["rows"][0]["outcomes"];
    assert!(outcomes["accepted"].as_f64() > Some(0.5), "{report}");

    let (_, text, _) = run("--intervals --elo 5 --twins 30% --json");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let row = &report["intervals"][0];
    assert!(row["always"].as_f64() > row["plain_always"].as_f64(), "{report}");
    assert_eq!(row["looks"].as_array().map(Vec::len), Some(3));
    // Nine pairs have no plain interval: neither a width nor a coverage.
    let (_, text, _) = run("--intervals --max-pairs 9 --json");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let row = &report["intervals"][0];
    let plain = [&row["plain_always"], &row["looks"][0]["plain"]["half_width"]];
    assert!(
        plain.into_iter().all(serde_json::Value::is_null) && row["always"].is_f64(),
        "{report}"
    );
    let (_, text, _) = run("--intervals --max-pairs 9");
    assert!(text.contains('–') && !text.split_whitespace().any(|word| word == "0.00"), "{text}");

    for (words, told) in [
        ("--rule los-peeking=40", "expected los-peeking=PERCENT"),
        ("--rule sprt=5,0", "must be below"),
        ("--rule los=95 --shape 0,0,9,0,0 --elo 5", "--shape 0,0,9,0,0"),
        ("--elo 5", "--rule"),
        ("--intervals --rule los=95", "cannot be used with"),
        ("--intervals --twins 130%", "expected a percentage"),
    ] {
        let (code, _, error) = run(words);
        assert_eq!(code, Some(64), "{words}");
        assert!(error.contains(told), "{words}: {error}");
    }
}

/// `verdict stats power`.
#[test]
fn pairs_for_an_elo_are_told() {
    let run = |words: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_verdict"));
        let words = format!("stats power {words}");
        let output = command.args(words.split(' ')).output().expect("runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, text, _) = run("--elo 3,-3 --rule los=95 --rule sprt=0,5");
    assert_eq!(code, Some(0));
    assert!(text.contains("los=95 at +3 Elo: "), "{text}");
    assert!(text.contains("los=95 at -3 Elo: not with any number of pairs"), "{text}");
    assert_eq!(text.lines().count(), 4, "{text}");
    let (_, text, _) = run("--elo 5 --rule sprt=0,5,model=logistic --json");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let accept = report["rows"][0]["accept"].as_f64().expect("a share");
    assert!((accept - 0.95).abs() < 0.001, "{report}");
    // The pairs that a rule has are what it is asked about, and there is no verdict on fewer than ten.
    let (_, text, _) = run("--elo 10,2000 --rule los=95,pairs=200 --rule los=95");
    assert!(text.contains("los=95,pairs=200 at +10 Elo: accepts 19.2%"), "{text}");
    assert!(text.contains("los=95 at +2000 Elo: 10 pairs to accept"), "{text}");
    let (code, text, _) = run("--elo 10,0,-10 --rule anytime=5%");
    assert_eq!(code, Some(0));
    // Simulated: 2,500 on average.
    let about = "anytime=5%,bets=effects at +10 Elo: decides after about 26";
    assert!(
        text.starts_with(about) && text.contains("at -10 Elo: decides after about 26"),
        "{text}"
    );
    assert!(text.contains("at +0 Elo: not with any number of pairs"), "{text}");
    for (words, told) in [
        ("--elo 3 --shape 0,0,5,0,0", "--shape 0,0,5,0,0 at 3 Elo"),
        ("--elo 3 --power 20", "above 50"),
        ("--elo inf", "expected an Elo difference"),
    ] {
        let (code, _, error) = run(words);
        assert_eq!(code, Some(64), "{words}");
        assert!(error.contains(told), "{words}: {error}");
    }
}
