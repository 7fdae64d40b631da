//! A nightly regression whose commit is searched.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::verdict::signal;

use super::place::{BUILD, Place, Version, read, said, sound, weak};

fn place() -> Place {
    let mut versions: Vec<Version> = (1..=3).map(|number| sound(1000 + number)).collect();
    versions.extend((4..=6).map(|number| weak(1000 + number)));
    Place::new(&versions)
}

fn plan(place: &Place, build: &str, base: &str) {
    plan_in(place, "repo", build, base);
}

fn plan_in(place: &Place, repo: &str, build: &str, base: &str) {
    let entry = json!({
        "name": "tag", "bisect": true, "base": base, "test": "git:main", "repo": repo,
        "build": build, "binary": "toy", "nodes": 30, "max-moves": 40,
        "resign": "movecount=1,score=200", "pairs": 12,
    });
    fs::write(place.path("plan.json"), json!({"matches": [entry]}).to_string()).unwrap();
}

fn nightly(place: &Place, words: &[&str]) -> std::process::Output {
    place.command(&[&["nightly", "plan.json", "--quiet"], words].concat()).output().unwrap()
}

fn entry(night: &Path) -> Value {
    read(&night.join("nightly.json"))["entries"][0].clone()
}

#[test]
fn the_morning_says_which_commit() {
    let place = place();
    plan(&place, BUILD, "git:v1");
    let output = nightly(&place, &["--out", "nights/one"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let entry = entry(&place.path("nights/one"));
    assert_eq!(entry["bisect"]["over"], true, "{entry}");
    let words = entry["bisect"]["words"].as_str().unwrap();
    assert!(words.contains("change-4 lost the Elo"), "{words}");
    for file in ["nightly.md", "report.html"] {
        let text = fs::read_to_string(place.path("nights/one").join(file)).unwrap();
        assert!(text.contains("change-4 lost the Elo"), "{file}: {text}");
    }
    assert_eq!(read(&place.path("nights/one/tag.bisect/summary.json"))["named"], json!([4]));
    // The same regression in another night is not searched again.
    let output = nightly(&place, &["--out", "nights/two"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!place.path("nights/two/tag.bisect").exists());
    let dir = self::entry(&place.path("nights/two"))["bisect"]["dir"].as_str().unwrap().to_owned();
    assert!(dir.ends_with("nights/one/tag.bisect"), "{dir}");
}

/// Another repository, another recipe, another good commit: the search of an earlier night says nothing.
#[test]
fn what_asks_something_else_is_searched_anew() {
    let place = place();
    plan(&place, BUILD, "git:v1");
    assert_eq!(nightly(&place, &["--out", "nights/one"]).status.code(), Some(1));
    assert!(place.path("nights/one/tag.bisect").is_dir());
    place.git("clone --quiet . ../other");
    let slower = format!("true && {BUILD}");
    for (night, repo, build, base) in [
        ("nights/two", "other", BUILD, "git:v1"),
        ("nights/three", "repo", slower.as_str(), "git:v1"),
        ("nights/four", "repo", BUILD, "git:main~5"),
    ] {
        plan_in(&place, repo, build, base);
        let output = nightly(&place, &["--out", night]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let named = &read(&place.path(night).join("tag.bisect/bisect.json"))["repo"];
        assert!(named.as_str().unwrap().ends_with(repo), "{night}: {named}");
    }
}

/// A commit that an earlier night has named may be taken back since, and another one may have lost the Elo.
#[test]
fn a_later_bad_commit_is_searched_anew() {
    let place = Place::new(&[sound(1001), weak(1002)]);
    plan(&place, BUILD, "git:v1");
    assert_eq!(nightly(&place, &["--out", "nights/one"]).status.code(), Some(1));
    assert_eq!(read(&place.path("nights/one/tag.bisect/summary.json"))["named"], json!([2]));
    let earlier = place.git("rev-parse --short=10 main");
    for number in 3..=7 {
        place.commit(&sound(1000 + number), &format!("change-{number}"));
    }
    place.commit(&weak(1008), "change-8");
    let output = nightly(&place, &["--out", "nights/two"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(read(&place.path("nights/two/tag.bisect/summary.json"))["named"], json!([8]));
    let words = entry(&place.path("nights/two"))["bisect"]["words"].to_string();
    for told in ["change-8 lost the Elo", earlier.as_str(), "change-2 lost the Elo"] {
        assert!(words.contains(told), "{told}: {words}");
    }
}

/// A place with a night `nights/one`, whose search was stopped in a build.
fn stopped() -> Place {
    let place = place();
    // As long as there is a file, a build of the middle takes for ever.
    let here = place.0.path().display();
    let slow = format!(
        "[ -e {here}/wait ] && grep -q change-3 engine.sh && touch {here}/waits && sleep 300; {BUILD}"
    );
    plan(&place, &slow, "git:v1");
    fs::write(place.path("wait"), "").unwrap();
    let mut night = place.command(&["nightly", "plan.json", "--quiet", "--out", "nights/one"]);
    let mut night = night.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !place.path("waits").exists() {
        assert!(night.try_wait().unwrap().is_none(), "it ended before the build");
        sleep(Duration::from_millis(10));
    }
    signal(&night, libc::SIGTERM);
    assert_eq!(night.wait().unwrap().code(), Some(1));
    let first = entry(&place.path("nights/one"));
    assert_eq!(
        (&first["state"], &first["bisect"]["over"]),
        (&json!("finished"), &json!(false)),
        "{first}"
    );
    fs::remove_file(place.path("wait")).unwrap();
    place
}

/// What the morning has stopped goes on in the next night, also where commits have been added.
#[test]
fn the_next_night_goes_on() {
    let place = stopped();
    let searched = place.git("rev-parse --short=10 main");
    place.commit(&weak(1007), "change-7");
    let output = nightly(&place, &["--out", "nights/two"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!place.path("nights/two/tag.bisect").exists());
    let second = &entry(&place.path("nights/two"))["bisect"];
    assert!(second["dir"].as_str().unwrap().ends_with("nights/one/tag.bisect"), "{second}");
    for told in ["change-4 lost the Elo", searched.as_str()] {
        assert!(second["words"].as_str().unwrap().contains(told), "{told}: {second}");
    }
}

#[test]
fn without_a_regression_no_earlier_search_goes_on() {
    let place = stopped();
    let before = read(&place.path("nights/one/tag.bisect/steps.json"));
    place.commit(&sound(1007), "change-7");
    let output = nightly(&place, &["--out", "nights/two"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let second = entry(&place.path("nights/two"));
    assert_eq!(second["state"], "finished");
    assert!(second.get("bisect").is_none(), "{second}");
    assert_eq!(read(&place.path("nights/one/tag.bisect/steps.json")), before);
}

#[test]
fn what_cannot_be_searched_is_told_before_the_first_game() {
    let place = place();
    for (base, told) in [("embedded", "expected git:REV for base"), ("git:main~1", "no regression")]
    {
        plan(&place, BUILD, base);
        let output = nightly(&place, &["--out", "night"]);
        if base == "embedded" {
            assert_eq!(output.status.code(), Some(64), "{output:?}");
            assert!(said(&output).contains(told), "{}", said(&output));
            assert!(!place.path("night").exists());
        } else {
            // Equally weak: nothing to search.
            assert!(entry(&place.path("night")).get("bisect").is_none());
        }
    }
}
