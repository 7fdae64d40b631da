//! What verdict needs from the operating system: processes, signals, terminal, processors, limits.
//!
//! - [`terminal`]: status lines on standard error, escaping of foreign text, the window's width.
//! - [`signals`]: SIGINT, SIGTERM and SIGHUP, received by one thread.
//! - [`locked`]: lock files; [`plain_file`]: regular files, read up to a size limit;
//!   [`files`]: their permissions, identity, links.
//! - [`parallel`]: maps a list over threads; [`progress`]: reports how far it is.
//! - [`children`]: child processes that end with verdict; [`pipe`]: their input and output.
//! - [`Error`]: a message for the user, with the kind that gives the exit code.
//! - [`lack`]: errors that say what the system has run out of; [`oom`]: kills for lack of memory.
//! - [`limits`]: what this process may use; [`cpu_time`]: what it and others have used.
//! - [`machine`], [`affinity`], [`sched`]: processors and memory, pinning, scheduling.
//! - [`random`]: random numbers for secrets.

pub mod affinity;
pub mod children;
pub mod cpu_time;
mod error;
pub mod files;
pub mod lack;
pub mod limits;
pub mod locked;
pub mod machine;
pub mod oom;
pub mod parallel;
pub mod pipe;
pub mod plain_file;
pub mod progress;
pub mod random;
pub mod sched;
pub mod signals;
mod stat;
pub mod terminal;

pub use error::{Context, Error, ErrorKind};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, and ignores poisoning.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
