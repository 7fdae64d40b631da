//! Processes that have come to us since those that started them have ended: descendants of our
//! engines that have left their groups, their sessions and their variables. The kernel brings them
//! here (we are a "subreaper"), and nothing that they do can change that.
//!
//! Whose descendant one was is not known any more, but it is no older than its engine. So it is
//! killed when no engine is left that is older.
//!
//! Only the program does so: a process that merely uses this library has children of its own.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::guard;
use super::own::{OWN, Stat};
use crate::lock;

/// Between two looks by the watches of all hosts, at least: a look takes a millisecond.
const REST: Duration = Duration::from_millis(50);
/// Pause between two scans: who is killed may leave children, which come to us then.
const PAUSE: Duration = Duration::from_millis(5);
/// How long to scan after an engine's end; the watch will look again.
const BEHIND_ENGINE: Duration = Duration::from_millis(100);
/// How long to scan at exit. On a busy machine dying takes its time.
const IN_THE_END: Duration = Duration::from_secs(3);

static ADOPTING: AtomicBool = AtomicBool::new(false);
/// As long as it lives, orphans come to us; then all our children are killed.
pub struct Orphans;

impl Orphans {
    /// Not where others' orphans would come, too: to the first process of a container, which ends
    /// with it anyway, or to one that became this program and had children before.
    pub fn adopt() -> Orphans {
        #[cfg(target_os = "linux")]
        if std::process::id() != 1 && children().is_empty() {
            // SAFETY: a plain system call.
            let done = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
            ADOPTING.store(done == 0, Ordering::Relaxed);
        }
        Orphans
    }

    /// Kills all our children, and all that come to us by that.
    pub fn end() {
        end_all_of(true, IN_THE_END);
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        Orphans::end();
    }
}

/// Lets those go that have ended, kills those whose engine has, and has the others guarded; unless
/// another host has just done so.
pub fn look() {
    static LOOKS: Throttle = Throttle(Mutex::new(None));
    if ADOPTING.load(Ordering::Relaxed) && LOOKS.is_due(Instant::now()) {
        pass(false);
    }
}

/// When something was done last that many ask for and that need not be done often.
struct Throttle(Mutex<Option<Instant>>);

impl Throttle {
    /// Whether it is due `now`; then it counts as done.
    fn is_due(&self, now: Instant) -> bool {
        let mut last = lock(&self.0);
        let due = last.is_none_or(|last| now.saturating_duration_since(last) >= REST);
        if due {
            *last = Some(now);
        }
        due
    }
}

/// The same, until nobody is left to be killed.
pub fn end() {
    end_all_of(false, BEHIND_ENGINE);
}

fn end_all_of(everybody: bool, patience: Duration) {
    let until = Instant::now() + patience;
    while ADOPTING.load(Ordering::Relaxed) && pass(everybody) > 0 && Instant::now() < until {
        std::thread::sleep(PAUSE);
    }
}

/// Kills and reaps adopted processes; returns how many it killed. `everybody`: also our own
/// children, except the guard, and those of our group, as git or a compiler.
fn pass(everybody: bool) -> usize {
    /// Those that have come to us and that the guard knows.
    static CHARGED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    // No child of our own is started meanwhile.
    let (mut charged, own) = (lock(&CHARGED), lock(&OWN));
    // SAFETY: a plain system call.
    let our_group = unsafe { libc::getpgrp() };
    let oldest = own.values().copied().min().unwrap_or(u64::MAX);
    let mut killed = 0;
    for pid in children() {
        let began = own.get(&pid).copied();
        let Some(stat) = Stat::of(pid) else { continue };
        let spared =
            began == Some(u64::MAX) || (!everybody && (began.is_some() || stat.group == our_group));
        if spared || (began.is_some() && stat.ended) {
            continue;
        }
        if stat.ended {
            if charged.remove(&pid) {
                // Before its number can be another's.
                guard::dismiss_process(pid);
            }
            // SAFETY: a plain system call that does not wait.
            unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
        } else if everybody || stat.start < oldest {
            // SAFETY: a plain system call; the number is our child's until it is reaped.
            unsafe { libc::kill(pid, libc::SIGKILL) };
            killed += 1;
        } else if charged.insert(pid) {
            guard::charge_process(pid);
        }
    }
    killed
}

fn children() -> Vec<i32> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_hosts_look_as_often_as_one() {
        let (throttle, began) = (Throttle(Mutex::new(None)), Instant::now());
        let looks = |hosts: u64| {
            let ticks = (0..10).flat_map(|tick| (0..hosts).map(move |host| tick * 100 + host));
            let times =
                ticks.map(|ms| began + Duration::from_secs(hosts) + Duration::from_millis(ms));
            times.filter(|now| throttle.is_due(*now)).count()
        };
        assert_eq!((looks(1), looks(20)), (10, 10));
    }
}
