//! Reading `games.jsonl`: line by line, with a torn end told from damage.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek as _};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;

use super::chain::{ChainFindings, DigestCheck};
use super::strike::{self, Strike, Strikes};
use super::{GAMES_FILE, GAMES_ZST_FILE, GameRecord, RecordError};
use process::plain_file;
use process::terminal::shell_path;

/// Longer lines are damage: the longest games have about 100 KB.
const MAX_LINE: u64 = 16 << 20;

/// The unfinished last line that a killed process or a full disk leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Torn {
    /// Line number, from 1.
    pub line: u64,
    pub bytes: u64,
}

/// The games of a journal in the order of its lines, each game once, without those that are struck.
///
/// Memory: 16 bytes a game. A game recorded again with the same content (its times may differ) is
/// skipped; with other content it is an error. A torn last line ends the games and is told by
/// [`Games::torn`]; damage elsewhere is an error.
pub struct Games {
    path: PathBuf,
    reader: Box<dyn BufRead + Send>,
    buffer: Vec<u8>,
    line: u64,
    whole: u64,
    seen: HashMap<u64, u64>,
    strikes: Strikes,
    digests: Option<DigestCheck>,
    /// Whether a digest covers the last line.
    is_covered: bool,
    torn: Option<Torn>,
    unended: bool,
    done: bool,
}

impl Games {
    /// Opens a run's journal: `games.jsonl`, or `games.jsonl.zst` when only that is there.
    pub fn open(dir: &Path) -> Result<Games, RecordError> {
        let plain = dir.join(GAMES_FILE);
        let packed = dir.join(GAMES_ZST_FILE);
        if !plain.exists() && packed.exists() {
            let unpacked = || -> Result<Box<dyn BufRead + Send>, RecordError> {
                let file = plain_file::open(&packed).map_err(RecordError::io(&packed, "open"))?;
                let unpacked = zstd::Decoder::new(file);
                let unpacked = unpacked.map_err(RecordError::io(&packed, "unpack"))?;
                Ok(Box::new(BufReader::new(unpacked)))
            };
            let strikes = Strikes::of(&mut unpacked()?, MAX_LINE);
            let strikes = strikes.map_err(RecordError::io(&packed, "read"))?;
            let reader = unpacked()?;
            return Ok(Games::new(packed, reader, strikes));
        }
        let file = plain_file::open(&plain).map_err(RecordError::io(&plain, "open"))?;
        Games::of_file(plain, file)
    }

