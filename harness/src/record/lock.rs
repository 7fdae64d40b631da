//! Keeps two processes from writing one run.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::RecordError;
use crate::locked::Locked;

/// The name of the lock file in a run's folder.
const LOCK_FILE: &str = "run.lock";

/// A held lock on a run's folder, let go when dropped. Readers do not take it.
#[derive(Debug)]
pub(super) struct RunLock {
    _locked: Locked,
}

impl RunLock {
    /// Locks a folder.
    ///
    /// # Errors
    ///
    /// [`RecordError::InUse`] when another process (or another journal of this one) holds it;
    /// [`RecordError::Io`] when the lock file cannot be made or the file system has no locks.
    pub(super) fn acquire(dir: &Path) -> Result<RunLock, RecordError> {
        let path = dir.join(LOCK_FILE);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
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
        Ok(RunLock { _locked: locked })
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
