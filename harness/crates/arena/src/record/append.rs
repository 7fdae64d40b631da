//! Appending to a growing file: whole buffers, rolled back when they fail.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::RecordError;

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

/// Appends whole lines, each call's in one write.
#[derive(Debug)]
pub(super) struct Appender<S: Storage> {
    storage: S,
    /// Bytes of whole lines.
    len: u64,
    sync_every: Duration,
    synced: Instant,
    dirty: bool,
    stopped: bool,
}

impl<S: Storage> Appender<S> {
    /// Syncs with the first append after so much time. A game survives the end of this process as
    /// soon as it is appended; only a crash of the whole machine can take what was not yet synced.
    pub(super) fn new(storage: S, len: u64, sync_every: Duration) -> Appender<S> {
        Appender { storage, len, sync_every, synced: Instant::now(), dirty: false, stopped: false }
    }

    /// Appends lines as one write. After a failure nothing of them is left where the storage
    /// can still be cut, and every later call fails. `path` and `action` are for the error.
    pub(super) fn append(
        &mut self,
        lines: &[u8],
        path: &Path,
        action: &'static str,
    ) -> Result<(), RecordError> {
        if self.stopped {
            return Err(RecordError::Stopped { path: path.to_owned() });
        }
        let done = self.write(lines).and_then(|()| self.sync_when_due());
        // A failed sync may have lost data that later syncs report as written: stop there too.
        self.stopped = done.is_err();
        done.map_err(RecordError::io(path, action))
    }

    pub(super) fn is_synced(&self) -> bool {
        !self.dirty
    }

    /// Whether something has waited longer for the disk than it should.
    pub(super) fn is_due(&self) -> bool {
        self.dirty && self.synced.elapsed() >= self.sync_every
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

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let written = self.storage.write_all(lines).and_then(|()| self.storage.flush());
        if written.is_err() {
            // Where cutting fails too, the torn line stays, and a resume cuts it.
            let _ = self.storage.truncate(self.len);
        } else {
            self.len += lines.len() as u64;
            self.dirty = true;
        }
        written
    }

    fn sync_when_due(&mut self) -> io::Result<()> {
        if self.is_due() { self.sync() } else { Ok(()) }
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

    fn append(appender: &mut Appender<impl Storage>, lines: &[u8]) -> Result<(), RecordError> {
        appender.append(lines, Path::new("games.jsonl"), "record a game")
    }

    fn is_full(error: &RecordError) -> bool {
        matches!(error, RecordError::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull)
    }

    fn line(number: u64) -> Vec<u8> {
        (serde_json::to_string(&sample(number)).unwrap() + "\n").into_bytes()
    }

    #[test]
    fn a_disk_that_fills_up_keeps_every_earlier_game() {
        let (whole, third) = ([line(0), line(1)].concat(), line(2));
        let more = third.len() - 1;
        for (extra, cannot_cut) in (0..=more).flat_map(|n| [(n, false), (n, true)]) {
            let storage = Filling { room: whole.len() + extra, cannot_cut, ..Filling::default() };
            let mut appender = Appender::new(storage, 0, Duration::MAX);
            append(&mut appender, &whole).unwrap();
            let error = append(&mut appender, &third).unwrap_err();
            assert!(is_full(&error), "{error:?}");
            let kept = whole.len() + if cannot_cut { extra } else { 0 };
            assert_eq!(appender.storage.bytes.len(), kept);
            assert!(appender.storage.bytes.starts_with(&whole));
            // Space that comes back must not leave a gap behind a torn line.
            appender.storage.room = usize::MAX;
            assert!(matches!(append(&mut appender, &third), Err(RecordError::Stopped { .. })));
            assert_eq!(appender.storage.bytes.len(), kept);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        let device = OpenOptions::new().append(true).open("/dev/full").unwrap();
        let mut appender = Appender::new(device, 0, Duration::ZERO);
        let error = append(&mut appender, &line(0)).unwrap_err();
        assert!(is_full(&error), "{error:?}");
    }

    #[test]
    fn syncing() {
        let count = |sync_every, appends| {
            let storage = Filling { room: usize::MAX, ..Filling::default() };
            let mut appender = Appender::new(storage, 0, sync_every);
            for number in 0..appends {
                append(&mut appender, &line(number)).unwrap();
            }
            let during = appender.storage.syncs;
            appender.sync().unwrap();
            appender.sync().unwrap();
            (during, appender.storage.syncs)
        };
        assert_eq!(count(Duration::ZERO, 3), (3, 3));
        assert_eq!(count(Duration::MAX, 3), (0, 1));
        assert_eq!(count(Duration::MAX, 0), (0, 0));
    }

    #[test]
    fn a_failed_sync_stops_the_journal() {
        let storage = Filling { room: usize::MAX, cannot_sync: true, ..Filling::default() };
        let mut appender = Appender::new(storage, 0, Duration::ZERO);
        assert!(matches!(append(&mut appender, &line(0)), Err(RecordError::Io { .. })));
        assert!(matches!(append(&mut appender, &line(1)), Err(RecordError::Stopped { .. })));
    }
}
