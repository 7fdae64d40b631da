//! Who an engine is, by its own word.

use serde::{Deserialize, Serialize};

/// What an engine says of itself, and how it was set up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// Its name (`id name`, `myname`); the file's name if it gives none.
    pub name: String,
    /// Its author (`id author`); empty if it gives none.
    pub author: String,
    /// The options that were set, name and value, in order.
    pub options: Vec<(String, String)>,
    /// What it said when they were set, by `info string`: that it cannot read a file, for instance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}
