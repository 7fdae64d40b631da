//! The guard: a small helper process that outlives verdict for a moment. When verdict ends, it
//! kills the process groups of the engines, and processes that escaped from these groups.
//!
//! The kernel kills an engine itself when verdict ends, but not what the engine has started,
//! such as the engine behind a wrapper script. While verdict runs, it ends these itself; the guard
//! does so when verdict is killed.

use std::ffi::CStr;
use std::fs;
use std::io::{self, PipeWriter, Read as _, Write as _};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::OnceLock;

use super::escaped::Mark;
use super::own::{self, OwnChild};
use super::program::Signal;

/// Linux has no process ids from here on. A group beyond it is not guarded.
const MOST_GROUPS: usize = 1 << 22;
/// Set for a process id, not set for a group id.
const PROCESS: i32 = 1 << 28;
/// Name of the guard in process lists.
const NAME: &CStr = c"engine-guard";

/// The pipe to the guard; `None` if it could not be started.
static GUARD: OnceLock<Option<PipeWriter>> = OnceLock::new();

/// Starts the guard if it does not run yet. Without a guard only the engines themselves end with
/// verdict.
pub fn start() {
    GUARD.get_or_init(|| fork().ok());
}

/// Has the guard kill this process group if verdict ends before [`dismiss`].
pub fn charge(group: i32) {
    notify_guard(group);
}

pub fn dismiss(group: i32) {
    notify_guard(-group);
}

/// Has the guard kill this process if verdict ends before [`dismiss_process`].
pub fn charge_process(pid: i32) {
    notify_guard(pid | PROCESS);
}

pub fn dismiss_process(pid: i32) {
    notify_guard(-(pid | PROCESS));
}

/// A program that is no player, such as a build or a bench. It ends with verdict, together with
/// what it starts.
pub struct Guarded {
    /// The program, which leads a process group.
    pub child: Child,
    _own: OwnChild,
}

impl Guarded {
    /// Starts a program. The child process registers itself with the guard before it becomes the
    /// program, so it also ends if verdict ends right now.
    pub fn spawn(mut command: Command) -> io::Result<Guarded> {
        start();
        let (mut reader, writer) = io::pipe()?;
        let guard = GUARD.get().and_then(Option::as_ref).map_or(-1, AsRawFd::as_raw_fd);
        let pipes = [guard, writer.as_raw_fd()];
        let charge = move || {
            // SAFETY: plain system calls, allowed between fork and exec; a write may fail.
            unsafe {
                let number = libc::getpid().to_ne_bytes();
                for pipe in pipes {
                    libc::write(pipe, number.as_ptr().cast(), number.len());
                }
            }
            Ok(())
        };
        // SAFETY: the closure only makes system calls and allocates nothing; both pipes are open
        // until the program is there.
        unsafe { command.pre_exec(charge) };
        let started = own::start(|| {
            let child = command.process_group(0).spawn()?;
            let pid = child.id().cast_signed();
            Ok((child, pid))
        });
        match started {
            Ok((child, own)) => Ok(Guarded { child, _own: own }),
            Err(error) => {
                drop(writer);
                let mut number = [0; size_of::<i32>()];
                // The pipe is empty if the start failed earlier.
                if reader.read_exact(&mut number).is_ok() {
                    dismiss(i32::from_ne_bytes(number));
                }
                Err(error)
            }
        }
    }

    /// Sends a signal to the program.
    pub fn send(&self, signal: Signal) {
        // SAFETY: a plain system call; it is reaped where it is dropped, so the number is its own.
        unsafe { libc::kill(self.group(), signal as i32) };
    }

    /// Kills the program and what it has left behind.
    pub fn kill(&mut self) {
        // SAFETY: a plain system call; a group that is gone is no trouble.
        unsafe { libc::kill(-self.group(), libc::SIGKILL) };
        // Reaped here, so the number was its own until now.
        let _ = self.child.wait();
    }

