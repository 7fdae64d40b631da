//! `speed.jsonl`: one line for each candidate and round, appended when it is measured.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use arena::record::RecordError;
use arena::record::lock::{FolderLock, RUN_LOCK};
use arena::record::output_files::SPEED_JOURNAL;
use arena::record::place::FilePlace;
use process::plain_file::{self, MEASUREMENTS, open_itself};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// From 0; `None`: the base.
    pub candidate: Option<usize>,
    pub round: u32,
    pub nodes: Vec<u64>,
    pub micros: Vec<u64>,
}

/// The measurements in the journal of `dir`, over so many positions, without a torn last line.
/// Fails when it holds something else.
pub fn read(dir: &Path, positions: usize) -> Result<Vec<Timing>, RecordError> {
    Ok(WholeLines::read(&dir.join(SPEED_JOURNAL), positions)?.timings)
}

/// The journal, open for writing. It locks the run against other processes.
pub(super) struct SpeedJournal {
    place: FilePlace,
    file: File,
    _lock: FolderLock,
}

impl SpeedJournal {
    /// Opens the journal of `dir`; returns its measurements and a writer. A torn last line is cut
    /// off. Fails as [`read`] does, or while another process writes.
    pub(super) fn open(
        dir: &Path,
        positions: usize,
    ) -> Result<(SpeedJournal, Vec<Timing>), RecordError> {
        let lock = FolderLock::acquire(dir, RUN_LOCK)?;
        let path = dir.join(SPEED_JOURNAL);
        let mut file = open_itself(&path, OpenOptions::new().create(true).append(true))
            .map_err(RecordError::io(&path, "open"))?;
        let place = FilePlace::of(&path, &file).map_err(RecordError::io(&path, "open"))?;
        let whole = WholeLines::read(&path, positions)?;
        file.set_len(whole.bytes).map_err(RecordError::io(&path, "cut off the torn last line"))?;
        if whole.is_unended {
            file.write_all(b"\n").map_err(RecordError::io(&path, "end the last line"))?;
        }
        Ok((SpeedJournal { place, file, _lock: lock }, whole.timings))
    }

    pub(super) fn append(&mut self, timing: &Timing) -> Result<(), RecordError> {
        self.place.check()?;
        let line = serde_json::to_string(timing).map(|line| line + "\n");
        line.map_err(std::io::Error::from)
            .and_then(|line| self.file.write_all(line.as_bytes()))
            .and_then(|()| self.file.sync_data())
            .map_err(RecordError::io(self.place.path(), "record a measurement"))
    }
}

/// The complete lines of a journal.
#[derive(Default)]
struct WholeLines {
    timings: Vec<Timing>,
    /// Bytes of these lines.
    bytes: u64,
    /// Whether the last one lacks only its line end.
    is_unended: bool,
}

impl WholeLines {
    /// Empty where there is no journal.
    fn read(path: &Path, positions: usize) -> Result<WholeLines, RecordError> {
        let text = match plain_file::read(path, MEASUREMENTS) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(WholeLines::default()),
            text => text.map_err(RecordError::io(path, "read"))?,
        };
        let mut whole = WholeLines::default();
        for (line, bytes) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            let is_ended = bytes.ends_with(b"\n");
            let damaged = |reason: String| RecordError::damaged(path, line, reason);
            let timing: Timing = match serde_json::from_slice(bytes) {
                Ok(timing) => timing,
                Err(_) if !is_ended => break,
                Err(error) => return Err(damaged(format!("expected a measurement: {error}"))),
            };
            if timing.nodes.len() != positions || timing.micros.len() != positions {
                return Err(damaged(format!("expected a measurement of {positions} positions")));
            }
            whole.timings.push(timing);
            whole.bytes += bytes.len() as u64;
            whole.is_unended = !is_ended;
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn timing(round: u32) -> Timing {
        Timing { candidate: None, round, nodes: vec![7], micros: vec![u64::from(round)] }
    }

    fn line(round: u32) -> String {
        serde_json::to_string(&timing(round)).unwrap()
    }

    fn goes_on(text: &str) -> (Vec<Timing>, String) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(SPEED_JOURNAL);
        fs::write(&path, text).unwrap();
        let told = read(dir.path(), 1).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "who reads changes nothing");
        let (mut journal, timings) = SpeedJournal::open(dir.path(), 1).unwrap();
        assert_eq!(told, timings);
        journal.append(&timing(9)).unwrap();
        (timings, fs::read_to_string(&path).unwrap())
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_one_without_its_end_kept() {
        let (first, second, last) = (line(0), line(1), line(9));
        let both = vec![timing(0), timing(1)];
        let whole = format!("{first}\n{second}\n{last}\n");
        assert_eq!(goes_on(&format!("{first}\n{second}\n")), (both.clone(), whole.clone()));
        assert_eq!(goes_on(&format!("{first}\n{second}")), (both.clone(), whole.clone()));
        assert_eq!(goes_on(&format!("{first}\n{second}\n{{\"cand")), (both, whole));
        assert_eq!(goes_on(""), (Vec::new(), format!("{last}\n")));
    }

    #[test]
    fn damage_is_told_and_nothing_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let text = format!("{}\n{{\"cand\n{}\n", line(0), line(1));
        fs::write(dir.path().join(SPEED_JOURNAL), &text).unwrap();
        let error = read(dir.path(), 1).unwrap_err();
        assert!(matches!(error, RecordError::Damaged { line: 2, .. }), "{error}");
        assert!(SpeedJournal::open(dir.path(), 1).is_err());
        assert!(read(dir.path(), 2).is_err());
        assert_eq!(fs::read_to_string(dir.path().join(SPEED_JOURNAL)).unwrap(), text);
    }

    #[test]
    fn two_do_not_write_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let _first = SpeedJournal::open(dir.path(), 1).unwrap();
        let second = SpeedJournal::open(dir.path(), 1).map(|_| ());
        assert!(matches!(second, Err(RecordError::InUse { .. })));
    }
}
