//! Processes that have come to us since those that started them have ended: descendants of our
//! engines that have left their groups, their sessions and their variables. The kernel brings them
//! here (we are a "subreaper"), and nothing that they do can change that.
//!
//! Whose descendant one was is not known any more, but it is no older than its engine. So it is
//! killed when no engine is left that is older.
//!
//! Only the program does so: a process that merely uses this library has children of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io};

use super::guard;
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
static CHILDREN: Mutex<Children> =
    Mutex::new(Children { own: BTreeMap::new(), charged: BTreeSet::new() });

struct Children {
    /// Those that we have started and that are not reaped yet, and when they began, in the kernel's
    /// ticks.
    own: BTreeMap<i32, u64>,
    /// Those that have come to us and that the guard knows.
    charged: BTreeSet<i32>,
}

/// A child of our own, until it is reaped.
#[derive(Debug)]
pub struct OwnChild(i32);

impl OwnChild {
    pub fn pid(&self) -> i32 {
        self.0
    }

    /// The child starts nothing, and lives as long as we do.
    pub fn keep(self) {
        lock(&CHILDREN).own.insert(self.0, u64::MAX);
        std::mem::forget(self);
    }
}

impl Drop for OwnChild {
    fn drop(&mut self) {
        lock(&CHILDREN).own.remove(&self.0);
    }
}

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

/// Starts a child of our own: `spawn` gives it, and its number.
pub(super) fn start<T>(spawn: impl FnOnce() -> io::Result<(T, i32)>) -> io::Result<(T, OwnChild)> {
    // Nobody is to see it before it is known.
    let mut children = lock(&CHILDREN);
    let (child, pid) = spawn()?;
    let start = Stat::of(pid).map_or(0, |stat| stat.start);
    children.own.insert(pid, start);
    Ok((child, OwnChild(pid)))
}

/// Lets those go that have ended, kills those whose engine has, and has the others guarded; unless
/// another host has just done so.
pub fn look() {
    static PACE: Throttle = Throttle(Mutex::new(None));
    if ADOPTING.load(Ordering::Relaxed) && PACE.is_due(Instant::now()) {
        lock(&CHILDREN).pass(false);
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
    while ADOPTING.load(Ordering::Relaxed)
        && lock(&CHILDREN).pass(everybody) > 0
        && Instant::now() < until
    {
        std::thread::sleep(PAUSE);
    }
}

impl Children {
    /// Kills and reaps adopted processes; returns how many it killed. `everybody`: also our own
    /// children, except the guard, and those of our group, as git or a compiler.
    fn pass(&mut self, everybody: bool) -> usize {
        // SAFETY: a plain system call.
        let our_group = unsafe { libc::getpgrp() };
        let oldest = self.own.values().copied().min().unwrap_or(u64::MAX);
        let mut killed = 0;
        for pid in children() {
            let own = self.own.get(&pid).copied();
            let Some(stat) = Stat::of(pid) else { continue };
            let spared =
                own == Some(u64::MAX) || (!everybody && (own.is_some() || stat.group == our_group));
            if spared || (own.is_some() && stat.ended) {
                continue;
            }
            if stat.ended {
                self.let_go(pid);
            } else if everybody || stat.start < oldest {
                // SAFETY: a plain system call; the number is our child's until it is reaped.
                unsafe { libc::kill(pid, libc::SIGKILL) };
                killed += 1;
            } else if self.charged.insert(pid) {
                guard::charge_process(pid);
            }
        }
        killed
    }

    /// Reaps one that has ended.
    fn let_go(&mut self, pid: i32) {
        if self.charged.remove(&pid) {
            // Before its number can be another's.
            guard::dismiss_process(pid);
        }
        // SAFETY: a plain system call that does not wait.
        unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
    }
}

fn children() -> Vec<i32> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<_>>())
        .collect()
}

/// What the kernel says of a process.
struct Stat {
    ended: bool,
    group: i32,
    /// In ticks since the system was started.
    start: u64,
}

impl Stat {
    fn of(pid: i32) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// Behind the program's name, which may have anything in it.
    fn parse(text: &str) -> Option<Stat> {
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        Some(Stat {
            ended: matches!(*fields.first()?, "Z" | "X"),
            group: fields.get(2)?.parse().ok()?,
            start: fields.get(19)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_hosts_look_as_often_as_one() {
        let (pace, began) = (Throttle(Mutex::new(None)), Instant::now());
        let looks = |hosts: u64| {
            let ticks = (0..10).flat_map(|tick| (0..hosts).map(move |host| tick * 100 + host));
            let times =
                ticks.map(|ms| began + Duration::from_secs(hosts) + Duration::from_millis(ms));
            times.filter(|now| pace.is_due(*now)).count()
        };
        assert_eq!((looks(1), looks(20)), (10, 10));
    }

    #[test]
    fn what_the_kernel_says_is_read() {
        let line = "4711 (a) Z (b) S 1 4700 4699 0 -1 4194560 93 0 0 0 0 0 0 0 20 0 1 0 12345 2 3";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.ended, stat.group, stat.start), (false, 4700, 12345));
        assert!(Stat::parse(&line.replace(") S ", ") Z ")).unwrap().ended);
        assert!(Stat::parse("4711 (a").is_none());
        #[cfg(target_os = "linux")]
        assert!(
            Stat::of(i32::try_from(std::process::id()).unwrap()).is_some_and(|own| own.start > 0)
        );
    }
}
