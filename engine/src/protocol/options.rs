//! The engine's options, whatever the protocol: the usual ones and the parameter table's rows.

use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::thinker::Job;
use crate::eval::ImbalanceTable;
use crate::params::{PERSONALITIES, Params, SPECS, Shape};
use crate::search::{HashSize, OpeningTable};

/// The options' values.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) hash: HashSize,
    pub(super) overhead: Duration,
    pub(super) nodes_per_ms: Option<NonZeroU64>,
    pub(super) chess960: bool,
    pub(super) params: Arc<Params>,
    pub(super) imbalance: Option<Arc<ImbalanceTable>>,
    pub(super) opening: Option<Arc<OpeningTable>>,
    pub(super) multipv: usize,
    pub(super) statistics: bool,
    /// Parameters or tables have been set, perhaps to what they were.
    is_set: bool,
    personality: &'static str,
}

/// An option as a protocol lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) name: String,
    pub(super) kind: OfferKind,
}

/// What an option takes, and its default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OfferKind {
    Check(bool),
    Spin {
        default: String,
        min: String,
        max: String,
    },
    /// One of these, the first by default.
    Combo(Vec<&'static str>),
    Button,
    Text(String),
}

/// What a changed option means to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing to do.
    Nothing,
    /// Another hash size.
    Hash,
    /// Forget everything.
    Clear,
    /// Other parameters.
    Params,
    /// Another material imbalance table, or none.
    Imbalance,
    /// Another table of openings, or none.
    Opening,
}

const DEFAULT_OVERHEAD_MS: u64 = 10;
const MAX_OVERHEAD_MS: u64 = 5_000;
const MAX_MULTIPV: u64 = 256;
const MAX_NODES_PER_MS: u64 = 10_000;

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: HashSize::from_mib(HashSize::DEFAULT_MIB),
            overhead: Duration::from_millis(DEFAULT_OVERHEAD_MS),
            nodes_per_ms: None,
            chess960: false,
            params: Arc::new(Params::standard()),
            imbalance: None,
            opening: None,
            multipv: 1,
            statistics: false,
            is_set: false,
            personality: "default",
        }
    }
}

impl Options {
    /// All options, the usual ones before the parameters. Tables are strings of numbers, and a
    /// single cell (`pst.knight_mg[e4]`) can be set though it is not listed.
    pub(super) fn offers() -> Vec<Offer> {
        let offer = |name: &str, kind| Offer { name: name.to_owned(), kind };
        let spin = |default: u64, min: u64, max: u64| {
            let [default, min, max] = [default, min, max].map(|number| number.to_string());
            OfferKind::Spin { default, min, max }
        };
        let personalities = PERSONALITIES.iter().map(|(name, _)| *name).collect();
        let mut offers = vec![
            offer("Hash", spin(HashSize::DEFAULT_MIB as u64, 1, HashSize::MAX_MIB as u64)),
            offer("Clear Hash", OfferKind::Button),
            offer("Threads", spin(1, 1, 1)),
            offer("Ponder", OfferKind::Check(false)),
            offer("MultiPV", spin(1, 1, MAX_MULTIPV)),
            offer("Move Overhead", spin(DEFAULT_OVERHEAD_MS, 0, MAX_OVERHEAD_MS)),
            offer("nodestime", spin(0, 0, MAX_NODES_PER_MS)),
            offer("UCI_Chess960", OfferKind::Check(false)),
            offer("MIT File", OfferKind::Text(String::new())),
            offer("OpeningTable", OfferKind::Text(String::new())),
            offer("Statistics", OfferKind::Check(false)),
            offer("Personality", OfferKind::Combo(personalities)),
            offer("Parameter File", OfferKind::Text(String::new())),
        ];
        let defaults = Params::standard();
        offers.extend(SPECS.iter().map(|spec| {
            let default = spec.text(&defaults);
            let kind = match spec.shape {
                Shape::Switch => OfferKind::Check(default == "true"),
                Shape::Number => {
                    let (min, max) = (spec.min.to_string(), spec.max.to_string());
                    OfferKind::Spin { default, min, max }
                }
                Shape::Squares | Shape::List(_) => OfferKind::Text(default),
            };
            offer(spec.name, kind)
        }));
        offers
    }

