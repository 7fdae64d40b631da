//! Whether the system kills processes for want of memory.

use std::fs;

/// How often it has done so since it was started; `None` where it does not tell.
pub fn kills() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}
