//! The engine's options, whatever the protocol.
//!
//! - `offers`: how a protocol lists them; `parameters`: the personality and what was set on top of it.

mod offers;
mod parameters;

use std::fmt::Display;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub(super) use offers::{Offer, OfferKind};
use parameters::Parameters;

use super::Listing;
use super::thinker::Job;
use crate::eval::ImbalanceTable;
use crate::memory::{self, Room};
use crate::params::Params;
use crate::search::{HashSize, OpeningTable, Strength};
use crate::tablebase::{MOST_MEN, Probing, Tablebases};

/// The options' values.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) hash: HashSize,
    pub(super) threads: usize,
    pub(super) overhead: Duration,
    pub(super) nodes_per_ms: Option<NonZeroU64>,
    pub(super) chess960: bool,
    pub(super) imbalance: Option<Arc<ImbalanceTable>>,
    pub(super) opening: Option<Arc<OpeningTable>>,
    pub(super) multipv: usize,
    pub(super) statistics: bool,
    limit_strength: bool,
    elo: u32,
    /// Which mistakes are made.
    seed: u64,
    /// Endgame tablebases.
    pub(super) probing: Probing,
    parameters: Parameters,
    /// Parameters or tables have been set, perhaps to what they were.
    is_set: bool,
}

/// What a changed option means to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing to do.
    Nothing,
    /// Another hash size.
    Hash,
    /// Another number of threads.
    Threads,
    /// Forget everything.
    Clear,
    /// Other parameters.
    Params,
    /// Another material imbalance table, or none.
    Imbalance,
    /// Another table of openings, or none.
    Opening,
    /// Other endgame tablebases, or none.
    Tablebases,
    /// Endgame tablebases used otherwise.
    Probing,
}

/// The value of a text option that has none, as UCI writes it.
const EMPTY: &str = "<empty>";

const DEFAULT_OVERHEAD_MS: u64 = 10;
const MAX_OVERHEAD_MS: u64 = 5_000;
const MAX_MULTIPV: u64 = 256;
const MAX_THREADS: u64 = 256;
const MAX_NODES_PER_MS: u64 = 10_000;
const MAX_PROBE_DEPTH: u64 = 100;
const MAX_SEED: u64 = 1_000_000;

