//! Killed at any point and resumed, a bisection ends as it would have.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::place::{Place, Version, broken, sound, weak};
use crate::common::verdict::signal;

const PATIENCE: Duration = Duration::from_secs(60);

/// Ten changes, of which the fifth and the eighth do not build, and the loss in the seventh.
fn place() -> Place {
    let mut versions: Vec<Version> = (1..=6).map(|number| sound(1000 + number)).collect();
    versions[4] = broken();
    versions.extend((7..=10).map(|number| weak(1000 + number)));
    versions[7] = broken();
    Place::new(&versions)
}

/// Counts builds in `count`, and waits in one of them as long as there is a file `wait`.
fn build(place: &Place) -> String {
    let here = place.0.path().display();
    format!(
        "echo >> {here}/count; [ -e {here}/wait ] && [ $(wc -l < {here}/count) -ge 4 ] && touch \
         {here}/waits && sleep 300; [ ! -e broken ] && cp engine.sh toy && chmod +x toy"
    )
}

/// What must not depend on interruptions.
fn outcome(place: &Place, out: &str) -> Value {
    let mut summary = place.summary(out);
    for row in summary["commits"].as_array_mut().unwrap() {
        // The build command and its folder are told in it.
        row["why"] = Value::Null;
    }
    summary["conditions"] = Value::Null;
    summary
}

fn start(place: &Place, words: &[&str]) -> Child {
    let mut command = place.command(words);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn until(what: &str, child: &mut Child, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before {what}");
        assert!(begun.elapsed() < PATIENCE, "no {what}");
        sleep(Duration::from_millis(2));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_bisection_ends_as_it_would_have() {
    let place = place();
    let build = build(&place);
    let whole = place.bisect(&build, "whole", "");
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let expected = outcome(&place, "whole");
    assert_eq!(expected["named"], serde_json::json!([7]), "{expected}");

    // Killed in a build.
    fs::remove_dir_all(place.path("cache")).unwrap();
    fs::remove_file(place.path("count")).unwrap();
    fs::write(place.path("wait"), "").unwrap();
    let words = place.words(&build, "killed", "");
    let mut child = start(&place, &words);
    until("build", &mut child, || place.path("waits").exists());
    kill(child);
    fs::remove_file(place.path("wait")).unwrap();

    // Killed again and again while it plays, once after a commit was passed over.
    let steps = place.path("killed/steps.json");
    let passed = || fs::read_to_string(&steps).unwrap_or_default().contains("passed-over");
    let games = || {
        let runs = fs::read_dir(place.path("killed")).unwrap().flatten();
        let sizes = runs.filter_map(|run| fs::metadata(run.path().join("games.jsonl")).ok());
        sizes.map(|metadata| metadata.len()).sum::<u64>()
    };
    let is_over = || place.path("killed/summary.json").exists();
    let resume = ["resume", "killed", "--quiet"];
    for round in 0..3 {
        let (before, had_passed) = (games(), passed());
        let mut child = start(&place, &resume);
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() && begun.elapsed() < PATIENCE {
            let (more, newly) = (games() > before + 3000, passed() && !had_passed);
            if (round < 2 && more) || newly {
                break;
            }
            sleep(Duration::from_millis(2));
        }
        kill(child);
    }
    assert!(passed(), "nothing was passed over");
    // A build that failed is not tried again, and its commit stays passed over.
    let builds = fs::read_to_string(place.path("count")).unwrap().lines().count();
    let ended = place.command(&resume).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(is_over());
    assert_eq!(outcome(&place, "killed"), expected);
    let again = fs::read_to_string(place.path("count")).unwrap().lines().count();
    assert!(again - builds <= 6, "{builds} and {again} builds");
}

/// Ctrl-C finishes the running games; what is left is told, and listed.
#[test]
fn an_interrupted_bisection_says_how_to_go_on() {
    let place = place();
    let build = build(&place);
    let words = place.words(&build, "stopped", "");
    let mut child = start(&place, &words);
    let steps = place.path("stopped/steps.json");
    let has_games = || {
        let runs = fs::read_dir(place.path("stopped")).into_iter().flatten().flatten();
        runs.filter_map(|run| fs::metadata(run.path().join("games.jsonl")).ok())
            .any(|metadata| metadata.len() > 0)
    };
    until("game", &mut child, || steps.exists() && has_games());
    signal(&child, libc::SIGINT);
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let listed = place.command(&["resume", "--in", "."]).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("a bisection") && listed.contains("resume ./stopped"), "{listed}");
    let ended = place.command(&["resume", "stopped", "--quiet"]).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    place.bisect(&build, "whole", "");
    assert_eq!(outcome(&place, "stopped"), outcome(&place, "whole"));
}
