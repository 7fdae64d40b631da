//! `verdict match` and `verdict resume` as their users run them.

mod books;
mod conditions;
mod determinism;
mod disk;
mod faults;
mod interruption;
mod lack;
mod openings;
mod orphans;
mod pinned;
mod planted;
mod preflight;
mod quitting;
mod replay;
mod selfcheck;
mod standstill;
mod tampered;
mod usage;
mod warnings;
mod xboard;

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use crate::common::canonical::canonical;
use arena::record::Summary;
use tempfile::TempDir;

/// A folder for one test's runs.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Place {
        Place { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The program with these words; `@` stands for this place.
    fn verdict(&self, words: &str) -> Command {
        let place = format!("{}/", self.dir.path().display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.args(words.split_whitespace().map(|word| word.replace('@', &place)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// `verdict match` from the small test book into the run folder `name`.
    fn match_command(&self, name: &str, words: &str) -> Command {
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
        self.verdict(&format!("match --book {book} --quiet --out @{name} {words}"))
    }

    fn play(&self, name: &str, words: &str) -> Played {
        self.played(name, self.match_command(name, words).output().unwrap())
    }

    fn resume(&self, name: &str, words: &str) -> Played {
        let output = self.verdict(&format!("resume @{name} --quiet {words}")).output().unwrap();
        self.played(name, output)
    }

    fn played(&self, name: &str, output: Output) -> Played {
        let code = output.status.code().unwrap_or(-1);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Played {
            dir: self.path(name),
            code,
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// The run's games, sorted, without their times.
    fn games(&self, name: &str) -> String {
        canonical(&self.path(name), None).unwrap()
    }
}

/// A run that has ended.
struct Played {
    dir: PathBuf,
    code: i32,
    stdout: String,
    stderr: String,
}

impl Played {
    /// The same, if it ended with a verdict.
    #[track_caller]
    fn decided(self) -> Played {
        assert!([0, 1, 2].contains(&self.code), "exit code {}: {}", self.code, self.stderr);
        self
    }

    fn summary(&self) -> Summary {
        Summary::read(&self.dir).unwrap()
    }
}

fn scoundrel(vices: &str) -> String {
    let program = env!("CARGO_BIN_EXE_scoundrel");
    vices.split_whitespace().fold(format!("uci:{program}"), |spec, vice| spec + ",arg=" + vice)
}

fn rascal(vices: &str) -> String {
    let program = env!("CARGO_BIN_EXE_rascal");
    vices.split_whitespace().fold(format!("xboard:{program}"), |spec, vice| spec + ",arg=" + vice)
}

fn signal(child: &Child, signal: libc::c_int) {
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    // SAFETY: a plain system call; the child is not reaped yet, so the number is its own.
    unsafe { libc::kill(pid, signal) };
}
