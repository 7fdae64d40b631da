//! `fleet.jsonl`: what was found out about the machines that play a run, one decision a line. It is
//! only added to, so that a resumed run goes on where it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use process::plain_file::{self, open_itself};
use serde::{Deserialize, Serialize};

use super::RecordError;

pub const FLEET_FILE: &str = "fleet.jsonl";
/// Bytes.
const MOST: u64 = 256 << 20;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum FleetNote {
    /// By what chunks are chosen that are played twice. Who knows the key before knows them.
    Choice { key: String },
    /// The pairs from `first` on are played a second time.
    Due { first: u64, pairs: u32 },
    /// They were the same.
    Clean { first: u64, pairs: u32 },
    /// What was due from this pair on is not to be compared any more: it was struck, or is not played.
    Closed { first: u64 },
    /// A machine has sent games that it did not play.
    Convicted {
        worker: String,
        why: String,
        /// That are struck from the journal.
        pairs: u64,
    },
    /// Nothing is played twice any more.
    Lapsed { why: String },
    /// A pair on a clock that a worker had begun was drawn anew at another.
    Redrawn { pairs: u64 },
}

/// Everything that was noted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FleetFacts {
    pub key: Option<String>,
    /// Pairs that are still to be compared: how many, by the first one.
    pub due: BTreeMap<u64, u32>,
    /// Pairs that were the same: how many, by the first one.
    pub clean: BTreeMap<u64, u32>,
    /// Why, by worker.
    pub convicted: BTreeMap<String, String>,
    /// Of theirs, in all.
    pub struck_pairs: u64,
    pub lapsed: Option<String>,
    /// Pairs on a clock.
    pub redrawn: u64,
}

impl FleetFacts {
    /// Of the run in `dir`. A line that is cut short, or of a later version, says nothing.
    pub fn read(dir: &Path) -> Result<FleetFacts, RecordError> {
        let path = dir.join(FLEET_FILE);
        let mut facts = FleetFacts::default();
        let text = match plain_file::read_text(&path, MOST) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(facts),
            read => read.map_err(RecordError::io(&path, "read"))?,
        };
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .for_each(|it| facts.add(it));
        Ok(facts)
    }

    fn add(&mut self, note: FleetNote) {
        match note {
            FleetNote::Choice { key } => self.key = Some(key),
            FleetNote::Due { first, pairs } => drop(self.due.insert(first, pairs)),
            FleetNote::Clean { first, pairs } => {
                self.due.remove(&first);
                self.clean.insert(first, pairs);
            }
            FleetNote::Closed { first } => drop(self.due.remove(&first)),
            FleetNote::Convicted { worker, why, pairs } => {
                self.struck_pairs += pairs;
                self.convicted.insert(worker, why);
            }
            FleetNote::Redrawn { pairs } => self.redrawn += pairs,
            FleetNote::Lapsed { why } => {
                self.due.clear();
                self.lapsed = Some(why);
            }
        }
    }

    /// The first pair that is still to be compared.
    pub fn doubted_from(&self) -> Option<u64> {
        self.due.keys().next().copied()
    }

    /// Pairs that were compared.
    pub fn audited_pairs(&self) -> u64 {
        let pairs = self.clean.iter().flat_map(|(first, count)| *first..first + u64::from(*count));
        pairs.collect::<BTreeSet<u64>>().len() as u64
    }
}

/// Adds to it.
#[derive(Debug)]
pub struct FleetLog {
    path: PathBuf,
    file: Option<File>,
}

impl FleetLog {
    /// Of the run in `dir`. The file is made by the first note.
    pub fn new(dir: &Path) -> FleetLog {
        FleetLog { path: dir.join(FLEET_FILE), file: None }
    }

    /// It is on the disk then.
    pub fn note(&mut self, note: &FleetNote) -> Result<(), RecordError> {
        let mut line = serde_json::to_vec(note)
            .map_err(|error| RecordError::io(&self.path, "note a decision")(error.into()))?;
        line.push(b'\n');
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(open(&self.path)?),
        };
        let written = file.write_all(&line).and_then(|()| file.sync_data());
        written.map_err(RecordError::io(&self.path, "note a decision"))
    }
}

/// Opens it behind its last whole line.
fn open(path: &Path) -> Result<File, RecordError> {
    let file = open_itself(path, OpenOptions::new().append(true).create(true))
        .map_err(RecordError::io(path, "open"))?;
    let text = fs::read(path).map_err(RecordError::io(path, "read"))?;
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        let cut = file.set_len(whole as u64);
        cut.map_err(RecordError::io(path, "cut off the torn last line"))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_again_and_a_torn_line_is_none() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(FleetFacts::read(dir.path()).unwrap(), FleetFacts::default());
        let mut log = FleetLog::new(dir.path());
        let due = |first| FleetNote::Due { first, pairs: 4 };
        for note in [
            FleetNote::Choice { key: "ab".to_owned() },
            due(8),
            FleetNote::Redrawn { pairs: 2 },
            FleetNote::Redrawn { pairs: 1 },
            due(4),
            due(0),
            FleetNote::Closed { first: 0 },
            FleetNote::Clean { first: 4, pairs: 4 },
            FleetNote::Clean { first: 6, pairs: 3 },
            FleetNote::Convicted { worker: "a.1".to_owned(), why: "it lies".to_owned(), pairs: 3 },
        ] {
            log.note(&note).unwrap();
        }
        let path = dir.path().join(FLEET_FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + r#"{"what":"lapsed","wh"#).unwrap();
        let facts = FleetFacts::read(dir.path()).unwrap();
        assert_eq!((facts.doubted_from(), facts.audited_pairs()), (Some(8), 5));
        assert_eq!(
            (facts.key.as_deref(), facts.convicted["a.1"].as_str()),
            (Some("ab"), "it lies")
        );
        assert_eq!((facts.lapsed, facts.struck_pairs, facts.redrawn), (None, 3, 3));
        let why = "they differ".to_owned();
        FleetLog::new(dir.path()).note(&FleetNote::Lapsed { why: why.clone() }).unwrap();
        let facts = FleetFacts::read(dir.path()).unwrap();
        assert_eq!((facts.doubted_from(), facts.lapsed), (None, Some(why)));
    }
}
