//! The program as its users run it.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::Duration;

/// Runs the program with these words; `@` stands for a place.
pub(crate) fn verdict(place: &Path, words: &str) -> Output {
    let place = format!("{}/", place.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.args(words.split_whitespace().map(|word| word.replace('@', &place)));
    command.output().unwrap()
}

/// No file grows beyond so many bytes: how a full disk or a quota looks from inside.
pub(crate) fn limited(command: &mut Command, bytes: u64) -> &mut Command {
    // SAFETY: a system call between fork and exec.
    unsafe {
        command.pre_exec(move || {
            let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        })
    }
}

/// Waits until a running program listens to Ctrl-C.
pub(crate) fn until_listening(child: &mut Child) {
    let listens = |id: u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() >> (libc::SIGINT - 1) & 1 == 1
    };
    while !listens(child.id()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        sleep(Duration::from_millis(5));
    }
}

/// A command that heeds a closed terminal, though whoever runs the tests may not.
pub(crate) fn heeding_hangup(command: &mut Command) -> &mut Command {
    // SAFETY: a plain system call.
    let heed = || match unsafe { libc::signal(libc::SIGHUP, libc::SIG_DFL) } {
        libc::SIG_ERR => Err(io::Error::last_os_error()),
        _ => Ok(()),
    };
    // SAFETY: nothing but that call is done between fork and exec.
    unsafe { command.pre_exec(heed) }
}

pub(crate) fn signal(child: &Child, signal: libc::c_int) {
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    // SAFETY: a plain system call; the child is not reaped yet, so the number is its own.
    unsafe { libc::kill(pid, signal) };
}
