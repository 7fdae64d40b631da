//! Scheduling of the thread that waits for an engine.
//!
//! An engine writes its lines one by one, and each would wake us while the engine still
//! searches. A thread of the class `SCHED_BATCH` does not displace a running thread when it wakes:
//! on a busy processor it runs when the engine blocks, and then reads all lines at once. That saves
//! most of the cost of a ply, but wakes later. So it is used only without a clock.

/// `patient`: this thread waits for running threads when it wakes. Threads that it starts inherit
/// this. A class that the user chose (`chrt`) is kept.
#[cfg(target_os = "linux")]
pub fn set_patience(patient: bool) {
    use std::cell::Cell;
    thread_local!(static NOW: Cell<Option<bool>> = const { Cell::new(None) });
    if NOW.get() == Some(patient) {
        return;
    }
    NOW.set(Some(patient));
    // SAFETY: plain system calls on this thread; the parameter block is initialised.
    unsafe {
        let ordinary = [libc::SCHED_OTHER, libc::SCHED_BATCH];
        if ordinary.contains(&libc::sched_getscheduler(0)) {
            let class = if patient { libc::SCHED_BATCH } else { libc::SCHED_OTHER };
            let parameters = libc::sched_param { sched_priority: 0 };
            // If this is forbidden, a ply costs more time; nothing else changes.
            libc::sched_setscheduler(0, class, &parameters);
        }
    }
}

/// Other systems have no such class.
#[cfg(not(target_os = "linux"))]
pub fn set_patience(_patient: bool) {}

/// Total time in which this thread was ready and waited for a processor, in nanoseconds. `None` if
/// the kernel does not say.
#[cfg(target_os = "linux")]
pub fn run_delay() -> Option<u64> {
    use std::fs::File;
    use std::os::unix::fs::FileExt as _;
    thread_local!(static STAT: Option<File> = File::open("/proc/thread-self/schedstat").ok());
    STAT.with(|stat| {
        let mut text = [0; 96];
        let count = stat.as_ref()?.read_at(&mut text, 0).ok()?;
        // Fields: time on the processor, time waiting, number of turns.
        std::str::from_utf8(&text[..count]).ok()?.split_whitespace().nth(1)?.parse().ok()
    })
}

#[cfg(not(target_os = "linux"))]
pub fn run_delay() -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_comes_and_goes() {
        let class = || unsafe { libc::sched_getscheduler(0) };
        std::thread::spawn(move || {
            let before = class();
            set_patience(true);
            if before == libc::SCHED_OTHER {
                assert_eq!(class(), libc::SCHED_BATCH);
            }
            set_patience(false);
            assert_eq!(class(), before);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn the_delay_only_grows() {
        if let Some(before) = run_delay() {
            std::thread::yield_now();
            assert!(run_delay().unwrap() >= before);
        }
    }
}
