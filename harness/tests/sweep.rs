//! `verdict sweep` as its users run it.

use std::path::Path;
use std::process::Command;

use crate::common::canonical::canonical;
use crate::common::verdict::verdict;
use serde_json::Value;

const SWEEP: &str = "sweep lmr.min_move=1..3 lazy.on=true,false --lines --nodes 60 --pairs 6 \
                     --seed 4 --max-moves 40 --hash 64KiB --confirm-pairs 3";
const FOLDERS: [&str; 4] =
    ["01-lmr-min-move-1", "02-lmr-min-move-2", "03-lmr-min-move-3", "04-lazy-on-false"];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The outcome without what only says where it was recorded.
fn outcome(dir: &Path) -> Value {
    let text = std::fs::read_to_string(dir.join("summary.json")).unwrap();
    let outcome: Value = serde_json::from_str(&text).unwrap();
    outcome["sweep"].clone()
}

/// The sweep with `--base` as it should be for these axes.
fn sweep(here: &Path, more: &str) -> std::process::Output {
    verdict(here, &format!("{SWEEP} --base embedded:default,lazy.on=true --quiet {more}"))
}

#[test]
fn candidates_race_and_the_best_is_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let output = sweep(here, "--json --out @s");
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["sweep"], outcome(&here.join("s")));
    let rows = told["sweep"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5, "{told}");
    assert_eq!(rows[4]["base"], true);
    let s = here.join("s");
    for folder in FOLDERS {
        assert_eq!(canonical(&s.join(folder), None).unwrap().lines().count(), 12, "{folder}");
    }
    let stats = verdict(here, "stats @s");
    assert_eq!(stats.status.code(), Some(64), "{stats:?}");
    assert!(text(&stats.stderr).contains("found a sweep: its table is in"), "{stats:?}");
    for file in ["sweep.json", "summary.md", "report.html"] {
        assert!(s.join(file).is_file(), "{file}");
    }
    // The best plays openings that the race has not used.
    if let Some(best) = told["sweep"]["best"].as_str() {
        let openings = |run: &Path| -> Vec<String> {
            let games = canonical(run, None).unwrap();
            games
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()["opening"].to_string())
                .collect()
        };
        let fresh = openings(&s.join("confirm"));
        let used = openings(&s.join(FOLDERS[0]));
        assert_eq!(fresh.len(), 6, "{best}");
        assert!(fresh.iter().all(|opening| !used.contains(opening)));
    }
    // A candidate's match is a match: alone it has the same games.
    let alone = verdict(
        here,
        "match --base embedded:default,lazy.on=true --test embedded:default,lazy.on=true,lmr.min_move=1 \
         --nodes 60 --pairs 6 --seed 4 --max-moves 40 --hash 64KiB --quiet --out @alone",
    );
    assert!(alone.status.code().is_some_and(|code| code <= 2), "{alone:?}");
    let games = |run: &Path| canonical(run, None).unwrap();
    assert_eq!(games(&here.join("alone")), games(&s.join(FOLDERS[0])));
    // A finished one has nothing left to play, and says the same.
    let before = outcome(&s);
    let again = verdict(here, "resume @s --quiet");
    assert_eq!(again.status.code(), output.status.code(), "{again:?}");
    assert_eq!(outcome(&s), before);
    // The page is made again from the journals alone.
    let page = std::fs::read(s.join("report.html")).unwrap();
    std::fs::remove_file(s.join("report.html")).unwrap();
    assert_eq!(verdict(here, "report @s").status.code(), Some(0));
    assert!(std::fs::read(s.join("report.html")).unwrap() == page);
}

#[test]
fn a_killed_sweep_goes_on_to_the_same_outcome() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    sweep(here, "--out @whole --concurrency 1");
    let words = format!(
        "{SWEEP} --base embedded:default,lazy.on=true --quiet --concurrency 6 --out {}/cut",
        here.display()
    );
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_verdict")).args(words.split_whitespace()).spawn().unwrap();
    let journal = here.join("cut").join(FOLDERS[1]).join("games.jsonl");
    while std::fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rest = verdict(here, "resume @cut --quiet");
    assert!(matches!(rest.status.code(), Some(0..=2)), "{rest:?}");
    assert_eq!(outcome(&here.join("whole")), outcome(&here.join("cut")));
    for folder in FOLDERS {
        let games = |name: &str| canonical(&here.join(name).join(folder), None).unwrap();
        assert_eq!(games("whole"), games("cut"), "{folder}");
    }
}