impl Options {
    /// The defaults.
    pub(super) fn new(listing: Listing) -> Options {
        Options {
            hash: HashSize::from_mib(HashSize::DEFAULT_MIB),
            threads: 1,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD_MS),
            nodes_per_ms: None,
            chess960: false,
            imbalance: None,
            opening: None,
            multipv: 1,
            statistics: false,
            limit_strength: false,
            elo: Strength::MAX_ELO,
            seed: 0,
            probing: Probing::default(),
            parameters: Parameters::new(listing),
            is_set: false,
        }
    }

    /// The parameters to play by.
    pub(super) fn params(&self) -> &Arc<Params> {
        self.parameters.params()
    }

    /// Sets an option; names are compared without regard to case. Checks take `true` and `false`,
    /// or xboard's `1` and `0`.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        let change = self.change(name.trim(), value)?;
        self.is_set |=
            !matches!(change, Change::Nothing | Change::Hash | Change::Clear | Change::Threads);
        Ok(change)
    }

    fn change(&mut self, name: &str, value: &str) -> Result<Change, String> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let mib = number(name, value, 1, HashSize::MAX_MIB as u64)?;
                let size = HashSize::from_mib(mib as usize);
                // The present table is given back first.
                let more = size.bytes().saturating_sub(self.hash.bytes());
                memory::check_room(more).map_err(|room| no_room(name, mib, self.hash, room))?;
                // A user interface that sends all options again changes nothing.
                let is_new = std::mem::replace(&mut self.hash, size) != size;
                Ok(if is_new { Change::Hash } else { Change::Nothing })
            }
            "clear hash" => Ok(Change::Clear),
            "threads" => {
                let threads = number(name, value, 1, MAX_THREADS)? as usize;
                let is_new = std::mem::replace(&mut self.threads, threads) != threads;
                Ok(if is_new { Change::Threads } else { Change::Nothing })
            }
            "ponder" => switch(name, value).map(|_| Change::Nothing),
            "list parameters" => {
                self.parameters.list(switch(name, value)?);
                Ok(Change::Nothing)
            }
            // What a search counts about itself (TST-09); it plays the same, a little slower.
            "statistics" => {
                self.statistics = switch(name, value)?;
                Ok(Change::Nothing)
            }
            "multipv" => {
                self.multipv = number(name, value, 1, MAX_MULTIPV)? as usize;
                Ok(Change::Nothing)
            }
            "move overhead" => {
                let ms = number(name, value, 0, MAX_OVERHEAD_MS)?;
                self.overhead = Duration::from_millis(ms);
                Ok(Change::Nothing)
            }
            // So many nodes stand for a millisecond of all times; 0: time is time.
            "nodestime" => {
                self.nodes_per_ms = NonZeroU64::new(number(name, value, 0, MAX_NODES_PER_MS)?);
                Ok(Change::Nothing)
            }
            "uci_chess960" => {
                self.chess960 = switch(name, value)?;
                Ok(Change::Nothing)
            }
            "uci_limitstrength" => {
                self.limit_strength = switch(name, value)?;
                Ok(Change::Nothing)
            }
            "uci_elo" => {
                let (min, max) = (Strength::MIN_ELO.into(), Strength::MAX_ELO.into());
                self.elo = number(name, value, min, max)? as u32;
                Ok(Change::Nothing)
            }
            // With another number other mistakes are made, and the same game becomes another.
            "strength seed" => {
                self.seed = number(name, value, 0, MAX_SEED)?;
                Ok(Change::Nothing)
            }
            // A packed table, or the folder of the paper's two files (PRO-01).
            "mit file" => {
                self.imbalance = table("MIT File", value, ImbalanceTable::load)?;
                Ok(Change::Imbalance)
            }
            // A file of positions after good moves (PRO-19); `opening.on` uses it.
            "openingtable" => {
                self.opening = table("OpeningTable", value, OpeningTable::read)?;
                Ok(Change::Opening)
            }
            // Folders of endgame tablebases.
            "syzygypath" => {
                self.probing.tables =
                    table("SyzygyPath", value, |path| Tablebases::open(path.as_os_str()))?;
                Ok(Change::Tablebases)
            }
            "syzygyprobedepth" => {
                self.probing.depth = number(name, value, 1, MAX_PROBE_DEPTH)? as i32;
                Ok(Change::Probing)
            }
            "syzygyprobelimit" => {
                self.probing.limit = number(name, value, 0, u64::from(MOST_MEN))? as u32;
                Ok(Change::Probing)
            }
            "syzygy50moverule" => {
                self.probing.fifty_moves = switch(name, value)?;
                Ok(Change::Probing)
            }
            "personality" => self.parameters.choose(value.trim()).map(of_parameters),
            // Many parameters at once, such as tables made from games.
            "parameter file" => match path(value) {
                None => self.parameters.drop_file(),
                Some(path) => self.parameters.read_file(path),
            }
            .map(of_parameters),
            lower => self.parameters.set(lower, value).map(of_parameters),
        }
    }

    /// What a change asks of the thinking thread at once. What is to be played by waits for
    /// [`Options::player`].
    pub(super) fn job(&self, change: Change) -> Option<Job> {
        match change {
            Change::Hash => Some(Job::Hash(self.hash)),
            Change::Clear => Some(Job::NewGame),
            Change::Threads => Some(Job::Threads(self.threads)),
            _ => None,
        }
    }

    /// What is remarked about a change.
    pub(super) fn remark(&self, change: Change) -> Option<String> {
        let (name, told) = match change {
            Change::Threads => {
                let processors = thread::available_parallelism().map_or(usize::MAX, usize::from);
                return too_many("Threads", self.threads, processors);
            }
            Change::Imbalance => {
                ("MIT File", self.imbalance.as_ref().map(|table| table.statistics().to_string()))
            }
            Change::Opening => {
                let positions = self.opening.as_ref().map(|table| table.len());
                ("OpeningTable", positions.map(|positions| format!("{positions} positions")))
            }
            Change::Tablebases => {
                ("SyzygyPath", self.probing.tables.as_ref().map(|tables| tables.describe()))
            }
            _ => return None,
        };
        Some(format!("{name}: {}", told.unwrap_or_else(|| "none".to_owned())))
    }

    /// What the next search is to play by, if any of it has been set since this was asked last.
    pub(super) fn player(&mut self) -> Option<Job> {
        std::mem::take(&mut self.is_set).then(|| Job::PlayBy {
            params: Arc::clone(self.params()),
            imbalance: self.imbalance.clone(),
            opening: self.opening.clone(),
            probing: self.probing.clone(),
        })
    }

    /// The strength to play at, if it is limited.
    pub(super) fn strength(&self) -> Option<Strength> {
        self.limit_strength.then(|| Strength::new(self.elo, self.seed))
    }

    /// The personality, and what differs from it.
    pub(super) fn describe(&self) -> String {
        self.parameters.describe()
    }

    /// The same, where anything does.
    pub(super) fn deviation(&self) -> Option<String> {
        self.parameters.deviation()
    }
}

fn of_parameters(is_changed: bool) -> Change {
    if is_changed { Change::Params } else { Change::Nothing }
}

fn number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, String> {
    value.trim().parse().ok().filter(|number| (min..=max).contains(number)).ok_or_else(|| {
        format!("option {name}: expected a whole number from {min} to {max}, found '{value}'")
    })
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("option {name}: expected true or false, found '{}'", value.trim())),
    }
}

/// The path that is the value of a text option; `None` if it is empty.
fn path(value: &str) -> Option<&str> {
    let value = value.trim();
    (!matches!(value, "" | EMPTY)).then_some(value)
}

