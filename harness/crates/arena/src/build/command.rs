//! The programs that a build runs: the compiler's version, the build command, the engine's bench.

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::repository;
use process::Error;
use process::children::guard::Guarded;

/// Lines shown of a failed command's log.
const TAIL: usize = 30;
/// Errors further up that are shown, too.
const ERRORS: usize = 10;
/// An engine that has not printed its bench by then counts as one without.
const BENCH_PATIENCE: Duration = Duration::from_secs(300);
const NAP: Duration = Duration::from_millis(20);

/// The versions of the compilers that this command may use: Rust's, and where cargo does not build,
/// those of C and C++.
pub(super) fn compilers(tree: &Path, command: &str) -> Option<String> {
    let query = |program: &str, words: &[&str]| {
        let output = Command::new(program).args(words).current_dir(tree).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    let mut versions: Vec<String> = query("rustc", &["-vV"]).into_iter().collect();
    if command.split_whitespace().next() != Some("cargo") {
        for (variable, default) in [("CC", "cc"), ("CXX", "c++"), ("", "clang")] {
            let named = env::var(variable).ok().filter(|name| !name.trim().is_empty());
            let named = named.unwrap_or_else(|| default.to_owned());
            // A compiler may be named with flags, or behind a wrapper.
            let words: Vec<&str> = named.split_whitespace().chain(["--version"]).collect();
            versions.extend(words.split_first().and_then(|(program, words)| query(program, words)));
        }
    }
    versions.dedup();
    (!versions.is_empty()).then(|| versions.join("\n"))
}

/// Returns how the command failed, if it did; its output goes into the log.
pub(super) fn run(command: &str, tree: &Path, log: &Path) -> Result<Option<String>, Error> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(tree);
    // Else the log of an earlier attempt would go on.
    let _ = fs::remove_file(log);
    run_shell(shell, tree, log)
}

/// As [`run`], for a shell that is set up already; what it says is added to the log.
pub(super) fn run_shell(
    mut shell: Command,
    tree: &Path,
    log: &Path,
) -> Result<Option<String>, Error> {
    let file = File::options().create(true).append(true).open(log);
    let file = file.map_err(Error::io(log, "create"))?;
    let both = file.try_clone().map_err(Error::io(log, "write"))?;
    repository::forget(&mut shell)
        // The build's own place for results, not that of whoever runs verdict.
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(both);
    let mut shell = Guarded::spawn(shell).map_err(Error::io(tree, "run the shell"))?;
    let status = shell.child.wait().map_err(Error::io(tree, "wait for the shell"))?;
    Ok((!status.success()).then(|| format!("ended with {status}")))
}

/// The end of a log, after the first errors that are further up.
pub(super) fn tail(log: &Path) -> String {
    tail_of(&String::from_utf8_lossy(&fs::read(log).unwrap_or_default()))
}

fn tail_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (before, last) = lines.split_at(lines.len().saturating_sub(TAIL));
    let is_error = |line: &&&str| line.to_ascii_lowercase().contains("error");
    let mut shown: Vec<&str> = before.iter().filter(is_error).take(ERRORS).copied().collect();
    if !shown.is_empty() {
        shown.push("[…]");
    }
    shown.extend(last);
    shown.join("\n")
}

/// The node total of `ENGINE bench`, if it ends well: the last line ends like `2737402 nodes 635582 nps`, as
/// OpenBench wants it, or a line is like Stockfish's `Nodes searched  : 2737402`.
pub fn bench(engine: &Path) -> Option<u64> {
    let mut bench = Command::new(engine);
    bench.arg("bench");
    bench_of(bench)
}

/// As [`bench()`], by the command that runs it.
pub fn bench_of(mut bench: Command) -> Option<u64> {
    bench.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut bench = Guarded::spawn(bench).ok()?;
    let output = reader(bench.child.stdout.take()?);
    let errors = reader(bench.child.stderr.take()?);
    let until = Instant::now() + BENCH_PATIENCE;
    // Lines of single positions look like the total that one which fails has not come to.
    let has_ended_well = loop {
        match bench.child.try_wait() {
            Ok(None) if Instant::now() < until => thread::sleep(NAP),
            ended => break matches!(ended, Ok(Some(status)) if status.success()),
        }
    };
    if !has_ended_well {
        return None;
    }
    // What it has started may hold its output open.
    drop(bench);
    let (output, errors) = (output.join().ok()?, errors.join().ok()?);
    nodes_in_last_line(&output)
        .or_else(|| nodes_searched(&output))
        .or_else(|| nodes_searched(&errors))
}

/// Reads concurrently with the program that writes.
fn reader(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        // What came until it failed is all there is.
        let _ = from.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    })
}

fn nodes_in_last_line(text: &str) -> Option<u64> {
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let at =
        words.iter().position(|word| word.trim_end_matches(':').eq_ignore_ascii_case("nodes"))?;
    words.get(at.checked_sub(1)?)?.parse().ok()
}

fn nodes_searched(text: &str) -> Option<u64> {
    let count = |line: &str| {
        line.trim()
            .strip_prefix("Nodes searched")?
            .trim_start()
            .strip_prefix(':')?
            .trim()
            .parse()
            .ok()
    };
    text.lines().rev().find_map(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_of_c_is_asked_where_cargo_does_not_build() {
        let here = Path::new(".");
        let own = compilers(here, "cargo build --release").unwrap();
        let all = compilers(here, "make -j2").unwrap();
        assert!(own.starts_with("rustc ") && all.starts_with(&own), "{own}");
        // Wherever this is built there is one.
        assert!(all.len() > own.len(), "{all}");
    }

    #[test]
    fn bench_lines() {
        assert_eq!(nodes_in_last_line("info x\n2737402 nodes 635582 nps\n\n"), Some(2_737_402));
        assert_eq!(nodes_in_last_line("Results: 99 nodes 5 nps"), Some(99));
        assert_eq!(nodes_in_last_line("nodes 5"), None);
        assert_eq!(nodes_in_last_line("uciok"), None);
        assert_eq!(nodes_in_last_line(""), None);
        let stockfish =
            "=====\nTotal time (ms) : 250\nNodes searched  : 259759\nNodes/second    : 1\n";
        assert_eq!(
            (nodes_in_last_line(stockfish), nodes_searched(stockfish)),
            (None, Some(259_759))
        );
        assert_eq!(nodes_searched("Nodes searched: x"), None);
    }

    #[test]
    fn a_bench_that_fails_says_nothing() {
        let dir = tempfile::tempdir().unwrap();
        for (name, end, expected) in
            [("good", "exit 0", Some(7)), ("bad", "exit 1", None), ("killed", "kill -9 $$", None)]
        {
            let engine = dir.path().join(name);
            fs::write(&engine, format!("#!/bin/sh\necho 7 nodes 1 nps\n{end}\n")).unwrap();
            let made = Command::new("chmod").arg("+x").arg(&engine).status().unwrap();
            assert!(made.success());
            assert_eq!(bench(&engine), expected, "{name}");
        }
    }

    #[test]
    fn an_error_is_shown_however_much_follows() {
        let rest = |count: usize| "more\n".repeat(count);
        let far = tail_of(&format!("gcc\nx.c:1:2: error: no such thing\n{}", rest(300)));
        assert!(far.starts_with("x.c:1:2: error: no such thing\n[…]\nmore\n"), "{far}");
        assert_eq!(far.lines().count(), 2 + TAIL);
        let near = tail_of(&format!("{}x.c:1:2: Error\nmore\n", rest(3)));
        assert_eq!(near.lines().count(), 5);
    }
}
