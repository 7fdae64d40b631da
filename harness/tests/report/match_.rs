//! The report of matches that our own engine played, by the program.

use std::fs;
use std::process::{Command, Output};

use arena::record::{GAMES_FILE, Summary};
use tempfile::TempDir;

use super::page;

fn verdict(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_verdict")).args(words).output().unwrap()
}

fn play(place: &TempDir, name: &str, words: &str) -> String {
    let dir = place.path().join(name).display().to_string();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    let mut all = vec!["match", "--quiet", "--book", book, "--out", &dir];
    all.extend(words.split_whitespace());
    let output = verdict(&all);
    let code = output.status.code().unwrap();
    assert!((0..3).contains(&code), "{}", String::from_utf8_lossy(&output.stderr));
    dir
}

#[test]
fn a_match_and_its_report() {
    let place = tempfile::tempdir().unwrap();
    let dir = play(
        &place,
        "night",
        "--test embedded,killers.on=false --pairs 12 --nodes 150 --hash 64KiB --seed 5",
    );
    let output = verdict(&["report", &dir]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let path = format!("{dir}/report.html");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), path);
    let text = fs::read_to_string(&path).unwrap();
    let markup = page(dir.as_ref());
    assert_eq!(markup.text, text);

    // It says what the summary says.
    let summary = Summary::read(dir.as_ref()).unwrap();
    let (wdl, judged) = (summary.wdl, &summary.judged);
    let [games, _] = markup.figure("Won – drawn – lost");
    assert_eq!(games, format!("{} – {} – {}", wdl.win, wdl.draw, wdl.loss));
    assert_eq!(markup.figure("Pairs")[0], "12");
    let shown = |number: f64| format!("{number:.1}").replace('-', "−");
    let [elo, _] = markup.figure("Elo, test minus base");
    let elo = elo.strip_prefix('+').unwrap_or(elo);
    let error = judged.elo_error95.map(|error| format!(" ± {error:.1}")).unwrap_or_default();
    assert_eq!(elo, format!("{}{error}", shown(judged.elo.unwrap())));
    markup.has(judged.verdict.unwrap().as_str());
    markup.has("killers.on");
    markup.has("repetition");

    // Of fewer than ten pairs that differ there is no LOS to show.
    assert_eq!(markup.ids.contains_key("run1-los-title"), judged.los.is_some());
    for chart in ["elo", "pairs", "colours", "white", "lengths", "time", "nodes"] {
        let title = markup.ids.get(&format!("run1-{chart}-title"));
        assert_eq!(title.map(String::as_str), Some("title"), "{chart}");
    }
    markup.has("<caption>Score of test by opening</caption>");
    for label in ["How games ended", "Score of test by opening"] {
        markup.has(&format!("<table class=\"sortable\"><caption>{label}</caption>"));
    }
    markup.has("<script>\n");
    assert!(text.len() < 200_000, "{} bytes", text.len());

    // The order of the journal's lines makes no difference.
    let journal = place.path().join("night").join(GAMES_FILE);
    let lines = fs::read_to_string(&journal).unwrap();
    let reversed: String = lines.lines().rev().flat_map(|line| [line, "\n"]).collect();
    fs::write(&journal, reversed).unwrap();
    assert_eq!(page(dir.as_ref()).text, text);
}

#[test]
fn a_page_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let dir = play(&place, "run", "--pairs 2 --nodes 50 --max-moves 10");
    // A match makes its own page.
    fs::remove_file(place.path().join("run/report.html")).unwrap();
    let out = place.path().join("pages.html");
    let output = verdict(&["report", &dir, &dir, "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.contains("<h1>2 matches</h1>"), "{page}");
    assert!(!place.path().join("run/report.html").exists());
    // Over an older page, and over nothing else.
    for file in ["games.jsonl", "run.json", "summary.md"] {
        let file = place.path().join("run").join(file);
        let before = fs::read(&file).unwrap();
        let output = verdict(&["report", &dir, "--out", file.to_str().unwrap()]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{error}");
        assert!(error.contains("expected a page or a new file to write"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), before);
    }
    let output = verdict(&["report", &dir, "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!fs::read_to_string(&out).unwrap().contains("<h1>2 matches</h1>"));
}

#[test]
fn what_is_no_run_is_named() {
    let place = tempfile::tempdir().unwrap();
    let empty = place.path().join("empty").display().to_string();
    fs::create_dir(&empty).unwrap();
    let absent = place.path().join("absent").display().to_string();
    for dir in [&empty, &absent] {
        let output = verdict(&["report", dir]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(74), "{error}");
        assert!(error.contains(&format!("{dir}: no run is recorded there")), "{error}");
    }
    assert_eq!(verdict(&["report"]).status.code(), Some(64));
    let help = String::from_utf8_lossy(&verdict(&["report", "--help"]).stdout).into_owned();
    assert!(help.starts_with("Example:\n  verdict report"), "{help}");
}

#[test]
fn damage_is_named() {
    let place = tempfile::tempdir().unwrap();
    let dir = play(&place, "run", "--pairs 2 --nodes 50 --max-moves 10");
    let journal = place.path().join("run").join(GAMES_FILE);
    let lines = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, format!("{{}}\n{lines}")).unwrap();
    let output = verdict(&["report", &dir]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(74), "{error}");
    assert!(error.contains("games.jsonl, line 1"), "{error}");

    fs::write(&journal, lines).unwrap();
    let run = place.path().join("run/run.json");
    let text = fs::read_to_string(&run).unwrap();
    let changed = text.replace("\"rule\": \"los=95\"", "\"rule\": \"luck\"");
    fs::write(&run, crate::common::samples::unsealed(&changed)).unwrap();
    let output = verdict(&["report", &dir]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(74), "{error}");
    assert!(error.contains(&dir) && error.contains("rule"), "{error}");
}
