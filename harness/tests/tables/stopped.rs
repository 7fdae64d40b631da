//! Runs that are stopped, and go on.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tables::count::{MinedCounts, MitCounts, PstCounts};
use tables::{
    BadGame, Checkpoint, CountSettings, CountsFile, CrossCheck, FINGERPRINTS, Filter, GameTally,
    Input, MinePlan, Mined, Resolver, Scratch, Watcher, list, mine,
};

use super::{GAMES, refused, tables};
use crate::common::verdict::{signal, until_listening};

/// Stops a run at a number of games, and keeps the places of bad ones.
struct Stopper<'a> {
    stop: &'a AtomicBool,
    at: u64,
    bad: Vec<(String, u64, u64)>,
}

impl Watcher for Stopper<'_> {
    fn progress(&mut self, _bytes: u64, games: u64) {
        if games >= self.at {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn bad_game(&mut self, input: &Input, game: &BadGame) {
        self.bad.push((input.name.clone(), game.line, game.offset));
    }
}

/// Stopped again and again, through files: the same counts, hashes and lines as in one go.
#[test]
fn a_stopped_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let bad = "[Event \"bad\"]\n[Result \"1-0\"]\n\n1. e5 1-0\n\n";
    let text = format!("{GAMES}{bad}").repeat(300);
    fs::write(here.join("a.pgn"), &text).unwrap();
    fs::write(here.join("b.pgn.zst"), zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
    let inputs = list(&[here.join("a.pgn"), here.join("b.pgn.zst")]).unwrap();
    let plan = |threads: usize| MinePlan {
        wants: CountSettings { mit: true, pst: true, sample: 300, ..CountSettings::usual() },
        filter: Filter { dedup: true, ..Filter::default() },
        threads: NonZeroUsize::new(threads).unwrap(),
        resolver: Resolver::Masks,
        scratch: Scratch::default(),
    };
    let run = |earlier: Option<Mined>, at: u64, threads: usize, bad: &mut Vec<_>| {
        let stop = AtomicBool::new(false);
        let mut watcher = Stopper { stop: &stop, at, bad: Vec::new() };
        let mined = mine(&inputs, &plan(threads), earlier, &stop, &mut watcher).unwrap();
        bad.append(&mut watcher.bad);
        mined
    };
    let mut bad_at_once = Vec::new();
    let whole = run(None, u64::MAX, 1, &mut bad_at_once);
    assert!(whole.complete);
    assert_eq!(bad_at_once.len(), 1200, "a bad game and one without a result in each of 600 parts");

    let (mut earlier, mut bad_in_parts, mut stops) = (None, Vec::new(), 0);
    let last = loop {
        let games = earlier.as_ref().map_or(0, |mined: &Mined| mined.tally.games);
        let mined = run(earlier, games + 1, 2, &mut bad_in_parts);
        if mined.complete {
            break mined;
        }
        stops += 1;
        let Mined { counts, tally, read_state, .. } = mined;
        let inputs = read_state.inputs.clone();
        let checkpoint = Some(Checkpoint { read_state, ..Checkpoint::default() });
        let settings = plan(2).wants;
        let file = CountsFile { settings, counts, tally, inputs, checkpoint };
        file.write(&here.join("checkpoint")).unwrap();
        let file = CountsFile::read(&here.join("checkpoint")).unwrap();
        let read_state = file.checkpoint.unwrap().read_state;
        let (counts, tally) = (file.counts, file.tally);
        earlier = Some(Mined {
            counts,
            tally,
            read_state,
            cross_check: CrossCheck::default(),
            complete: false,
        });
    };
    // A run finishes what was dealt out before it stops: how much that is depends on the threads.
    assert!(stops > 1, "{stops}");
    assert!(last.counts == whole.counts && last.tally == whole.tally);
    assert_eq!(last.read_state, whole.read_state);
    assert_eq!(bad_in_parts, bad_at_once);
}

/// Games cannot be compared with those of a version that told them apart otherwise.
#[test]
fn older_fingerprints_are_not_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    let checkpoint = |dedup: bool, fingerprints: u32| {
        let inputs = list(&[here.join("g.pgn")]).unwrap();
        let texts = inputs.into_iter().map(|input| (input.name, input.bytes)).collect();
        let filter = Filter { dedup, ..Filter::default() };
        let stopped = Checkpoint { texts, filter, fingerprints, ..Checkpoint::default() };
        let counts = MinedCounts {
            mit: Some(MitCounts::default()),
            pst: Some(PstCounts::default()),
            ..MinedCounts::default()
        };
        let file = CountsFile {
            settings: CountSettings { mit: true, pst: true, ..CountSettings::usual() },
            counts,
            tally: GameTally::default(),
            inputs: Vec::new(),
            checkpoint: Some(stopped),
        };
        file.write(&here.join("c.checkpoint")).unwrap();
    };
    let words = "count @g.pgn --pst --mit --quiet --resume --out @c";
    checkpoint(true, 0);
    let said = refused(here, &format!("{words} --dedup"), 64);
    assert!(said.contains("fingerprints of another version"), "{said}");
    checkpoint(true, FINGERPRINTS);
    tables(here, &format!("{words} --dedup"));
    // Where games are not compared, it does not matter.
    checkpoint(false, 0);
    // Until all is written that is made of the counts, they can be gone on with.
    refused(here, &format!("{words} --json @none/c.json"), 74);
    assert!(here.join("c.checkpoint").exists());
    tables(here, words);
    assert!(!here.join("c.checkpoint").exists());
}