/// The table of an option whose value is a path, or none.
fn table<T, E: Display>(
    name: &str,
    value: &str,
    read: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<Option<Arc<T>>, String> {
    let table = path(value).map(|path| read(Path::new(path))).transpose();
    Ok(table.map_err(|error| format!("{name}: {error}"))?.map(Arc::new))
}

/// Why a hash table of `mib` MiB cannot take the place of the one there is, whose memory it could use too.
fn no_room(name: &str, mib: u64, hash: HashSize, room: Room) -> String {
    let now = hash.bytes() as u64;
    let most = match room {
        Room::Free(bytes) => format!("at most {} MiB would", (now + bytes) >> 20),
        Room::Refused => "the system refuses them".to_owned(),
    };
    format!("option {name}: {mib} MiB do not fit, {most}; it stays at {} MiB", now >> 20)
}

/// What is remarked where there are more threads than processors to run them.
fn too_many(name: &str, threads: usize, processors: usize) -> Option<String> {
    let told = || {
        format!("option {name}: {threads} are more than this machine's processors: {processors}")
    };
    (threads > processors).then(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::SPECS;

    #[test]
    fn every_listed_option_can_be_set_to_its_default() {
        for (listing, parameters) in [(Listing::Usual, 0), (Listing::All, SPECS.len())] {
            let mut options = Options::new(listing);
            let offers = options.offers();
            assert_eq!(offers.iter().filter(|offer| offer.name.contains('.')).count(), parameters);
            assert!((10..=25).contains(&(offers.len() - parameters)), "some twenty");
            for Offer { name, kind } in offers {
                let default = match kind {
                    OfferKind::Check(on) => on.to_string(),
                    OfferKind::Spin { default, .. } | OfferKind::Text(default) => default,
                    OfferKind::Combo(choices) => choices[0].to_owned(),
                    OfferKind::Button => String::new(),
                };
                options.set(&name, &default).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            assert_eq!(**options.params(), Params::standard());
        }
    }

    /// What the present table has is given back first.
    #[test]
    fn what_would_fit_counts_the_present_table() {
        let told = |room| no_room("Hash", 2000, HashSize::from_mib(1000), room);
        let free = told(Room::Free((562 << 20) + 5));
        assert!(free.contains("2000 MiB") && free.contains("at most 1562 MiB"), "{free}");
        let refused = told(Room::Refused);
        for told in [free, refused] {
            assert!(told.starts_with("option Hash: ") && told.ends_with("at 1000 MiB"), "{told}");
        }
    }

    #[test]
    fn mistakes_change_nothing() {
        let mut options = Options::new(Listing::Usual);
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "lots"),
            ("Threads", "0"),
            ("Threads", "257"),
            ("Threads", "two"),
            ("Personality", "fritz"),
            ("Move Overhead", "-1"),
            ("MIT File", "/no/such/folder"),
            ("OpeningTable", "/no/such/file"),
            ("SyzygyPath", "/no/such/folder"),
            ("SyzygyProbeDepth", "0"),
            ("SyzygyProbeLimit", "8"),
            ("Syzygy50MoveRule", "perhaps"),
            ("Parameter File", "/no/such/file.json"),
            ("List Parameters", "perhaps"),
            ("MultiPV", "0"),
            ("MultiPV", "257"),
            ("UCI_LimitStrength", "perhaps"),
            ("UCI_Elo", "799"),
            ("UCI_Elo", "9999"),
            ("UCI_Elo", "club"),
            ("Strength Seed", "-1"),
            ("search.psv", "true"),
            ("ChessKnowledge", "501"),
            ("Selective Search", "2"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options.hash, HashSize::from_mib(HashSize::DEFAULT_MIB));
        assert_eq!(options.describe(), "default");
        assert_eq!(options.set("Ponder", "True"), Ok(Change::Nothing));
        assert_eq!(options.set("personality", " REBEL"), Ok(Change::Params));
        assert_eq!(options.set("SEARCH.PVS", "true"), Ok(Change::Params));
        assert_eq!(options.set("search.pvs", "true"), Ok(Change::Nothing), "as it is");
        assert_eq!(options.describe(), "rebel, values set otherwise: 1 (search.pvs=true)");
        assert_eq!(options.set("mit file", "<empty>"), Ok(Change::Imbalance));
        assert_eq!(options.set("openingtable", ""), Ok(Change::Opening));
        assert_eq!(options.set("multipv", "256"), Ok(Change::Nothing));
        assert_eq!(options.set("threads", "1"), Ok(Change::Nothing), "as it is");
        assert_eq!(options.set("threads", "256"), Ok(Change::Threads));
    }

    /// More threads than processors are wanted at times, and hardly ever a good idea.
    #[test]
    fn more_threads_than_processors_are_remarked() {
        assert_eq!(too_many("Threads", 2, 2), None);
        let told = too_many("Threads", 3, 2).expect("one too many");
        assert!(
            told.starts_with("option Threads: 3 ") && told.ends_with(" processors: 2"),
            "{told}"
        );
    }
}
