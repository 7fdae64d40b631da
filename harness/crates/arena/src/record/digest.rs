//! Hashes by which files and folders are known again.

use std::path::Path;
use std::{fs, io};

use sha2::{Digest, Sha256};

use super::RecordError;
use process::plain_file;

/// Files of a folder that are no longer than this count by their content, longer ones by length
/// only: a folder of table bases is not to be read at every start.
const SHORT: u64 = 1 << 20;

/// The sha256 in hexadecimal digits.
pub fn sha256_file(path: &Path) -> Result<String, RecordError> {
    let mut hasher = Sha256::new();
    add_file(&mut hasher, path)?;
    Ok(hex::encode(hasher.finalize()))
}

/// The sha256, in hexadecimal digits, of the names and lengths of a folder's files and the content
/// of short ones. Folders inside do not count.
pub fn sha256_folder(path: &Path) -> Result<String, RecordError> {
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(RecordError::io(path, "read"))?;
    let mut files: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    files.sort_unstable();
    let mut hasher = Sha256::new();
    for file in files {
        // Dangling links are left out.
        let Some(metadata) = fs::metadata(&file).ok().filter(fs::Metadata::is_file) else {
            continue;
        };
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name);
        hasher.update(metadata.len().to_le_bytes());
        if metadata.len() <= SHORT {
            add_file(&mut hasher, &file)?;
        }
    }
    Ok(hex::encode(hasher.finalize()))
}

fn add_file(hasher: &mut Sha256, path: &Path) -> Result<(), RecordError> {
    let mut file = plain_file::open(path).map_err(RecordError::io(path, "open"))?;
    io::copy(&mut file, hasher).map_err(RecordError::io(path, "read"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_an_empty_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256_file(file.path()).unwrap(), empty);
    }

    #[test]
    fn a_folder_is_known_by_what_it_holds() {
        let dir = tempfile::tempdir().unwrap();
        let hash = || sha256_folder(dir.path()).unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        write("a", "1");
        write("b", "2");
        let first = hash();
        write("a", "3");
        assert_ne!(hash(), first, "a content");
        write("a", "1");
        fs::create_dir(dir.path().join("inside")).unwrap();
        process::files::symlink("nowhere", dir.path().join("link")).unwrap();
        assert_eq!(hash(), first);
        fs::rename(dir.path().join("b"), dir.path().join("c")).unwrap();
        assert_ne!(hash(), first, "a name");
        assert!(sha256_folder(&dir.path().join("no such")).is_err());
    }
}
