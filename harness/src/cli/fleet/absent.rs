//! Without the feature `fleet`: errors that say so.

use std::sync::Arc;

use arena::hands::Hands;
use process::Error;

use super::{ServeArgs, StatusArgs, WorkerArgs};
use crate::cli::flags::FleetFlags;

fn absent(word: &str) -> Error {
    Error::usage(format!(
        "{word}: this verdict was built without fleets; build it with: cargo build --release --features \
         fleet"
    ))
}

pub(in crate::cli) fn hands(
    _: Option<&str>,
    _: &FleetFlags,
    _: bool,
) -> Result<Arc<dyn Hands>, Error> {
    Err(absent("--fleet"))
}

pub(in crate::cli) fn serve(_: &ServeArgs) -> Result<u8, Error> {
    Err(absent("verdict serve"))
}

pub(in crate::cli) fn worker(_: &WorkerArgs) -> Result<u8, Error> {
    Err(absent("verdict worker"))
}

pub(in crate::cli) fn status(_: &StatusArgs) -> Result<u8, Error> {
    Err(absent("verdict status"))
}
