//! File locks that end when they are dropped.

use std::fs::{File, TryLockError};
use std::io;

/// A locked file. The lock belongs to the open file, so it ends with its process. A lock file that
/// still exists means nothing.
#[derive(Debug)]
pub struct Locked {
    file: File,
}

impl Locked {
    /// Waits for the lock.
    pub fn wait(file: File) -> io::Result<Locked> {
        file.lock()?;
        Ok(Locked { file })
    }

    /// Waits for a shared lock.
    pub fn share(file: File) -> io::Result<Locked> {
        file.lock_shared()?;
        Ok(Locked { file })
    }

    /// Does not wait. Returns the file if another has it locked.
    pub fn attempt(file: File) -> io::Result<Result<Locked, File>> {
        match file.try_lock() {
            Ok(()) => Ok(Ok(Locked { file })),
            Err(TryLockError::WouldBlock) => Ok(Err(file)),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing is not enough: a child that is being started keeps the file open until it runs
        // its program.
        let _ = self.file.unlock();
    }
}
