//! All messages, with their size limits. They are JSON; some are compressed by zstd. A message of
//! another protocol version is refused; unknown fields are ignored.

mod capsule;
mod chunk;
mod packed;
mod pairs;
mod run;
mod talk;
mod view;
mod worker;

pub use capsule::{CAPSULE_BYTES, shorten};
pub use chunk::ChunkMessage;
pub use pairs::{Packed, PairsBatch, Spoilt, WireGame, WorkerStamp};
pub use run::{
    BARRED, Barred, FileCard, FileRecipe, Needs, RunCard, RunIdentities, RunMark, RunSignatures,
    RunState, Signature,
};
pub use talk::{
    Ask, AskedFor, GamesPage, Hello, LiveGames, LogTail, Missing, Need, QueriedGames, Query,
    Welcome,
};
pub use view::{ResidualRow, RunView, WaitsFor};
pub use worker::{
    BEAT_EVERY, Beat, BenchNodes, Declined, Have, HeldChunk, Playing, TableSet, WorkerCard,
    WorkerState,
};

use process::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::names::{RunId, WorkerName};

/// Version of the protocol: field `v` of every message. 1 knew neither values of tuners nor capsules
/// in results.
pub const VERSION: u64 = 2;

/// Why a message was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("{found} bytes, expected at most {most}")]
    Size { found: usize, most: usize },
    #[error("its packed content is damaged: {0}")]
    Packing(String),
    #[error("its content is more than {0} bytes when unpacked")]
    Bomb(usize),
    #[error("protocol version {0}, expected {VERSION}")]
    Version(u64),
    #[error("its JSON is not of this kind of message: {0}")]
    Json(String),
    #[error("it is of run {0}")]
    OtherRun(RunId),
    #[error("it is by {0}")]
    OtherWorker(WorkerName),
    /// A field has a value that is not allowed.
    #[error("its field {0} has a value that is not allowed")]
    Field(&'static str),
}

/// A message. Decoding checks everything; encoding checks the size.
pub trait Message: Serialize + DeserializeOwned {
    /// Its name in error messages.
    const NAME: &'static str;
    /// Most bytes of its JSON.
    const MOST: usize;

    /// Protocol version of the sender.
    fn version(&self) -> u64;

    /// Checks the values of all fields.
    fn check(&self) -> Result<(), Refused> {
        Ok(())
    }
}

/// Decodes and checks a message.
pub fn decode<T: Message>(json: &[u8]) -> Result<T, Refused> {
    within(json.len(), T::MOST)?;
    let message: T = serde_json::from_slice(json).map_err(|error| {
        // A message of another version may lack fields; then the version is reported, not the JSON.
        match serde_json::from_slice::<AnyVersion>(json) {
            Ok(AnyVersion { v }) if v != VERSION => Refused::Version(v),
            _ => Refused::Json(error.to_string()),
        }
    })?;
    if message.version() != VERSION {
        return Err(Refused::Version(message.version()));
    }
    message.check()?;
    Ok(message)
}

/// Encodes a message; an error of kind fault if it is too large.
pub fn encode<T: Message>(message: &T) -> Result<Vec<u8>, Error> {
    let json = serde_json::to_vec(message).map_err(|error| unsent::<T>(error.to_string()))?;
    within(json.len(), T::MOST).map_err(|refused| unsent::<T>(refused.to_string()))?;
    Ok(json)
}

fn unsent<T: Message>(why: String) -> Error {
    Error::fault(format!("{} cannot be sent: {why}", T::NAME))
}

fn within(found: usize, most: usize) -> Result<(), Refused> {
    if found > most { Err(Refused::Size { found, most }) } else { Ok(()) }
}

#[derive(serde::Deserialize)]
struct AnyVersion {
    v: u64,
}

/// An error that names `field`, unless `holds`.
fn allow(holds: bool, field: &'static str) -> Result<(), Refused> {
    if holds { Ok(()) } else { Err(Refused::Field(field)) }
}

/// Whether a text can be shown as one line: at most `most` bytes and no control characters.
fn is_line(text: &str, most: usize) -> bool {
    text.len() <= most && !text.chars().any(char::is_control)
}

/// As [`is_line`]; `None` is allowed.
fn may_be_line(text: Option<&String>, most: usize) -> bool {
    text.is_none_or(|text| is_line(text, most))
}

/// Whether a number is finite and not negative.
fn is_amount(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}

#[cfg(test)]
mod tests;
