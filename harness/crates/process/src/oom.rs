//! Kills by the kernel because memory ran out.

use std::fs;

/// How many there were since the system's start; `None` if the kernel does not count them.
pub fn kills() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}
