//! What verdict asks of the operating system, and nothing else does.
//!
//! - [`terminal`]: what is said on standard error, text made safe to show, the width of the window.
//! - [`signals`]: Ctrl-C, and what else asks a process to end.
//! - [`locked`]: files that one process at a time has.
//! - [`parallel`]: a list worked off by threads; [`progress`]: how far it is.
//! - [`plain_file`]: files that are read whole, up to a bound.
//! - [`file_limit`], [`cpu_time`]: limits and clocks of processes.

pub mod cpu_time;
pub mod file_limit;
pub mod locked;
pub mod parallel;
pub mod plain_file;
pub mod progress;
pub mod signals;
pub mod terminal;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a mutex guards, even if somebody has panicked who held it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
