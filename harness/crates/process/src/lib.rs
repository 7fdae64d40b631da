//! What verdict asks of the operating system, and nothing else does.
//!
//! - [`terminal`]: what is said on standard error, text made safe to show, the width of the window.
//! - [`signals`]: Ctrl-C, and what else asks a process to end.
//! - [`locked`]: files that one process at a time has.
//! - [`parallel`]: a list worked off by threads; [`progress`]: how far it is.
//! - [`plain_file`]: files that are read whole, up to a bound.
//! - [`children`]: programs that end with us; [`oom`]: which were killed for want of memory.
//! - [`cores`], [`affinity`], [`sched`]: processors, and who runs where.
//! - [`file_limit`], [`rlimit`], [`cpu_time`]: limits and clocks of processes.

pub mod affinity;
pub mod children;
pub mod cores;
pub mod cpu_time;
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

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a mutex guards, even if somebody has panicked who held it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
