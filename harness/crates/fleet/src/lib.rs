#![cfg(feature = "on")]
//! Matches over many machines: a broker (NATS JetStream), a coordinator for each run, workers.
//!
//! - [`server`]: the broker as a child process, its configuration, rights, streams.
//! - [`link`]: a connection to it.
//! - [`coordinator`]: plays a run by workers, and by this machine.
//! - [`files`]: programs and what they read, by their hash.
//! - [`status`]: what all of them do.
//! - [`worker`]: plays chunks for others.

pub mod coordinator;
pub mod files;
pub mod link;
mod machine;
pub mod server;
pub mod status;
pub mod worker;
