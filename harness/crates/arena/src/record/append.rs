//! Appending to the journal: whole buffers, rolled back when they fail.

use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::GameRecord;

/// How soon a recorded game must survive the loss of power.
///
/// A game survives the end of this process as soon as it is appended; only a crash of the whole
/// machine can take what was not yet synced. Syncing blocks the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    EveryAppend,
    /// Sync with the first append after so much time, and at the end.
    Every(Duration),
    AtEnd,
}

impl Default for Durability {
    /// At most so much is played again after a loss of power.
    fn default() -> Durability {
        Durability::Every(Duration::from_secs(5))
    }
}

/// Where lines go: a file, or in tests something that fails on command.
pub(super) trait Storage: Write {
    fn truncate(&mut self, len: u64) -> io::Result<()>;
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
    Io(io::Error),
    Stopped,
}

/// Appends records, each call's in one write.
#[derive(Debug)]
pub(super) struct Appender<S: Storage> {
    storage: S,
    /// Bytes of whole lines.
    len: u64,
    buffer: Vec<u8>,
    durability: Durability,
    synced: Instant,
    dirty: bool,
    stopped: bool,
}

impl<S: Storage> Appender<S> {
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

    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.buffer.split(|byte| *byte == b'\n')
    }

    pub(super) fn is_synced(&self) -> bool {
        !self.dirty
    }

    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

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

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;
    use crate::record::sample;

    /// Takes so many bytes, then fails like a full disk.
    #[derive(Debug, Default)]
    struct Filling {
        bytes: Vec<u8>,
        room: usize,
        cannot_cut: bool,
        cannot_sync: bool,
        syncs: usize,
    }

    impl Write for Filling {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.room - self.bytes.len());
            self.bytes.extend(&bytes[..taken]);
            match taken {
                0 => Err(io::ErrorKind::StorageFull.into()),
                taken => Ok(taken),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Storage for Filling {
        fn truncate(&mut self, len: u64) -> io::Result<()> {
            if self.cannot_cut {
                return Err(io::ErrorKind::Other.into());
            }
            self.bytes.truncate(len as usize);
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            self.syncs += 1;
            if self.cannot_sync { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
        }
    }

    fn line(number: u64) -> Vec<u8> {
        serde_json::to_string(&sample(number)).unwrap().into_bytes()
    }

    #[test]
    fn a_disk_that_fills_up_keeps_every_earlier_game() {
        let [a, b, c] = [0, 1, 2].map(sample);
        let whole = [line(0), b"\n".to_vec(), line(1), b"\n".to_vec()].concat();
        let more = line(2).len();
        for (extra, cannot_cut) in (0..=more).flat_map(|n| [(n, false), (n, true)]) {
            let storage = Filling { room: whole.len() + extra, cannot_cut, ..Filling::default() };
            let mut appender = Appender::new(storage, 0, Durability::AtEnd);
            appender.append(&[&a, &b]).unwrap();
            let error = appender.append(&[&c]).unwrap_err();
            assert!(
                matches!(&error, AppendError::Io(e) if e.kind() == io::ErrorKind::StorageFull),
                "{error:?}"
            );
            let kept = whole.len() + if cannot_cut { extra } else { 0 };
            assert_eq!(appender.storage.bytes.len(), kept);
            assert!(appender.storage.bytes.starts_with(&whole));
            // Space that comes back must not leave a gap behind a torn line.
            appender.storage.room = usize::MAX;
            assert!(matches!(appender.append(&[&c]), Err(AppendError::Stopped)));
            assert_eq!(appender.storage.bytes.len(), kept);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        let device = OpenOptions::new().append(true).open("/dev/full").unwrap();
        let mut appender = Appender::new(device, 0, Durability::EveryAppend);
        let error = appender.append(&[&sample(0)]).unwrap_err();
        assert!(matches!(&error, AppendError::Io(e) if e.kind() == io::ErrorKind::StorageFull));
    }

    #[test]
    fn syncing() {
        let count = |durability, appends| {
            let storage = Filling { room: usize::MAX, ..Filling::default() };
            let mut appender = Appender::new(storage, 0, durability);
            for number in 0..appends {
                appender.append(&[&sample(number)]).unwrap();
            }
            let during = appender.storage.syncs;
            appender.sync().unwrap();
            appender.sync().unwrap();
            (during, appender.storage.syncs)
        };
        assert_eq!(count(Durability::EveryAppend, 3), (3, 3));
        assert_eq!(count(Durability::Every(Duration::ZERO), 3), (3, 3));
        assert_eq!(count(Durability::Every(Duration::MAX), 3), (0, 1));
        assert_eq!(count(Durability::AtEnd, 3), (0, 1));
        assert_eq!(count(Durability::AtEnd, 0), (0, 0));
    }

    #[test]
    fn a_failed_sync_stops_the_journal() {
        let storage = Filling { room: usize::MAX, cannot_sync: true, ..Filling::default() };
        let mut appender = Appender::new(storage, 0, Durability::EveryAppend);
        assert!(matches!(appender.append(&[&sample(0)]), Err(AppendError::Io(_))));
        assert!(matches!(appender.append(&[&sample(1)]), Err(AppendError::Stopped)));
    }
}
