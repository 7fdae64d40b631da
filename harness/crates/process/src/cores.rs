//! What the machine has: processors to search on, memory.

use std::{collections::HashSet, fs, num::NonZeroUsize, thread};

/// Physical cores, at most as many as this process may use: two searches on one core would only
/// halve each other's speed.
pub fn physical() -> NonZeroUsize {
    let usable = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(cores().len()).map_or(usable, |cores| cores.min(usable))
}

/// The cores that Linux names, each by package and number; empty where it does not.
fn cores() -> HashSet<(String, String)> {
    let cpus = fs::read_dir("/sys/devices/system/cpu").into_iter().flatten().flatten();
    cpus.filter_map(|cpu| {
        let read = |name: &str| fs::read_to_string(cpu.path().join("topology").join(name)).ok();
        Some((read("physical_package_id")?, read("core_id")?))
    })
    .collect()
}

/// The machine's memory in bytes, where it tells.
pub fn memory() -> Option<u64> {
    // SAFETY: plain questions to the C library.
    let [pages, size] =
        [libc::_SC_PHYS_PAGES, libc::_SC_PAGESIZE].map(|name| unsafe { libc::sysconf(name) });
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?)
}
