//! `verdict history`.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use super::place::{BUILD, Place, Version, broken, read, said, sound};

/// Versions that search ever more nodes, the third of which does not build.
fn place() -> Place {
    let version = |bench, nodes| Version { nodes: Some(nodes), ..sound(bench) };
    let place = Place::new(&[version(1001, 30), version(1002, 60), broken(), version(1004, 100)]);
    // The first is the weakest.
    for (tag, commit) in [("v2", "main~3"), ("v3", "main~2"), ("v4", "main~1")] {
        place.git(&format!("tag {tag} {commit}"));
    }
    place
}

fn history(place: &Place, words: &str, build: &[&str]) -> Output {
    let mut all = vec!["history"];
    all.extend(words.split(' '));
    all.extend(build);
    place.command(&all).output().unwrap()
}

const HOW: [&str; 10] =
    ["--repo", "repo", "--build", BUILD, "--binary", "toy", "--nodes", "60", "--max-moves", "60"];

#[test]
fn revisions_are_played_and_rated() {
    let place = place();
    let how = [&HOW[..], &["--pairs", "20", "--quiet"]].concat();
    let output = history(&place, "v2 v3 v4 main --play --out played", &how);
    // The one that does not build is not rated.
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let summary = place.summary("played");
    let rows = summary["revisions"].as_array().unwrap();
    let elo = |row: usize| rows[row]["elo"].as_f64();
    assert_eq!((elo(0), elo(2)), (Some(0.0), None), "{summary}");
    assert!(elo(1) > Some(0.0) && elo(3) > elo(1), "{summary} {output:?}");
    let error = |row: usize| rows[row]["error95"].as_f64();
    assert!(error(1) > Some(0.0) && error(3) > error(1), "{summary}");
    assert_eq!(rows[1]["gain"], rows[1]["elo"]);
    assert_eq!((&rows[0]["name"], &rows[0]["subject"]), (&json!("v2"), &json!("change-1")));
    assert_eq!(rows[2]["why"], "no recorded games");
    // One left out joins its neighbours.
    assert!(place.path("played/02-main-v-v3/run.json").is_file());
    for (file, parts) in
        [("summary.md", &["v3", "change-2"][..]), ("report.html", &["<svg", "Elo over time", "v4"])]
    {
        let text = fs::read_to_string(place.path("played").join(file)).unwrap();
        assert!(parts.iter().all(|part| text.contains(part)), "{file}: {text}");
    }

    // Recorded runs say the same, joined over a commit that is not asked for.
    let told = history(&place, "v2 main --in played --repo repo --json", &[]);
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let [said, rated] = [&told["revisions"][1], &rows[3]].map(|row| row["elo"].as_f64().unwrap());
    assert!((said - rated).abs() < 1e-6, "{rated}: {told}");

    // The first one that has games is what the others are measured by.
    let told = history(&place, "v1 v2 v3 --in played --repo repo --json", &[]);
    assert_eq!(told.status.code(), Some(2), "{told:?}");
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let elos = [0, 1, 2].map(|row: usize| told["revisions"][row]["elo"].clone());
    assert_eq!(elos, [Value::Null, json!(0.0), rows[1]["elo"].clone()], "{told}");

    // What was played is not built and not played again, and a finished history has nothing to resume.
    let mut unbuildable = how.clone();
    unbuildable[3] = "false";
    let again = history(&place, "v2 v3 main --play --in played --out again", &unbuildable);
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    assert_eq!(
        fs::read_dir(place.path("again"))
            .unwrap()
            .flatten()
            .filter(|it| it.path().is_dir())
            .count(),
        0
    );
    let before = fs::read(place.path("played/summary.json")).unwrap();
    // A match that is lost is played again as it was.
    fs::remove_dir_all(place.path("played/01-v3-v-v2")).unwrap();
    let resumed = place.command(&["resume", "played", "--quiet"]).output().unwrap();
    assert_eq!(resumed.status.code(), Some(2), "{resumed:?}");
    let after = place.summary("played");
    let before: Value = serde_json::from_slice(&before).unwrap();
    assert_eq!(after["revisions"], before["revisions"]);
}

