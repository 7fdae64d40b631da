#![cfg(feature = "on")]
//! The live page: runs, their charts and games in a browser. Read-only.
//!
//! - [`Site`]: what is shown; [`RunSource`]: where figures and games of a run come from.
//! - [`serve`]: answers requests; [`Access`]: which requests are allowed.
//! - [`WebObserver`]: a match of this process.
//! - [`ToldRun`]: a run of another process, which sends its state.
//! - [`RecordedRuns`]: runs in folders.
//! - [`FleetState`], [`WorkerState`], [`BrokerState`]: many machines.
//! - `events`: changes as server-sent events; `pages`: HTML that works without JavaScript; `api`,
//!   `metrics`: JSON and Prometheus.
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
