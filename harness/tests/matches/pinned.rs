//! `--pin` keeps engines, with all their threads, to the processors that it names.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use super::Place;
use super::conditions::mutineer;

/// The processors that the threads of a program may use, as the system lists them.
fn allowed(process: &str) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let status = |thread: PathBuf| fs::read_to_string(thread.join("status")).ok();
    let list = |text: String| {
        let line = text.lines().find(|line| line.starts_with("Cpus_allowed_list:"));
        line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()))
    };
    threads.filter_map(|thread| list(status(thread.path())?)).collect()
}

/// The engines that a process has started.
fn engines(runner: u32) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let all = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let started = |process: &String| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // Its name may have blanks, and stands between brackets.
        let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1));
        stat.contains("(mutineer") && parent == Some(&*runner.to_string())
    };
    all.filter(started).collect()
}

#[test]
fn engines_stay_where_they_are_pinned() {
    let place = Place::new();
    let all = allowed("self").swap_remove(0);
    let last = all.rsplit([',', '-']).next().unwrap();
    // Two games one after the other, so that processes come into a second one, too.
    let plan = format!(
        "--base {0} --test {0} --movetime 100ms --time-margin 30s --pairs 1 --max-moves 12 --draw off \
         --resign off --pin {last}",
        mutineer()
    );
    let mut runner = place.match_command("pinned", &plan).spawn().unwrap();
    let mut seen = 0;
    while runner.try_wait().unwrap().is_none() {
        let engines = engines(runner.id());
        let threads: Vec<String> = engines.iter().flat_map(|engine| allowed(engine)).collect();
        if engines.len() == 2 && threads.len() >= 4 && threads.iter().all(|list| list == last) {
            seen += 1;
        }
        sleep(Duration::from_millis(20));
    }
    let output = runner.wait_with_output().unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    // One processor was named, so there is one slot.
    let run = fs::read_to_string(place.path("pinned/run.json")).unwrap();
    assert!(run.contains(&format!("\"pin\": \"{last}\"")) && run.contains("\"slots\": 1"), "{run}");
    // Before its first game an engine is wherever it likes.
    assert!(seen >= 10, "{seen} looks found all threads on processor {last}");
}

#[test]
fn processors_that_are_not_there() {
    let place = Place::new();
    for (words, expected) in [
        ("--pin 4000", "which this process may use, found 4000"),
        ("--pin 0-x", "expected all, off, or processors like 2,3 or 0-3"),
        ("--pin --slots 1000", "expected at most"),
    ] {
        let played = place.play("refused", &format!("--nodes 50 --pairs 1 {words}"));
        assert_eq!(played.code, 64, "{words}: {}", played.stderr);
        assert!(played.stderr.contains(expected), "{words}: {}", played.stderr);
    }
}
