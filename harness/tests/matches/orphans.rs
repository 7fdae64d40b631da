//! However a run ends, none of its engines and of what they started is left.
#![cfg(target_os = "linux")]

use std::{
    fs,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use super::{Place, scoundrel, signal};

const PATIENCE: Duration = Duration::from_secs(60);
/// Two seconds on a machine that has nothing else to do.
const GONE: Duration = Duration::from_secs(15);
/// By this variable the processes of a run are known.
const MARK: &str = "VERDICT_ORPHANS";

/// Engines that obey nothing, each with a child in its group, in searches that never end.
const VICES: &str = "nephew ignore-quit ignore-term hang-go:1";

#[test]
fn nothing_outlives_the_runner() {
    let cases: [(&str, &[libc::c_int]); 5] = [
        ("killed", &[libc::SIGKILL]),
        ("terminated", &[libc::SIGTERM]),
        ("hung-up", &[libc::SIGHUP]),
        ("interrupted", &[libc::SIGINT, libc::SIGINT]),
        ("aborted", &[libc::SIGABRT]),
    ];
    for (name, signals) in cases {
        let place = Place::new();
        let test = scoundrel(VICES);
        let plan = "--pairs 50 --nodes 100 --hang 600s --concurrency 3 --slots 3";
        let mut command = place.match_command(name, &format!("{plan} --test {test}"));
        let child = command.env(MARK, place.path("")).spawn().unwrap();
        // The runner, its guard, three engines with a child each, and one that is idle at most.
        let begun = Instant::now();
        while place.marked().iter().filter(|line| line.contains("sleep")).count() < 3 {
            assert!(begun.elapsed() < PATIENCE, "{name}: {:?}", place.marked());
            sleep(Duration::from_millis(10));
        }
        for number in signals {
            sleep(Duration::from_millis(100));
            signal(&child, *number);
        }
        let sent = Instant::now();
        child.wait_with_output().unwrap();
        assert!(sent.elapsed() < GONE, "{name}: {:?}", sent.elapsed());
        while !place.marked().is_empty() {
            // The children would end by themselves later.
            assert!(sent.elapsed() < GONE, "{name} leaves {:?}", place.marked());
            sleep(Duration::from_millis(10));
        }
        println!("{name}: nothing left after {:?}", sent.elapsed());
    }
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
