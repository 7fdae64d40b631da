//! UCI options: the usual ones, and every row of the parameter table.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::eval::ImbalanceTable;
use crate::params::{PERSONALITIES, Params, SPECS, Shape};
use crate::search::{HashSize, OpeningTable};

/// The options' values.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) hash: HashSize,
    pub(super) overhead: Duration,
    pub(super) chess960: bool,
    pub(super) params: Arc<Params>,
    pub(super) imbalance: Option<Arc<ImbalanceTable>>,
    pub(super) opening: Option<Arc<OpeningTable>>,
    pub(super) multipv: usize,
    personality: &'static str,
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

const DEFAULT_HASH_MIB: usize = 16;
const MAX_HASH_MIB: usize = 1 << 16;
const DEFAULT_OVERHEAD_MS: u64 = 10;
const MAX_OVERHEAD_MS: u64 = 5_000;
const MAX_MULTIPV: u64 = 256;

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: HashSize::from_mib(DEFAULT_HASH_MIB),
            overhead: Duration::from_millis(DEFAULT_OVERHEAD_MS),
            chess960: false,
            params: Arc::new(Params::standard()),
            imbalance: None,
            opening: None,
            multipv: 1,
            personality: "default",
        }
    }
}

impl Options {
    /// The `option` lines, parameters after the usual ones. Tables are strings of numbers, and a
    /// single cell (`pst.knight_mg[e4]`) can be set though it is not listed.
    pub(super) fn list() -> String {
        let mut text = format!(
            "option name Hash type spin default {DEFAULT_HASH_MIB} min 1 max {MAX_HASH_MIB}\n\
             option name Clear Hash type button\n\
             option name Threads type spin default 1 min 1 max 1\n\
             option name Ponder type check default false\n\
             option name MultiPV type spin default 1 min 1 max {MAX_MULTIPV}\n\
             option name Move Overhead type spin default {DEFAULT_OVERHEAD_MS} min 0 max {MAX_OVERHEAD_MS}\n\
             option name UCI_Chess960 type check default false\n\
             option name MaterialTable type string default <empty>\n\
             option name OpeningTable type string default <empty>\n\
             option name Personality type combo default default"
        );
        for (name, _) in PERSONALITIES {
            let _ = write!(text, " var {name}");
        }
        let defaults = Params::standard();
        for spec in SPECS.iter() {
            let (name, default) = (spec.name, spec.text(&defaults));
            let _ = match spec.shape {
                Shape::Switch => write!(text, "\noption name {name} type check default {default}"),
                Shape::Number => {
                    let (min, max) = (spec.min, spec.max);
                    write!(
                        text,
                        "\noption name {name} type spin default {default} min {min} max {max}"
                    )
                }
                Shape::Squares | Shape::List(_) => {
                    write!(text, "\noption name {name} type string default {default}")
                }
            };
        }
        text
    }

    /// Sets an option; names are compared without regard to case.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        let name = name.trim();
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let mib = number(name, value, 1, MAX_HASH_MIB as u64)?;
                self.hash = HashSize::from_mib(mib as usize);
                Ok(Change::Hash)
            }
            "clear hash" => Ok(Change::Clear),
            "threads" => number(name, value, 1, 1).map(|_| Change::Nothing),
            "ponder" => switch(name, value).map(|_| Change::Nothing),
            "multipv" => {
                self.multipv = number(name, value, 1, MAX_MULTIPV)? as usize;
                Ok(Change::Nothing)
            }
            "move overhead" => {
                let ms = number(name, value, 0, MAX_OVERHEAD_MS)?;
                self.overhead = Duration::from_millis(ms);
                Ok(Change::Nothing)
            }
            "uci_chess960" => {
                self.chess960 = switch(name, value)?;
                Ok(Change::Nothing)
            }
            // The folder that holds the table's two files (PRO-01).
            "materialtable" => {
                self.imbalance = match value.trim() {
                    "" | "<empty>" => None,
                    folder => {
                        let table = ImbalanceTable::read(Path::new(folder));
                        Some(Arc::new(table.map_err(|error| format!("MaterialTable: {error}"))?))
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
                let known =
                    PERSONALITIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(value));
                let personality = known.map_or(value, |(known, _)| known);
                let params = Params::personality(personality).map_err(|error| error.to_string())?;
                self.personality = known.map_or("default", |(known, _)| known);
                self.params = Arc::new(params);
                Ok(Change::Params)
            }
            lower => {
                let mut params = Params::clone(&self.params);
                params.set(lower, value).map_err(|error| error.to_string())?;
                self.params = Arc::new(params);
                Ok(Change::Params)
            }
        }
    }

    /// The personality and what differs from it.
    pub(super) fn describe(&self) -> String {
        let plain = Params::personality(self.personality).unwrap_or_default();
        let mut text = self.personality.to_owned();
        for (name, value) in self.params.differences(&plain) {
            let _ = write!(text, ", {name}={value}");
        }
        text
    }
}

fn number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, String> {
    value.trim().parse().ok().filter(|number| (min..=max).contains(number)).ok_or_else(|| {
        format!("option {name} wants a whole number in {min}..={max}, not '{value}'")
    })
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.trim() {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!("option {name} wants true or false, not '{other}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_option_can_be_set_to_its_default() {
        let mut options = Options::default();
        for line in Options::list().lines() {
            let rest = line.strip_prefix("option name ").expect(line);
            let (name, rest) = rest.split_once(" type ").expect(line);
            let default = rest.split_once(" default ").map_or("", |(_, rest)| rest);
            let default = default.split([' ']).next().unwrap_or("");
            options.set(name, default).unwrap_or_else(|error| panic!("{line}: {error}"));
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
            ("MaterialTable", "/no/such/folder"),
            ("OpeningTable", "/no/such/file"),
            ("MultiPV", "0"),
            ("MultiPV", "257"),
            ("search.psv", "true"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options.hash, Options::default().hash);
        assert_eq!(options.describe(), "default");
        assert_eq!(options.set("personality", "REBEL"), Ok(Change::Params));
        assert_eq!(options.set("SEARCH.PVS", "true"), Ok(Change::Params));
        assert_eq!(options.describe(), "rebel, search.pvs=true");
        assert_eq!(options.set("materialtable", "<empty>"), Ok(Change::Imbalance));
        assert_eq!(options.set("openingtable", ""), Ok(Change::Opening));
        assert_eq!(options.set("multipv", "256"), Ok(Change::Nothing));
    }
}
