//! Child programs: started so that they end with verdict; signals to them; how they ended, in
//! words.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use tokio::process::{Child, Command};

use super::own::{self, OwnChild};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Signal {
    Interrupt = libc::SIGINT,
    Terminate = libc::SIGTERM,
    /// For servers: read the configuration again.
    Hangup = libc::SIGHUP,
    Kill = libc::SIGKILL,
}

impl Signal {
    pub fn send(self, child: &Child) {
        if let Some(pid) = child.id() {
            // SAFETY: a plain system call; the child is not reaped yet, so the number is its own.
            unsafe { libc::kill(pid.cast_signed(), self as i32) };
        }
    }

    /// Sends it to a whole process group.
    pub fn send_to_group(self, group: i32) {
        // SAFETY: a plain system call; a group that is gone is no trouble.
        unsafe { libc::kill(-group, self as i32) };
    }
}

/// Starts a program in a process group of its own. It gets `at_our_end` when the starting thread
/// ends, and is killed when the child is dropped.
pub fn start_program(command: &mut Command, at_our_end: Signal) -> io::Result<(Child, OwnChild)> {
    command.process_group(0).kill_on_drop(true);
    end_with_us(command, at_our_end);
    own::start(|| {
        let child = command.spawn()?;
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
        Ok((child, pid.ok_or_else(|| io::Error::other("ended before it began"))?))
    })
}

/// Has the kernel send the child a signal when verdict ends, even by SIGKILL.
#[cfg(target_os = "linux")]
fn end_with_us(command: &mut Command, signal: Signal) {
    let parent = std::process::id();
    let ask = move || {
        // SAFETY: plain system calls, allowed between fork and exec.
        unsafe {
            if libc::prctl(libc::PR_SET_PDEATHSIG, signal as i32) == -1 {
                return Err(io::Error::last_os_error());
            }
            // Verdict may have ended before this request.
            if u32::try_from(libc::getppid()) != Ok(parent) {
                return Err(io::ErrorKind::NotConnected.into());
            }
        }
        Ok(())
    };
    // SAFETY: the closure only makes system calls and allocates nothing.
    unsafe { command.pre_exec(ask) };
}

/// On other systems the end of its input tells the program.
#[cfg(not(target_os = "linux"))]
fn end_with_us(_command: &mut Command, _signal: Signal) {}

/// The status of a program behind a shell or sandbox, which reports a signal as 128 plus its
/// number.
pub fn without_shell(status: ExitStatus) -> ExitStatus {
    const SIGNALS: std::ops::RangeInclusive<i32> = 129..=192;
    match status.code() {
        Some(code) if SIGNALS.contains(&code) => ExitStatus::from_raw(code - 128),
        _ => status,
    }
}

/// How a program ended, in words.
pub fn ending(status: ExitStatus) -> String {
    let Some(signal) = status.signal() else {
        return format!("exited with status {}", status.code().unwrap_or_default());
    };
    let name = match signal {
        libc::SIGHUP => " (SIGHUP)",
        libc::SIGINT => " (SIGINT)",
        libc::SIGILL => " (SIGILL, illegal instruction)",
        libc::SIGABRT => " (SIGABRT, aborted)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGFPE => " (SIGFPE, arithmetic error)",
        libc::SIGKILL => " (SIGKILL; by us, or for want of memory)",
        libc::SIGSEGV => " (SIGSEGV, segmentation fault)",
        libc::SIGPIPE => " (SIGPIPE)",
        libc::SIGTERM => " (SIGTERM)",
        _ => "",
    };
    format!("ended by signal {signal}{name}")
}

/// Whether a program ended by itself with an error: a status other than 0, or abort.
pub fn gave_up(status: ExitStatus) -> bool {
    match status.code() {
        Some(code) => code != 0,
        None => status.signal() == Some(libc::SIGABRT),
    }
}

pub fn is_killed(status: ExitStatus) -> bool {
    status.signal() == Some(libc::SIGKILL)
}
