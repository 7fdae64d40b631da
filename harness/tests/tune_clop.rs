//! `verdict tune clop` as its users run it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/verdict.rs"]
mod verdict;

use std::path::Path;
use std::process::Command;

use engine::Params;
use harness::record::canonical;
use serde_json::Value;
use verdict::verdict;

const TUNE: &str = "tune clop lazy.margin=32..512 material.pawn=150..350 \
                    --base embedded:default,lazy.on=true --nodes 60 --pairs 60 --batch 4 --seed 3 \
                    --max-moves 40 --hash 64KiB --confirm-pairs 4";

fn summary(dir: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join("summary.json")).unwrap()).unwrap()
}

#[test]
fn a_run_ends_with_parameters_and_a_match() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let output = verdict(here, &format!("{TUNE} --quiet --json --out @t"));
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["pairs"], &told["over"]), (&60.into(), &true.into()));
    assert_eq!(told["confirmation"]["pairs"], 4);
    let t = here.join("t");
    for file in ["clop.json", "points.csv", "summary.md", "report.html", "confirm/summary.json"] {
        assert!(t.join(file).is_file(), "{file}");
    }
    assert_eq!(canonical(&t, None).unwrap().lines().count(), 120);
    // Each pair tries values of its own, in range.
    let points = std::fs::read_to_string(t.join("points.csv")).unwrap();
    assert_eq!(points.lines().next(), Some("pair,lazy.margin,material.pawn"));
    let points: Vec<Vec<i32>> = points
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|value| value.parse().unwrap()).collect())
        .collect();
    assert_eq!(points.len(), 60);
    for (pair, point) in points.iter().enumerate() {
        assert_eq!(point[0], pair as i32);
        assert!((32..=512).contains(&point[1]) && (150..=350).contains(&point[2]), "{point:?}");
    }
    assert_ne!(points[0][1..], points[1][1..]);
    // What is written is what is told, and differs from the base in nothing else.
    let tuned = Params::load(t.join("tuned.json").to_str().unwrap()).unwrap();
    let mut base = Params::standard();
    base.set("lazy.on", "true").unwrap();
    for (name, _) in tuned.differences(&base) {
        assert!(["lazy.margin", "material.pawn"].contains(&name.as_str()), "{name}");
    }
    for parameter in told["parameters"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        let value: i64 = tuned.get(name).unwrap().parse().unwrap();
        assert_eq!(parameter["tuned"].as_i64(), Some(value), "{name}");
    }
    // The same without an interruption, with one, and at another width.
    let words = format!("{TUNE} --quiet --concurrency 1 --out {}/cut", here.display());
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_verdict")).args(words.split_whitespace()).spawn().unwrap();
    let lines = || std::fs::read_to_string(here.join("cut/games.jsonl")).unwrap_or_default();
    while lines().lines().count() < 30 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rest = verdict(here, "resume @cut --quiet --concurrency 5");
    assert_eq!(rest.status.code(), output.status.code(), "{rest:?}");
    assert_eq!(canonical(&here.join("cut"), None).unwrap(), canonical(&t, None).unwrap());
    assert_eq!(summary(&here.join("cut"))["parameters"], told["parameters"]);
    let page = std::fs::read(t.join("report.html")).unwrap();
    assert_eq!(verdict(here, "report @t --out @page.html").status.code(), Some(0));
    assert!(std::fs::read(here.join("page.html")).unwrap() == page);
    // What pairs have tried is as much a part of the run as how they ended.
    std::fs::write(t.join("points.csv"), "pair,lazy.margin,material.pawn\n0,64\n").unwrap();
    let output = verdict(here, "report @t");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(74), "{said}");
    assert!(said.contains("points.csv, line 2: expected a pair and 2 values"), "{said}");
}

#[test]
fn a_simulated_engine_is_tuned_without_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let output = verdict(
        dir.path(),
        "tune clop lazy.margin=0..1024 lmr.min_move=0..30 \
         --truth lazy.margin=400:200:30 --truth lmr.min_move=12:8:30 --pairs 4000 --json --out @t",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tuned = |number: usize| told["parameters"][number]["tuned"].as_f64().unwrap();
    // 4 Elo are left at 73 and 3 from the best.
    assert!((tuned(0) - 400.0).abs() < 73.0 && (tuned(1) - 12.0).abs() < 3.0, "{told}");
    let page = std::fs::read_to_string(dir.path().join("t/report.html")).unwrap();
    assert!(page.contains("SIMULATED") && page.contains("lmr.min_move (up)"), "{page}");
    assert!(!dir.path().join("t/clop.json").exists());
}

#[test]
fn runs_that_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    for (words, expected) in [
        ("", "<RANGE>..."),
        ("lazy.margn=1..2", "did you mean 'lazy.margin'"),
        ("lazy.margin=128", "'lazy.margin': expected a range"),
        ("lazy.on=true,false", "on or off"),
        ("lmr.min_move=2..8 lmr.min_move=3..9", "twice"),
        ("lmr.min_move=2..8 --base uci:/bin/sh", "expected an embedded player"),
        ("lmr.min_move=2..8 --rule anytime=5%", "--confirm"),
        ("lazy.margin=0..512 --base embedded:default,lazy.on=false", "no-op: lazy.margin"),
        (
            "material.pawn=100..300 material.knight=600..900 material.bishop=600..900 \
             material.rook=900..1200 material.queen=1900..2400 lmr.min_move=1..9 \
             lazy.margin=64..128 hanging.pawn=1..9 hanging.knight=1..9",
            "9 parameters, expected at most 8",
        ),
    ] {
        let output = verdict(dir.path(), &format!("tune clop {words} --quiet --out @none"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(64), "{words}: {said}");
        assert!(said.contains(expected), "{words}: {said}");
        assert!(!dir.path().join("none").exists(), "{words}");
    }
}
