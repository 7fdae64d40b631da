//! `scripts/ci-match.sh` in a repository of an engine that is a shell script: what it plays, writes and
//! fails by.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/ci-match.sh");

const BUILD: &str = "cp engine.sh engine && chmod +x engine";

struct Place(tempfile::TempDir);

impl Place {
    /// A clone whose origin has a random mover as its main branch.
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.git(".", "init --quiet --bare origin.git");
        place.git(".", "clone --quiet origin.git repo");
        place.commit(&weak());
        place.git("repo", "push --quiet origin HEAD:main");
        place.git("repo", "fetch --quiet");
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn git(&self, folder: &str, words: &str) {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.at(folder));
        git.args(["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]);
        let output = git.args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
    }

    /// Writes the engine: a program, or how it is started.
    fn write(&self, program: &str) {
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = bench ]; then echo '1 nodes 7 nps'; else exec {program}; fi\n"
        );
        fs::write(self.at("repo/engine.sh"), text).unwrap();
    }

    fn commit(&self, program: &str) {
        self.write(program);
        self.git("repo", "add engine.sh");
        self.git("repo", "commit --quiet -m engine");
    }

    fn command(&self, folder: &str, options: &[&str], flags: &[&str]) -> Command {
        let mut command = Command::new(SCRIPT);
        command.env("VERDICT", env!("CARGO_BIN_EXE_verdict"));
        command.env("VERDICT_CACHE", self.at("cache"));
        command.env("GITHUB_STEP_SUMMARY", self.at("summary.md"));
        command.current_dir(self.at(folder)).args(options);
        command.args(["--", "--build", BUILD, "--binary", "engine", "--nodes", "40"]).args(flags);
        command
    }

    fn run(&self, options: &[&str], flags: &[&str]) -> Ran {
        Ran::of(self.command("repo", options, flags).output().unwrap())
    }

    fn summary(&self) -> String {
        fs::read_to_string(self.at("summary.md")).unwrap()
    }

    /// The matches that were begun.
    fn matches(&self) -> usize {
        fs::read_dir(self.at("repo/results/ci")).map_or(0, Iterator::count)
    }
}

#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    said: String,
}

impl Ran {
    fn of(output: Output) -> Ran {
        let said = [output.stdout, output.stderr].concat();
        Ran { code: output.status.code(), said: String::from_utf8_lossy(&said).into_owned() }
    }

    fn is(&self, code: i32, told: &str) {
        assert!(self.code == Some(code) && self.said.contains(told), "{code}, {told}: {self:?}");
    }
}

fn weak() -> String {
    env!("CARGO_BIN_EXE_scoundrel").to_owned()
}

fn strong() -> String {
    env!("CARGO_BIN_EXE_mutineer_process").to_owned()
}

/// Enough for a verdict between those two.
const DECIDES: [&str; 4] = ["--pairs", "40", "--rule", "sprt=0,50"];
const TOO_SHORT: [&str; 4] = ["--pairs", "2", "--max-moves", "4"];

#[test]
fn a_change_is_accepted_or_rejected() {
    let place = Place::new();
    place.run(&[], &DECIDES).is(0, "No match");
    assert!(place.summary().contains("No match"));
    place.commit(&strong());
    place.run(&[], &DECIDES).is(0, "Match: accepted");
    assert!(place.summary().contains(": ACCEPT"), "{}", place.summary());
    // The same job again plays nothing more.
    place.run(&[], &DECIDES).is(0, "going on with");
    assert_eq!(place.matches(), 1);

    // Another commit is another match, whatever the last one's verdict was.
    place.git("repo", "push --quiet origin HEAD:main");
    place.commit(&weak());
    place.run(&[], &DECIDES).is(1, "Match: rejected");
    assert_eq!(place.matches(), 2);
    assert!(place.summary().ends_with('\n') && place.summary().contains(": REJECT"));
    // So is a change that is not committed, and another rule.
    place.write(&format!("env {}", strong()));
    let other = place.at("other.md").display().to_string();
    place.run(&["--summary", &other], &TOO_SHORT).is(2, "Match: undecided");
    assert!(fs::read_to_string(other).unwrap().contains("UNDECIDED"));
    place.run(&["--undecided", "pass"], &TOO_SHORT).is(0, "going on with");
    place.write(&format!("{} first", weak()));
    let fewer = ["--pairs", "1", "--max-moves", "4"];
    place.run(&["--undecided", "pass"], &fewer).is(0, "Match: undecided");
    assert_eq!(place.matches(), 4);
}

