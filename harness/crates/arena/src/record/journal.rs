//! `games.jsonl`: the only place where results are written; all the rest is made from it.
//!
//! One JSON object a line, in the order in which games finish; a [`Strike`] takes games before it out
//! again. A pair is written whole, by one write, and several pairs together where they come faster than
//! that: a process killed at any moment leaves every earlier pair intact and at most one torn
//! line, which [`Journal::open_for_resume`] cuts off. When the tear falls between the two games of
//! a pair, or a stop writes a game whose partner is unfinished, that half pair stays, and only the
//! missing game is played again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use super::append::Appender;
use super::chain::{Chain, ChainFindings, DigestCheck};
use super::lock::{FolderLock, RUN_LOCK};
use super::place::FilePlace;
use super::read::Games;
use super::receipts::Receipts;
use super::strike::{self, Strike};
use super::{GAMES_FILE, GAMES_ZST_FILE, GameRecord, RUN_FILE, RecordError, atomic};
use process::plain_file::open_itself;
use tokio::sync::oneshot::Sender;

/// What a power cut may cost. A killed process costs nothing that was appended.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// Where games come faster than they can be written one by one, so many are written at once.
pub(super) const MOST_AT_ONCE: usize = 8;

/// While it lives, no other process can write the run.
#[derive(Debug)]
pub struct Journal {
    place: FilePlace,
    appender: Appender<File>,
    chain: Chain,
    receipts: Receipts,
    unwritten: Unwritten,
    _lock: FolderLock,
}

/// Lines of games that are not written yet.
#[derive(Debug, Default)]
struct Unwritten {
    bytes: Vec<u8>,
    /// Number of each game, and the place of its line without the line end.
    games: Vec<(u64, Range<usize>)>,
}

impl Journal {
    /// Begins the journal of a new run; makes the folder.
    ///
    /// # Errors
    ///
    /// [`RecordError::Exists`] when the folder holds a run, [`RecordError::NoRunFile`] and
    /// [`RecordError::NoGames`] when it holds a part of one.
    pub fn create(dir: &Path) -> Result<Journal, RecordError> {
        fs::create_dir_all(dir).map_err(RecordError::io(dir, "create the folder"))?;
        let lock = FolderLock::acquire(dir, RUN_LOCK)?;
        let path = dir.join(GAMES_FILE);
        // An empty journal without run.json is a start that failed before its first game.
        let begun = fs::metadata(&path).is_ok_and(|file| file.len() > 0 || !file.is_file());
        match (dir.join(RUN_FILE).exists(), begun) {
            (false, false) => {}
            (false, true) => return Err(RecordError::NoRunFile { dir: dir.to_owned() }),
            (true, _) if has_no_games(dir) => {
                return Err(RecordError::NoGames { dir: dir.to_owned() });
            }
            (true, _) => return Err(RecordError::Exists { dir: dir.to_owned() }),
        }
        let file = open_itself(&path, OpenOptions::new().append(true).create(true))
            .map_err(RecordError::io(&path, "create"))?;
        let chain = Chain::create(dir)?;
        atomic::sync_folder(&path)?;
        let place = FilePlace::of(&path, &file).map_err(RecordError::io(&path, "open"))?;
        let appender = Appender::new(file, 0, SYNC_EVERY);
        Ok(Journal {
            place,
            appender,
            chain,
            receipts: Receipts::default(),
            unwritten: Unwritten::default(),
            _lock: lock,
        })
    }