/// The base takes the hopeless out of the race; nothing is left to confirm.
#[test]
fn the_hopeless_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let output = verdict(
        dir.path(),
        "sweep material.queen=1024,1100 --nodes 300 --pairs 200 --seed 2 --hash 64KiB --alpha 20% \
         --quiet --out @s",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let outcome = outcome(&dir.path().join("s"));
    assert_eq!(outcome["best"], Value::Null, "{outcome}");
    for row in outcome["rows"].as_array().unwrap().iter().take(2) {
        assert_eq!(row["dropped"]["by"], "base", "{row}");
        assert!(row["pairs"].as_u64().unwrap() < 200, "{row}");
    }
    assert!(text(&output.stdout).contains("No candidate scored more"), "{output:?}");
    assert!(!dir.path().join("s/confirm").exists());
}

#[test]
fn a_simulated_engine_is_swept_without_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let output = verdict(
        dir.path(),
        "sweep lazy.margin=16:256:16 --truth lazy.margin=160:64:20 --pairs 4000 --seed 5 --json --out @s",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let best = told["sweep"]["rows"].as_array().unwrap();
    let best = best.iter().find(|row| row["best"] == true).unwrap()["values"][0].as_i64().unwrap();
    assert!((96..=224).contains(&best), "{best}");
    assert!(!dir.path().join("s/sweep.json").exists());
    let page = std::fs::read_to_string(dir.path().join("s/report.html")).unwrap();
    assert!(page.contains("SIMULATED") && page.contains("<svg"), "{page}");
    // A real sweep's folder is not written over.
    std::fs::write(dir.path().join("s/sweep.json"), "").unwrap();
    let words = "sweep lazy.margin=16:256:16 --truth lazy.margin=160:64:20 --pairs 9 --out @s";
    let refused = verdict(dir.path(), words);
    assert_eq!(refused.status.code(), Some(64), "{refused:?}");
}

/// Points of two parameters, each with values of its own: whose is the gain? Twelve tell parabolas apart, three
/// nothing.
#[test]
fn values_that_are_not_told_apart_are_told_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let words = |design: &str| {
        format!(
            "sweep lazy.margin=16:256:16 lmr.min_move=2..20 {design} --truth lazy.margin=160:64:20 \
             --pairs 200 --seed 5 --quiet"
        )
    };
    let apart = "cannot tell the effects apart.";
    for (name, design, is_told) in
        [("few", "--samples 3", false), ("more", "--samples 12", true), ("lines", "--lines", true)]
    {
        let output = verdict(dir.path(), &format!("{} --out @{name}", words(design)));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let outcome = outcome(&dir.path().join(name));
        for axis in outcome["axes"].as_array().unwrap() {
            assert_eq!(axis["effects"].is_array(), is_told, "{axis}");
        }
        let summary = std::fs::read_to_string(dir.path().join(name).join("summary.md")).unwrap();
        assert_eq!(summary.contains(apart), !is_told, "{summary}");
        let page = std::fs::read_to_string(dir.path().join(name).join("report.html")).unwrap();
        assert_eq!(page.contains("cannot tell the effects apart"), !is_told, "{name}");
        let are_parabolas = is_told.then_some(name == "more");
        assert_eq!(outcome["effects_are_parabolas"].as_bool(), are_parabolas, "{name}");
        assert_eq!(summary.contains("one parabola per parameter"), name == "more");
    }
}

/// Eight openings, of which the race takes six.
#[test]
fn the_confirmation_has_openings_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    let words = |more: &str| {
        format!("sweep lmr.min_move=1,8 --book {book} --pairs 6 --max-moves 6 --quiet {more}")
    };
    for more in ["--confirm-pairs 3", "--confirm los=95,pairs=4", "--opening-offset 2"] {
        let output = verdict(dir.path(), &words(&format!("--nodes 40 --out @none {more}")));
        assert_eq!(output.status.code(), Some(64), "{more}: {output:?}");
        let said = text(&output.stderr);
        assert!(said.contains("openings") && said.contains("--confirm none"), "{more}: {said}");
    }
    // As many as there are, where none are asked for; games on a clock are never the same.
    for (name, more, expected) in [
        ("few", "--nodes 40", 2),
        ("clock", "--movetime 1ms --time-margin 30s --confirm-pairs 9", 9),
    ] {
        let output =
            verdict(dir.path(), &words(&format!("{more} --confirm sprt=0,5 --out @{name}")));
        assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
        let file = std::fs::read_to_string(dir.path().join(name).join("sweep.json")).unwrap();
        let file: Value = serde_json::from_str(&file).unwrap();
        assert_eq!(file["confirm"]["pairs"], expected, "{file}");
    }
}

