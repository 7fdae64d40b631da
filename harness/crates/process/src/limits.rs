//! Limits of this process, and how much is used: file descriptors and processes.

use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    /// File descriptors of this process.
    Files,
    /// Processes and threads of this user.
    OfUser,
    /// Processes and threads of a control group.
    OfGroup(PathBuf),
}

/// A limit, and how much of it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceLimit {
    pub resource: Resource,
    pub most: u64,
    pub used: u64,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Files => "open files",
            Resource::OfUser => "processes and threads of this user",
            Resource::OfGroup(_) => "processes and threads of this control group",
        })
    }
}

/// All known limits of this process.
pub fn all() -> Vec<ResourceLimit> {
    files().into_iter().chain(of_user()).chain(of_groups()).collect()
}

/// Raises the limit of open files to the maximum. Shells set 1024 and allow more.
pub fn raise_open_files() {
    if let Some(mut limit) = rlimit(libc::RLIMIT_NOFILE) {
        limit.rlim_cur = limit.rlim_max;
        // SAFETY: a plain system call on an initialised structure. If it fails the limit stays, and
        // opening a file too many says so.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) };
    }
}

/// Fails, as if descriptors had run out, unless `spare` more can be opened. `newest` was opened
/// last, so it has the lowest number that was free.
pub fn leaves_room(newest: &impl AsRawFd, spare: u64) -> io::Result<()> {
    let newest = u64::try_from(newest.as_raw_fd()).unwrap_or_default();
    match rlimit(libc::RLIMIT_NOFILE) {
        Some(limit) if newest + spare > limit.rlim_cur => {
            Err(io::Error::from_raw_os_error(libc::EMFILE))
        }
        _ => Ok(()),
    }
}

/// Makes writing beyond `ulimit -f` an ordinary error, as on a full disk, and not a deadly signal.
/// Holds for this process and its children.
pub fn survive_file_size_limit() {
    // SAFETY: a system call; ignoring a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// Open files, up to the limit that this process can raise.
fn files() -> Option<ResourceLimit> {
    let most = hard_limit(libc::RLIMIT_NOFILE)?;
    // One is the folder itself.
    let used = fs::read_dir("/proc/self/fd").map_or(3, |open| open.count().saturating_sub(1));
    Some(ResourceLimit { resource: Resource::Files, most, used: used as u64 })
}

/// Processes of this user; `None` where RLIMIT_NPROC does not apply (root, CAP_SYS_ADMIN,
/// CAP_SYS_RESOURCE).
fn of_user() -> Option<ResourceLimit> {
    const CAP_SYS_ADMIN: u32 = 21;
    const CAP_SYS_RESOURCE: u32 = 24;
    let most = hard_limit(libc::RLIMIT_NPROC)?;
    let own = fs::read_to_string("/proc/self/status").ok()?;
    let user = field(&own, "Uid:")?;
    let may = u64::from_str_radix(field(&own, "CapEff:")?, 16).ok()?;
    if user == "0" || may & (1 << CAP_SYS_ADMIN | 1 << CAP_SYS_RESOURCE) != 0 {
        return None;
    }
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let status = processes.filter_map(|dir| fs::read_to_string(dir.path().join("status")).ok());
    let threads = status.filter(|status| field(status, "Uid:") == Some(user));
    let used = threads.filter_map(|status| field(&status, "Threads:")?.parse::<u64>().ok()).sum();
    Some(ResourceLimit { resource: Resource::OfUser, most, used })
}

/// Processes in the control group of this process and in those above it.
fn of_groups() -> Vec<ResourceLimit> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut limits = Vec::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let root = match controllers {
            "" => Path::new("/sys/fs/cgroup"),
            "pids" => Path::new("/sys/fs/cgroup/pids"),
            _ => continue,
        };
        let group = root.join(path.trim_start_matches('/'));
        let around = group.ancestors().take_while(|dir| dir.starts_with(root));
        limits.extend(around.filter_map(of_group));
    }
    limits
}

fn of_group(dir: &Path) -> Option<ResourceLimit> {
    let read = |name: &str| fs::read_to_string(dir.join(name)).ok()?.trim().parse::<u64>().ok();
    let (most, used) = (read("pids.max")?, read("pids.current")?);
    Some(ResourceLimit { resource: Resource::OfGroup(dir.join("pids.max")), most, used })
}

/// The first word after a name in a file of `/proc`.
fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()
}

#[cfg(any(target_env = "gnu", target_env = "uclibc"))]
type Which = libc::__rlimit_resource_t;
#[cfg(not(any(target_env = "gnu", target_env = "uclibc")))]
type Which = libc::c_int;

fn rlimit(which: Which) -> Option<libc::rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: a plain system call on an initialised structure.
    let done = unsafe { libc::getrlimit(which, &mut limit) };
    (done == 0).then_some(limit)
}

fn hard_limit(which: Which) -> Option<u64> {
    rlimit(which).map(|limit| limit.rlim_max).filter(|most| *most != libc::RLIM_INFINITY)
}
