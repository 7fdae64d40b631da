//! The machine: processors, memory, kernel, system.

use std::collections::HashSet;
use std::net::{IpAddr, UdpSocket};
use std::num::NonZeroUsize;
use std::{fs, thread};

/// Physical cores that this process may use. Two searches on one core would halve each other's
/// speed.
pub fn physical_cores() -> NonZeroUsize {
    let usable = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(cores().len()).map_or(usable, |cores| cores.min(usable))
}

/// Cores as Linux names them, by package and number; empty if it does not.
fn cores() -> HashSet<(String, String)> {
    let cpus = fs::read_dir("/sys/devices/system/cpu").into_iter().flatten().flatten();
    cpus.filter_map(|cpu| {
        let read = |name: &str| fs::read_to_string(cpu.path().join("topology").join(name)).ok();
        Some((read("physical_package_id")?, read("core_id")?))
    })
    .collect()
}

/// Model of the processors.
pub fn cpu() -> Option<String> {
    value(&read("/proc/cpuinfo"), "model name", ':')
}

/// Release of the kernel.
pub fn kernel() -> Option<String> {
    Some(read("/proc/sys/kernel/osrelease").trim().to_owned()).filter(|it| !it.is_empty())
}

/// Load average of the last minute.
pub fn load() -> Option<f64> {
    read("/proc/loadavg").split_ascii_whitespace().next()?.parse().ok()
}

/// Host name of this machine.
pub fn host_name() -> Option<String> {
    Some(read("/proc/sys/kernel/hostname").trim().to_owned()).filter(|it| !it.is_empty())
}

/// The address by which others reach a listener at `at`, which may be the unspecified address.
pub fn reached_at(at: IpAddr) -> IpAddr {
    if !at.is_unspecified() {
        return at;
    }
    // Sends nothing: connecting a UDP socket only selects the route.
    let own = UdpSocket::bind((at, 0)).and_then(|socket| {
        let nobody: IpAddr = match at {
            IpAddr::V4(_) => [192, 0, 2, 1].into(),
            IpAddr::V6(_) => [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1].into(),
        };
        socket.connect((nobody, 9))?;
        socket.local_addr()
    });
    own.map_or(at, |own| own.ip())
}

/// Name and version of the system.
pub fn os() -> String {
    let name = value(&read("/etc/os-release"), "PRETTY_NAME", '=');
    name.unwrap_or_else(|| std::env::consts::OS.to_owned())
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The value of the first line `key SEPARATOR value`, without blanks and quotes.
fn value(text: &str, key: &str, separator: char) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(separator))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim().trim_matches('"').to_owned())
        .filter(|value| !value.is_empty())
}

/// Memory in bytes.
pub fn memory() -> Option<u64> {
    // SAFETY: plain questions to the C library.
    let [pages, size] =
        [libc::_SC_PHYS_PAGES, libc::_SC_PAGESIZE].map(|name| unsafe { libc::sysconf(name) });
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?)
}

/// Version of glibc on this machine, such as `2.36`; `None` with another C library.
pub fn glibc() -> Option<String> {
    #[cfg(target_env = "gnu")]
    {
        // SAFETY: it gives a text that stays and ends by a zero.
        let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
        version.to_str().ok().map(str::to_owned)
    }
    #[cfg(not(target_env = "gnu"))]
    None
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_found_by_their_whole_key() {
        let text =
            "model\t\t: 6\nmodel name\t: Some CPU @ 2.00GHz\nPRETTY_NAME=\"An OS\"\nEMPTY=\n";
        assert_eq!(value(text, "model name", ':').as_deref(), Some("Some CPU @ 2.00GHz"));
        assert_eq!(value(text, "PRETTY_NAME", '=').as_deref(), Some("An OS"));
        assert_eq!(value(text, "EMPTY", '='), None);
        assert_eq!(value(text, "cpu cores", ':'), None);
    }
}
