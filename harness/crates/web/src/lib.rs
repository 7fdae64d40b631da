#![cfg(feature = "on")]
//! The live page: runs, their charts and games, in a browser. It reads and never writes.
//!
//! - [`Site`]: what is shown; [`RunSource`]: where a run's figures and games come from.
//! - [`serve`] answers requests; [`Access`]: who may ask, and how.
//! - [`WebObserver`]: a match of this process.
//! - [`ToldRun`]: a run of another process, which tells its state.
//! - [`RecordedRuns`]: runs in folders.
//! - [`FleetState`], [`WorkerState`], [`BrokerState`]: many machines, filled in by who knows them.
//! - `events`: changes as server-sent events; `pages`: HTML that needs no script; `api`, `metrics`:
//!   the same for programs.
//! - `board`, `pieces`, `moves`: a position as SVG, a game as a list of moves.

mod answer;
mod api;
mod board;
mod connections;
mod events;
mod fleet;
mod guard;
mod local;
mod metrics;
mod moves;
mod pages;
mod pieces;
mod query;
mod recorded;
mod serve;
mod shown;
mod site;
mod source;
mod state;
#[cfg(test)]
mod testing;
mod told;

pub use board::board;
pub use fleet::{
    BrokerState, Declined, FleetState, HeldChunk, Residual, WaitsFor, WorkerPhase, WorkerState,
};
pub use guard::{Access, new_token};
pub use local::{FleetTeller, LineOf, WebObserver};
pub use recorded::RecordedRuns;
pub use serve::serve;
pub use site::Site;
pub use source::{Answer, Charts, RunSource, run_id};
pub use state::{Phase, RunState};
pub use told::{Asked, ToldRun};
