//! Keeps two processes from writing one folder.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::RecordError;
use process::locked::Locked;
use process::plain_file::open_itself;

pub const RUN_LOCK: &str = "run.lock";

/// Let go when dropped. Readers do not take it.
#[derive(Debug)]
pub struct FolderLock {
    _locked: Locked,
}

impl FolderLock {
    /// [`RecordError::InUse`] when another process, or another writer in this one, holds it.
    pub fn acquire(dir: &Path, name: &str) -> Result<FolderLock, RecordError> {
        let path = dir.join(name);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = open_itself(&path, &mut options)
            .map_err(RecordError::io(&path, "open the lock file"))?;
        let lock = Locked::attempt(file).map_err(RecordError::io(&path, "lock"))?;
        let mut locked = lock.map_err(|mut file| RecordError::InUse {
            dir: dir.to_owned(),
            holder: holder(&mut file),
        })?;
        // The number is a comfort for the message above: a full disk must not make it an error.
        let file = locked.file();
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(FolderLock { _locked: locked })
    }
}

/// The holder's process number as its lock file gives it, in words.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(32).read_to_string(&mut text) {
        Ok(_) if !text.trim().is_empty() => format!(" (process {})", text.trim()),
        _ => String::new(),
    }
}
