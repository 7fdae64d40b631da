//! Who an engine is: by its own word, and by the bytes of its program.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

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

/// The SHA-256 of a program's file, 64 hexadecimal digits.
pub fn program_sha256(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(format!("{:x}", hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_an_empty_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(
            program_sha256(file.path()).unwrap(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}