    /// Continues an interrupted run: hands every recorded game to `on_game` in the order of the
    /// lines, and cuts off a torn last line. [`Games::is_covered`] tells whether a digest covers the
    /// game's line. A run without digests has them from now on.
    ///
    /// # Errors
    ///
    /// [`RecordError::Damaged`], also by its digest, and [`RecordError::Conflict`] name the wrong
    /// line. After these and errors of `on_game` the file is left as it is.
    pub fn open_for_resume(
        dir: &Path,
        mut on_game: impl FnMut(&Games, &GameRecord) -> Result<(), RecordError>,
    ) -> Result<(Journal, ChainFindings), RecordError> {
        let path = dir.join(GAMES_FILE);
        let open_error = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound if dir.join(RUN_FILE).exists() && has_no_games(dir) => {
                RecordError::NoGames { dir: dir.to_owned() }
            }
            _ => RecordError::Io { path: path.clone(), action: "open", source },
        };
        // Before the lock file is made: a mistyped folder must not be littered.
        if !fs::metadata(&path).map_err(open_error)?.is_file() {
            return Err(open_error(io::Error::other("it is not a regular file")));
        }
        let lock = FolderLock::acquire(dir, RUN_LOCK)?;
        let mut file =
            open_itself(&path, OpenOptions::new().read(true).append(true)).map_err(open_error)?;
        let place = FilePlace::of(&path, &file).map_err(open_error)?;
        let reader = file.try_clone().map_err(open_error)?;
        let digests = DigestCheck::open(dir)?;
        let mut games = Games::of_file(path.clone(), reader)?.checked_by(digests);
        while let Some(game) = games.next() {
            on_game(&games, &game?)?;
        }
        let mut len = games.whole_bytes();
        if games.torn().is_some() {
            file.set_len(len).map_err(RecordError::io(&path, "cut off the torn last line"))?;
        }
        if games.unended() {
            file.write_all(b"\n").map_err(RecordError::io(&path, "end the last line"))?;
            len += 1;
        }
        file.sync_data().map_err(RecordError::io(&path, "sync"))?;
        let digests = games.digests().map_or_else(|| DigestCheck::open(dir), Ok)?;
        let (chain, findings) = digests.into_chain()?;
        let appender = Appender::new(file, len, SYNC_EVERY);
        Ok((
            Journal {
                place,
                appender,
                chain,
                receipts: Receipts::default(),
                unwritten: Unwritten::default(),
                _lock: lock,
            },
            findings,
        ))
    }

    /// [`RecordError::Gone`] when the file or its folder was removed, moved or replaced.
    pub fn check_place(&self) -> Result<(), RecordError> {
        self.place.check()
    }

    /// `synced` is told when this game, which is yet to be appended, is on the disk. If it is dropped
    /// untold, the game may not be there.
    pub fn expect(&mut self, game: u64, synced: Sender<()>) {
        self.receipts.expect(game, synced);
    }

    /// Syncs to the disk what an append has left to a later one, if that is long ago.
    pub fn sync_if_due(&mut self) -> Result<(), RecordError> {
        if self.appender.is_due() || self.receipts.are_many() { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> Result<(), RecordError> {
        self.appender.sync().map_err(RecordError::io(self.place.path(), "sync"))?;
        self.chain.sync()?;
        self.receipts.sync();
        Ok(())
    }

    /// Syncs all to the disk and lets the run go. Dropping does too, but hides a failed sync.
    pub fn close(mut self) -> Result<(), RecordError> {
        self.write()?;
        self.check_place()?;
        self.sync()
    }

    /// Records games by one write: both of a pair, or one whose partner is recorded already or that
    /// a stop leaves without its partner.
    ///
    /// # Errors
    ///
    /// [`RecordError::Io`], for instance on a full disk: the run must stop; what was recorded
    /// before is intact, and a resume plays this pair again. [`RecordError::Stopped`] after that.
    pub fn append(&mut self, games: &[&GameRecord]) -> Result<(), RecordError> {
        self.add(games)?;
        self.write()
    }

    /// Adds games that the next [`Journal::write`] records.
    pub fn add(&mut self, games: &[&GameRecord]) -> Result<(), RecordError> {
        let Unwritten { bytes, games: places } = &mut self.unwritten;
        for game in games {
            let begin = bytes.len();
            serde_json::to_writer(&mut *bytes, game).map_err(|error| {
                RecordError::io(self.place.path(), "record a game")(error.into())
            })?;
            places.push((game.game, begin..bytes.len()));
            bytes.push(b'\n');
        }
        Ok(())
    }

    /// Whether so many games were added that they are to be written.
    pub fn is_full(&self) -> bool {
        self.unwritten.games.len() >= MOST_AT_ONCE
    }

    /// Records the games that were added, by one write. Errors are those of [`Journal::append`].
    pub fn write(&mut self) -> Result<(), RecordError> {
        if self.unwritten.games.is_empty() {
            return Ok(());
        }
        self.check_place()?;
        let Unwritten { mut bytes, mut games } = std::mem::take(&mut self.unwritten);
        self.appender.append(&bytes, self.place.path(), "record a game")?;
        // Behind the journal: what a kill leaves without a digest is known by it.
        let lines = games.iter().map(|(game, place)| (*game, &bytes[place.clone()]));
        let sealed = self.chain.append(lines);
        self.receipts.write(games.iter().map(|(game, _)| *game));
        let is_due = self.appender.is_synced() || self.receipts.are_many();
        let sealed = sealed.and_then(|()| if is_due { self.sync() } else { Ok(()) });
        if sealed.is_err() {
            self.appender.stop();
        }
        // Their memory is used again.
        bytes.clear();
        games.clear();
        self.unwritten = Unwritten { bytes, games };
        sealed
    }

    /// Takes games out that are recorded, and syncs that to the disk. Errors are those of
    /// [`Journal::append`].
    pub fn strike(&mut self, strike: &Strike) -> Result<(), RecordError> {
        self.write()?;
        self.check_place()?;
        let (path, action) = (self.place.path(), "strike games");
        let line = strike.line().map_err(|error| RecordError::io(path, action)(error.into()))?;
        self.appender.append(&line, path, action)?;
        let sealed =
            self.chain.append([(strike::number(&line), &*line)]).and_then(|()| self.sync());
        if sealed.is_err() {
            self.appender.stop();
        }
        sealed
    }
}

fn has_no_games(dir: &Path) -> bool {
    ![GAMES_FILE, GAMES_ZST_FILE].iter().any(|file| dir.join(file).exists())
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Nobody is left to tell; whoever must know calls `close`.
        let _ = self.write();
        let _ = self.appender.sync();
        let _ = self.chain.sync();
    }
}