#[test]
fn sweeps_that_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    for (words, expected) in [
        ("", "AXIS"),
        ("lazy.margn=1..2", "did you mean 'lazy.margin'"),
        ("lazy.margin=9000:9999:1", "expected 0 to 5120"),
        ("lmr.min_move=2.5..4", "a whole number"),
        ("pawn_ending.bonus[*]=100,400", "%, found 400%: 'pawn_ending.bonus["),
        ("lmr.min_move=1..2 --measure speed --depth 4 --confirm none", "--confirm does not apply"),
        ("lmr.min_move=1..2 --measure speed --depth 4 --alpha 1%", "--alpha does not apply"),
        ("lmr.min_move=1..2 --measure speed --depth 4 --pairs 3", "--pairs without --book"),
        ("lmr.min_move=1..2 --measure speed --truth lmr.min_move=2:1", "--truth does not apply"),
        ("lmr.min_move=1..2 lmr.min_move=1..2", "twice"),
        ("lmr.min_move=1..2 --base uci:/bin/sh", "did not start"),
        ("lmr.min_move=1..2 --base embedded:nobody", "unknown personality"),
        ("lmr.min_move=1..2 --rule sprt=0,5", "--confirm"),
        ("lmr.min_move=1..2 --rule los=99,pairs=7", "--confirm"),
        ("lmr.min_move=0..60 pawns.doubled_penalty=-30:30:1", "expected at most"),
        ("lmr.min_move=1..2 --lines --samples 3", "cannot be used with"),
        ("lmr.min_move=1..2 --confirm never", "unknown rule"),
        ("lmr.min_move=1..2 --truth lmr=3:1", "'lmr' is not varied"),
    ] {
        let output = verdict(dir.path(), &format!("sweep {words} --quiet --out @none"));
        assert_eq!(output.status.code(), Some(64), "{words}: {output:?}");
        assert!(text(&output.stderr).contains(expected), "{words}: {output:?}");
        assert!(!dir.path().join("none").exists(), "{words}");
    }
}

#[test]
fn speed_is_measured_to_a_depth() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let words = "sweep lmr.min_move=1,8 --measure speed --depth 4 --hash 256KiB --quiet";
    let output = verdict(here, &format!("{words} --json --out @s"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = told["speed"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["base"]), (3, &true.into()));
    let nodes = |row: usize| rows[row]["nodes"].as_u64().unwrap();
    assert_ne!(nodes(1), nodes(2), "reductions from the second move on and from the ninth");
    // Cut short in the middle of a line, it goes on to the same counts.
    let journal = here.join("s/speed.jsonl");
    let whole = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, &whole[..whole.len() / 2]).unwrap();
    let again = verdict(here, "resume @s --quiet --json");
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    for row in 0..3 {
        assert_eq!(again["speed"][row]["nodes"], rows[row]["nodes"]);
    }
    let lines = std::fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines, whole.lines().count());
    // Positions of a book, as many as there are pairs.
    std::fs::write(
        here.join("book.epd"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
         rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n",
    )
    .unwrap();
    let output = verdict(here, &format!("{words} --book @book.epd --pairs 1 --out @b"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stdout).contains("1 positions"), "{output:?}");
    let output = verdict(here, "sweep lmr.min_move=1,8 --measure speed --out @none");
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(text(&output.stderr).contains("--depth N"), "{output:?}");
    let output = verdict(here, &format!("{words} --book @missing.epd --out @none"));
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(!here.join("none").exists(), "a corrected command finds the folder free");
    // Two parameters make a map of each share.
    let two = words.replace("lmr.min_move=1,8", "lmr.min_move=1,8 lazy.margin=0.5,1.0");
    let output = verdict(here, &format!("{two} --out @two"));
    let told = text(&output.stdout);
    assert!(told.contains("lazy.margin, 1/256 pawn") && !told.contains(['|', '\\']), "{told}");
    let page = std::fs::read_to_string(here.join("two/report.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2);
}

/// What a folder is cannot be told without the file that says so; nor is it finished, then.
#[test]
fn without_its_file_a_sweep_is_not_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    assert!(sweep(here, "--out @s").status.code() < Some(64));
    std::fs::remove_file(here.join("s/sweep.json")).unwrap();
    let output = verdict(here, "resume @s");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(64), "{said}");
    assert!(said.contains("expected sweep.json or tournament.json"), "{said}");
    assert!(said.contains("s/01-lmr-min-move-1"), "{said}");
}

#[test]
fn what_changes_no_search_is_not_played() {
    let dir = tempfile::tempdir().unwrap();
    // Without late move reductions it does not matter where they would begin.
    let words = "--base embedded:default,lmr.on=false --nodes 50 --pairs 2 --max-moves 6 \
                 --hash 64KiB --confirm none";
    let output = verdict(dir.path(), &format!("sweep lmr.amount=1..3 {words} --out @none"));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(64), "{said}");
    assert!(said.contains("no-op: all candidates"), "{said}");
    assert!(said.contains("26 positions"), "{said}");
    assert!(!dir.path().join("none").exists());
    let kept = format!("sweep lmr.amount=1..3 {words} --keep-no-ops --quiet --out @kept");
    assert_eq!(verdict(dir.path(), &kept).status.code(), Some(0));
    let some = format!("sweep lmr.amount=1..2 lazy.on=true,false --lines {words} --out @some");
    let output = verdict(dir.path(), &some);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stderr).contains("no-op: 2 of 3 candidates"), "{output:?}");
}
