//! What this program itself lacks to start its players is no player's fault: it is told before the first
//! game, or the run stops and goes on later.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{fs, io};

use super::{Place, scoundrel};

const PATIENCE: Duration = Duration::from_secs(60);
const PLAN: &str = "--restart --slots 2 --nodes 50 --max-moves 4 --draw off --resign off --seed 3";

/// As `ulimit -n`.
fn files(command: &mut Command, most: u64) -> &mut Command {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: a system call between fork and exec.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_NOFILE, &limit) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        })
    }
}

/// The same for a program that runs.
fn limit_files(child: &Child, most: u64) {
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: a plain system call; the child is not reaped yet.
    let done = unsafe { libc::prlimit(pid, libc::RLIMIT_NOFILE, &limit, std::ptr::null_mut()) };
    assert_eq!(done, 0, "{}", io::Error::last_os_error());
}

/// The number behind the last such words.
fn number(text: &str, words: &str) -> u64 {
    let digits = text.rsplit(words).next().unwrap().split(|c: char| !c.is_ascii_digit());
    digits.into_iter().next().unwrap().parse().unwrap_or_else(|_| panic!("{words:?} in {text}"))
}

#[test]
fn more_games_than_the_limits_allow_are_refused_with_a_number_that_would_do() {
    let place = Place::new();
    let players = format!("--test {0} --base {0}", scoundrel("seed:3"));
    let plan = format!("{PLAN} --pairs 4 {players}");
    place.play("whole", &plan).decided();
    let limited = |name: &str, concurrency: u64, most: u64| {
        let words = format!("{plan} --concurrency {concurrency}");
        let mut command = place.match_command(name, &words);
        place.played(name, files(&mut command, most).output().unwrap())
    };
    let refused = limited("refused", 20, 70);
    assert_eq!(refused.code, 64, "{}", refused.stderr);
    assert!(!refused.dir.exists(), "nothing was begun");
    let most = number(&refused.stderr, "--concurrency ");
    let files = number(&refused.stderr, "ulimit -n ");
    assert!((1..8).contains(&most) && files > 70, "{}", refused.stderr);
    for (name, concurrency, limit) in [("fewer-games", most, 70), ("more-files", 8, files)] {
        let played = limited(name, concurrency, limit).decided();
        assert_eq!(played.summary().faults.total, 0, "{}", played.stderr);
        assert_eq!(place.games(name), place.games("whole"));
        assert!(!played.stderr.contains("started again"), "{}", played.stderr);
    }
}

#[test]
fn a_run_that_can_start_nothing_any_more_stops_and_is_resumed() {
    let place = Place::new();
    let players = format!("--test {0} --base {0}", scoundrel("seed:3"));
    let plan = format!("{PLAN} --pairs 20 --concurrency 2 {players}");
    place.play("whole", &plan).decided();
    let child = place.match_command("run", &plan).spawn().unwrap();
    let journal = place.path("run").join("games.jsonl");
    let begun = Instant::now();
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        assert!(begun.elapsed() < PATIENCE);
        sleep(Duration::from_millis(1));
    }
    // Enough for our own files.
    limit_files(&child, 26);
    let stopped = place.played("run", child.wait_with_output().unwrap());
    assert_eq!(stopped.code, 74, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("Too many open files"), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("cannot be played here"), "{}", stopped.stderr);
    let resume = format!("continue with: verdict resume {}\n", stopped.dir.display());
    assert!(stopped.stderr.ends_with(&resume), "{}", stopped.stderr);
    assert_eq!(stopped.summary().faults.total, 0);
    let resumed = place.resume("run", "").decided();
    assert_eq!(resumed.summary().faults.total, 0, "{}", resumed.stderr);
    assert_eq!(place.games("run"), place.games("whole"));
}
