#![cfg(feature = "on")]
//! What the machines of a fleet say to each other, and who is to play what. No network, no clock,
//! no tasks: those are in `fleet`. Times are given as durations of one clock of the caller's.
//!
//! - [`names`]: workers, runs, and every subject, message id and stream.
//! - [`chunk`]: the unit of work, and how a run is split into them.
//! - [`message`]: every message as a struct, with its limits.
//! - [`token`]: the line that invites a worker.
//! - [`ledger`]: which chunks are waiting, queued, held and done.
//! - [`batch`]: when a worker sends its results.
//! - [`audit`]: chunks that are played twice, and what a difference proves; [`residual`]: how far a
//!   worker's results are from those of the others; [`poison`]: chunks that kill their workers.

pub mod audit;
pub mod batch;
pub mod chunk;
#[cfg(any(test, fuzzing, feature = "testing"))]
pub mod fuzzing;
pub mod ledger;
pub mod message;
pub mod names;
pub mod poison;
pub mod residual;
pub mod token;
