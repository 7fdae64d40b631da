//! burglar: does what programs of others must not do to a machine, for the tests of the sandbox.
//!
//! `burglar read FILE`, `burglar connect PORT`, `burglar fork COUNT MARK`, `burglar allocate GIGABYTES`,
//! `burglar outlive MARK`, `burglar write FILE`. It says `done`, and ends with status 0, where it could.
//! `burglar sleep MARK` sleeps, and can be found by its mark.

use std::env::args;
use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let words: Vec<String> = args().collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let done = match word(1) {
        "read" => fs::read(word(2)).map(drop),
        "write" => fs::write(word(2), "burglar"),
        "connect" => TcpStream::connect(format!("127.0.0.1:{}", word(2))).map(drop),
        "fork" => fork(&words[0], number(word(2)), word(3)),
        "allocate" => allocate(number(word(2))),
        "outlive" => outlive(&words[0], word(2)),
        "sleep" => {
            sleep(LONG);
            Ok(())
        }
        other => Err(std::io::Error::other(format!("no crime: {other}"))),
    };
    match done {
        Ok(()) => {
            println!("done");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or(0)
}

fn sleeper(own: &str, mark: &str) -> std::io::Result<Child> {
    let mut command = Command::new(own);
    command.args(["sleep", mark]).stdin(Stdio::null()).stdout(Stdio::null());
    // Out of reach of those who end a group.
    command.process_group(0).env_clear().spawn()
}

fn fork(own: &str, count: usize, mark: &str) -> std::io::Result<()> {
    (0..count).try_for_each(|_| sleeper(own, mark).map(drop))
}

fn allocate(gigabytes: usize) -> std::io::Result<()> {
    let mut memory: Vec<u8> = Vec::new();
    memory.try_reserve_exact(gigabytes << 30).map_err(std::io::Error::other)
}

/// Leaves a child behind, and waits to be killed.
fn outlive(own: &str, mark: &str) -> std::io::Result<()> {
    sleeper(own, mark)?;
    println!("left");
    std::io::stdout().flush()?;
    sleep(LONG);
    Ok(())
}
