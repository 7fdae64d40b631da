//! `mutineer suite` as a program: exit codes, output, the same figures for any number of threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

fn suite(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutineer"));
    command.arg("suite").args(words).output().expect("the engine starts")
}

fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    path.to_string_lossy().into_owned()
}

/// A file of these lines, in the folder that cargo keeps for tests.
fn file(name: &str, lines: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, lines).expect("a file");
    path.to_string_lossy().into_owned()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

const EASY: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"easy\";\n";

#[test]
fn threads_change_nothing() {
    let files = [shipped("zugzwang.epd"), shipped("mate_in_4.epd")];
    let run = |threads: &str| {
        let words = ["--nodes", "5000", "--json", "--threads", threads, &files[0], &files[1]];
        let output = suite(&words);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        output.stdout
    };
    let one = run("1");
    for threads in ["2", "3", "64"] {
        assert_eq!(text(&run(threads)), text(&one), "{threads} threads");
    }
}

#[test]
fn json_counts_what_the_table_counts() {
    let name = shipped("zugzwang.epd");
    let common = ["--depth", "3", "--personality", "rebel", "--set", "search.pvs=true", &name];
    let json: Json =
        serde_json::from_slice(&suite(&[&["--json"], &common[..]].concat()).stdout).expect("JSON");
    let conditions = json["conditions"].as_str().expect("text");
    assert!(conditions.ends_with("rebel, search.pvs=true, depth 3, hash 16 MiB"), "{conditions}");
    let positions = json["files"][0]["positions"].as_array().expect("positions");
    let solved = positions.iter().filter(|position| position["solved"] == true).count();
    assert_eq!((&json["solved"], &json["total"]), (&solved.into(), &positions.len().into()));
    for position in positions {
        let (found, nodes) = (&position["solution_nodes"], &position["nodes"]);
        assert_eq!(found.is_null(), position["solved"] == false, "{position}");
        assert!(found.as_u64() <= nodes.as_u64(), "{position}");
    }

    let output = suite(&[&["--failed"], &common[..]].concat());
    let table = text(&output.stdout);
    let total = table.lines().last().expect("a total");
    let words: Vec<&str> = total.split_whitespace().collect();
    assert_eq!(words[..3], ["total", &solved.to_string(), &positions.len().to_string()]);
    let failed = table.lines().filter(|line| line.contains(": played ")).count();
    assert_eq!(failed, positions.len() - solved, "{table}");
}

#[test]
fn a_bad_line_is_named_or_counted() {
    let name = file("bad.epd", &format!("# comment\n{EASY}6k1/8/8/8/8/8/8/K7 w - - bm Qh5;\n"));
    let output = suite(&[&name]);
    assert_eq!(output.status.code(), Some(64));
    assert!(output.stdout.is_empty());
    let error = text(&output.stderr);
    let expected = format!("{name}:3: bm: expected a legal move: 'Qh5' is no legal move");
    assert!(error.contains(&expected), "{error}");
    let output = suite(&["--skip-bad", &name]);
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("1 bad lines skipped"), "{output:?}");
}

#[test]
fn wrong_words_are_named() {
    let easy = file("easy.epd", EASY);
    let empty = file("empty.epd", "# nothing\n");
    for (words, code, expected) in [
        (&[][..], 64, "at least one FILE.epd"),
        (&["--nodes", "many", &easy], 64, "--nodes: expected a whole number"),
        (&["--depth", "0", &easy], 64, "in 1..=127"),
        (&["--depth", "128", &easy], 64, "in 1..=127"),
        (&["--threads", "0", &easy], 64, "--threads: expected"),
        (&["--time", &easy], 64, "--time: expected a whole number"),
        (&["--hash"], 64, "--hash: expected a value"),
        (&["--personality", "fritz", &easy], 64, "unknown personality"),
        (&["--set", "search.psv=false", &easy], 64, "did you mean 'search.pvs'"),
        (&["--set", "search.pvs", &easy], 64, "NAME=VALUE"),
        (&["--node", "5", &easy], 64, "unknown option '--node'"),
        (&[&empty], 64, "expected at least one position"),
        (&[&easy, "/no/such/file.epd"], 74, "/no/such/file.epd: "),
    ] {
        let output = suite(words);
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        assert!(text(&output.stderr).contains(expected), "{words:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{words:?}");
    }
    assert!(text(&suite(&["--help"]).stdout).starts_with("mutineer suite --nodes"));
    assert!(suite(&["--time", "10", &easy]).status.success());
}
