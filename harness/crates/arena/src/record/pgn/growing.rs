//! `games.pgn` while the run is played: each game is appended when it is recorded.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use super::{append_game, event_name, render};
use crate::record::place::Place;
use crate::record::{GameRecord, PGN_FILE, RecordError, RunFile};
use process::plain_file::open_itself;

/// The whole games of the journal, in its order.
#[derive(Debug)]
pub struct GrowingPgn {
    place: Place,
    file: File,
    /// Bytes of whole games.
    len: u64,
    run: RunFile,
    event: String,
    text: String,
}

impl GrowingPgn {
    /// Renders what the journal holds, and goes on from there: what an interruption has cut short
    /// is whole again.
    pub fn open(dir: &Path, run: &RunFile) -> Result<GrowingPgn, RecordError> {
        render(dir, run)?;
        let path = dir.join(PGN_FILE);
        // What is written there by name alone must not lead elsewhere.
        let file = open_itself(&path, OpenOptions::new().append(true))
            .map_err(RecordError::io(&path, "open"))?;
        let place = Place::of(&path, &file).map_err(RecordError::io(&path, "look at"))?;
        let len = file.metadata().map_err(RecordError::io(&path, "look at"))?.len();
        let (run, event) = (run.clone(), event_name(dir));
        Ok(GrowingPgn { place, file, len, run, event, text: String::new() })
    }

    /// Appends games by one write, so that a killed process leaves whole ones. After an error
    /// nothing of them is left.
    pub fn append(&mut self, games: &[&GameRecord]) -> Result<(), RecordError> {
        self.text.clear();
        for game in games {
            append_game(&mut self.text, &self.run, &self.event, game)?;
        }
        let written = self.file.write_all(self.text.as_bytes());
        if written.is_err() {
            // Where cutting fails too, the next sitting renders it anew.
            let _ = self.file.set_len(self.len);
        }
        written.map_err(RecordError::io(self.place.path(), "write"))?;
        self.len += self.text.len() as u64;
        Ok(())
    }

    /// Syncs. [`RecordError::Gone`] when the file was removed, moved or replaced: then it is to be
    /// rendered again.
    pub fn finish(self) -> Result<(), RecordError> {
        self.place.check()?;
        self.file.sync_all().map_err(RecordError::io(self.place.path(), "sync"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;
    use crate::record::{GAMES_FILE, Identity, sample};

    #[test]
    fn a_file_that_was_removed_is_not_whole() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(GAMES_FILE), "").unwrap();
        let run = RunFile::new(Value::Null, 3, Identity::default(), Identity::default(), None);
        let grown = || {
            let mut pgn = GrowingPgn::open(dir.path(), &run).unwrap();
            pgn.append(&[&sample(0)]).unwrap();
            pgn
        };
        assert!(grown().finish().is_ok());
        let pgn = grown();
        fs::remove_file(dir.path().join(PGN_FILE)).unwrap();
        assert!(matches!(pgn.finish(), Err(RecordError::Gone { .. })));
    }
}