    fn group(&self) -> i32 {
        self.child.id().cast_signed()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.kill();
        dismiss(self.group());
    }
}

fn notify_guard(number: i32) {
    if let Some(Some(pipe)) = GUARD.get() {
        // So few bytes are written at once, or not at all if the guard was killed.
        let mut pipe: &PipeWriter = pipe;
        let _ = pipe.write(&number.to_ne_bytes());
    }
}

fn fork() -> io::Result<PipeWriter> {
    let (reader, writer) = io::pipe()?;
    let limit = fs::read_to_string("/proc/sys/kernel/pid_max").ok();
    let limit = limit.and_then(|text| text.trim().parse().ok()).unwrap_or(MOST_GROUPS);
    // All memory that the child needs: after a fork with threads it must not allocate.
    let numbers = limit.min(MOST_GROUPS);
    let (mut groups, mut processes) = (vec![false; numbers], vec![false; numbers]);
    let escaped = Mark::of_all();
    // SAFETY: the child makes system calls only, on memory that it has, and never returns.
    let fork = || match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => unsafe { guard(reader.as_raw_fd(), [&mut groups, &mut processes], &escaped) },
        pid => Ok((writer, pid)),
    };
    let (writer, own) = own::start(fork)?;
    own.keep();
    Ok(writer)
}

/// What the child does.
///
/// # Safety
/// Only to be called in a child just forked; everything here is safe between fork and exec.
unsafe fn guard(pipe: i32, charges: [&mut [bool]; 2], escaped: &Mark) -> ! {
    let [groups, processes] = charges;
    // SAFETY: system calls on our own descriptors and memory.
    unsafe {
        // Out of reach of the terminal, and of signals to a whole session.
        libc::setsid();
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
            libc::signal(signal, libc::SIG_IGN);
        }
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
        // Closes inherited files: a reader of our output, the run's lock and the other end of the
        // pipe would otherwise wait for the guard.
        libc::dup2(pipe, 0);
        close_all_but_first();
        let mut message = [0_u8; size_of::<i32>()];
        loop {
            match libc::read(0, message.as_mut_ptr().cast(), message.len()) {
                4 => {
                    let number = i32::from_ne_bytes(message);
                    let who = number.unsigned_abs() as usize;
                    let charged = match who.checked_sub(PROCESS as usize) {
                        None => groups.get_mut(who),
                        Some(who) => processes.get_mut(who),
                    };
                    if let Some(charged) = charged {
                        *charged = number > 0;
                    }
                }
                -1 if *errno() == libc::EINTR => {}
                _ => break,
            }
        }
        // Not 0 and 1, which `kill` would read as groups.
        for (group, _) in groups.iter().enumerate().skip(2).filter(|(_, charged)| **charged) {
            libc::kill(-(group as i32), libc::SIGKILL);
        }
        for (pid, _) in processes.iter().enumerate().skip(2).filter(|(_, charged)| **charged) {
            libc::kill(pid as i32, libc::SIGKILL);
        }
        escaped.kill();
        libc::_exit(0)
    }
}

/// # Safety
/// No descriptor but 0 may be used any more.
unsafe fn close_all_but_first() {
    // SAFETY: closes what is not used any more.
    unsafe {
        #[cfg(target_os = "linux")]
        if libc::syscall(libc::SYS_close_range, 1, u32::MAX, 0) == 0 {
            return;
        }
        for descriptor in 1..65_536 {
            libc::close(descriptor);
        }
    }
}

#[cfg(target_os = "linux")]
unsafe fn errno() -> *mut i32 {
    // SAFETY: the address of this thread's own variable.
    unsafe { libc::__errno_location() }
}

#[cfg(not(target_os = "linux"))]
unsafe fn errno() -> *mut i32 {
    // SAFETY: the address of this thread's own variable.
    unsafe { libc::__error() }
}
