//! Runs of programs that are cut short.

use std::process::Command;

use super::{QUICK, engine, json, lines, said};
use crate::common::canonical::canonical;
use crate::common::verdict::verdict;

/// Killed in the middle, at another width: the same games, the same outcome. The engine ends by
/// itself now and then, and a new process has all values that the old one had.
#[test]
fn a_killed_run_goes_on_to_the_same_outcome() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    lines(here);
    for (method, file) in [
        ("tune spsa --params @lines", "spsa.json"),
        ("tune clop Aim=10..90 Care=0.1..0.9", "clop.json"),
    ] {
        let words = format!(
            "{method} --base @engine,Style=Sharp --pairs 60 --batch 4 --seed 3 --confirm-pairs 4 {QUICK}"
        );
        let whole = verdict(here, &format!("{words} --concurrency 1 --out @whole"));
        assert!(matches!(whole.status.code(), Some(0..=2)), "{whole:?}");
        let place = format!("{}/", here.display());
        let cut = format!("{words} --concurrency 3 --out @cut").replace('@', &place);
        let mut child = Command::new(env!("CARGO_BIN_EXE_verdict"))
            .args(cut.split_whitespace())
            .spawn()
            .unwrap();
        let games = here.join("cut/games.jsonl");
        while std::fs::read_to_string(&games).map_or(0, |text| text.lines().count()) < 30 {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(here.join("cut").join(file).is_file());
        let rest = verdict(here, "resume @cut --quiet --concurrency 2");
        assert_eq!(rest.status.code(), whole.status.code(), "{rest:?}");
        let [whole, cut] = ["whole", "cut"].map(|name| here.join(name));
        assert_eq!(canonical(&whole, None).unwrap(), canonical(&cut, None).unwrap());
        let parameters =
            |dir: &std::path::Path| json(&dir.join("summary.json"))["parameters"].clone();
        assert_eq!(parameters(&whole), parameters(&cut));
        for dir in [whole, cut] {
            std::fs::remove_dir_all(dir).unwrap();
        }
    }
}

/// A sweep's candidates share processes, whichever of them plays.
#[test]
fn a_sweep_has_the_same_games_at_any_width() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    let words =
        format!("sweep Aim=30,40,50 Care=0.1,0.5 --base @engine --pairs 8 --confirm none {QUICK}");
    for (name, width) in
        [("one", "--concurrency 1"), ("more", "--concurrency 3"), ("new", "--restart")]
    {
        let output = verdict(here, &format!("{words} {width} --out @{name}"));
        assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    }
    let file = json(&here.join("one/sweep.json"));
    for candidate in file["candidates"].as_array().unwrap() {
        let games = |name: &str| {
            canonical(&here.join(name).join(candidate["folder"].as_str().unwrap()), None).unwrap()
        };
        assert_eq!(games("one"), games("more"), "{candidate}");
        assert_eq!(games("one"), games("new"), "{candidate}");
    }
}

/// A file that an option names is part of the player, as in matches.
#[test]
fn files_that_have_changed_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    std::fs::write(here.join("note"), "one").unwrap();
    for (method, done) in
        [("tune spsa --param Aim:10", "games.jsonl"), ("sweep Aim=30,50", "01-aim-30/games.jsonl")]
    {
        let words = format!(
            "{method} --base @engine,Note={} --pairs 300 --confirm none --concurrency 1 {QUICK} --out @t",
            here.join("note").display()
        );
        let place = format!("{}/", here.display());
        let mut child = Command::new(env!("CARGO_BIN_EXE_verdict"))
            .args(words.replace('@', &place).split_whitespace())
            .spawn()
            .unwrap();
        let games = here.join("t").join(done);
        while std::fs::read_to_string(&games).map_or(0, |text| text.lines().count()) < 4 {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::write(here.join("note"), "two").unwrap();
        let output = verdict(here, "resume @t --quiet");
        assert_eq!(output.status.code(), Some(64), "{output:?}");
        assert!(said(&output).contains("--changed-files"), "{}", said(&output));
        let output = verdict(here, "resume @t --quiet --changed-files");
        assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
        assert!(said(&output).contains("has changed since"), "{}", said(&output));
        std::fs::write(here.join("note"), "one").unwrap();
        std::fs::remove_dir_all(here.join("t")).unwrap();
    }
}
