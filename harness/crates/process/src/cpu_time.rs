//! Processor time of the calling thread, and what another process has used. Programs that run
//! beside do not count.

use std::fs;
use std::time::Duration;

use crate::stat::Stat;

/// What a process has used up to now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Used {
    /// User and system time.
    pub processor: Duration,
    /// Peak resident memory in bytes.
    pub peak: u64,
}

impl Used {
    /// `None` when the process has ended, and where the kernel has no `/proc`.
    pub fn by(process: u32) -> Option<Used> {
        let processor = Stat::of(process.try_into().ok()?)?.processor;
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let peak = peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10;
        Some(Used { processor, peak })
    }

    /// Processor time of a process and of its children that have not ended.
    pub fn with_children(process: u32) -> Duration {
        let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
        let children = children.unwrap_or_default();
        let children = children.split_ascii_whitespace().filter_map(|id| id.parse().ok());
        children.chain([process]).filter_map(Used::by).map(|used| used.processor).sum()
    }

    /// The larger of each.
    pub fn max(self, other: Used) -> Used {
        Used { processor: self.processor.max(other.processor), peak: self.peak.max(other.peak) }
    }
}

pub fn of_thread() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec; the call writes nothing else.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(time.tv_sec.unsigned_abs(), nanos)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::stat::TICK;

    #[test]
    fn a_process_that_works_has_used_more() {
        let own = || Used::by(std::process::id()).unwrap();
        let before = own();
        assert!(before.peak > 1 << 20, "{before:?}");
        while own().processor < before.processor + 2 * TICK {
            std::hint::black_box(own());
        }
        assert!(Used::by(u32::MAX).is_none());
        assert!(before.max(own()).processor > before.processor);
        assert!(Used::with_children(std::process::id()) >= before.processor);
    }
}
