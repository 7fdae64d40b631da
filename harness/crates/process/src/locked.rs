//! An open file whose lock is let go as soon as it is dropped.

use std::fs::{File, TryLockError};
use std::io;

/// A locked file. It is the operating system's lock on an open file, so it ends with its process
/// whatever kills it: a lock file that is lying about means nothing.
#[derive(Debug)]
pub struct Locked {
    file: File,
}

impl Locked {
    /// Waits until nobody has it locked.
    pub fn wait(file: File) -> io::Result<Locked> {
        file.lock()?;
        Ok(Locked { file })
    }

    /// Waits until nobody has it locked for themselves alone; others may share it.
    pub fn share(file: File) -> io::Result<Locked> {
        file.lock_shared()?;
        Ok(Locked { file })
    }

    /// Does not wait; gives the file back where another has it locked.
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
        // Closing would do, but for a child process just being started, which has the file open
        // until it runs its program.
        let _ = self.file.unlock();
    }
}
