//! `games.pgn` while the run is played: each game is appended when it is recorded.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::{append_game, event_name, render};
use crate::record::{GameRecord, PGN_FILE, RecordError, RunFile};

/// The `games.pgn` of a run under way: the whole games of the journal, in its order.
#[derive(Debug)]
pub struct GrowingPgn {
    path: PathBuf,
    file: File,
    /// Bytes of whole games.
    len: u64,
    run: RunFile,
    event: String,
    text: String,
}

impl GrowingPgn {
    /// Renders what the journal of a run's folder holds, and goes on from there: what an interruption
    /// has cut short is whole again.
    ///
    /// # Errors
    /// As [`render`], and [`RecordError::Io`] when the file cannot be opened.
    pub fn open(dir: &Path, run: &RunFile) -> Result<GrowingPgn, RecordError> {
        render(dir, run)?;
        let path = dir.join(PGN_FILE);
        // What is written there by name alone must not lead elsewhere.
        let file = OpenOptions::new().append(true).custom_flags(libc::O_NOFOLLOW).open(&path);
        let file = file.map_err(RecordError::io(&path, "open"))?;
        let len = file.metadata().map_err(RecordError::io(&path, "look at"))?.len();
        let (run, event) = (run.clone(), event_name(dir));
        Ok(GrowingPgn { path, file, len, run, event, text: String::new() })
    }

    /// Appends games by one write, so that a process that is killed leaves whole ones.
    ///
    /// # Errors
    /// [`RecordError::Io`] when they cannot be written, of which nothing is left then, and
    /// [`RecordError::Replay`] for a game that breaks the rules.
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
        written.map_err(RecordError::io(&self.path, "write"))?;
        self.len += self.text.len() as u64;
        Ok(())
    }
}
