//! The search: iterative deepening over a root of its own, alpha-beta, quiescence.
//!
//! Scores are from the side to move. At a fixed node or depth limit a search from a cleared state
//! is a pure function of position, history, parameters, size of the hash table and limit.

mod alpha_beta;
mod aspiration;
mod branching;
mod budget;
mod clock;
mod contempt;
mod evaluation_cache;
mod extensions;
mod hash;
mod heuristics;
mod horizon;
mod judged;
mod late_moves;
mod lazy;
mod learned;
mod limits;
mod line;
mod moved;
mod opening;
mod patience;
mod picker;
mod plan;
mod presearch;
mod pv;
mod qsearch;
mod reductions;
mod root;
mod scout;
mod selective;
mod setup;
mod shuffle;
mod stalls;
mod static_cut;
mod statistics;
#[cfg(test)]
mod testing;
mod worker;

pub use hash::{Bound, HashSize};
pub use limits::{ClockLimit, IterationInfo, Limits, Observer};
pub use opening::{OpeningError, OpeningTable, WrongLine};
pub use root::RootReport;
pub use setup::Setup;
pub use statistics::{Event, SearchStatistics};

pub(crate) use branching::Branching;
pub(crate) use hash::HashTable;
pub(crate) use heuristics::Heuristics;
pub(crate) use setup::exchange_values;
pub(crate) use statistics::{NoStatistics, Statistics};
pub(crate) use worker::{Buffers, Worker};
