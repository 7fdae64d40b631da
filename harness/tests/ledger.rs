//! `verdict ledger`: which runs are tests, what they are worth together, and what is left to ask.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use arena::record::{
    Details, FinalVerdict, Identity, PlayerSummary, RUN_FILE, SUMMARY_FILE, Summary,
    SummaryStatistics, write_json,
};
use harness::ledger::{Ledger, LedgerOptions};
use serde_json::Value;
use stats::{Pentanomial, Statistics};

use crate::common::verdict::verdict;

fn player(name: &str, limit: &str) -> PlayerSummary {
    let identity = Identity {
        spec: format!("uci:{name}"),
        name: name.to_owned(),
        limit: limit.to_owned(),
        ..Identity::default()
    };
    PlayerSummary { label: name.to_owned(), identity, ..PlayerSummary::default() }
}

/// A finished test of `toy 1` against `toy`, with counts of pairs.
fn tested(day: u32, counts: [u64; 5], verdict: FinalVerdict) -> Summary {
    let statistics = Statistics::of_pairs(&Pentanomial::from(counts), None, None);
    Summary {
        pairs: counts.iter().sum(),
        ptnml: counts,
        judged: SummaryStatistics {
            elo: statistics.elo.elo.ok(),
            elo_error95: statistics.elo.error95.ok(),
            verdict: Some(verdict),
            ..SummaryStatistics::default()
        },
        base: player("toy 1.0", "nodes=500"),
        test: player("Toy 1.1", "nodes=500"),
        details: Details {
            created: format!("2026-01-{day:02}T12:00:00Z"),
            rule: "sprt=0,5,alpha=0.05,beta=0.05,model=normalized".to_owned(),
            effective_ptnml: counts,
            ..Details::default()
        },
        ..Summary::default()
    }
}

fn write(place: &Path, name: &str, summary: &Summary) {
    let dir = place.join(name);
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join(RUN_FILE), "{}").unwrap();
    write_json(&dir.join(SUMMARY_FILE), summary).unwrap();
}

