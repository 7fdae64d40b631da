//! The games of runs for other programs: PGN, the positions they ended in, positions to train on;
//! [`tables`] of games, pairs and moves.
//!
//! Everything is read from the journal, one game after another, so size does not matter.

mod positions;
pub mod tables;

use std::io::Write;
use std::path::Path;

use process::{Context as _, Error};

use arena::record::{GameRecord, Games, RecordError, RunFile, pgn, run_name};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Games as PGN, like games.pgn.
    Pgn,
    /// The last position of each game as EPD, with result (c9), end (c8) and number (id).
    Epd,
    /// Positions after the book: FEN | SCORE | RESULT. The player's score in centipawns and the result
    /// (1.0, 0.5, 0.0) are from White's point of view.
    Training,
}

/// Which positions are trained on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choice {
    /// Only positions in which the move that was played is no capture, no promotion and no check,
    /// and the king is not in check.
    pub quiet: bool,
    /// Games that a fault ended, too.
    pub faults: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exported {
    pub games: u64,
    /// Games left out because a fault ended them.
    pub faulty: u64,
    /// Games or positions written.
    pub written: u64,
}

/// Writes the games of a run.
pub fn export(
    dir: &Path,
    form: ExportFormat,
    choice: Choice,
    out: &mut impl Write,
) -> Result<Exported, Error> {
    let run = RunFile::read(dir)?;
    let writer = pgn::PgnWriter::of(&run, &run_name(dir));
    let mut exported = Exported::default();
    let mut text = String::new();
    for game in Games::open(dir)? {
        let game = game?;
        exported.games += 1;
        // PGN tells of faults in its tags; positions would not, nor that a result is none.
        let is_left_out =
            game.termination.is_void() || game.termination.is_fault() && !choice.faults;
        if is_left_out && form != ExportFormat::Pgn {
            exported.faulty += 1;
            continue;
        }
        text.clear();
        exported.written += match form {
            ExportFormat::Pgn => writer.append(&mut text, &game).map(|()| 1)?,
            ExportFormat::Epd => replayed(&game, positions::last(&mut text, &game))?,
            ExportFormat::Training => {
                replayed(&game, positions::training(&mut text, &game, choice))?
            }
        };
        out.write_all(text.as_bytes()).context("cannot write")?;
    }
    Ok(exported)
}

fn replayed(game: &GameRecord, done: Result<u64, String>) -> Result<u64, RecordError> {
    done.map_err(|reason| RecordError::Replay { game: game.game, reason })
}
