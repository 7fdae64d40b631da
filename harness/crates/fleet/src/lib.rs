#![cfg(feature = "on")]
//! Matches on many machines: a broker (NATS JetStream), a coordinator for each run, and workers.
//!
//! - [`server`]: the broker as a child process; its configuration, rights and streams.
//! - [`link`]: a connection to the broker.
//! - [`coordinator`]: plays a run on workers and on this machine.
//! - [`files`]: programs and their files, by hash.
//! - [`status`]: state of runs and workers.
//! - [`worker`]: plays chunks of runs.

pub mod coordinator;
pub mod files;
pub mod link;
mod machine;
pub mod server;
pub mod status;
pub mod worker;