/// Two accepted tests of eight, the later one overwhelming, and folders of all other kinds.
fn a_year(place: &Path) {
    for day in 1..=6 {
        let counts = [150 + u64::from(day), 225, 750, 225, 155];
        write(place, &format!("t{day}"), &tested(day, counts, FinalVerdict::Reject));
    }
    write(place, "night/good", &tested(7, [120, 210, 740, 250, 180], FinalVerdict::Accept));
    write(place, "sweep/confirm", &tested(8, [20, 150, 800, 400, 130], FinalVerdict::Accept));
    write(place, "sweep/c1", &tested(8, [1, 1, 9, 1, 1], FinalVerdict::Accept));
    fs::write(place.join("sweep/sweep.json"), r#"{"format":1,"candidates":[{"folder":"c1"}]}"#)
        .unwrap();
    write(place, "copy-of-good", &tested(7, [120, 210, 740, 250, 180], FinalVerdict::Accept));
    let strange = tested(9, [10, 20, 30, 20, 10], FinalVerdict::Accept);
    write(place, "other", &Summary { base: player("Other 2", "nodes=500"), ..strange.clone() });
    write(place, "odds", &Summary { base: player("toy 1.0", "nodes=900"), ..strange.clone() });
    write(place, "same", &Summary { same_players: true, ..strange.clone() });
    write(place, "void", &tested(9, [10, 20, 30, 20, 10], FinalVerdict::Void));
    write(place, "empty", &tested(9, [0; 5], FinalVerdict::Undecided));
    fs::create_dir_all(place.join("tournament/t01")).unwrap();
    fs::write(place.join("tournament/tournament.json"), r#"{"format":1}"#).unwrap();
    fs::create_dir_all(place.join("spsa")).unwrap();
    fs::write(place.join("spsa/spsa.json"), r#"{"format":1}"#).unwrap();
    fs::create_dir_all(place.join("broken")).unwrap();
    fs::write(place.join("broken").join(RUN_FILE), "not JSON").unwrap();
    fs::write(place.join("notes.txt"), "no folder").unwrap();
}

fn json(place: &Path, words: &str) -> Value {
    let output = verdict(place, &format!("ledger @ --json {words}"));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn tests_count_once_and_the_rest_is_named() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let found = json(place.path(), "");
    let counts = ["tried", "accepted", "rejected", "undecided", "open"];
    assert_eq!(counts.map(|key| found[key].as_u64().unwrap()), [8, 2, 6, 0, 0]);
    let skipped: Vec<(String, &str)> = found["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let folder = Path::new(it["folder"].as_str().unwrap());
            let folder = folder.strip_prefix(place.path()).unwrap().display().to_string();
            (folder, it["why"].as_str().unwrap())
        })
        .collect();
    for (folder, why) in [
        ("broken", "cannot be read"),
        ("empty", "no pair"),
        ("night/good", "a copy"),
        ("odds", "different limits"),
        ("other", "two programs"),
        ("same", "A/A"),
        ("spsa", "change from pair to pair"),
        ("sweep", "candidates race"),
        ("tournament", "a tournament"),
        ("void", "void"),
    ] {
        let named = skipped.iter().find(|(name, _)| name == folder);
        assert!(named.is_some_and(|(_, found)| found.contains(why)), "{folder}: {skipped:?}");
    }
    assert_eq!(skipped.len(), 10, "{skipped:?}");
}

#[test]
fn gains_are_less_than_measured() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let found = json(place.path(), "");
    let gains = &found["gains"];
    let number = |value: &Value| value.as_f64().unwrap();
    let accepted = found["tests"].as_array().unwrap();
    let accepted = accepted.iter().filter(|test| test["verdict"] == "ACCEPT");
    let sum: f64 = accepted.map(|test| number(&test["elo"])).sum();
    assert!((number(&gains["measured"]) - sum).abs() < 1e-9);
    let [low, high] = [0, 1].map(|at| number(&gains["shrunk_ci95"][at]));
    let shrunk = number(&gains["shrunk"]);
    assert!(low < shrunk && shrunk < high && shrunk < sum, "{gains}");
    // Eight tests of 5 %.
    assert!((number(&found["false_accepts"]["by_rules_at_most"]) - 0.4).abs() < 1e-9);
    let expected = number(&found["false_accepts"]["expected"]);
    assert!(expected > 0.0 && expected < 1.0, "{expected}");
    // The overwhelming one is a discovery, and leaves more to the next test.
    assert_eq!(found["fdr"]["discoveries"], 1);
    let left = number(&found["fdr"]["alpha_left"]);
    assert!((left / (2.0 * 0.05 * 100.0 / (108.0 * 109.0)) - 1.0).abs() < 0.01, "{left}");
}

#[test]
fn the_check_is_no_test_and_is_compared() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let check = tested(20, [40, 120, 700, 420, 220], FinalVerdict::Accept);
    write(place.path(), "check", &check);
    assert_eq!(json(place.path(), "")["tried"], 9);
    let found = json(place.path(), "--check @check --without @night --without @copy-of-good");
    assert_eq!((&found["tried"], &found["accepted"]), (&7.into(), &1.into()));
    let difference = check.judged.elo.unwrap() - found["gains"]["shrunk"].as_f64().unwrap();
    let told = found["check"]["minus_shrunk"].as_f64().unwrap();
    assert!((told - difference).abs() < 1e-9, "{told} {difference}");
}

