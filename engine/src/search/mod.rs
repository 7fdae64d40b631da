//! The search: iterative deepening over a root of its own, alpha-beta, quiescence.
//!
//! Scores are from the side to move. At a fixed node or depth limit a search from a cleared state
//! is a pure function of position, history, parameters and limit.

mod alpha_beta;
mod aspiration;
mod clock;
mod hash;
mod heuristics;
mod learned;
mod limits;
mod picker;
mod presearch;
mod pv;
mod qsearch;
mod root;
mod setup;
mod shuffle;
mod statistics;
mod worker;

pub use hash::HashSize;
pub use limits::{ClockLimit, IterationInfo, Limits, Observer};
pub use root::RootReport;
pub use setup::Setup;
pub use statistics::{Event, SearchStatistics};

pub(crate) use hash::HashTable;
pub(crate) use heuristics::Heuristics;
pub(crate) use setup::exchange_values;
pub(crate) use statistics::{NoStatistics, Statistics};
pub(crate) use worker::{Buffers, Worker};
