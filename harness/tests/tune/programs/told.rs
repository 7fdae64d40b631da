//! What programs are told between games.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{QUICK, engine, said};
use crate::common::verdict::verdict;

/// By process, the lines that it was told.
fn traffic(folder: &Path) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let told = text.lines().filter_map(|line| {
            line.trim_start().split_once(" > ").map(|(_, told)| told.to_owned())
        });
        all.push(told.collect());
    }
    all
}

fn games(told: &[String]) -> usize {
    told.iter().filter(|line| *line == "ucinewgame").count()
}

/// Processes play on, and hear only what changes, before `isready` and the new game.
#[test]
fn only_what_changes_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    let words = format!(
        "tune clop Aim=10..90 Reach=40..60 --base @engine --pairs 24 --batch 8 --confirm none --concurrency 1 \
         {QUICK} --traffic @said --out @t"
    );
    let output = verdict(here, &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let all = traffic(&here.join("said"));
    let players: Vec<&Vec<String>> = all.iter().filter(|told| games(told) == 48).collect();
    assert_eq!(players.len(), 2, "a process for each side: {all:?}");
    let points = fs::read_to_string(here.join("t/points.csv")).unwrap();
    let points: Vec<Vec<&str>> =
        points.lines().skip(1).map(|line| line.split(',').skip(1).collect()).collect();
    for told in players {
        let mut known: HashMap<&str, &str> = HashMap::new();
        let mut played = 0;
        let mut is_trial = None;
        let mut set = 0;
        for (number, line) in told.iter().enumerate() {
            if let Some((name, value)) =
                line.strip_prefix("setoption name ").and_then(|line| line.split_once(" value "))
            {
                assert_ne!(
                    known.insert(name, value),
                    Some(value),
                    "{name} is told again: {told:?}"
                );
                set += 1;
            }
            if line == "ucinewgame" {
                assert!(!told[number - 1].starts_with("setoption"), "{told:?}");
                let point = &points[played / 2];
                let is_point = known["Aim"] == point[0] && known["Reach"] == point[1];
                let is_base = known["Aim"] == "20" && known["Reach"] == "50";
                assert!(is_point || is_base, "game {played}: {known:?}, {point:?}");
                // A side is the base in all games, or in none but by chance.
                let is_trial = *is_trial.get_or_insert(!is_base);
                assert!(if is_trial { is_point } else { is_base }, "game {played}: {known:?}");
                played += 1;
            }
        }
        assert!(is_trial == Some(true) || set <= 4, "the base is told its values once: {told:?}");
    }
}

/// With --restart every game has a process that is told all before its first `isready`.
#[test]
fn restarted_programs_are_told_all_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "at-start");
    let words = format!(
        "tune spsa --param Aim:10 --base @engine --pairs 4 --batch 2 --confirm none --restart {QUICK} \
         --traffic @said --out @t"
    );
    let output = verdict(here, &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let all = traffic(&here.join("said"));
    let mut played = 0;
    for told in
        all.iter().filter(|told| games(told) > 0 && told.iter().any(|line| line.contains("Aim")))
    {
        let first = told.iter().position(|line| line == "isready").unwrap();
        let aim =
            told.iter().position(|line| line.starts_with("setoption name Aim value ")).unwrap();
        assert!(aim < first, "{told:?}");
        played += usize::from(games(told) == 1);
    }
    assert!(played >= 16, "{played} of 16 processes");
}

/// A process that ends in a game is replaced by one with all its values: faults are told, and the
/// run goes on.
#[test]
fn a_process_after_a_fault_has_all_values() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "dies");
    let words = format!(
        "sweep Aim=44,60 --base @engine,Style=Sharp,Guard=true,Care=0.5 --pairs 10 --confirm none \
         --concurrency 1 --max-faults off {QUICK} --traffic @said --out @s"
    );
    let output = verdict(here, &words);
    assert!(matches!(output.status.code(), Some(0..=2)), "{}", said(&output));
    let lines = fs::read_to_string(here.join("s/01-aim-44/games.jsonl")).unwrap();
    let crashes = lines
        .lines()
        .filter(|line| serde_json::from_str::<Value>(line).unwrap()["termination"] == "crash");
    assert!(crashes.count() > 0, "{lines}");
    for told in traffic(&here.join("said")).iter().filter(|told| games(told) > 0) {
        let first = told.iter().position(|line| line == "ucinewgame").unwrap();
        let aim = told[..first].iter().any(|line| line.starts_with("setoption name Aim value "));
        let care = told[..first].iter().any(|line| line == "setoption name Care value 0.5");
        // The first trials of a program are of its plain base.
        assert!(care && (aim || games(told) <= 3), "{told:?}");
    }
}
