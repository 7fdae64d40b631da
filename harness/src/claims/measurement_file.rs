//! How a measurement lies in its folder: one JSON file of its own name, whole or absent.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use arena::record::atomic::replace_by;
use arena::record::{RecordError, read_json};

pub(super) trait MeasurementFile: Serialize + DeserializeOwned {
    const FILE: &str;
    /// What it holds, in words, for those who find something else there.
    const WHAT: &str;

    /// What lies in `dir`; `None` where there is nothing.
    fn read(dir: &Path) -> Result<Option<Self>, RecordError> {
        let path = dir.join(Self::FILE);
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path, Self::WHAT).map(Some)
    }

    /// Writes it into `dir`, which need not be there.
    fn write(&self, dir: &Path) -> Result<(), RecordError> {
        fs::create_dir_all(dir).map_err(RecordError::io(dir, "create"))?;
        let text = serde_json::to_string(self).unwrap_or_default() + "\n";
        replace_by(&dir.join(Self::FILE), text)
    }
}
