//! `verdict tune clop` as its users run it.

use serde_json::Value;

use super::{GAMES, ends_with_parameters_and_a_match};
use crate::common::verdict::verdict;

const TUNE: &str = "tune clop lazy.margin=32..512 material.pawn=150..350";

#[test]
fn a_run_ends_with_parameters_and_a_match() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    ends_with_parameters_and_a_match(here, &format!("{TUNE} {GAMES}"), ["clop.json", "points.csv"]);
    let t = here.join("t");
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
        ("lazy.margin=128", "expected NAME=FROM..TO"),
        ("lazy.margin=64,128,512", "verdict sweep takes lists"),
        ("lazy.on=true,false", "on or off"),
        ("lmr.min_move=2..8 --truth lazy.margin=128:64", "'lazy.margin' is not varied"),
        ("lmr.min_move=2..8 lmr.min_move=3..9", "twice"),
        ("lmr.min_move=2..8 --base uci:/bin/sh", "did not start"),
        ("lmr.min_move=2..8 --rule anytime=5%", "--confirm"),
        ("lmr.min_move=2..8 --rule los=95", "--confirm"),
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
