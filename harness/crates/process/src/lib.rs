//! What verdict needs from the operating system: processes, signals, terminal, processors, limits.
//!
//! - [`terminal`]: status lines on standard error, escaping of foreign text, the window's width.
//! - [`signals`]: SIGINT, SIGTERM and SIGHUP, received by one thread.
//! - [`locked`]: lock files; [`plain_file`]: regular files, read up to a size limit.
//! - [`parallel`]: maps a list over threads; [`progress`]: reports how far it is.
//! - [`children`]: child processes that end with verdict; [`oom`]: kills for lack of memory.
//! - [`cores`], [`affinity`], [`sched`]: processors, pinning, scheduling.
//! - [`Error`]: a message for the user, with the kind that gives the exit code.
//! - [`file_limit`], [`rlimit`], [`cpu_time`]: limits and CPU time of the process.

pub mod affinity;
pub mod children;
pub mod cores;
pub mod cpu_time;
mod error;
pub mod file_limit;
pub mod locked;
pub mod oom;
pub mod parallel;
pub mod plain_file;
pub mod progress;
pub mod rlimit;
pub mod sched;
pub mod signals;
pub mod terminal;

pub use error::{Context, Error, ErrorKind};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, and ignores poisoning.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