    /// Sets an option; names are compared without regard to case. Checks take `true` and `false`,
    /// or xboard's `1` and `0`.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        let change = self.change(name.trim(), value)?;
        self.is_set |= matches!(change, Change::Params | Change::Imbalance | Change::Opening);
        Ok(change)
    }

    fn change(&mut self, name: &str, value: &str) -> Result<Change, String> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let mib = number(name, value, 1, HashSize::MAX_MIB as u64)?;
                let size = HashSize::from_mib(mib as usize);
                // A user interface that sends all options again changes nothing.
                let is_new = std::mem::replace(&mut self.hash, size) != size;
                Ok(if is_new { Change::Hash } else { Change::Nothing })
            }
            "clear hash" => Ok(Change::Clear),
            "threads" => number(name, value, 1, 1).map(|_| Change::Nothing),
            "ponder" => switch(name, value).map(|_| Change::Nothing),
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
            // A packed table, or the folder of the paper's two files (PRO-01).
            "mit file" => {
                self.imbalance = match value.trim() {
                    "" | "<empty>" => None,
                    path => {
                        let table = ImbalanceTable::load(Path::new(path));
                        Some(Arc::new(table.map_err(|error| format!("MIT File: {error}"))?))
                    }
                };
                Ok(Change::Imbalance)
            }
            // A file of positions after good moves (PRO-19); `opening.on` uses it.
            "openingtable" => {
                self.opening = match value.trim() {
                    "" | "<empty>" => None,
                    file => {
                        let table = OpeningTable::read(Path::new(file));
                        Some(Arc::new(table.map_err(|error| format!("OpeningTable: {error}"))?))
                    }
                };
                Ok(Change::Opening)
            }
            "personality" => {
                let value = value.trim();
                let known =
                    PERSONALITIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(value));
                let params = Params::personality(value).map_err(|error| error.to_string())?;
                self.personality = known.map_or("default", |(known, _)| known);
                Ok(self.play_by(params))
            }
            // Many parameters at once, such as tables made from games.
            "parameter file" => match value.trim() {
                "" | "<empty>" => Ok(Change::Nothing),
                path => {
                    let mut params = Params::clone(&self.params);
                    params.apply_file(path).map_err(|e| format!("Parameter File: {e}"))?;
                    Ok(self.play_by(params))
                }
            },
            lower => {
                let mut params = Params::clone(&self.params);
                params.set(lower, value).map_err(|error| error.to_string())?;
                Ok(self.play_by(params))
            }
        }
    }

    /// Keeps parameters.
    fn play_by(&mut self, params: Params) -> Change {
        if params == *self.params {
            return Change::Nothing;
        }
        self.params = Arc::new(params);
        Change::Params
    }

    /// What a change asks of the thinking thread at once. What is to be played by waits for
    /// [`Options::player`].
    pub(super) fn job(&self, change: Change) -> Option<Job> {
        match change {
            Change::Hash => Some(Job::Hash(self.hash)),
            Change::Clear => Some(Job::NewGame),
            Change::Nothing | Change::Params | Change::Imbalance | Change::Opening => None,
        }
    }

    /// What is remarked about a change.
    pub(super) fn remark(&self, change: Change) -> Option<String> {
        let (name, told) = match change {
            Change::Imbalance => {
                ("MIT File", self.imbalance.as_ref().map(|table| table.statistics().to_string()))
            }
            Change::Opening => {
                let positions = self.opening.as_ref().map(|table| table.len());
                ("OpeningTable", positions.map(|positions| format!("{positions} positions")))
            }
            Change::Nothing | Change::Hash | Change::Clear | Change::Params => return None,
        };
        Some(format!("{name}: {}", told.unwrap_or_else(|| "none".to_owned())))
    }

    /// What the next search is to play by, if any of it has been set since this was asked last.
    pub(super) fn player(&mut self) -> Option<Job> {
        std::mem::take(&mut self.is_set).then(|| Job::PlayBy {
            params: Arc::clone(&self.params),
            imbalance: self.imbalance.clone(),
            opening: self.opening.clone(),
        })
    }

    /// The personality, and what differs from it.
    pub(super) fn describe(&self) -> String {
        self.deviation().unwrap_or_else(|| self.personality.to_owned())
    }

    /// The same, where anything does: how much, and the first of it.
    pub(super) fn deviation(&self) -> Option<String> {
        const FIRST: usize = 5;
        let plain = Params::personality(self.personality).unwrap_or_default();
        let differences = self.params.differences(&plain);
        let mut first: Vec<String> =
            differences.iter().take(FIRST).map(|(name, value)| format!("{name}={value}")).collect();
        if differences.len() > FIRST {
            first.push("…".to_owned());
        }
        let (personality, count) = (self.personality, differences.len());
        (count > 0)
            .then(|| format!("{personality}, values set otherwise: {count} ({})", first.join(", ")))
    }
}

fn number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, String> {
    value.trim().parse().ok().filter(|number| (min..=max).contains(number)).ok_or_else(|| {
        format!("option {name} wants a whole number in {min}..={max}, not '{value}'")
    })
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("option {name} wants true or false, not '{}'", value.trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_option_can_be_set_to_its_default() {
        let mut options = Options::default();
        for Offer { name, kind } in Options::offers() {
            let default = match kind {
                OfferKind::Check(on) => on.to_string(),
                OfferKind::Spin { default, .. } | OfferKind::Text(default) => default,
                OfferKind::Combo(choices) => choices[0].to_owned(),
                OfferKind::Button => String::new(),
            };
            options.set(&name, &default).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(*options.params, Params::standard());
    }

    #[test]
    fn mistakes_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "lots"),
            ("Threads", "2"),
            ("Personality", "fritz"),
            ("Move Overhead", "-1"),
            ("MIT File", "/no/such/folder"),
            ("OpeningTable", "/no/such/file"),
            ("Parameter File", "/no/such/file.json"),
            ("MultiPV", "0"),
            ("MultiPV", "257"),
            ("search.psv", "true"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options.hash, Options::default().hash);
        assert_eq!(options.describe(), "default");
        assert_eq!(options.set("Ponder", "True"), Ok(Change::Nothing));
        assert_eq!(options.set("personality", " REBEL"), Ok(Change::Params));
        assert_eq!(options.set("SEARCH.PVS", "true"), Ok(Change::Params));
        assert_eq!(options.set("search.pvs", "true"), Ok(Change::Nothing), "as it is");
        assert_eq!(options.describe(), "rebel, values set otherwise: 1 (search.pvs=true)");
        assert_eq!(options.set("mit file", "<empty>"), Ok(Change::Imbalance));
        assert_eq!(options.set("openingtable", ""), Ok(Change::Opening));
        assert_eq!(options.set("multipv", "256"), Ok(Change::Nothing));
    }
}
