//! However a run ends, none of its engines and of what they started is left.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Place, scoundrel, signal};
use crate::common::verdict::{heeding_hangup, until_listening};

const PATIENCE: Duration = Duration::from_secs(60);
/// Two seconds on a machine that has nothing else to do.
const GONE: Duration = Duration::from_secs(15);
/// By this variable the processes of a run are known.
const MARK: &str = "VERDICT_ORPHANS";

/// Engines that obey nothing, in searches that never end.
const VICES: &str = "ignore-quit ignore-term hang-go:1";
/// Each has a child in its group, or one outside of it, in a session of its own.
const CHILDREN: [&str; 2] = ["nephew", "runaway"];

#[test]
fn nothing_outlives_the_runner() {
    let cases: [(&str, &[libc::c_int]); 5] = [
        ("killed", &[libc::SIGKILL]),
        ("terminated", &[libc::SIGTERM]),
        ("hung-up", &[libc::SIGHUP]),
        ("interrupted", &[libc::SIGINT, libc::SIGINT]),
        ("aborted", &[libc::SIGABRT]),
    ];
    let each = cases.iter().flat_map(|case| CHILDREN.map(|child| (case, child)));
    for ((name, signals), child) in each {
        let place = Place::new();
        let test = scoundrel(&format!("{child} {VICES}"));
        let plan = "--pairs 50 --nodes 100 --hang 600s --concurrency 3 --slots 3";
        let mut command = place.match_command(name, &format!("{plan} --test {test}"));
        let runner = heeding_hangup(command.env(MARK, place.path(""))).spawn().unwrap();
        // The runner, its guard, three engines with a child each, and one that is idle at most.
        let begun = Instant::now();
        while place.marked().iter().filter(|line| line.contains("sleep")).count() < 3 {
            assert!(begun.elapsed() < PATIENCE, "{name}: {:?}", place.marked());
            sleep(Duration::from_millis(10));
        }
        for number in *signals {
            sleep(Duration::from_millis(200));
            signal(&runner, *number);
        }
        let sent = Instant::now();
        runner.wait_with_output().unwrap();
        assert!(sent.elapsed() < GONE, "{name}, {child}: {:?}", sent.elapsed());
        while !place.marked().is_empty() {
            // The children would end by themselves later.
            assert!(sent.elapsed() < GONE, "{name}, {child}: leaves {:?}", place.marked());
            sleep(Duration::from_millis(10));
        }
        println!("{name}, {child}: nothing left after {:?}", sent.elapsed());
    }
}

/// A child in a session of its own ends with its engine, not only with the match.
#[test]
fn what_an_engine_leaves_behind_ends_with_it() {
    let place = Place::new();
    let test = scoundrel("runaway");
    let plan = format!("--pairs 2 --nodes 100 --max-moves 9 --restart --test {test}");
    let mut command = place.match_command("run", &format!("{plan} --concurrency 1 --interval 1"));
    let output = command.env(MARK, place.path("")).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    let left = place.marked().into_iter().filter(|line| line.contains("sleep"));
    assert_eq!(left.collect::<Vec<_>>(), [""; 0]);
}

/// Neither parent nor session nor variables tell whose it is; it ends with its engine all the same.
#[test]
fn a_daemon_ends_with_its_engine() {
    let place = Place::new();
    let sleeps = |number: &str| {
        let words = format!("/bin/sleep\x0020.{number}\0");
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|dir| fs::read(dir.path().join("cmdline")).ok());
        lines.filter(|line| line == words.as_bytes()).count()
    };
    // Other tests have their own.
    let number = format!("{}1", std::process::id());
    let test = scoundrel(&format!("daemon:{number}"));
    let plan = format!("--pairs 2 --nodes 100 --max-moves 9 --restart --test {test}");
    let mut command = place.match_command("run", &format!("{plan} --concurrency 1"));
    let mut runner = command.spawn().unwrap();
    let mut most = 0;
    while runner.try_wait().unwrap().is_none() {
        most = most.max(sleeps(&number));
        sleep(Duration::from_millis(1));
    }
    let output = runner.wait_with_output().unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    // There were five: of each game, and of the first start.
    assert!((1..5).contains(&most), "{most} at once");
    assert_eq!(sleeps(&number), 0);

    // And with a run that is broken off.
    let number = format!("{}2", std::process::id());
    let test = scoundrel(&format!("daemon:{number} {VICES}"));
    let plan = format!("--pairs 50 --nodes 100 --hang 600s --concurrency 3 --test {test}");
    let mut runner = place.match_command("broken-off", &plan).spawn().unwrap();
    let begun = Instant::now();
    while sleeps(&number) < 2 {
        assert!(begun.elapsed() < PATIENCE);
        sleep(Duration::from_millis(10));
    }
    until_listening(&mut runner);
    signal(&runner, libc::SIGTERM);
    runner.wait_with_output().unwrap();
    assert_eq!(sleeps(&number), 0);
}

impl Place {
    /// The processes of this place's runs.
    fn marked(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.path("").display());
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let marked = processes.filter(|dir| {
            let environment = fs::read(dir.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
        });
        let words = |dir: &Path| fs::read_to_string(dir.join("cmdline")).unwrap_or_default();
        marked.map(|dir| words(&dir).replace('\0', " ")).collect()
    }
}
