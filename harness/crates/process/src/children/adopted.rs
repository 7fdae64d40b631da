//! Adopted processes: descendants of engines whose parent has ended. They may have left their
//! process group and session, and cleared their environment. The kernel gives them to us, because
//! verdict is a "subreaper"; they cannot prevent that.
//!
//! The kernel does not say which engine an adopted process came from, but its engine is older.
//! So it is killed when no older engine is left.
//!
//! Only the program adopts processes: another user of this library has children of its own.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::guard;
use super::own::OWN;
use crate::lock;
use crate::stat::Stat;

/// Shortest time between two passes by the watches of all players. A pass takes 1 ms.
const REST: Duration = Duration::from_millis(50);
/// Pause between two passes: a killed process may leave children, which we adopt then.
const PAUSE: Duration = Duration::from_millis(5);
/// How long to repeat passes after the end of an engine. The watch goes on later.
const BEHIND_ENGINE: Duration = Duration::from_millis(100);
/// How long to repeat passes when verdict ends. On a busy machine killed processes take time to
/// end.
const IN_THE_END: Duration = Duration::from_secs(3);

static ADOPTING: AtomicBool = AtomicBool::new(false);
/// While it exists, we adopt orphans. When it is dropped, all our children are killed.
pub struct Orphans;

impl Orphans {
    /// Does nothing for a process that already gets the orphans of others: process 1 of a
    /// container, which ends together with the container, or a process that had children before it
    /// became verdict.
    pub fn adopt() -> Orphans {
        #[cfg(target_os = "linux")]
        if std::process::id() != 1 && children().is_empty() {
            // SAFETY: a plain system call.
            let done = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
            ADOPTING.store(done == 0, Ordering::Relaxed);
        }
        Orphans
    }

    /// Kills all our children, and the orphans that we adopt meanwhile.
    pub fn end() {
        end_all_of(true, IN_THE_END);
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        Orphans::end();
    }
}

/// Reaps adopted processes that have ended, kills those whose engine has ended, and has the guard
/// watch the others. Skipped if another player's watch has just done it.
pub fn look() {
    static LOOKS: Throttle = Throttle(Mutex::new(None));
    if ADOPTING.load(Ordering::Relaxed) && LOOKS.is_due(Instant::now()) {
        pass(false);
    }
}

/// Limits how often something is done that many threads ask for.
struct Throttle(Mutex<Option<Instant>>);

impl Throttle {
    /// Whether it is due `now`. If so, it counts as done.
    fn is_due(&self, now: Instant) -> bool {
        let mut last = lock(&self.0);
        let due = last.is_none_or(|last| now.saturating_duration_since(last) >= REST);
        if due {
            *last = Some(now);
        }
        due
    }
}

/// Repeats [`look`] until no process is left to kill.
pub fn end() {
    end_all_of(false, BEHIND_ENGINE);
}

fn end_all_of(everybody: bool, patience: Duration) {
    let until = Instant::now() + patience;
    while ADOPTING.load(Ordering::Relaxed) && pass(everybody) > 0 && Instant::now() < until {
        std::thread::sleep(PAUSE);
    }
}

/// One pass over our children. Returns how many were killed. `everybody`: also our own children,
/// except the guard, and those in our process group, such as git or a compiler.
fn pass(everybody: bool) -> usize {
    /// Adopted processes that the guard watches.
    static CHARGED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    // Locked, so that no child of our own is started during the pass.
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
                // Before its number is used again.
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
