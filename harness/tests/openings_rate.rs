//! `verdict openings rate`: books compared by recorded matches, and by matches that it plays.

use std::fs;
use std::path::Path;

use arena::record::{Journal, RunFile, Side, Termination};
use pgn::Outcome;
use serde_json::Value;
use stats::{PairSignal, Pentanomial};

use crate::common::samples::{START, random_game, run_file};
use crate::common::verdict::verdict;

/// A run with pairs of these scores (half points of test), as often as they are counted.
fn recorded(dir: &Path, counts: [u64; 5], first_seed: u64) {
    let mut journal = Journal::create(dir).unwrap();
    let run: RunFile = run_file();
    run.write(dir).unwrap();
    let mut number = 0;
    for (score, count) in (0..).zip(counts) {
        for _ in 0..count {
            for of_game in [score / 2, score - score / 2] {
                let mut game = random_game(number, START, 30 + (number % 7) as usize);
                let seeded = random_game(first_seed + number, START, 30);
                (game.moves, game.hash, game.plies) = (seeded.moves, seeded.hash, seeded.plies);
                (game.notes, game.details) = (seeded.notes, seeded.details);
                (game.nodes, game.time.moves_us) = (seeded.nodes, seeded.time.moves_us);
                game.result = match (of_game, game.white) {
                    (1, _) => Outcome::Draw,
                    (2, Side::Test) | (0, Side::Base) => Outcome::White,
                    _ => Outcome::Black,
                };
                journal.append(&[&game]).unwrap();
                number += 1;
            }
        }
    }
    journal.close().unwrap();
}

#[test]
fn numbers_of_recorded_matches_are_known() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let (balanced, biased) = ([1, 12, 60, 22, 5], [4, 8, 40, 35, 13]);
    recorded(&here.join("balanced"), balanced, 1000);
    recorded(&here.join("biased"), biased, 5000);
    let rated = verdict(here, "openings rate @balanced @biased --json --out @rates");
    assert_eq!(rated.status.code(), Some(0), "{rated:?}");
    let json: Value = serde_json::from_slice(&rated.stdout).unwrap();
    let signals =
        [balanced, biased].map(|pairs| PairSignal::of(&Pentanomial::from(pairs)).unwrap());
    let is = |value: &Value, number: f64| (value.as_f64().unwrap() - number).abs() < 1e-9;
    for (book, (counts, signal)) in
        [(balanced, signals[0]), (biased, signals[1])].into_iter().enumerate()
    {
        let book = &json["books"][book];
        assert_eq!(book["ptnml"], serde_json::json!(counts), "{book}");
        assert_eq!((&book["pairs"], &book["repeated_pairs"]), (&100.into(), &0.into()));
        assert!(
            is(&book["nelo"], signal.nelo) && is(&book["nelo_error95"], signal.error95()),
            "{book}"
        );
        assert!(is(&book["decided_share"], 1.0 - counts[2] as f64 / 100.0), "{book}");
        assert!(book["seconds_a_game"].as_f64().unwrap() > 0.0);
    }
    let needed = signals[1].pairs_against(&signals[0]).unwrap();
    let biased = &json["books"][1];
    assert!(is(&biased["pairs_needed"], needed.ratio), "{biased}");
    assert!(
        needed.ratio < 1.0
            && is(&biased["pairs_needed"], (signals[0].nelo / signals[1].nelo).powi(2))
    );
    assert!(is(&biased["pairs_needed_ci95"][0], needed.low95), "{biased}");
    for file in ["summary.md", "summary.json", "report.html"] {
        let text = fs::read_to_string(here.join("rates").join(file)).unwrap();
        assert!(text.contains("biased"), "{file}");
    }
    let again = verdict(here, "openings rate @balanced @biased --out @rates");
    assert_eq!(again.status.code(), Some(64), "the folder is in use");
}

