//! Appending to the journal: whole buffers, rolled back when they fail.

use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::GameRecord;

/// How soon a recorded game must survive the loss of power.
///
/// A game survives the end of this process, by whatever signal, as soon as it is appended; only a
/// crash of the whole machine can take what was not yet synced. Syncing blocks the caller for as
/// long as the disk needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Sync after every append.
    EveryAppend,
    /// Sync with the first append after so much time, and at the end.
    Every(Duration),
    /// Sync at the end only.
    AtEnd,
}

impl Default for Durability {
    /// Every five seconds: at most so much is played again after a loss of power.
    fn default() -> Durability {
        Durability::Every(Duration::from_secs(5))
    }
}

/// Where lines go: a file, or in tests something that fails on command.
pub(super) trait Storage: Write {
    /// Cuts it to a length in bytes.
    fn truncate(&mut self, len: u64) -> io::Result<()>;
    /// Waits until its data are on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Storage for File {
    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Why an append did nothing.
#[derive(Debug)]
pub(super) enum AppendError {
    /// This one failed.
    Io(io::Error),
    /// An earlier one failed.
    Stopped,
}

/// Appends records, each call's in one write.
#[derive(Debug)]
pub(super) struct Appender<S: Storage> {
    storage: S,
    /// Bytes of whole lines; everything after them is a failed write's remains.
    len: u64,
    buffer: Vec<u8>,
    durability: Durability,
    synced: Instant,
    dirty: bool,
    stopped: bool,
}

impl<S: Storage> Appender<S> {
    /// Appends to `storage`, which holds `len` bytes of whole lines.
    pub(super) fn new(storage: S, len: u64, durability: Durability) -> Appender<S> {
        Appender {
            storage,
            len,
            buffer: Vec::new(),
            durability,
            synced: Instant::now(),
            dirty: false,
            stopped: false,
        }
    }

    /// Appends records as one write. After a failure nothing of them is left where the storage
    /// can still be cut, and every later call fails.
    pub(super) fn append(&mut self, records: &[&GameRecord]) -> Result<(), AppendError> {
        if self.stopped {
            return Err(AppendError::Stopped);
        }
        let done = self.write(records).and_then(|()| self.sync_when_due());
        // A failed sync may have lost data that later syncs report as written: stop there too.
        self.stopped = done.is_err();
        done.map_err(AppendError::Io)
    }

    /// Syncs what is not synced yet.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.dirty {
            self.storage.sync()?;
            self.dirty = false;
        }
        self.synced = Instant::now();
        Ok(())
    }

    fn write(&mut self, records: &[&GameRecord]) -> io::Result<()> {
        self.buffer.clear();
        for record in records {
            serde_json::to_writer(&mut self.buffer, record)?;
            self.buffer.push(b'\n');
        }
        let written = self.storage.write_all(&self.buffer).and_then(|()| self.storage.flush());
        match written {
            Ok(()) => {
                self.len += self.buffer.len() as u64;
                self.dirty = true;
                Ok(())
            }
            Err(error) => {
                // Where cutting fails too, the torn line stays, and a resume cuts it.
                let _ = self.storage.truncate(self.len);
                Err(error)
            }
        }
    }

    fn sync_when_due(&mut self) -> io::Result<()> {
        match self.durability {
            Durability::EveryAppend => self.sync(),
            Durability::Every(interval) if self.synced.elapsed() >= interval => self.sync(),
            Durability::Every(_) | Durability::AtEnd => Ok(()),
        }
    }
}
