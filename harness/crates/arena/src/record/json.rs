//! Files that hold one JSON document.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{RecordError, atomic};
use process::plain_file::{self, DOCUMENT};

/// `what` names the expected document in the error.
pub fn read_json<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T, RecordError> {
    let text = plain_file::read(path, DOCUMENT).map_err(RecordError::io(path, "read"))?;
    parse_json(&text, path, what)
}

pub(super) fn parse_json<T: DeserializeOwned>(
    text: &[u8],
    path: &Path,
    what: &str,
) -> Result<T, RecordError> {
    serde_json::from_slice(text).map_err(|error| {
        RecordError::damaged(path, error.line() as u64, format!("expected {what}: {error}"))
    })
}

pub fn write_json(path: &Path, document: &impl Serialize) -> Result<(), RecordError> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| RecordError::io(path, "write")(error.into()))?;
    atomic::replace_by(path, text + "\n")
}