/// A check that is void, unfinished or of other things than two versions says nothing.
#[test]
fn a_check_is_a_finished_match_of_two_versions() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let open = tested(9, [10, 20, 30, 20, 10], FinalVerdict::Undecided);
    write(
        place.path(),
        "open",
        &Summary {
            judged: SummaryStatistics { verdict: None, ..open.judged.clone() },
            ..open.clone()
        },
    );
    write(place.path(), "undecided", &open);
    for (folder, code) in
        [("empty", 74), ("void", 74), ("open", 74), ("same", 74), ("odds", 74), ("undecided", 0)]
    {
        let found = verdict(place.path(), &format!("ledger @ --check @{folder}"));
        assert_eq!(found.status.code(), Some(code), "{folder}");
        let told = String::from_utf8(found.stderr).unwrap();
        assert_eq!(
            told.contains(folder) && told.contains("--check"),
            code == 74,
            "{folder}: {told}"
        );
    }
}

/// A folder of another kind, and a file, are named as such.
#[test]
fn a_check_of_another_kind_is_named() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    for (it, named) in
        [("sweep", "a sweep"), ("tournament", "a tournament"), ("notes.txt", "a file")]
    {
        let found = verdict(place.path(), &format!("ledger @ --check @{it}"));
        assert_eq!(found.status.code(), Some(74), "{it}");
        let told = String::from_utf8(found.stderr).unwrap();
        assert!(told.contains(named) && !told.contains("missing field"), "{it}: {told}");
    }
}

/// An SPRT accepts a change of elo0 with the nominal alpha, one that does nothing more or less often.
#[test]
fn false_accepts_of_an_sprt_are_those_at_0_elo() {
    let found = |rule: &str| {
        let place = tempfile::tempdir().unwrap();
        let test = tested(1, [120, 210, 740, 250, 180], FinalVerdict::Accept);
        let details = Details { rule: rule.to_owned(), ..test.details.clone() };
        write(place.path(), "t", &Summary { details, ..test });
        json(place.path(), "")["false_accepts"]["by_rules_at_most"].as_f64().unwrap()
    };
    for (rule, expected) in [
        ("sprt=0,5", 0.05),
        ("sprt=-3,3", 0.5),
        ("sprt=-5,0", 0.95),
        ("sprt=-5,0,alpha=0.1,beta=0.02", 0.98),
        ("anytime=2%", 0.02),
        ("los=97.5", 0.025),
    ] {
        assert!((found(rule) - expected).abs() < 1e-6, "{rule}: {}", found(rule));
    }
    assert!(found("sprt=1,6") < 0.05 && found("sprt=-1,5") > 0.05);
}

#[test]
fn a_rule_asks_what_is_left() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let output = verdict(place.path(), "ledger @ --alpha-left");
    let left = String::from_utf8(output.stdout).unwrap();
    let plan = "match --base uci:a --test uci:b --depth 1 --print-plan --rule";
    assert_eq!(
        verdict(place.path(), &format!("{plan} anytime={}", left.trim())).status.code(),
        Some(0)
    );
    let asked = verdict(place.path(), &format!("{plan} anytime=ledger:@"));
    assert_eq!(asked.status.code(), Some(0), "{}", String::from_utf8_lossy(&asked.stderr));
    for wrong in [
        "anytime=ledger:@nowhere",
        "anytime=ledgers",
        "anytime=ledger:",
        "anytime=ledger:@,fdr=70%",
        "anytime=ledger:@,test=5",
    ] {
        assert_eq!(
            verdict(place.path(), &format!("{plan} {wrong}")).status.code(),
            Some(64),
            "{wrong}"
        );
    }
}

/// The first test of a project has no folder of runs; one that is named must be there.
#[test]
fn the_first_test_has_an_empty_ledger() {
    let place = tempfile::tempdir().unwrap();
    let run = |words: &str| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.args(words.split_whitespace()).current_dir(place.path()).output().unwrap()
    };
    let players = "match --base embedded:default --test embedded:default,lmr.on=false --nodes 40 \
                   --pairs 1 --max-moves 8 --hash 64KiB --quiet --out run --rule";
    let recorded = |asked: &str| -> String {
        let output = run(&format!("{players} {asked}"));
        assert!(matches!(output.status.code(), Some(0..=2)), "{asked}: {output:?}");
        let file = fs::read(place.path().join("run").join(RUN_FILE)).unwrap();
        fs::remove_dir_all(place.path().join("run")).unwrap();
        serde_json::from_slice::<Value>(&file).unwrap()["plan"]["rule"].to_string()
    };
    let first = recorded("anytime=ledger");
    assert_eq!(run(&format!("{players} anytime=ledger:results")).status.code(), Some(64));
    fs::create_dir(place.path().join("results")).unwrap();
    assert_eq!(recorded("anytime=ledger:results"), first);
    assert_ne!(recorded("anytime=ledger,fdr=20%"), first);
    fs::remove_dir(place.path().join("results")).unwrap();
    fs::write(place.path().join("results"), "a file").unwrap();
    assert_eq!(run(&format!("{players} anytime=ledger")).status.code(), Some(64));
}

