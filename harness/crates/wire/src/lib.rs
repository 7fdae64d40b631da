#![cfg(feature = "on")]
//! Messages between the machines of a fleet, and the state machine that decides who plays what. No
//! network, no clock, no tasks: those are in `fleet`. All times are durations on one clock of the
//! caller.
//!
//! - [`names`]: workers, runs, and every subject, message id and stream.
//! - [`chunk`]: the unit of work, and how a run is split into them.
//! - [`message`]: every message as a struct, with its limits.
//! - [`token`]: invitations of workers and coordinators.
//! - [`ledger`]: which chunks are waiting, queued, held and done.
//! - [`batch`]: when a worker sends its results.
//! - [`audit`]: chunks that are played twice, and what a difference proves; [`poison`]: chunks that kill
//!   their workers.

pub mod audit;
pub mod batch;
pub mod chunk;
#[cfg(any(test, fuzzing, feature = "testing"))]
pub mod fuzzing;
pub mod ledger;
pub mod message;
pub mod names;
pub mod poison;
pub mod token;
