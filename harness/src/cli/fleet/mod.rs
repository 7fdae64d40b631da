//! Many machines: `serve`, `worker`, `status`, and the flag `--fleet`.

#[cfg(not(feature = "fleet"))]
mod absent;
#[cfg(feature = "fleet")]
mod present;
mod words;

#[cfg(not(feature = "fleet"))]
pub(super) use absent::{hands, serve, status, worker};
#[cfg(feature = "fleet")]
pub(super) use present::{hands, serve, status, worker};
pub(super) use words::{ServeArgs, StatusArgs, WorkerArgs};
