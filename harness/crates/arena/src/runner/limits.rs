//! What the system grants this program, against what its games will need: descriptors, processes.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use crate::player::program::{DESCRIPTORS, SPARE};
use process::rlimit::{self, Which};

/// Descriptors of our own: the journal, the book, the runtime's.
const OWN_FILES: u64 = 12;
/// Threads of our own, beside those that search, and the guard.
const OWN_TASKS: u64 = 16;
/// Threads that start and bury the programs of one side.
const HOST_TASKS: u64 = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Resource {
    /// Descriptors of this process.
    Files,
    /// Processes and threads of this user.
    OfUser,
    /// Those of a control group.
    OfGroup(PathBuf),
}

/// A limit, and how much of it is used already.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Limit {
    resource: Resource,
    most: u64,
    used: u64,
}

#[derive(Debug)]
pub struct Limits(Vec<Limit>);

#[derive(Debug, Clone, Copy)]
pub struct Demand {
    /// Programs in each game: 0 to 2.
    pub programs: u64,
    /// Threads that those of one game search on, as far as they were told how many.
    pub threads: u64,
    pub games: u64,
    /// Search threads.
    pub slots: u64,
    /// Whether each program has a file for what is said to it and by it.
    pub traffic: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--concurrency {games}: {needed} {resource} are needed, {most} are granted; expected {}", self.ways_out())]
pub struct Shortage {
    games: u64,
    needed: u64,
    most: u64,
    resource: Resource,
    /// So many games at once would do.
    would_do: u64,
}

impl Demand {
    fn of(self, resource: &Resource) -> u64 {
        match resource {
            Resource::Files => self
                .games
                .saturating_mul(self.programs)
                .saturating_mul(DESCRIPTORS + u64::from(self.traffic))
                .saturating_add(OWN_FILES + SPARE + self.slots),
            Resource::OfUser | Resource::OfGroup(_) => {
                let own = OWN_TASKS + HOST_TASKS * self.programs + self.slots;
                // A program waits for commands on one thread and searches on others.
                let each = self.programs.saturating_add(self.threads);
                self.games.saturating_mul(each).saturating_add(own)
            }
        }
    }
}

impl Limits {
    /// Those of this process, measured once: before the first program is started, as a rule.
    pub fn here() -> &'static Limits {
        static HERE: OnceLock<Limits> = OnceLock::new();
        HERE.get_or_init(|| {
            let limits = files().into_iter().chain(of_user()).chain(of_groups());
            Limits(limits.collect())
        })
    }

    pub fn grant(&self, demand: Demand) -> Result<(), Shortage> {
        let short = self.0.iter().filter_map(|limit| limit.shortage(demand));
        short.min_by_key(|shortage| shortage.would_do).map_or(Ok(()), Err)
    }
}

impl Limit {
    fn shortage(&self, demand: Demand) -> Option<Shortage> {
        let needed =
            |games| self.used.saturating_add(Demand { games, ..demand }.of(&self.resource));
        let Demand { games, .. } = demand;
        let none = needed(0);
        (needed(games) > self.most).then(|| Shortage {
            games,
            needed: needed(games),
            most: self.most,
            resource: self.resource.clone(),
            would_do: self.most.saturating_sub(none) / (needed(1) - none).max(1),
        })
    }
}

impl Shortage {
    fn ways_out(&self) -> String {
        let needed = self.needed;
        let more = match &self.resource {
            Resource::Files => format!("`ulimit -n {needed}`"),
            Resource::OfUser => format!("`ulimit -u {needed}`"),
            Resource::OfGroup(path) => format!("{needed} in {}", path.display()),
        };
        match self.would_do {
            0 => more,
            games => format!("--concurrency {games} or less, or {more}"),
        }
    }
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

/// Open files: as many as this process may ask for, which it does.
fn files() -> Option<Limit> {
    let most = hard_limit(libc::RLIMIT_NOFILE)?;
    // One of them is the folder itself.
    let used = fs::read_dir("/proc/self/fd").map_or(3, |open| open.count().saturating_sub(1));
    Some(Limit { resource: Resource::Files, most, used: used as u64 })
}

/// Processes of this user; `None` where RLIMIT_NPROC does not apply (root, CAP_SYS_ADMIN,
/// CAP_SYS_RESOURCE).
fn of_user() -> Option<Limit> {
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
    Some(Limit { resource: Resource::OfUser, most, used })
}

/// Processes of the control group that this process is in, and of those around it.
fn of_groups() -> Vec<Limit> {
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

fn of_group(dir: &Path) -> Option<Limit> {
    let read = |name: &str| fs::read_to_string(dir.join(name)).ok()?.trim().parse::<u64>().ok();
    let (most, used) = (read("pids.max")?, read("pids.current")?);
    Some(Limit { resource: Resource::OfGroup(dir.join("pids.max")), most, used })
}

/// The first word behind a name, in what the kernel says of a process.
fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()
}

fn hard_limit(which: Which) -> Option<u64> {
    rlimit::of(which).map(|limit| limit.rlim_max).filter(|most| *most != libc::RLIM_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMAND: Demand = Demand { programs: 2, threads: 2, games: 6, slots: 2, traffic: false };

    fn limits(resource: Resource, most: u64) -> Limits {
        Limits(vec![Limit { resource, most, used: 4 }])
    }

    #[test]
    fn the_number_that_is_named_would_do_and_no_more() {
        let group = Resource::OfGroup("/sys/fs/cgroup/x/pids.max".into());
        for (resource, most, way_out) in [
            (Resource::Files, 64, "ulimit -n "),
            (Resource::OfUser, 33, "ulimit -u "),
            (group, 33, "/x/pids.max"),
        ] {
            for traffic in [false, true] {
                let demand = Demand { traffic, ..DEMAND };
                let short = limits(resource.clone(), most).grant(demand).unwrap_err();
                assert!(short.would_do > 0 && short.would_do < 6, "{short}");
                assert!(short.to_string().contains(way_out), "{short}");
                let games =
                    |games| limits(resource.clone(), most).grant(Demand { games, ..demand });
                assert!(games(short.would_do).is_ok() && games(short.would_do + 1).is_err());
                assert!(limits(resource.clone(), short.needed).grant(demand).is_ok(), "{short}");
            }
        }
    }

    #[test]
    fn where_not_even_one_game_can_be_played_none_is_proposed() {
        let short = limits(Resource::Files, 20).grant(DEMAND).unwrap_err();
        assert!(!short.to_string().contains("or less"), "{short}");
    }

    #[test]
    fn one_game_can_be_played_here() {
        assert!(Limits::here().grant(Demand { games: 1, ..DEMAND }).is_ok());
    }

    #[test]
    fn each_thread_that_programs_search_on_counts() {
        let (threads, most) = (16, 60);
        assert!(limits(Resource::OfUser, most).grant(DEMAND).is_ok());
        let short = limits(Resource::OfUser, most).grant(Demand { threads, ..DEMAND }).unwrap_err();
        assert_eq!((short.would_do, short.games), (1, 6), "{short}");
        assert!(limits(Resource::Files, 200).grant(Demand { threads, ..DEMAND }).is_ok());
    }
}
