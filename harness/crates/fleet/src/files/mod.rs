//! Files by hash: programs, networks, books and sources go from the coordinator through the
//! broker's object store to the workers' caches.
//!
//! - `objects`: the store; `cache`: local copies.
//! - `plan`: replaces paths by hashes, and back; `places`: the same in what is kept of faults;
//!   `tables`: tablebases, which are not sent; `needs`: requirements of programs.
//! - `arrive`: prepares a run's files at a worker; `equipment`: what a worker has for all runs;
//!   `missing`: why a run cannot be prepared.

mod arrive;
mod cache;
mod equipment;
mod missing;
mod needs;
mod objects;
mod places;
mod plan;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use arrive::{Arrived, arrive};
pub(crate) use cache::FileCache;
pub(crate) use equipment::Equipment;
pub use equipment::Provisions;
pub(crate) use missing::{Again, Missing};
pub(crate) use needs::{ProgramNeeds, memory_mb, threads, version};
pub(crate) use objects::{MOST, all, put, remove};
pub(crate) use places::Places;
pub(crate) use plan::{SentFile, hash_of, options_with_marks, portable};

/// How engines that were built from git come to workers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Builds {
    /// The program, and its sources for machines on which it does not run.
    #[default]
    Either,
    /// Only the program.
    Send,
    /// Only the sources.
    Make,
}

/// Role of a program, after the side and a point.
pub(crate) const PROGRAM: &str = "program";
pub(crate) const SOURCES: &str = "sources";
