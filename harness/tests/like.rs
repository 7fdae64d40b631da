//! `--like`: command lines of other runners, played with engines of the tests.

use std::fs;
use std::path::Path;

use std::process::{Command, Output};

use serde_json::Value;

use crate::common::script::script;

fn verdict(place: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(words).current_dir(place).output().unwrap()
}

/// A place with two engines in a folder of theirs, and a book.
fn place() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let engines = dir.path().join("fast");
    fs::create_dir(&engines).unwrap();
    for name in ["new", "old"] {
        script(&engines.join(name), &format!("exec {}", env!("CARGO_BIN_EXE_scoundrel")));
    }
    let book = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
                rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n";
    fs::write(engines.join("book.epd"), book).unwrap();
    dir
}

const LINE: &str = "./fastchess -engine cmd=./new name=N -engine cmd=./old name=O \
    -each nodes=20 -rounds 2 -repeat -openings file=book.epd plies=8 -maxmoves 3 -recover -concurrency 1";

#[test]
fn a_line_is_played_as_it_is() {
    let dir = place();
    let line = format!("cd fast; {LINE} | tee log");
    let output = verdict(dir.path(), &["match", "--like", &line, "--out", "run", "--quiet"]);
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    let summary = fs::read_to_string(dir.path().join("run/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(
        (&summary["pairs"], &summary["faults"]["total"]),
        (&2.into(), &0.into()),
        "{summary}"
    );
    let run = fs::read_to_string(dir.path().join("run/run.json")).unwrap();
    let plan = &serde_json::from_str::<Value>(&run).unwrap()["plan"];
    assert_eq!(
        (&plan["nodes"], &plan["adjudication"]["max_moves"]),
        (&20.into(), &3.into()),
        "{plan}"
    );
    assert_eq!(plan["adjudication"]["draw"], Value::Null);
    assert_eq!(plan["openings"]["sequential"], true);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("verdict match --test") && told.contains("note: plies=8"), "{told}");
    // The line that was printed is one.
    let printed = told.lines().find(|line| line.starts_with("verdict match")).unwrap();
    let words: Vec<&str> = printed.split(' ').skip(1).collect();
    let words: Vec<&str> =
        words.into_iter().map(|it| if it == "run" { "again" } else { it }).collect();
    let again = verdict(dir.path(), &words);
    assert!(again.status.code().is_some_and(|code| code <= 2), "{again:?}");
    let games = |run: &str| fs::read_to_string(dir.path().join(run).join("games.digest")).unwrap();
    assert!(!games("again").is_empty());
}

#[test]
fn what_is_typed_beside_it_wins_and_nothing_need_be_played() {
    let dir = place();
    fs::write(dir.path().join("run.sh"), format!("#!/bin/sh\ncd fast\nexec {LINE}\n")).unwrap();
    let plan = |words: &[&str]| -> Value {
        let output = verdict(dir.path(), words);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let of_line = plan(&["match", "--like", "run.sh", "--print-plan"]);
    assert_eq!((&of_line["nodes"], &of_line["pairs"]), (&20.into(), &2.into()), "{of_line}");
    let changed =
        plan(&["match", "--like=run.sh", "--depth", "3", "--rounds", "9", "--print-plan"]);
    assert_eq!((&changed["depth"], &changed["pairs"]), (&3.into(), &9.into()), "{changed}");
    assert!(changed.get("nodes").is_none(), "{changed}");
    // A limit may stand beside a line that has none.
    let none = "fastchess -engine cmd=fast/new tc=1+0.1 -engine cmd=fast/old tc=hg5";
    for (flags, key) in [("--nodes 9", "nodes"), ("--base-limit nodes=9", "base-limit")] {
        let words: Vec<&str> =
            ["match", "--like", none, "--print-plan"].into_iter().chain(flags.split(' ')).collect();
        let plan = plan(&words);
        assert!(plan.get(key).is_some(), "{plan}");
    }
    let three = format!("cd fast; {LINE} -engine cmd=./new name=M");
    let three = plan(&["match", "--like", &three, "--print-plan"]);
    assert_eq!(three["player"].as_array().unwrap().len(), 3, "{three}");
    assert!(!dir.path().join("results").exists());
}

#[test]
fn what_cannot_be_played_is_refused() {
    let dir = place();
    for line in [
        "fastchess -engine cmd=./none -engine cmd=./none -each nodes=5",
        "fastchess -engine cmd=fast/new -engine cmd=fast/old -ronuds 3",
        "fastchess -engine cmd=fast/new -engine cmd=fast/old -each nodes=x",
        "stockfish bench",
        // Without a limit, or with one for one side.
        "fastchess -engine cmd=fast/new -engine cmd=fast/old",
        "fastchess -engine cmd=fast/new -engine cmd=fast/old -each tc=inf",
        "cutechess-cli -engine cmd=fast/new -engine cmd=fast/old -each proto=uci tc=hg10",
        "fastchess -engine cmd=fast/new tc=1+0.1 -engine cmd=fast/old",
        "fastchess -engine cmd=fast/new -engine cmd=fast/old -each tc=8+0,08",
        "fastchess",
        "-engine",
        "",
    ] {
        let output = verdict(dir.path(), &["match", "--like", line]);
        assert_eq!(output.status.code(), Some(64), "{line}: {output:?}");
    }
    let line = "fastchess -engine cmd=fast/new -engine cmd=fast/old -each nodes=5";
    for again in [&["--like", line][..], &["--like=x"]] {
        let words = [&["match", "--like", line, "--print-plan"][..], again].concat();
        assert_eq!(verdict(dir.path(), &words).status.code(), Some(64), "{words:?}");
    }
    // What a runner has no default for, and tests that cannot be, are told in the words of the line.
    let of = |runner: &str, flags: &str| {
        let line =
            format!("{runner} -engine cmd=fast/new -engine cmd=fast/old -each nodes=5 {flags}");
        verdict(dir.path(), &["match", "--like", &line, "--print-plan"])
    };
    for (flags, told) in [
        ("-draw movenumber=1 movecount=1", "missing score="),
        ("-resign movecount=3", "missing score="),
        ("-resign score=300", "missing movecount="),
        ("-sprt elo0=5 elo1=0 alpha=0.05 beta=0.05", "-sprt elo0=5 elo1=0"),
    ] {
        let output = of("cutechess-cli", flags);
        assert_eq!(output.status.code(), Some(64), "{flags}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(told) && !error.contains("--rule"), "{flags}: {error}");
        let is_right_elsewhere = !flags.starts_with("-sprt");
        let output = of("fastchess", flags);
        assert_eq!(output.status.code() == Some(0), is_right_elsewhere, "{flags}: {output:?}");
    }
    // Books are looked at though nothing is played, unless another is typed.
    for book in ["nosuch.epd", "fast"] {
        let line = format!("{line} -openings file={book}");
        let words = ["match", "--like", &line, "--print-plan"];
        assert_eq!(verdict(dir.path(), &words).status.code(), Some(64), "{line}");
        let another = [&words[..], &["--book", "fast/book.epd"]].concat();
        assert_eq!(verdict(dir.path(), &another).status.code(), Some(0), "{line}");
    }
    let output = verdict(dir.path(), &["match", "--like"]);
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(!dir.path().join("results").exists());
}
