//! The search: iterative deepening over a root of its own, alpha-beta, quiescence.
//!
//! Scores are from the side to move. At a fixed node or depth limit a search from a cleared state
//! is a pure function of position, history, parameters, size of the hash table and limit.

mod after_move;
mod alpha_beta;
mod aspiration;
mod branching;
mod budget;
mod clock;
mod contempt;
mod evaluation_cache;
mod extensions;
mod haste;
mod heuristics;
mod history_pst;
mod horizon;
mod iid;
mod lag;
mod lazy;
mod limits;
mod lmr;
mod make;
mod move_squares;
mod opening;
mod opening_bonus;
mod picker;
mod plan;
mod probcut;
mod pv;
mod pvs;
mod qsearch;
mod razoring;
mod reductions;
mod reverse_futility;
mod root;
mod selective;
mod setup;
mod shuffle;
mod stack;
mod static_eval;
mod statistics;
mod strength;
mod tables;
mod team;
#[cfg(test)]
mod testing;
mod time_scale;
mod tt;
mod worker;

pub use limits::{ClockLimit, IterationInfo, Limits, Observer};
pub use opening::{OpeningError, OpeningTable, WrongLine};
pub use root::RootReport;
pub use setup::Setup;
pub use statistics::{SearchEvent, SearchStatistics};
pub use strength::Strength;
pub use tt::{Bound, HashSize};

pub(crate) use branching::Branching;
pub(crate) use heuristics::Heuristics;
pub(crate) use root::{Crew, Helpers};
pub(crate) use setup::exchange_values;
pub(crate) use statistics::{NoStatistics, Statistics};
pub(crate) use tt::HashTable;
pub(crate) use worker::{Buffers, Worker};
