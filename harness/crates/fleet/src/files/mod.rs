//! Programs, networks, books and sources, by their hash: from whoever plays a run through the
//! broker's object store into a worker's cache.
//!
//! - `objects`: the store; `cache`: what is here.
//! - `plan`: a plan without paths, and back; `tables`: what does not travel; `needs`: what a machine
//!   must be.
//! - `arrive`: a run's files at a worker; `equipment`: what it has for all runs.

mod arrive;
mod cache;
mod equipment;
mod needs;
mod objects;
mod plan;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use arrive::{Arrived, Missing, arrive};
pub(crate) use cache::FileCache;
pub(crate) use equipment::Equipment;
pub use equipment::Provisions;
pub(crate) use needs::{ProgramNeeds, memory_mb, threads, version};
pub(crate) use objects::{MOST, all, put, remove};
pub(crate) use plan::{SentFile, hash_of, options_with_marks, portable};

/// How players that were built here reach the workers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Builds {
    /// The programs, and their sources for machines on which these do not run.
    #[default]
    Either,
    /// The programs only.
    Send,
    /// The sources only.
    Make,
}

/// The end of the role of a program, behind the side.
pub(crate) const PROGRAM: &str = "program";
pub(crate) const SOURCES: &str = "sources";
