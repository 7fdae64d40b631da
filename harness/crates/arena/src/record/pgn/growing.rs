//! `games.pgn` while the run is played: each game is appended after it was recorded.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::Duration;

use super::{PgnWriter, SanMoves, render, run_name};
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
    unwritten: String,
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
        Ok(GrowingPgn {
            place,
            appender: Appender::new(file, len, Duration::MAX),
            run: run.clone(),
            writer: PgnWriter::of(run, &run_name(dir)),
            unwritten: String::new(),
        })
    }

    /// The same, rendered anew: games of the journal were struck.
    pub fn again(&self, dir: &Path) -> Result<GrowingPgn, RecordError> {
        GrowingPgn::open(dir, &self.run)
    }

    /// Adds a game, which the next [`GrowingPgn::write`] appends, and its moves as SAN where they are
    /// known.
    pub fn add(&mut self, game: &GameRecord, moves: Option<&SanMoves>) -> Result<(), RecordError> {
        match moves {
            Some(moves) => self.writer.append_replayed(&mut self.unwritten, game, moves),
            None => self.writer.append(&mut self.unwritten, game)?,
        }
        Ok(())
    }

    /// Appends the games that were added by one write, so that a killed process leaves whole ones.
    /// After an error nothing of them is left.
    pub fn write(&mut self) -> Result<(), RecordError> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        let written = self.appender.append(self.unwritten.as_bytes(), self.place.path(), "write");
        self.unwritten.clear();
        written
    }

    /// Writes what is left, and syncs. [`RecordError::Gone`] when the file was removed, moved or replaced: then it is to be
    /// rendered again.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.place.check()?;
        self.write()?;
        self.appender.sync().map_err(RecordError::io(self.place.path(), "sync"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;
    use crate::game::recheck;
    use crate::record::{GAMES_FILE, Identity, Termination, sample};
    use pgn::Outcome;

    /// Those of a few games are written at the end, if not before.
    #[test]
    fn a_game_that_was_replayed_is_written_as_others() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(GAMES_FILE), "").unwrap();
        let run = RunFile::new(Value::Null, 3, Identity::default(), Identity::default(), None);
        let fen = "4k3/8/8/8/8/8/p7/4K2R b K - 3 40";
        let mut game = sample(0);
        (game.fen, game.moves, game.plies) = (fen.into(), "a2a1q e1f2 a1h1".into(), 3);
        (game.result, game.termination) = (Outcome::Black, Termination::Crash);
        game.hash = GameRecord::hash_of(&game.fen, &game.moves);
        let san = recheck(&game, None).unwrap();
        let mut expected = String::new();
        let writer = PgnWriter::of(&run, &run_name(dir.path()));
        (0..2).for_each(|_| writer.append(&mut expected, &game).unwrap());
        let mut pgn = GrowingPgn::open(dir.path(), &run).unwrap();
        pgn.add(&game, Some(&san)).unwrap();
        pgn.add(&game, None).unwrap();
        pgn.finish().unwrap();
        assert_eq!(fs::read_to_string(dir.path().join(PGN_FILE)).unwrap(), expected);
        assert!(
            expected.contains("40... a1=Q+ {") && expected.contains(" 41. Kf2 Qxh1 {"),
            "{expected}"
        );
    }

    #[test]
    fn a_file_that_was_removed_is_not_whole() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(GAMES_FILE), "").unwrap();
        let run = RunFile::new(Value::Null, 3, Identity::default(), Identity::default(), None);
        let grown = || {
            let mut pgn = GrowingPgn::open(dir.path(), &run).unwrap();
            pgn.add(&sample(0), None).unwrap();
            pgn
        };
        assert!(grown().finish().is_ok());
        let pgn = grown();
        fs::remove_file(dir.path().join(PGN_FILE)).unwrap();
        assert!(matches!(pgn.finish(), Err(RecordError::Gone { .. })));
    }
}
