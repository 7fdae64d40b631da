//! What we ask of and learn from the kernel's scheduler, for the thread that waits for an engine.
//!
//! An engine writes its lines one by one, and each would wake us while the engine is still
//! searching. A thread of the class `SCHED_BATCH` does not displace a running one when it wakes:
//! on a busy processor it runs when the engine blocks, and then reads all lines at once. That
//! saves most of the cost of a ply, at the price of some lateness, so it is used only where no
//! clock runs.

#[cfg(target_os = "linux")]
use std::time::Duration;

/// Lets this thread's wake-ups wait for running threads (`patient`), or not. Threads started
/// from here inherit it. A class that the user chose (`chrt`) is kept.
#[cfg(target_os = "linux")]
pub(super) fn set_patience(patient: bool) {
    use std::cell::Cell;
    thread_local!(static NOW: Cell<Option<bool>> = const { Cell::new(None) });
    if NOW.get() == Some(patient) {
        return;
    }
    NOW.set(Some(patient));
    // SAFETY: a plain system call about this thread.
    unsafe {
        let ordinary = [libc::SCHED_OTHER, libc::SCHED_BATCH];
        if ordinary.contains(&libc::sched_getscheduler(0)) {
            set_class(if patient { libc::SCHED_BATCH } else { libc::SCHED_OTHER }, patient);
        }
    }
}

/// A patient thread asks for turns so long that a running engine is not made to give way at the end
/// of its own: with equal shares of a processor, who asks for less is served sooner. (Linux 6.12;
/// older kernels ignore it.) Long enough for most searches limited by nodes, and short enough that
/// a busy machine does not hold us up much.
#[cfg(target_os = "linux")]
const PATIENT_TURN: Duration = Duration::from_millis(20);

/// Where it is forbidden, plies cost more; nothing else changes.
#[cfg(target_os = "linux")]
fn set_class(class: libc::c_int, patient: bool) {
    let turn = if patient { PATIENT_TURN.as_nanos() as u64 } else { 0 };
    // SAFETY: every field is an integer, for which zero is a value.
    let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
    attributes.size = std::mem::size_of::<libc::sched_attr>() as u32;
    attributes.sched_policy = class as u32;
    attributes.sched_runtime = turn;
    // The nice value is set along with the class: keep what the user chose.
    // SAFETY: a plain system call about this thread.
    attributes.sched_nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    // SAFETY: a plain system call on this thread; the attributes are initialised.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

/// Other systems have no such class.
#[cfg(not(target_os = "linux"))]
pub(super) fn set_patience(_patient: bool) {}

/// How long this thread has stood ready and waited for a processor, in all its life, in
/// nanoseconds. `None` where the kernel does not tell.
#[cfg(target_os = "linux")]
pub(super) fn run_delay() -> Option<u64> {
    use std::fs::File;
    use std::os::unix::fs::FileExt as _;
    thread_local!(static STAT: Option<File> = File::open("/proc/thread-self/schedstat").ok());
    STAT.with(|stat| {
        let mut text = [0; 96];
        let count = stat.as_ref()?.read_at(&mut text, 0).ok()?;
        // "time on the processor", "time waiting for it", "turns".
        std::str::from_utf8(&text[..count]).ok()?.split_whitespace().nth(1)?.parse().ok()
    })
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub(super) fn run_delay() -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
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
