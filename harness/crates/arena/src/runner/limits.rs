//! What the games will need, against what the system grants: descriptors, processes.

use std::sync::OnceLock;

use crate::player::program::{DESCRIPTORS, SPARE};
use process::limits::{self, Resource, ResourceLimit};

/// Descriptors of our own: the journal, the book, the runtime's.
const OWN_FILES: u64 = 12;
/// Threads of our own, beside those that search, and the guard.
const OWN_TASKS: u64 = 16;
/// Threads that start and bury the programs of one side.
const HOST_TASKS: u64 = 2;

#[derive(Debug)]
pub struct Limits(Vec<ResourceLimit>);

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

    fn shortage(self, limit: &ResourceLimit) -> Option<Shortage> {
        let ResourceLimit { resource, most, used } = limit;
        let needed = |games| used.saturating_add(Demand { games, ..self }.of(resource));
        let none = needed(0);
        (needed(self.games) > *most).then(|| Shortage {
            games: self.games,
            needed: needed(self.games),
            most: *most,
            resource: resource.clone(),
            would_do: most.saturating_sub(none) / (needed(1) - none).max(1),
        })
    }
}

impl Limits {
    /// Those of this process, measured once: before the first program is started, as a rule.
    pub fn here() -> &'static Limits {
        static HERE: OnceLock<Limits> = OnceLock::new();
        HERE.get_or_init(|| Limits(limits::all()))
    }

    pub fn grant(&self, demand: Demand) -> Result<(), Shortage> {
        let short = self.0.iter().filter_map(|limit| demand.shortage(limit));
        short.min_by_key(|shortage| shortage.would_do).map_or(Ok(()), Err)
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

#[cfg(test)]
mod tests {
    use super::*;

    const DEMAND: Demand = Demand { programs: 2, threads: 2, games: 6, slots: 2, traffic: false };

    fn limits(resource: Resource, most: u64) -> Limits {
        Limits(vec![ResourceLimit { resource, most, used: 4 }])
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