    /// Of a file that is open at its beginning.
    pub(super) fn of_file(path: PathBuf, file: File) -> Result<Games, RecordError> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let strikes = Strikes::of(&mut reader, MAX_LINE);
        let strikes = strikes.and_then(|strikes| reader.rewind().map(|()| strikes));
        let strikes = strikes.map_err(RecordError::io(&path, "read"))?;
        Ok(Games::new(path, Box::new(reader), strikes))
    }

    /// `path` is for messages; `strikes` are those of the same lines.
    pub(super) fn new(path: PathBuf, reader: Box<dyn BufRead + Send>, strikes: Strikes) -> Games {
        Games {
            path,
            reader,
            strikes,
            digests: None,
            is_covered: false,
            buffer: Vec::new(),
            line: 0,
            whole: 0,
            seen: HashMap::new(),
            torn: None,
            unended: false,
            done: false,
        }
    }

    /// The torn last line, known once the games are read to the end.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    /// Compares each line with its digest from now on. A line that is not as it was recorded is damage.
    pub fn checked_by(mut self, digests: DigestCheck) -> Games {
        self.digests = Some(digests);
        self
    }

    /// Whether a digest covers the line of the last game.
    pub fn is_covered(&self) -> bool {
        self.is_covered
    }

    /// What the digests are left with after all games were read; `None` if none were asked for.
    pub fn digests(&mut self) -> Option<DigestCheck> {
        self.digests.take()
    }

    /// The differences from the digests, after all games were read.
    pub fn findings(mut self) -> Result<ChainFindings, RecordError> {
        match self.digests.take() {
            Some(digests) => digests.finish(|| self.has_grown()),
            None => Ok(ChainFindings::default()),
        }
    }

    /// Compares the line in the buffer with its digest.
    fn check_digest(&mut self, number: u64) -> Result<(), RecordError> {
        let Some(digests) = &mut self.digests else { return Ok(()) };
        let checked = digests.line(number, self.line, &self.buffer)?;
        self.is_covered = checked.map_err(|reason| self.damaged(reason))?;
        Ok(())
    }

    /// The error that the last game does not belong to the run as run.json describes it. The line
    /// may well be true, so nothing is said of leaving it out.
    pub fn foreign(&self, reason: String) -> RecordError {
        RecordError::damaged(&self.path, self.line, reason)
    }

    /// Whether the journal is now longer than what was read.
    pub fn has_grown(&self) -> bool {
        let read = self.whole + self.torn.map_or(0, |torn| torn.bytes);
        fs::metadata(&self.path).is_ok_and(|metadata| metadata.len() > read)
    }

    pub(super) fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// Whether the last line is a whole record and only its line end is missing.
    pub(super) fn unended(&self) -> bool {
        self.unended
    }

    fn read_next(&mut self) -> Result<Option<GameRecord>, RecordError> {
        loop {
            self.buffer.clear();
            let bytes = (&mut self.reader)
                .take(MAX_LINE)
                .read_until(b'\n', &mut self.buffer)
                .map_err(RecordError::io(&self.path, "read"))? as u64;
            if bytes == 0 {
                return Ok(None);
            }
            self.line += 1;
            // Without its end, which would be a line of its own in what is told of damage.
            let text = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
            if Strike::read(text).is_some() {
                // Of a run that is being played: it is read as it was before.
                if !self.strikes.know(self.line) {
                    return Ok(None);
                }
                self.whole += bytes;
                self.unended = self.buffer.last() != Some(&b'\n');
                self.check_digest(strike::number(&self.buffer))?;
                continue;
            }
            let record = match serde_json::from_slice::<GameRecord>(text) {
                Ok(record) => record,
                Err(_) if self.is_torn()? => {
                    self.torn = Some(Torn { line: self.line, bytes });
                    return Ok(None);
                }
                Err(error) => return Err(self.damaged(no_game(&error))),
            };
            if let Some(reason) = record.contradiction() {
                return Err(self.damaged(reason));
            }
            self.whole += bytes;
            self.unended = self.buffer.last() != Some(&b'\n');
            if self.strikes.strike(record.pair, self.line) {
                self.check_digest(record.game)?;
            } else if self.is_new(&record)? {
                self.check_digest(record.game)?;
                return Ok(Some(record));
            }
        }
    }

    /// Whether the line in the buffer is the last one and cut short. A whole JSON value that is
    /// not a game was not torn but written so: that is damage.
    fn is_torn(&mut self) -> Result<bool, RecordError> {
        let at_end =
            self.reader.fill_buf().map_err(RecordError::io(&self.path, "read"))?.is_empty();
        Ok(at_end && serde_json::from_slice::<IgnoredAny>(&self.buffer).is_err())
    }

    fn is_new(&mut self, record: &GameRecord) -> Result<bool, RecordError> {
        let digest = record.digest().map_err(|error| self.damaged(error.to_string()))?;
        match self.seen.entry(record.game) {
            Entry::Vacant(entry) => {
                entry.insert(digest);
                Ok(true)
            }
            Entry::Occupied(entry) if *entry.get() == digest => Ok(false),
            Entry::Occupied(_) => Err(RecordError::Conflict {
                path: self.path.clone(),
                line: self.line,
                game: record.game,
            }),
        }
    }

    /// The error that the last line cannot be true, with the way to go on: a resumed run plays what
    /// is not recorded again.
    pub fn damaged(&self, mut reason: String) -> RecordError {
        if self.path.file_name().is_some_and(|name| name == GAMES_FILE) {
            let dir = shell_path(self.path.parent().unwrap_or(Path::new(".")));
            reason += &format!(
                "; without this line (keep a copy) `verdict resume {dir}` plays that game again"
            );
        }
        self.foreign(reason)
    }
}

/// What is wrong with a line that is no game, without serde's line number, which is always 1.
fn no_game(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    format!("expected a game: {what} (column {})", error.column())
}

impl Iterator for Games {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.read_next().transpose();
        // After damage the place in the file is no longer certain: the first error ends it.
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}
