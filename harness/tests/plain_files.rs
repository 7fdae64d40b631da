//! Pipes, sockets and folders in the place of files: refused by name, never waited for.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the program, which must end: `@` stands for the place.
fn ends(place: &Path, words: &str) -> Output {
    let place = format!("{}/", place.display());
    let mut child = Command::new(env!("CARGO_BIN_EXE_verdict"))
        .args(words.split(' ').map(|word| word.replace('@', &place)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let until = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until || child.kill().is_err(), "{words}: still waiting");
        sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// Puts something else there, which is not to be let go before the program has ended.
fn replace(path: &Path, kind: &str) -> Option<UnixListener> {
    let _ = fs::remove_file(path);
    match kind {
        "a pipe" => {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
            None
        }
        _ => Some(UnixListener::bind(path).unwrap()),
    }
}

fn refuses(place: &Path, words: &str, name: &str) {
    let output = ends(place, words);
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(64 | 74)), "{words}: {code:?} {said}");
    assert!(said.contains(name), "{words}: {said}");
}

#[test]
fn a_run_with_pipes_for_files_is_refused() {
    let played = tempfile::tempdir().unwrap();
    let output = ends(played.path(), "match --pairs 1 --nodes 50 --max-moves 3 --quiet --out @run");
    assert!(played.path().join("run/games.jsonl").exists(), "{output:?}");
    for name in ["run.json", "games.jsonl"] {
        for kind in ["a pipe", "a socket"] {
            let dir = tempfile::tempdir().unwrap();
            let run = dir.path().join("run");
            fs::create_dir(&run).unwrap();
            for file in ["run.json", "games.jsonl"] {
                fs::copy(played.path().join("run").join(file), run.join(file)).unwrap();
            }
            let _held = replace(&run.join(name), kind);
            for words in ["stats @run", "resume @run", "report @run", "export @run", "ratings @run"]
            {
                let name = if words.starts_with("ratings") { "run" } else { name };
                refuses(dir.path(), words, name);
            }
        }
    }
}

#[test]
fn a_fault_with_pipes_for_files_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let fault = dir.path().join("run/faults/3");
    fs::create_dir_all(&fault).unwrap();
    replace(&fault.join("game.json"), "a pipe");
    refuses(dir.path(), "replay @run/faults/3", "game.json");
}

#[test]
fn pipes_in_a_folder_of_games_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let games = dir.path().join("games");
    fs::create_dir(&games).unwrap();
    fs::write(games.join("a.pgn"), "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n").unwrap();
    replace(&games.join("b.pgn"), "a pipe");
    refuses(dir.path(), "tables count @games --mit --out @counts", "b.pgn");
    refuses(dir.path(), "openings check @games/b.pgn", "b.pgn");
    refuses(dir.path(), "stats @games/b.pgn --test a", "b.pgn");
    refuses(dir.path(), "ratings @games/b.pgn", "b.pgn");
    refuses(dir.path(), "tune texel @games/b.pgn --out @tuned", "b.pgn");
    refuses(dir.path(), "match --pairs 1 --book @games/b.pgn --out @match", "b.pgn");
    refuses(dir.path(), "match --plan @games/b.pgn", "b.pgn");
}
