//! Processes that verdict has started.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::sync::Mutex;
use std::{fs, io};

use crate::lock;
use crate::stat::Stat;

/// Processes that are not reaped yet, with their start time in kernel ticks.
pub(super) static OWN: Mutex<BTreeMap<i32, u64>> = Mutex::new(BTreeMap::new());

/// One of our children, until it is reaped.
#[derive(Debug)]
pub struct OwnChild(i32);

impl OwnChild {
    pub fn pid(&self) -> i32 {
        self.0
    }

    /// The child starts nothing and lives as long as we do.
    pub fn keep(self) {
        lock(&OWN).insert(self.0, u64::MAX);
        std::mem::forget(self);
    }
}

impl Drop for OwnChild {
    fn drop(&mut self) {
        lock(&OWN).remove(&self.0);
    }
}

/// Starts a child: `spawn` returns it and its process id.
pub(super) fn start<T>(spawn: impl FnOnce() -> io::Result<(T, i32)>) -> io::Result<(T, OwnChild)> {
    // Locked, so that a pass does not see the child before it is listed.
    let mut children = lock(&OWN);
    let (child, pid) = spawn()?;
    let start = Stat::of(pid).map_or(0, |stat| stat.start);
    children.insert(pid, start);
    Ok((child, OwnChild(pid)))
}

/// Processes and threads of a user on this machine.
pub(super) fn tasks_of(user: u32) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let theirs = processes.filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        (entry.metadata().ok()?.uid() == user).then(|| entry.path().join("task"))
    });
    theirs.map(|tasks| fs::read_dir(tasks).map_or(0, |tasks| tasks.count() as u64)).sum()
}