/// Matches that did not come to their end are told, and void ones say nothing of their books.
#[test]
fn unfinished_and_void_matches_are_marked() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    for (name, pairs, seed) in [("done", 100, 1000), ("open", 200, 5000), ("void", 100, 9000)] {
        let folder = here.join(name);
        recorded(&folder, [1, 12, 60, 22, 5], seed);
        let mut run = run_file();
        run.plan["pairs"] = pairs.into();
        run.plan["rule"] = "los=95".into();
        if name == "void" {
            run.plan["max_faults"] = 0.01.into();
            // Of every tenth game the loser has crashed.
            let games = folder.join("games.jsonl");
            let of = |line: &str| {
                let mut game: arena::record::GameRecord = serde_json::from_str(line).unwrap();
                if game.game.is_multiple_of(10) {
                    game.termination = Termination::Crash;
                }
                serde_json::to_string(&game).unwrap() + "\n"
            };
            let changed: String = fs::read_to_string(&games).unwrap().lines().map(of).collect();
            fs::write(&games, changed).unwrap();
        }
        fs::remove_file(folder.join("run.json")).unwrap();
        run.write(&folder).unwrap();
    }
    let rated = |words: &str| {
        let rated = verdict(here, &format!("openings rate {words}"));
        assert_eq!(rated.status.code(), Some(0), "{words}: {rated:?}");
        String::from_utf8(rated.stdout).unwrap()
    };
    let json: Value = serde_json::from_str(&rated("@done @open @void --json")).unwrap();
    let books = &json["books"];
    assert!(books[0]["verdict"].is_string() && books[0]["verdict"] != "VOID", "{json}");
    assert!(books[1]["verdict"].is_null() && books[1]["pairs_needed"].is_number(), "{json}");
    assert!(books[2]["verdict"] == "VOID" && books[2]["pairs_needed"].is_null(), "{json}");
    let told = rated("@done @open @void");
    assert!(told.contains("Not finished: open.") && told.contains("VOID: void"), "{told}");
    let told = rated("@done");
    assert!(!told.contains("Not finished") && !told.contains("VOID"), "{told}");
}

#[test]
fn repeated_pairs_count_once() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    recorded(&here.join("a"), [2, 2, 8, 6, 2], 1000);
    // Every pair a second time, as a book with the same opening twice gives them.
    let lines = fs::read_to_string(here.join("a/games.jsonl")).unwrap();
    let mut journal = Journal::create(&here.join("twice")).unwrap();
    run_file().write(&here.join("twice")).unwrap();
    for again in 0..2 {
        for line in lines.lines() {
            let mut game: arena::record::GameRecord = serde_json::from_str(line).unwrap();
            game.game += 40 * again;
            game.pair += 20 * again;
            journal.append(&[&game]).unwrap();
        }
    }
    journal.close().unwrap();
    let rated = verdict(here, "openings rate @a @twice --json");
    let json: Value = serde_json::from_slice(&rated.stdout).unwrap();
    let [a, twice] = [0, 1].map(|book| &json["books"][book]);
    assert_eq!((&twice["repeated_pairs"], &twice["pairs"]), (&20.into(), &20.into()), "{rated:?}");
    assert_eq!((&a["ptnml"], &a["wdl"]), (&twice["ptnml"], &twice["wdl"]));
    assert_eq!(a["nelo_error95"], twice["nelo_error95"]);
}

const PLAYERS: &str =
    "--base embedded:winglet --test embedded:default --nodes 60 --pairs 12 --max-moves 60";

