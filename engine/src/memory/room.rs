//! Whether there is room for a large table, asked before it is filled: Linux promises more memory than
//! there is, and kills a program that uses what it was promised.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// What there is room for instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// So many bytes are free, as far as a program may use them.
    Free(u64),
    /// The system refuses without a figure.
    Refused,
}

/// Checks that `bytes` more can be used.
///
/// # Errors
/// What there is instead.
pub(crate) fn check_room(bytes: usize) -> Result<(), Room> {
    check(Path::new("/"), bytes)
}

/// The same, with the system's files below `root`.
fn check(root: &Path, bytes: usize) -> Result<(), Room> {
    let needed = bytes as u64;
    // A sixteenth is left to others: they do not stand still.
    if let Some(free) = free(root).map(|free| free - free / 16).filter(|free| *free < needed) {
        return Err(Room::Free(free));
    }
    // Process limits (`ulimit -v`) show only when memory is requested, and a request whose memory nobody
    // can see may be optimised away.
    let mut probe = Vec::<u8>::new();
    let reserved = probe.try_reserve_exact(bytes);
    black_box(&probe);
    reserved.map_err(|_| Room::Refused)
}

/// The bytes that nobody uses, of the machine and of each group with a limit that this process is in;
/// `None` where the system does not say.
fn free(root: &Path) -> Option<u64> {
    let machine = fs::read_to_string(root.join("proc/meminfo")).ok();
    let machine = machine.and_then(|text| field(&text, "MemAvailable:"));
    let groups = groups(root).into_iter().filter_map(|group| group.free());
    groups.chain(machine.map(|kib| kib << 10)).min()
}

/// A control group of Linux.
struct Group {
    folder: PathBuf,
    /// Limit, usage, and the lines of `memory.stat` that count what is given back when needed: files
    /// kept in memory.
    names: [&'static str; 4],
}

impl Group {
    const V1: [&str; 4] = [
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "total_inactive_file",
        "total_active_file",
    ];
    const V2: [&str; 4] = ["memory.max", "memory.current", "inactive_file", "active_file"];

    fn free(&self) -> Option<u64> {
        let [limit, usage, cold, warm] = self.names;
        let read = |name| fs::read_to_string(self.folder.join(name)).ok();
        let number = |name| read(name)?.trim().parse::<u64>().ok();
        // No number: no limit.
        let limit = number(limit)?;
        let stat = read("memory.stat").unwrap_or_default();
        let files = [cold, warm].iter().filter_map(|name| field(&stat, name)).sum();
        Some(limit.saturating_sub(number(usage)?.saturating_sub(files)))
    }
}

/// The groups that this process is in, each with those around it.
fn groups(root: &Path) -> Vec<Group> {
    let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut groups = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (mount, names) = match controllers {
            "" => ("sys/fs/cgroup", Group::V2),
            list if list.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", Group::V1)
            }
            _ => continue,
        };
        let ancestors = Path::new(path.trim_start_matches('/')).ancestors();
        groups.extend(ancestors.map(|path| Group { folder: root.join(mount).join(path), names }));
    }
    groups
}

/// The number behind a name that begins a line.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What would be free by the files of a system.
    fn free_by(name: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root = std::env::temp_dir().join(format!("mutineer-{}-{name}", std::process::id()));
        for (file, text) in files {
            let file = root.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(file, text).expect("written");
        }
        let found = free(&root);
        if let Some(free) = found {
            let usable = free - free / 16;
            assert_eq!(check(&root, usable as usize + 1), Err(Room::Free(usable)), "{name}");
            assert_eq!(check(&root, usable as usize), Ok(()), "{name}");
        }
        // What is left in the temporary folder does no harm.
        let _ = fs::remove_dir_all(&root);
        found
    }

    #[test]
    fn what_is_free_is_the_least_of_machine_and_groups() {
        let machine =
            ("proc/meminfo", "MemTotal: 999 kB\nMemAvailable:    2048 kB\nSwapFree: 7 kB\n");
        assert_eq!(free_by("machine", &[machine]), Some(2 << 20));
        let v2 = [
            machine,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.current", "5\n"),
            ("sys/fs/cgroup/a/memory.max", "1000000\n"),
            ("sys/fs/cgroup/a/memory.current", "900000\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 20000\nactive_file 3000\n"),
        ];
        assert_eq!(free_by("v2", &v2), Some(123_000));
        let v1 = [
            machine,
            ("proc/self/cgroup", "7:cpu,cpuacct:/x\n4:memory:/not/shown/here\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "400000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 150000\n"),
        ];
        assert_eq!(free_by("v1", &v1), Some(50_000));
        assert_eq!(free_by("nothing", &[]), None);
        assert_eq!(free_by("odd", &[("proc/meminfo", "MemAvailable: many")]), None);
    }

    #[test]
    fn here_there_is_room_for_little_but_not_for_everything() {
        assert_eq!(check_room(1), Ok(()));
        assert!(check_room(usize::MAX / 2).is_err());
        let bare = Path::new("/there/is/no/such/folder");
        assert_eq!(check(bare, usize::MAX), Err(Room::Refused));
    }
}