/// What was listed is in one list, and none but that is cut where the stopped run left it.
#[test]
fn a_list_of_bad_games_goes_on_in_itself() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    let inputs = list(&[here.join("g.pgn")]).unwrap();
    let texts = inputs.into_iter().map(|input| (input.name, input.bytes)).collect();
    let errors = Some(here.join("list").display().to_string());
    let stopped = Checkpoint { texts, errors, listed: 5, ..Checkpoint::default() };
    let file = CountsFile {
        settings: CountSettings { mit: true, ..CountSettings::usual() },
        counts: MinedCounts { mit: Some(MitCounts::default()), ..MinedCounts::default() },
        tally: GameTally::default(),
        inputs: Vec::new(),
        checkpoint: Some(stopped),
    };
    file.write(&here.join("c.checkpoint")).unwrap();
    fs::write(here.join("other"), "a file of the user's").unwrap();
    let words = "count @g.pgn --mit --quiet --resume --out @c --errors";
    let said = refused(here, &format!("{words} @other"), 64);
    assert!(said.contains("another list of bad games"), "{said}");
    assert_eq!(fs::read_to_string(here.join("other")).unwrap(), "a file of the user's");
    fs::write(here.join("list"), "1234").unwrap();
    let said = refused(here, &format!("{words} @list"), 74);
    assert!(said.contains("expected the 5 bytes"), "{said}");
    fs::write(here.join("list"), "1234\nno more").unwrap();
    tables(here, &format!("{words} @list"));
    let list = fs::read_to_string(here.join("list")).unwrap();
    assert!(list.starts_with("1234\n") && !list.contains("no more"), "{list}");
}

/// A run of the program that listens to Ctrl-C.
fn listening(words: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(["tables", "count"]).args(words.split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    until_listening(&mut child);
    child
}

/// Ctrl-C comes twice where it is held down: that throws nothing away. Nor does SIGTERM.
#[test]
#[cfg(target_os = "linux")]
fn a_second_interrupt_waits_for_the_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().display();
    fs::write(dir.path().join("g.pgn"), GAMES.repeat(2_000)).unwrap();
    for (first, pause) in [(libc::SIGINT, 1), (libc::SIGTERM, 5), (libc::SIGINT, 20)] {
        let words = format!("{here}/g.pgn --mit --quiet --threads 1 --resolve both --out {here}/c");
        let child = listening(&words);
        signal(&child, first);
        sleep(Duration::from_millis(pause));
        signal(&child, libc::SIGINT);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("the same command and --resume"), "{said}");
        let checkpoint = dir.path().join("c.checkpoint");
        assert!(CountsFile::read(&checkpoint).unwrap().checkpoint.is_some());
        fs::remove_file(checkpoint).unwrap();
    }
}

/// Waits until a thread of a program stands in a system call, and still does a little later. A read of
/// standard input is told by its first argument, too.
#[cfg(target_os = "linux")]
fn until_blocked(child: &Child, call: libc::c_long) {
    let call = if call == libc::SYS_read { format!("{call} 0x0 ") } else { format!("{call} ") };
    let blocked = || {
        let threads = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().flatten();
        let calls = threads.filter_map(|it| fs::read_to_string(it.path().join("syscall")).ok());
        calls.filter(|found| found.starts_with(&call)).collect::<Vec<String>>()
    };
    let until = Instant::now() + Duration::from_secs(60);
    let mut before = blocked();
    loop {
        assert!(Instant::now() < until, "not blocked in {call}");
        sleep(Duration::from_millis(5));
        let now = blocked();
        if !now.is_empty() && now == before {
            return;
        }
        before = now;
    }
}

/// What comes by a pipe cannot be kept, and the exit code says so; one signal is enough while the pipe is
/// silent.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_is_broken_off() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().display();
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (files, number) in [
        ("-", libc::SIGINT),
        ("-", libc::SIGTERM),
        // Nobody writes to it: it is not even open.
        (&*format!("{here}/pipe"), libc::SIGTERM),
    ] {
        let mut child = listening(&format!("{files} --mit --quiet --out {here}/c"));
        // Open until the end: verdict waits for games that never come.
        let mut input = child.stdin.take().unwrap();
        input.write_all(GAMES.as_bytes()).unwrap();
        until_blocked(&child, if files == "-" { libc::SYS_read } else { libc::SYS_openat });
        signal(&child, number);
        let until = Instant::now() + Duration::from_secs(60);
        while child.try_wait().unwrap().is_none() {
            assert!(
                Instant::now() < until || child.kill().is_err(),
                "{files}: one signal was not heard"
            );
            sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("nothing is saved"), "{said}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
