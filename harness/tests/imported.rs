//! Results of fastchess, OpenBench and fishtest. `config.json`, `three.json` and all PGN are fastchess's
//! own; the LLRs of the other files are those that the servers compute of their counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/imported")
}

/// Runs verdict where the files are.
fn run(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(words.split_whitespace()).current_dir(data()).output().unwrap()
}

fn json(files: &str) -> Value {
    let output = run(&format!("stats --json {files}"));
    assert!(output.status.code().is_some_and(|code| code <= 2), "{files}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn notes(json: &Value) -> String {
    json["from"]["notes"].to_string()
}

fn assert_counts(json: &Value, ptnml: [u64; 5], [win, draw, loss]: [u64; 3]) {
    assert_eq!(json["ptnml"], serde_json::json!(ptnml), "{json}");
    let wdl = &json["wdl"];
    assert_eq!(
        [&wdl["win"], &wdl["draw"], &wdl["loss"]].map(Value::as_u64),
        [win, draw, loss].map(Some),
        "{wdl}"
    );
}

fn assert_near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 5e-3 * expected.abs().max(1.0), "{value}, not {expected}");
}

#[test]
fn fastchess_has_the_same_numbers() {
    let json = json("config.json");
    assert_counts(&json, [1, 1, 3, 1, 0], [1, 8, 3]);
    // As fastchess printed it, with its bounds.
    assert_near(&json["llr"], -0.57);
    assert_near(&json["llr_bounds"][0], -2.25);
    assert_near(&json["llr_bounds"][1], 2.89);
    assert_eq!((&json["from"]["test"], &json["from"]["base"]), (&"new".into(), &"old".into()));
    assert_eq!(json["verdict"], "UNDECIDED");
    assert_eq!(run("stats config.json").status.code(), Some(2));
    // By another test.
    let accepted = run("stats config.json --sprt -300,-50,alpha=0.5,beta=0.4");
    assert_eq!(accepted.status.code(), Some(0), "{accepted:?}");
}

/// The page has what is printed; the PGN is fastchess's without its comments.
#[test]
fn the_page_prints_these_numbers() {
    let page = include_str!("../docs/coming-from.md");
    let (_, printed) = page.split_once("verdict stats config.json fastchess.pgn\n```").unwrap();
    let (_, printed) = printed.split_once("```text\n").unwrap();
    let (printed, _) = printed.split_once("```").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    let output = command
        .args(["stats", "config.json", "fastchess.pgn"])
        .current_dir(data().join("page"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), printed);
}

/// The PGN has another match of the same names before it, to which fastchess appended.
#[test]
fn games_beside_a_config_are_those_of_its_match() {
    let json = json("config.json fastchess.pgn");
    assert_counts(&json, [1, 1, 3, 1, 0], [1, 8, 3]);
    assert!(notes(&json).contains("same 6 pairs"), "{json}");
    assert!(notes(&json).contains("earlier games"), "{json}");
    // The PGN alone has both, which is told.
    let alone = self::json("fastchess.pgn --test new");
    assert_eq!((&alone["pairs"], &alone["counted"]["rounds_anew"]), (&8.into(), &1.into()));
    let output = run("stats fastchess.pgn --test new");
    assert!(String::from_utf8_lossy(&output.stderr).contains("several matches"), "{output:?}");
}

