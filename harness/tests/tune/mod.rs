//! `verdict tune` as its users run it.

mod books;
mod clop;
mod programs;
mod spsa;
mod texel;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::canonical::canonical;
use crate::common::verdict::verdict;
use engine::Params;
use serde_json::Value;

/// What tuners by games are given besides their parameters: `lazy.margin` and `material.pawn`.
const GAMES: &str = "--base embedded:default,lazy.on=true --nodes 60 --pairs 60 --batch 4 --seed 3 \
                     --max-moves 40 --hash 64KiB --confirm-pairs 4";

fn summary(dir: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(dir.join("summary.json")).unwrap()).unwrap()
}

/// A tuner by games, played to its end in the folder `t`, whose files are these besides what all have;
/// returns what it told.
fn ends_with_parameters_and_a_match(here: &Path, tune: &str, files: [&str; 2]) -> Value {
    let output = verdict(here, &format!("{tune} --quiet --json --out @t"));
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["pairs"], &told["over"]), (&60.into(), &true.into()));
    assert_eq!(told["confirmation"]["pairs"], 4);
    let t = here.join("t");
    for file in files.iter().chain(&["summary.md", "report.html", "confirm/summary.json"]) {
        assert!(t.join(file).is_file(), "{file}");
    }
    assert_eq!(canonical(&t, None).unwrap().lines().count(), 120);
    // What is written is what is told, and differs from the base in nothing else.
    let tuned = Params::load(t.join("tuned.json").to_str().unwrap()).unwrap();
    let mut base = Params::standard();
    base.set("lazy.on", "true").unwrap();
    for (name, _) in tuned.differences(&base) {
        assert!(["lazy.margin", "material.pawn"].contains(&name.as_str()), "{name}");
    }
    for parameter in told["parameters"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        let value: f64 = tuned.get(name).unwrap().parse().unwrap();
        assert_eq!(parameter["tuned"].as_f64(), Some(value), "{name}");
    }
    let page = fs::read(t.join("report.html")).unwrap();
    assert_eq!(verdict(here, "report @t --out @page.html").status.code(), Some(0));
    assert!(fs::read(here.join("page.html")).unwrap() == page);
    goes_on_where_it_was_killed(here, tune, (&told, &output));
    is_no_match_of_two_players(here, tune);
    // Its folder is its own.
    let again = verdict(here, &format!("{tune} --out @t"));
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && said.contains("verdict resume"), "{said}");
    told
}

/// Without the file that says so its games are known for a tuner's: nobody goes on with them as a match, or rates
/// settings as players.
fn is_no_match_of_two_players(here: &Path, tune: &str) {
    let said = |words: &str| {
        let output = verdict(here, words);
        assert_eq!(output.status.code(), Some(if words.starts_with("resume") { 74 } else { 64 }));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(said("ratings @cut").contains("found a tuner's"));
    let kind = tune.split_whitespace().nth(1).unwrap();
    let (file, away) = (here.join(format!("cut/{kind}.json")), here.join("away"));
    fs::rename(&file, &away).unwrap();
    let games = fs::read(here.join("cut/games.jsonl")).unwrap();
    let told = format!("its games are those of {kind}.json, which is missing");
    let refused = said("resume @cut");
    assert!(refused.contains(&told), "{refused}");
    assert!(said("ratings @cut").contains("found a tuner's"));
    let page = verdict(here, "report @cut --out @match.html");
    assert!(!page.status.success() && !here.join("match.html").exists(), "{page:?}");
    assert!(fs::read(here.join("cut/games.jsonl")).unwrap() == games);
    fs::rename(&away, &file).unwrap();
    for (part, told) in [("run.json", "no run.json"), ("games.jsonl", "no games.jsonl")] {
        let whole = here.join("cut").join(part);
        fs::rename(&whole, &away).unwrap();
        let refused = said("resume @cut");
        assert!(refused.contains(told) && !refused.contains("continue"), "{part}: {refused}");
        fs::rename(&away, &whole).unwrap();
    }
}

/// The same with an interruption, at other widths.
fn goes_on_where_it_was_killed(here: &Path, tune: &str, (told, whole): (&Value, &Output)) {
    let words = format!("{tune} --quiet --concurrency 1 --out {}/cut", here.display());
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_verdict")).args(words.split_whitespace()).spawn().unwrap();
    let lines = || fs::read_to_string(here.join("cut/games.jsonl")).unwrap_or_default();
    while lines().lines().count() < 30 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let list = || {
        let output = verdict(here, &format!("resume --in {}", here.display()));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(list().contains("/cut\n"), "{}", list());
    let rest = verdict(here, "resume @cut --quiet --concurrency 5");
    assert_eq!(rest.status.code(), whole.status.code(), "{rest:?}");
    assert_eq!(
        canonical(&here.join("cut"), None).unwrap(),
        canonical(&here.join("t"), None).unwrap()
    );
    assert_eq!(summary(&here.join("cut"))["parameters"], told["parameters"]);
    assert!(!list().contains("/cut\n"), "{}", list());
    let again = verdict(here, "resume @cut --quiet");
    assert_eq!(again.status.code(), whole.status.code(), "{again:?}");
}