/// Runs are rated together if their games are of one kind and tell the whole of what was to be played.
#[test]
fn what_does_not_belong_together_is_left_out() {
    let place = place();
    let how = |nodes: &'static str, pairs: &'static str| {
        let mut how = [&HOW[..], &["--pairs", pairs, "--quiet"]].concat();
        how[7] = nodes;
        how
    };
    let played = |words: &str, how: &[&str]| {
        let output = history(&place, words, how);
        // So few games may leave a revision without a rating.
        assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
    };
    played("v2 v3 --play --out all/sixty", &how("60", "8"));
    // Under other limits the two have not met.
    played("v2 v3 --play --in all --out all/thirty", &how("30", "4"));
    let run = place.path("all/thirty/01-v3-v-v2");
    assert!(run.join("run.json").is_file());
    let told = || {
        let words = "v2 v3 --in all --repo repo --json";
        let told = history(&place, words, &[]);
        serde_json::from_slice::<Value>(&told.stdout).unwrap()
    };
    let reasons = |told: &Value| {
        let left_out = told["left_out"].as_array().unwrap();
        left_out.iter().map(|it| it["why"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    let first = told();
    assert_eq!((&first["games"], reasons(&first).len()), (&json!(16), 1), "{first}");
    assert!(reasons(&first)[0].contains("nodes=30"), "{first}");
    assert!(first["conditions"].as_str().unwrap().contains("nodes=60"), "{first}");

    // More of the same, which is not finished, void, and a bisection's.
    let sixty = place.path("all/sixty/01-v3-v-v2");
    let copy = |name: &str| {
        let to = place.path(name);
        fs::create_dir_all(&to).unwrap();
        for file in fs::read_dir(&sixty).unwrap().flatten().filter(|it| it.path().is_file()) {
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
        to
    };
    let summary = |of: &Path, change: fn(&mut Value)| {
        let mut summary = read(&of.join("summary.json"));
        change(&mut summary);
        fs::write(of.join("summary.json"), summary.to_string()).unwrap();
    };
    summary(&copy("all/half"), |it| it["verdict"] = Value::Null);
    summary(&copy("all/void"), |it| it["verdict"] = json!("VOID"));
    copy("all/search/probe");
    fs::write(place.path("all/search/bisect.json"), "{}").unwrap();
    let then = told();
    assert_eq!((&then["games"], &then["revisions"]), (&first["games"], &first["revisions"]));
    let reasons = reasons(&then).join("; ");
    for why in ["not finished", "void", "bisection", "nodes=30"] {
        assert!(reasons.contains(why), "{why}: {reasons}");
    }
}

/// What no revision can do shows with the first that is built.
#[test]
fn a_program_that_does_not_start_is_told_after_one_build() {
    let place = place();
    let log = place.path("builds");
    let build = format!(
        "echo built >> {}; printf '#!/bin/sh\nexit 1\n' > toy; chmod +x toy",
        log.display()
    );
    let mut how = HOW;
    how[3] = &build;
    let output = history(&place, "v2 v3 v4 main --play --out out", &how);
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert_eq!(fs::read_to_string(log).unwrap().lines().count(), 1);
    assert!(!place.path("out").exists());
}

#[test]
fn what_is_wrong_is_told_before_the_first_game() {
    let place = place();
    for (words, code, told) in [
        ("v2 nosuch", 64, "found 'nosuch'"),
        ("v4 main main~0", 64, "are one commit"),
        ("v2", 64, "2 values required"),
        ("v2 v4 v3", 64, "v4 is built on v3"),
        ("v2 v3 --in none", 64, "--in none"),
    ] {
        let output = history(&place, &format!("{words} --play --out out"), &HOW);
        assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
        assert!(said(&output).contains(told), "{words}: {}", said(&output));
        assert!(!place.path("out").exists(), "{words}");
    }
    let output = history(&place, "v2 v3 --repo repo", &[]);
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    // Nothing is recorded: nothing is rated, and nothing written.
    let output = history(&place, "v2 v3 --repo repo --in .", &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
