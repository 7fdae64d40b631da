//! `scripts/nightly`: what it asks of `verdict nightly`, in a repository of its own, with programs that do
//! nothing in the places of cargo and verdict.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::script::script;

use harness::nightly::NightlyPlan;

/// Tools of the system that the script may use.
const TOOLS: [&str; 7] = ["bash", "sh", "git", "date", "dirname", "mkdir", "mv"];

struct Place {
    dir: tempfile::TempDir,
}

fn write_program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    script(path, text);
}

impl Place {
    /// A repository with a tag of ten days ago and a commit since, cargo in the user's folder only.
    fn new() -> Place {
        let place = Place { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.at("repo/scripts")).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/nightly");
        fs::copy(script, place.at("repo/scripts/nightly")).unwrap();
        let folders: Vec<PathBuf> =
            std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
        fs::create_dir_all(place.at("bin")).unwrap();
        for tool in TOOLS {
            let found = folders.iter().map(|folder| folder.join(tool)).find(|path| path.is_file());
            symlink(found.unwrap(), place.at("bin").join(tool)).unwrap();
        }
        write_program(&place.at(".cargo/bin/cargo"), "exit ${CARGO_CODE:-0}");
        // The folder's name is the last word.
        write_program(
            &place.at("repo/target/release/verdict"),
            "for out; do :; done\necho \"$@\"\n[ -n \"$REFUSES\" ] || echo {} >\"$out/nightly.json\"\nexit 2",
        );
        place.git("init --quiet --initial-branch=main .", "0 days ago");
        place.commit("10 days ago");
        place.git("tag v1", "0 days ago");
        place.commit("1 hour ago");
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn git(&self, words: &str, when: &str) -> String {
        let date = Command::new("date").args(["-d", when, "-R"]).output().unwrap();
        let date = String::from_utf8(date.stdout).unwrap();
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(words.split(' '))
            .env("GIT_AUTHOR_DATE", date.trim())
            .env("GIT_COMMITTER_DATE", date.trim())
            .current_dir(self.at("repo"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self, when: &str) {
        self.git("commit --quiet --allow-empty -m a", when);
    }

    /// Runs the script with no more of a surrounding than cron gives, from another folder.
    fn run(&self, words: &[&str], variables: &[(&str, &str)]) -> Output {
        Command::new(self.at("repo/scripts/nightly"))
            .args(words)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("PATH", self.at("bin"))
            .envs(variables.iter().copied())
            .current_dir(self.dir.path())
            .output()
            .unwrap()
    }

    fn plan(&self) -> NightlyPlan {
        NightlyPlan::read(&self.at("night/plan.json")).unwrap()
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_night_goes_on_with_the_plan_it_was_begun_with() {
    let place = Place::new();
    // A wrong plan, by which nothing is played, is made again.
    place.run(&["07:00", "night"], &[("TC", "wrong \"time\""), ("REFUSES", "1")]);
    assert_eq!(place.plan().matches[0].flags["tc"], "wrong \"time\"");
    let first = place.run(&["07:00", "night"], &[("TC", "2+0.1")]);
    assert_eq!(first.status.code(), Some(2), "{first:?}");
    let words = String::from_utf8(first.stdout).unwrap();
    let night = place.at("night").display().to_string();
    assert_eq!(words.trim(), format!("nightly {night}/plan.json --until 07:00 --out {night}"));
    let plan = place.plan();
    let [tag, head] = ["v1", "main"].map(|rev| place.git(&format!("rev-parse {rev}"), "now"));
    // What was a week ago is the tag, too.
    for (entry, name) in plan.matches.iter().zip(["last-tag", "a-week-ago"]) {
        assert_eq!(entry.name, name);
        let flags = ["base", "test", "tc"].map(|key| entry.flags[key].as_str().unwrap().to_owned());
        assert_eq!(flags, [format!("git:{tag}"), format!("git:{head}"), "2+0.1".to_owned()]);
    }
    place.commit("1 minute ago");
    let again = place.run(&["07:00", "night"], &[("TC", "3+0.1")]);
    assert!(told(&again).contains("going on with") && told(&again).contains("TC is not looked at"));
    assert_eq!(place.plan(), plan);
}

#[test]
fn what_is_missing_is_said() {
    let place = Place::new();
    for (words, code, expected) in [
        (&["25:00"][..], 64, "expected a time of the day like 07:00, found '25:00'"),
        (&["07:00", "a", "b"], 64, "found 3 words"),
    ] {
        let output = place.run(words, &[]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(told(&output).contains(expected), "{output:?}");
    }
    let output = place.run(&["07:00", "night"], &[("CARGO_CODE", "101")]);
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(told(&output).contains("verdict does not build"), "{output:?}");
    fs::remove_file(place.at(".cargo/bin/cargo")).unwrap();
    let output = place.run(&["07:00", "night"], &[]);
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(told(&output).contains("cannot find cargo"), "{output:?}");
    fs::remove_dir_all(place.at("repo/.git")).unwrap();
    write_program(&place.at(".cargo/bin/cargo"), "");
    let output = place.run(&["07:00", "night"], &[]);
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(told(&output).contains("expected a git repository"), "{output:?}");
    assert!(!place.at("night").exists());
}