#[test]
fn a_broken_engine_fails() {
    let place = Place::new();
    place.commit(&format!("{} exit-in-search:1", weak()));
    place.run(&["--undecided", "pass"], &["--pairs", "12"]).is(3, "Match: too many faults");
    // Without a build there is no result, and a later try is not hindered.
    place.git("repo", "rm --quiet engine.sh");
    fs::write(place.at("repo/other.sh"), "").unwrap();
    place.run(&[], &DECIDES).is(74, "No result");
    assert!(place.summary().contains("No result, exit code 74"), "{}", place.summary());
    place.run(&[], &DECIDES).is(74, "No result");
}

/// At the end of its time verdict is asked to end at once, and not to finish its games.
#[test]
fn the_time_bounds_running_games() {
    let place = Place::new();
    place.commit(&strong());
    // What follows --out is its folder.
    let program = "#!/bin/bash
while [ \"$1\" != --out ]; do shift; done
out=$2
mkdir -p \"$out\"
trap 'echo finishing games' INT
trap 'echo \"# ended at once\" >\"$out/summary.md\"; exit 2' TERM
while :; do sleep 0.05; done
";
    let stand_in = place.at("stand-in");
    fs::write(&stand_in, program).unwrap();
    fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = place.command("repo", &["--for", "3s"], &DECIDES);
    command.env("VERDICT", stand_in);
    Ran::of(command.output().unwrap()).is(2, "Match: undecided");
    assert!(place.summary().contains("# ended at once"), "{}", place.summary());
}

#[test]
fn what_is_missing_is_said() {
    let place = Place::new();
    place.commit(&strong());
    for (options, flags, code, told) in [
        (&["--base", "origin/none"][..], &DECIDES[..], 74, "git fetch"),
        (&["--undecided", "maybe"], &DECIDES, 64, "pass or fail"),
        (&["--rule", "los=95"], &DECIDES, 64, "after --"),
        (&["--base"], &[], 64, "expected a value"),
        (&["--for", "3x"], &DECIDES, 64, "found '3x'"),
        (&["--for", "0h"], &DECIDES, 64, "found '0h'"),
        (&["--for", "-1m"], &DECIDES, 64, "found '-1m'"),
        (&[], &["--test", "workdir"], 64, "--test is set by this script"),
        (&[], &["--pair", "3"], 64, "--pairs"),
    ] {
        place.run(options, flags).is(code, told);
    }
    let mut command = place.command("repo", &[], &DECIDES);
    command.env("VERDICT", "/no/verdict");
    Ran::of(command.output().unwrap()).is(74, "PATH");
    let mut command = place.command(".", &[], &DECIDES);
    command.env("GIT_CEILING_DIRECTORIES", Path::new("/"));
    Ran::of(command.output().unwrap()).is(74, "git repository");
    assert_eq!(place.matches(), 0);
}

/// As CI clones: one commit. The other one is fetched as the script says.
#[test]
fn shallow_clones() {
    let place = Place::new();
    place.git("repo", "checkout --quiet -b change");
    place.commit(&strong());
    place.git("repo", "push --quiet origin change");
    let origin = format!("file://{}", place.at("origin.git").display());
    place.git(".", &format!("clone --quiet --depth 1 --branch change {origin} shallow"));
    let run = || Ran::of(place.command("shallow", &[], &DECIDES).output().unwrap());
    let missing = run();
    missing.is(74, "origin/main is not in this clone");
    let (_, command) = missing.said.split_once("git fetch").unwrap();
    let (command, _) = command.split_once(" (").unwrap();
    place.git("shallow", &format!("fetch --quiet{command}"));
    run().is(0, "Match: accepted");
}
