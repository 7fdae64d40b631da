//! `games.pgn` while the run is played: each game is appended when it is recorded.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::Duration;

use super::{PgnWriter, render, run_name};
use crate::record::append::Appender;
use crate::record::place::FilePlace;
use crate::record::{GameRecord, PGN_FILE, RecordError, RunFile};
use process::plain_file::open_itself;

/// The whole games of the journal, in its order.
#[derive(Debug)]
pub struct GrowingPgn {
    place: FilePlace,
    appender: Appender<File>,
    run: RunFile,
    writer: PgnWriter,
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
        let place = FilePlace::of(&path, &file).map_err(RecordError::io(&path, "look at"))?;
        let len = file.metadata().map_err(RecordError::io(&path, "look at"))?.len();
        let (run, writer) = (run.clone(), PgnWriter::of(run, &run_name(dir)));
        Ok(GrowingPgn { place, appender: Appender::new(file, len, Duration::MAX), run, writer })
    }

    /// The same, rendered anew: games of the journal were struck.
    pub fn again(&self, dir: &Path) -> Result<GrowingPgn, RecordError> {
        GrowingPgn::open(dir, &self.run)
    }

    /// Appends games by one write, so that a killed process leaves whole ones. After an error
    /// nothing of them is left.
    pub fn append(&mut self, games: &[&GameRecord]) -> Result<(), RecordError> {
        let mut text = String::new();
        for game in games {
            self.writer.append(&mut text, game)?;
        }
        self.appender.append(text.as_bytes(), self.place.path(), "write")
    }

    /// Syncs. [`RecordError::Gone`] when the file was removed, moved or replaced: then it is to be
    /// rendered again.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.place.check()?;
        self.appender.sync().map_err(RecordError::io(self.place.path(), "sync"))
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