/// Another false-discovery rate and another number of tests give what `verdict ledger` gives by them, in
/// matches and in confirmations.
#[test]
fn a_rule_asks_by_its_own_rate() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let words = "ledger @ --fdr 20% --tests 7 --alpha-left";
    let left = String::from_utf8(verdict(place.path(), words).stdout).unwrap();
    let rule = format!("anytime={},bets=effects", left.trim());
    let runs = tempfile::tempdir().unwrap();
    let recorded = |words: &str, file: &str| -> Value {
        let out = runs.path().join(file.replace('.', "-"));
        let limits = "--nodes 40 --pairs 2 --max-moves 8 --hash 64KiB --quiet";
        let output = verdict(place.path(), &format!("{words} {limits} --out {}", out.display()));
        assert!(matches!(output.status.code(), Some(0..=2)), "{words}: {output:?}");
        let value = serde_json::from_slice(&fs::read(out.join(file)).unwrap()).unwrap();
        fs::remove_dir_all(out).unwrap();
        value
    };
    let players = "match --base embedded:default --test embedded:default,lmr.on=false --rule";
    let terms = serde_json::json!({"fdr": 0.2, "tests": 7});
    for (asked, is_it) in [
        ("anytime=ledger:@,fdr=20%,tests=7", true),
        ("anytime=ledger:@,tests=7,fdr=20%,bets=effects", true),
        ("anytime=ledger:@", false),
    ] {
        let run = recorded(&format!("{players} {asked}"), RUN_FILE);
        assert_eq!(run["plan"]["rule"] == rule, is_it, "{asked}: {run}");
        assert_eq!(run["plan"]["ledger"] == terms, is_it, "{asked}: {run}");
    }
    let plain = recorded(&format!("{players} {rule}"), RUN_FILE);
    assert_eq!((&plain["plan"]["rule"], plain["plan"].get("ledger")), (&rule.clone().into(), None));
    let sweep = "sweep lmr.min_move=2..3 --base embedded:default --keep-no-ops --confirm-pairs 1";
    let confirm = "--confirm anytime=ledger:@,fdr=20%,tests=7";
    let sweep = recorded(&format!("{sweep} {confirm}"), "sweep.json");
    assert_eq!((&sweep["confirm"]["rule"], &sweep["confirm"]["ledger"]), (&rule.into(), &terms));
}

/// A series is held to one rate and one number of tests: others that were played by are told.
#[test]
fn other_terms_in_a_series_are_told() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let asked = |day| {
        let plan = serde_json::json!({"ledger": {"fdr": 0.1, "tests": 40}});
        Summary { plan, ..tested(day, [120, 210, 741, 250, 179], FinalVerdict::Undecided) }
    };
    write(place.path(), "u10", &asked(10));
    write(place.path(), "u11", &asked(11));
    let told = |words: &str| {
        let output = verdict(place.path(), &format!("ledger @ {words}"));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains("2 tests asked a ledger of other")
    };
    assert!(told("") && told("--fdr 10%") && !told("--fdr 10% --tests 40"));
    let tests = json(place.path(), "")["tests"].clone();
    let terms: Vec<&Value> = tests.as_array().unwrap().iter().map(|test| &test["ledger"]).collect();
    assert!(terms[0].is_null() && terms[9]["tests"] == 40 && terms[9]["fdr"] == 0.1, "{terms:?}");
}