/// --test names the player whose Elo is asked for, in JSON as well.
#[test]
fn sides_are_turned_where_test_is_base() {
    let json = json("config.json fastchess.pgn --test old --base new");
    assert_counts(&json, [0, 1, 3, 1, 1], [3, 8, 1]);
    let from = &json["from"];
    assert_eq!((&from["test"], &from["base"]), (&"old".into(), &"new".into()));
    // The file's test is of the other side.
    assert_eq!((&json["llr"], &from["sprt"]), (&Value::Null, &Value::Null));
    assert!(
        notes(&json).contains("same 6 pairs") && notes(&json).contains("not applied"),
        "{json}"
    );
    let as_it_is = self::json("config.json --test new");
    assert_counts(&as_it_is, [1, 1, 3, 1, 0], [1, 8, 3]);
    // By what the players are called in PGN.
    let turned = self::json("openbench_101.json 101.pgn.tar --test Toy-base");
    assert_counts(&turned, [2, 1, 4, 0, 3], [10, 1, 9]);
    assert_eq!(turned["from"]["given"]["state"], Value::Null);
    // Of several matches those of the players.
    let of_b = self::json("three.json --test B --base A");
    assert_counts(&of_b, [0, 3, 0, 0, 0], [0, 3, 3]);
    for words in ["config.json --test nobody", "config.json --test new --base nobody"] {
        let output = run(&format!("stats {words}"));
        assert_eq!(output.status.code(), Some(64), "{words}: {output:?}");
    }
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("all.html");
    let output = run(&format!("report config.json --test old --out {}", page.display()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(fs::read_to_string(page).unwrap().contains("LL 0, LD 1, DD+WL 3, WD 1, WW 1"));
}

#[test]
fn pairings_of_three_engines() {
    let json = json("three.json");
    let matches = json["matches"].as_array().unwrap();
    let players = |one: &Value| [one["from"]["test"].clone(), one["from"]["base"].clone()];
    let mut names: Vec<_> = matches.iter().map(players).collect();
    names.sort_by_key(|names| format!("{names:?}"));
    let expected = [["A", "B"], ["A", "C vs D"], ["B", "C vs D"]];
    assert_eq!(names, expected.map(|names| names.map(Value::from)));
    let of = |name: &str| matches.iter().find(|one| one["from"]["test"] == name).unwrap();
    assert_counts(of("B"), [0, 0, 0, 0, 3], [6, 0, 0]);
}

#[test]
fn openbench_has_the_same_llr() {
    let json = json("openbench_7.json");
    assert_counts(&json, [39, 8843, 26675, 9240, 44], [22976, 44137, 22569]);
    let given = json["from"]["given"]["llr"].as_f64().unwrap();
    assert_near(&json["llr"], given);
    assert_near(&json["llr_bounds"][1], json["from"]["given"]["llr_bounds"][1].as_f64().unwrap());
    assert_eq!(json["from"]["given"]["state"], "not finished");
    assert_eq!(json["verdict"], "UNDECIDED");
}

/// Tests before pairs were counted: the trinomial LLR of BayesElo.
#[test]
fn openbench_of_single_games() {
    let json = json("openbench_tri.json");
    assert_eq!((&json["ptnml"], &json["pairs"]), (&Value::Null, &Value::Null));
    assert_near(&json["llr"], json["from"]["given"]["llr"].as_f64().unwrap());
    assert!(json["from"]["sprt"].as_str().unwrap().contains("model=bayeselo"), "{json}");
    for told in ["trinomial", "use_tri", "crashes"] {
        assert!(notes(&json).contains(told), "{told}: {json}");
    }
}

#[test]
fn openbench_by_machine() {
    let json = json("openbench_results.json");
    assert_eq!(json["ptnml"], serde_json::json!([3, 0, 4, 1, 2]));
    assert_eq!((&json["wdl"], &json["llr"]), (&Value::Null, &Value::Null));
    assert!(notes(&json).contains("1 on time"), "{json}");
}

/// The archive has a file of test 102, whose players have the same names.
#[test]
fn an_archive_of_openbench_has_the_games_of_its_test() {
    let json = json("openbench_101.json 101.pgn.tar");
    assert_counts(&json, [3, 0, 4, 1, 2], [9, 1, 10]);
    assert_near(&json["llr"], json["from"]["given"]["llr"].as_f64().unwrap());
    assert!(notes(&json).contains("same 10 pairs"), "{json}");
    assert!(notes(&json).contains("6 games of other matches"), "{json}");
    // Alone it is the test of its name.
    let alone = self::json("101.pgn.tar");
    assert_counts(&alone, [3, 0, 4, 1, 2], [9, 1, 10]);
    assert_eq!(alone["from"]["test"], "Toy-dev");
    let dir = tempfile::tempdir().unwrap();
    let other = dir.path().join("all.tar");
    fs::copy(data().join("101.pgn.tar"), &other).unwrap();
    let output = run(&format!("stats {}", other.display()));
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("101, 102"), "{output:?}");
}

/// What JSON does not tell of pairs, the games do.
#[test]
fn pairs_are_found_in_the_games() {
    let dir = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(data().join("openbench_101.json")).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["info"]["penta"] = serde_json::json!([0, 0, 0, 0, 0]);
    let file = dir.path().join("info.json");
    fs::write(&file, value.to_string()).unwrap();
    let file = file.display();
    let json = json(&format!("{file} 101.pgn.tar"));
    assert_counts(&json, [3, 0, 4, 1, 2], [9, 1, 10]);
    assert!(!notes(&json).contains("trinomial"), "{json}");
    // Other counts than the games': they stand.
    value["info"]["tri"] = serde_json::json!([10, 2, 9]);
    fs::write(dir.path().join("info.json"), value.to_string()).unwrap();
    let json = self::json(&format!("{file} 101.pgn.tar"));
    assert_eq!((&json["ptnml"], &json["games"]), (&Value::Null, &21.into()));
    assert!(notes(&json).contains("does not hold just the games"), "{json}");
}

/// The PGN has another run of the same two versions.
#[test]
fn fishtest_and_the_games_of_its_run() {
    let json = json("fishtest.json 65d0aaaaaaaaaaaaaaaaaaaa.pgn.gz");
    assert_counts(&json, [0, 2, 5, 1, 2], [10, 3, 7]);
    assert_near(&json["llr"], json["from"]["given"]["llr"].as_f64().unwrap());
    for told in
        ["same 10 pairs", "6 games of other matches", "1 of its games ended by crashes, 2 on time"]
    {
        assert!(notes(&json).contains(told), "{told}: {json}");
    }
}

#[test]
fn several_runs_of_fishtest() {
    let json = json("fishtest_several.json");
    let [old, fixed] = json["matches"].as_array().unwrap().as_slice() else { panic!("{json}") };
    assert_eq!(old["ptnml"], Value::Null);
    assert_near(&old["llr"], 0.9758);
    assert_eq!(old["from"]["given"]["state"], "rejected");
    assert_counts(fixed, [39, 8843, 26675, 9240, 44], [22976, 44137, 22569]);
    assert_eq!(
        (&fixed["llr"], &fixed["from"]["given"]["state"]),
        (&Value::Null, &"not finished".into())
    );
}

#[test]
fn what_is_wrong_is_named() {
    let dir = tempfile::tempdir().unwrap();
    for (text, told) in [
        ("{\"a\": 1,\n\"b\": }", "line 2"),
        ("{\"error\": \"no such workload\"}", "no such workload"),
        ("{\"a\": 1, \"b\": 2}", "'a', 'b'"),
        ("{}", "without keys"),
        ("[]", "a list"),
        ("[1]", "a list"),
        ("[{\"a\": 1}]", "a list"),
        (" null\n", "found null"),
        ("true", "a single value"),
        (
            r#"{"engines": [{"name": "a"}, {"name": "b"}], "stats": {"a vs b": {"wims": 1, "draws": 0, "losses": 0}}}"#,
            "'wims'",
        ),
        (
            r#"{"engines": [{"name": "a"}, {"name": "b"}], "stats": {"a vs c": {"wins": 1, "draws": 0, "losses": 0}}}"#,
            "stats.a vs c",
        ),
        (r#"{"engines": [{"name": "a"}, {"name": "b"}], "stats": null}"#, "key stats"),
        (
            r#"{"info": {"dev": {"name": "a"}, "base": {"name": "b"}, "tri": [1, 2], "penta": [0,0,0,0,0]}}"#,
            "info.tri",
        ),
        (
            r#"{"info": {"id": 4, "test_mode": "SPSA", "dev": {"name": "a"}, "base": {"name": "b"}}}"#,
            "SPSA",
        ),
        (r#"{"args": {"spsa": {}}, "results": {}}"#, "args.spsa"),
        (r#"{"args": {}, "results": {"wins": -1, "draws": 0, "losses": 0}}"#, "results.wins"),
        (
            r#"{"args": {"sprt": {"elo0": 0, "elo1": 2, "alpha": 0.05, "beta": 0.05, "elo_model": "x"}}, "results": {"wins": 1, "draws": 0, "losses": 0}}"#,
            "elo_model",
        ),
    ] {
        let file = dir.path().join("results.json");
        fs::write(&file, text).unwrap();
        let output = run(&format!("stats {}", file.display()));
        assert_eq!(output.status.code(), Some(74), "{text}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(told) && error.contains("results.json"), "{text}: {error}");
    }
    let torn = dir.path().join("101.pgn.tar");
    let whole = fs::read(data().join("101.pgn.tar")).unwrap();
    let end = whole.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    // In a file, in what fills its last block, behind it.
    for length in [1500, end + 1, end.next_multiple_of(512)] {
        fs::write(&torn, &whole[..length]).unwrap();
        let output = run(&format!("stats {}", torn.display()));
        assert_eq!(output.status.code(), Some(74), "{length}: {output:?}");
    }
    for (words, told) in [
        ("stats config.json ..", "found a folder"),
        ("report fastchess.pgn", "--test"),
        ("report fastchess.pgn --test nobody", "nobody"),
        ("stats config.json 101.pgn.tar --test nobody", "nobody"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(64), "{words}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(told), "{words}: {error}");
    }
}

/// Old tests stand beside new ones, each match once.
#[test]
fn the_report_has_them_beside_runs() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().display();
    let played = run(&format!(
        "match --nodes 20 --pairs 12 --max-moves 20 --quiet --out {place}/run --test-name newest"
    ));
    assert!(played.status.code().is_some_and(|code| code <= 2), "{played:?}");
    let output = run(&format!(
        "report {place}/run config.json fastchess.pgn openbench_101.json 101.pgn.tar openbench_7.json \
         openbench_tri.json fishtest.json 65d0aaaaaaaaaaaaaaaaaaaa.pgn.gz --out {place}/all.html"
    ));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = fs::read_to_string(dir.path().join("all.html")).unwrap();
    let sections: Vec<&str> = page.split("<section id=\"run").skip(1).collect();
    let name = |section: &&str| {
        let (_, rest) = section.split_once("<h2").unwrap().1.split_once('>').unwrap();
        rest.split('<').next().unwrap().to_owned()
    };
    let names: Vec<String> = sections.iter().map(name).collect();
    let expected = [
        "run",
        "fastchess new vs old",
        "OpenBench 101",
        "OpenBench 7",
        "OpenBench 3",
        "fishtest 65d0aaaaaaaaaaaaaaaaaaaa",
    ];
    assert_eq!(names, expected);
    for name in expected {
        assert!(page.matches(&format!(">{name}</a>")).count() == 1, "{name}");
    }
    assert!(page.contains("LLR 2.94, bounds -2.94 and 2.94, not finished"), "what OpenBench says");
    // A PGN alone is a match, too.
    let output = run(&format!("report fastchess.pgn --test new --out {place}/one.html"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = fs::read_to_string(dir.path().join("one.html")).unwrap();
    assert!(
        page.contains("PGN fastchess.pgn") && page.contains("LL 2, LD 1, DD+WL 4, WD 1, WW 0"),
        "{page}"
    );
}