#[test]
fn books_are_played_and_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    for (name, seed) in [("one.epd", 1), ("two.epd", 2)] {
        let words =
            format!("openings make --quiet --count 20 --nodes 30 --seed {seed} --out @{name}");
        assert_eq!(verdict(here, &words).status.code(), Some(0));
    }
    let words = format!("openings rate @one.epd @two.epd {PLAYERS} --quiet --json --out @rates");
    let rated = verdict(here, &words);
    assert_eq!(rated.status.code(), Some(0), "{rated:?}");
    let json: Value = serde_json::from_slice(&rated.stdout).unwrap();
    assert_eq!(
        (&json["books"][0]["name"], &json["books"][1]["name"]),
        (&"one".into(), &"two".into())
    );
    assert_eq!(json["books"][1]["pairs"], 12);
    assert_ne!(json["books"][0]["book"]["sha256"], json["books"][1]["book"]["sha256"]);
    // One match is unfinished, the other had not begun.
    let games = here.join("rates/01-one/games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    let kept: String = text.lines().take(7).map(|line| line.to_owned() + "\n").collect();
    fs::write(&games, kept).unwrap();
    fs::remove_dir_all(here.join("rates/02-two")).unwrap();
    let listed = verdict(here, "resume --in @");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("7 of 48 games"), "{listed}");
    let resumed = verdict(here, "resume @rates --quiet --json");
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    let again: Value = serde_json::from_slice(&resumed.stdout).unwrap();
    for book in [0, 1] {
        assert_eq!(json["books"][book]["ptnml"], again["books"][book]["ptnml"]);
    }
    let finished = verdict(here, "resume @rates --quiet");
    assert_eq!(finished.status.code(), Some(0), "{finished:?}");
    // By the folder of both, with their names.
    let read = verdict(here, "openings rate @rates --json");
    let read: Value = serde_json::from_slice(&read.stdout).unwrap();
    assert_eq!(read["books"][1]["name"], "two");
    assert_eq!(read["books"][1]["nelo"], again["books"][1]["nelo"]);
    assert_eq!(verdict(here, "stats @rates").status.code(), Some(0));
    assert_eq!(verdict(here, "report @rates --out @page.html").status.code(), Some(0));
    let in_use = verdict(here, &words);
    assert_eq!(in_use.status.code(), Some(64), "{in_use:?}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    recorded(&here.join("a"), [1, 2, 3, 4, 5], 1000);
    fs::create_dir(here.join("empty")).unwrap();
    // Played as the first one but for one thing.
    let unlike = |name: &str, change: &dyn Fn(&mut RunFile)| {
        let mut run = run_file();
        change(&mut run);
        let mut journal = Journal::create(&here.join(name)).unwrap();
        journal.append(&[&random_game(0, START, 20)]).unwrap();
        journal.close().unwrap();
        run.write(&here.join(name)).unwrap();
    };
    unlike("other", &|run| run.test.name = "another".to_owned());
    unlike("longer", &|run| run.test.limit = "nodes=4000".to_owned());
    unlike("larger", &|run| run.plan["hash"] = "512 KiB".into());
    unlike("undrawn", &|run| run.plan["adjudication"] = serde_json::json!([{"resign": 3}]));
    unlike("like", &|run| (run.seed, run.plan["pairs"]) = (2, 9.into()));
    let like = verdict(here, "openings rate @a @like --json");
    assert_eq!(like.status.code(), Some(0), "{like:?}");
    fs::write(here.join("b.epd"), format!("{START}\n")).unwrap();
    for (words, expected) in [
        ("@a @b.epd", 64),
        ("@a --base embedded", 64),
        ("@a @other", 64),
        ("@a @longer", 64),
        ("@a @larger", 64),
        ("@a @undrawn", 64),
        ("@empty", 74),
        ("@b.epd", 64),
        ("@none.epd --base embedded", 74),
        ("@b.epd --base embedded --rule sprt=0,5", 64),
        ("@b.epd --base embedded --book @b.epd", 64),
        ("@b.epd --base uci:/no/such", 64),
        ("", 64),
    ] {
        let refused = verdict(here, &format!("openings rate {words} --quiet --out @out"));
        assert_eq!(refused.status.code(), Some(expected), "{words}: {refused:?}");
        assert!(!here.join("out").exists(), "{words}");
    }
}
