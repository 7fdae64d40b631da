//! What is found.

use std::fs;

use serde_json::{Value, json};

use super::place::{BUILD, Place, Version, broken, said, sound, weak};

/// Twelve changes, the loss in the eighth.
fn twelve() -> Vec<Version> {
    let mut versions: Vec<Version> = (1..=7).map(|number| sound(1000 + number)).collect();
    versions.extend((8..=12).map(|number| weak(1000 + number)));
    versions
}

fn states(summary: &Value, state: &str) -> Vec<u64> {
    let rows = summary["commits"].as_array().unwrap().iter();
    rows.filter(|row| row["state"] == state).map(|row| row["number"].as_u64().unwrap()).collect()
}

#[test]
fn the_commit_is_named_with_what_git_knows() {
    let place = Place::new(&twelve());
    let output = place.bisect(BUILD, "found", "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = place.summary("found");
    assert_eq!((&summary["state"], &summary["named"]), (&json!("found"), &json!([8])), "{summary}");
    let row = &summary["commits"][8];
    assert_eq!(row["commit"], place.git("rev-parse main~4"));
    assert_eq!((&row["subject"], &row["author"]), (&json!("change-8"), &json!("Nobody")));
    assert_eq!(
        (&row["bench"], &row["date"]),
        (&json!(1008), &json!(place.git("log -1 --format=%aI main~4")))
    );
    let probability = |value: &Value| value.as_f64().unwrap();
    assert!(probability(&summary["probability"]) >= 0.95, "{summary}");
    let rows = summary["commits"].as_array().unwrap();
    let all: f64 = rows[1..].iter().map(|row| probability(&row["probability"])).sum();
    assert!((all + probability(&summary["probability_of_no_loss"]) - 1.0).abs() < 1e-9);
    assert!(row["elo"].as_f64().unwrap() < -50.0, "{row}");
    // Not every commit was built, and each match is a run.
    assert!(states(&summary, "untouched").len() >= 3, "{summary}");
    for number in states(&summary, "played") {
        let folder = place.path("found").join(rows[number as usize]["folder"].as_str().unwrap());
        assert!(folder.join("run.json").is_file() && folder.join("games.pgn").is_file());
    }
    let dir = place.path("found");
    for (file, parts) in [
        ("summary.md", &["change-8", "Nobody", "bench 1008"][..]),
        ("report.html", &["<svg", "Posterior by commit", "change-8"]),
    ] {
        let text = fs::read_to_string(dir.join(file)).unwrap();
        assert!(parts.iter().all(|part| text.contains(part)), "{file}: {text}");
    }
    // Resumed, it is finished; rendered again, it is the same.
    let before = fs::read(dir.join("summary.json")).unwrap();
    let resumed = place.command(&["resume", "found"]).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    fs::remove_file(dir.join("report.html")).unwrap();
    assert_eq!(place.command(&["report", "found"]).output().unwrap().status.code(), Some(0));
    assert!(dir.join("report.html").is_file());
    assert_eq!(fs::read(dir.join("summary.json")).unwrap(), before);
}

/// A commit between two of one bench is not played; one that does not build is passed over.
#[test]
fn what_need_not_or_cannot_play_does_not() {
    let mut versions = twelve();
    // Three that change nothing, then one that does not build, then the loss.
    for version in &mut versions[3..6] {
        *version = sound(1003);
    }
    versions[6] = broken();
    let place = Place::new(&versions);
    let output = place.bisect(BUILD, "range", "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = place.summary("range");
    // The seventh or the eighth: between them nothing plays.
    assert_eq!(
        (&summary["state"], &summary["named"]),
        (&json!("one-of"), &json!([7, 8])),
        "{summary}"
    );
    assert_eq!(states(&summary, "passed-over"), [7]);
    assert!(summary["commits"][7]["why"].as_str().unwrap().contains("does not build"), "{summary}");
    let played = states(&summary, "played");
    let of_one_bench = played.iter().filter(|number| (3..=6).contains(*number)).count();
    assert!(of_one_bench <= 1, "{played:?}");
    let probability = summary["commits"][5]["probability"].as_f64().unwrap();
    if !states(&summary, "same").is_empty() {
        assert_eq!(probability, 0.0, "{summary}");
    }
}

/// Plain halving by a rule.
#[test]
fn a_rule_halves() {
    let place = Place::new(&twelve());
    let output = place.bisect(BUILD, "halved", "--rule los=95,pairs=12");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = place.summary("halved");
    assert_eq!(
        (&summary["named"], &summary["probability"]),
        (&json!([8]), &Value::Null),
        "{summary}"
    );
    let played = states(&summary, "played");
    // The bad commit plays first.
    assert!((4..=5).contains(&played.len()) && played.contains(&12), "{played:?}");
}

/// Without a loss nothing is halved.
#[test]
fn a_rule_names_no_commit_where_nothing_is_lost() {
    let place = Place::new(&(1..=4).map(|number| sound(1000 + number)).collect::<Vec<_>>());
    let output = place.bisect(BUILD, "none", "--rule los=95,pairs=12");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let summary = place.summary("none");
    assert_eq!((&summary["state"], &summary["named"]), (&json!("no-loss"), &json!([])));
    assert_eq!(states(&summary, "played"), [4]);
}

/// Where time counts, versions of one bench may differ in speed.
#[test]
fn commits_of_equal_bench_play_on_a_clock() {
    let place = Place::new(&[sound(1000), sound(1000), sound(1000)]);
    let mut words = place.words(BUILD, "clock", "--pairs 1 --time-margin 5s");
    let nodes = words.iter().position(|word| *word == "--nodes").unwrap();
    (words[nodes], words[nodes + 1]) = ("--movetime", "2ms");
    let output = place.command(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let summary = place.summary("clock");
    assert_eq!(states(&summary, "played"), [1, 2, 3]);
    assert!(states(&summary, "same").is_empty(), "{summary}");
}

#[test]
fn no_loss_and_too_few_pairs_have_their_own_ends() {
    let place = Place::new(&(1..=4).map(|number| sound(1000 + number)).collect::<Vec<_>>());
    let none = place.bisect(BUILD, "none", "");
    assert_eq!(none.status.code(), Some(1), "{none:?}");
    assert_eq!(place.summary("none")["state"], "no-loss");
    let few = place.bisect(BUILD, "few", "--pairs 1 --elo 5");
    assert_eq!(few.status.code(), Some(2), "{few:?}");
    assert_eq!(place.summary("few")["state"], "undecided");
    assert!(!said(&few).contains("verdict resume"), "{few:?}");
}

/// A merge is one commit; where it is named, its branch can be looked into.
#[test]
fn a_merge_is_one_commit() {
    let place = Place::new(&[sound(1001), sound(1002)]);
    let fork = place.git("rev-parse --short=10 HEAD");
    place.git("checkout --quiet -b side");
    place.commit(&sound(1003), "side-1");
    place.commit(&weak(1004), "side-2");
    place.git("checkout --quiet main");
    place.git("commit --quiet --allow-empty -m change-3");
    place.git("merge --quiet --no-ff -m merged side");
    place.commit(&weak(1005), "change-5");
    let output = place.bisect(BUILD, "merged", "");
    let summary = place.summary("merged");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        (&summary["named"], &summary["commits"][4]["subject"]),
        (&json!([4]), &json!("merged"))
    );
    assert_eq!(summary["fork"], json!(fork));
    let text = fs::read_to_string(place.path("merged/summary.md")).unwrap();
    assert!(text.contains(&format!("--good {fork} --bad ")), "{text}");
}

/// Without a bench every commit is a candidate.
#[test]
fn engines_without_a_bench_play_all_the_same() {
    let blank = |mut version: Version| {
        version.bench = None;
        version
    };
    let versions: Vec<Version> = twelve().into_iter().map(blank).collect();
    let place = Place::new(&versions);
    // The first commit has a bench; the one before it is taken instead.
    let words = place.words(BUILD, "blank", "");
    let words: Vec<&str> =
        words.into_iter().map(|word| if word == "v1" { "main~11" } else { word }).collect();
    let output = place.command(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(place.summary("blank")["commits"][7]["subject"], "change-8");
    assert_eq!(place.summary("blank")["named"], json!([7]));
}
