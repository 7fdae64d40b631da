//! `verdict tune spsa` as its users run it.

use serde_json::Value;

use super::{GAMES, ends_with_parameters_and_a_match, summary};
use crate::common::verdict::verdict;

const TUNE: &str = "tune spsa --param lazy.margin:64:0.02 --param material.pawn:30:0.02";

#[test]
fn a_run_ends_with_parameters_and_a_match() {
    let dir = tempfile::tempdir().unwrap();
    let files = ["spsa.json", "spsa.csv"];
    let told = ends_with_parameters_and_a_match(dir.path(), &format!("{TUNE} {GAMES}"), files);
    for parameter in told["parameters"].as_array().unwrap() {
        assert_ne!(parameter["last"], parameter["start"], "{parameter}");
    }
}

#[test]
fn no_ops_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // Lazy evaluation is off: its margin is nothing to play with.
    std::fs::write(
        here.join("lines"),
        "# what is off\nlazy.margin, int, 128, 0, 5120, 16, 0.002\n\
         material.pawn, int, 224, 100, 400, 20, 0.002\n",
    )
    .unwrap();
    let words = "tune spsa --params @lines --base embedded:default,lazy.on=false --nodes 50 \
                 --pairs 4 --batch 2 --max-moves 30 --hash 64KiB --confirm none --out @t";
    let output = verdict(here, words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(64), "{said}");
    assert!(said.contains("no-op: lazy.margin:"), "{said}");
    assert!(!here.join("t").exists());
    let output = verdict(here, &format!("{words} --skip-no-ops --quiet"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(summary(&here.join("t"))["parameters"].as_array().unwrap().len(), 1);
}

/// Steps so small that the value stays: the base against itself would prove nothing.
#[test]
fn what_has_not_changed_is_not_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let words = "tune spsa --param material.pawn:30:0.0000001 --nodes 50 --pairs 4 --batch 2 \
                 --max-moves 30 --hash 64KiB --out @t";
    let output = verdict(dir.path(), words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("nothing to confirm"), "{said}");
    assert!(!dir.path().join("t/confirm").exists());
    let output = verdict(dir.path(), "resume @t --quiet");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_simulated_engine_is_tuned_without_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let output = verdict(
        dir.path(),
        "tune spsa --param lazy.margin:48 --param king_safety.table[*]:15 \
         --truth lazy.margin=400:200:30 --truth king_safety.table[*]=150:50:30 --pairs 20000 --json \
         --out @t",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tuned = |number: usize| told["parameters"][number]["tuned"].as_f64().unwrap();
    // 60 Elo at a distance of 272 and 50 from the start: 4 Elo are left at 70 and 18.
    assert!((tuned(0) - 400.0).abs() < 70.0 && (tuned(1) - 150.0).abs() < 18.0, "{told}");
    let page = std::fs::read_to_string(dir.path().join("t/report.html")).unwrap();
    assert!(page.contains("SIMULATED") && page.contains("<svg"), "{page}");
    assert!(!dir.path().join("t/spsa.json").exists());
    let output = verdict(dir.path(), "resume @t");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing is left"), "{output:?}");
}

#[test]
fn runs_that_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bad"), "\nlazy.margn, int, 1, 0, 9, 1, 0.002\n").unwrap();
    let wide = "pawn_ending.bonus[*], float, 100, 50, 400, 5, 0.002\n";
    std::fs::write(dir.path().join("wide"), wide).unwrap();
    for (words, code, expected) in [
        ("", 64, "expected --params FILE or --param NAME"),
        ("--params @wide", 64, "wide:1: 'pawn_ending.bonus[*]': expected 0% to"),
        ("--params @bad", 64, "bad:2: unknown parameter 'lazy.margn'"),
        ("--params @missing", 74, "missing: No such file"),
        ("--param lazy.on", 64, "on or off"),
        ("--param lazy.margin:0", 64, "c_end above 0"),
        ("--param lmr.min_move --param lmr.min_move", 64, "twice"),
        ("--param king_safety.table", 64, "king_safety.table[*]"),
        ("--param lmr.min_move --base uci:/bin/sh", 64, "did not start"),
        ("--param lmr.min_move --rule anytime=5%", 64, "--confirm"),
        ("--param lmr.min_move --rule los=99,pairs=7", 64, "--confirm"),
        ("--param lmr.min_move --stop-flat 0", 64, "Elo above 0"),
    ] {
        let output = verdict(dir.path(), &format!("tune spsa {words} --quiet --out @none"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words}: {said}");
        assert!(said.contains(expected), "{words}: {said}");
        assert!(!dir.path().join("none").exists(), "{words}");
    }
}
