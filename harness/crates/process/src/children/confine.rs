//! Resource limits of a program and of what it starts, enforced by the kernel.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use super::own::tasks_of;

/// `None`: no limit beyond our own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Address space of each process, in bytes.
    pub memory: Option<u64>,
    /// Processes and threads, in addition to those that its user already has.
    pub tasks: Option<u64>,
    /// Size of each file that it writes, in bytes.
    pub file: Option<u64>,
}

/// The user `nobody`: programs run as this user where we are root.
pub(super) const NOBODY: u32 = 65_534;

pub(super) fn user_id() -> u32 {
    // SAFETY: a plain question to the system.
    unsafe { libc::geteuid() }
}

pub(super) fn is_superuser() -> bool {
    user_id() == 0
}

impl Allowance {
    /// Sets the limits for `command`. `as_nobody`: it will run as [`NOBODY`].
    pub(super) fn impose(self, command: &mut Command, as_nobody: bool) {
        let user = if as_nobody { NOBODY } else { user_id() };
        let tasks = self.tasks.map(|tasks| tasks.saturating_add(tasks_of(user)));
        let limits = [
            (libc::RLIMIT_AS, self.memory),
            (libc::RLIMIT_NPROC, tasks),
            (libc::RLIMIT_FSIZE, self.file),
            // No core files.
            (libc::RLIMIT_CORE, Some(0)),
        ];
        let limit = move || {
            for (resource, most) in limits {
                let Some(most) = most else { continue };
                let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                // SAFETY: plain system calls on memory of our own, allowed between fork and exec.
                unsafe {
                    libc::getrlimit(resource, &raw mut now);
                    // A hard limit can only be lowered.
                    let most = most.min(now.rlim_max);
                    let new = libc::rlimit { rlim_cur: most, rlim_max: most };
                    if libc::setrlimit(resource, &raw const new) != 0 {
                        return Err(io::Error::last_os_error());
                    }
                }
            }
            Ok(())
        };
        // SAFETY: the closure only makes system calls and allocates nothing.
        unsafe { command.pre_exec(limit) };
    }
}