#[test]
fn a_page_is_written_over_a_page_only() {
    let place = tempfile::tempdir().unwrap();
    a_year(place.path());
    let words = "ledger @ --html @ledger.html --markdown";
    let output = verdict(place.path(), words);
    let markdown = String::from_utf8(output.stdout).unwrap();
    assert!(markdown.starts_with("# Ledger of ") && markdown.contains("| sweep/confirm |"));
    let page = fs::read_to_string(place.path().join("ledger.html")).unwrap();
    assert!(page.contains("<footer>Rendered by verdict from summary.json and the journals"));
    assert!(page.contains("<svg") && page.contains("A/A test") && !page.contains("<script"));
    assert_eq!(verdict(place.path(), words).status.code(), Some(0));
    assert_eq!(verdict(place.path(), "ledger @ --html @notes.txt").status.code(), Some(64));
    assert_eq!(verdict(place.path(), "ledger @nowhere").status.code(), Some(74));
    fs::create_dir(place.path().join("nothing")).unwrap();
    let nothing = verdict(place.path(), "ledger @nothing");
    assert_eq!(nothing.status.code(), Some(0));
    assert!(String::from_utf8(nothing.stdout).unwrap().contains("0 tests of a change"));
}

/// All kinds of folders that are kept in the repository are read, each match once.
#[test]
fn the_results_of_the_repository_are_read() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    let options = LedgerOptions { check: None, without: Vec::new(), fdr: 0.05, tests_a_year: 100 };
    let ledger = Ledger::read(&[results], &options).unwrap();
    assert!(ledger.tests.len() > 100 && ledger.accepted().count() > 20);
    let unread = ledger.skipped.iter().find(|it| it.why.starts_with("cannot be read"));
    assert_eq!(unread, None);
    let mut folders: Vec<_> = ledger.tests.iter().map(|test| &test.folder).collect();
    folders.sort();
    folders.dedup();
    assert_eq!(folders.len(), ledger.tests.len());
    let known = ledger.tests.iter().filter(|test| test.estimate.is_some()).count();
    assert!(known > 100 && ledger.shrunk.is_some());
}

#[test]
fn years_are_simulated() {
    let place = tempfile::tempdir().unwrap();
    let words = "ledger simulate --years 3 --tests 8 --max-pairs 500 --world spiked --rule ledger \
                 --rule los=95,pairs=200 --quiet";
    let output = verdict(place.path(), &format!("{words} --json"));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["rows"].as_array().unwrap().len(), 2);
    assert_eq!(found["rows"][0]["rule"], "ledger");
    let table = String::from_utf8(verdict(place.path(), words).stdout).unwrap();
    assert_eq!(table.lines().filter(|line| line.starts_with("spiked")).count() % 2, 0, "{table}");
    // The words of a match's rule are another name of it.
    let other = words.replace("--rule ledger", "--rule anytime=ledger");
    assert_eq!(String::from_utf8(verdict(place.path(), &other).stdout).unwrap(), table);
    for wrong in ["--world calm", "--rule anytime=ledger:@", "--rule anytime=ledger,fdr=2%"] {
        let wrong = verdict(place.path(), &format!("ledger simulate {wrong}"));
        assert_eq!(wrong.status.code(), Some(64));
    }
}

/// Memory does not grow with the years: a thousand million of them begin within 4 GB of addresses, of
/// which a list of so many would need more.
#[test]
fn many_years_need_no_memory() {
    let program = env!("CARGO_BIN_EXE_verdict");
    let words = "ledger simulate --years 1000000000 --tests 1 --max-pairs 10 --threads 1 --quiet";
    let script = format!("ulimit -v 4000000 && exec timeout 2 {program} {words}");
    let ended = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    // Still at work when it is ended.
    assert_eq!(ended.status.code(), Some(124), "{ended:?}");
}
