//! Books of positions from real games whose score lies in a window, by whichever side: balanced ones
//! from 0, unbalanced ones from a bound above.
//!
//! ```text
//! PGN files ─► reader ─► pool (each position once, bounded) ─► scoring ─► a book
//!                                │                                │
//!                         candidates.txt                     scores.txt     in a working folder
//! ```
//!
//! Candidates are in an order that the seed and their positions give. They are scored on all
//! threads, and accepted in their order: so the book does not depend on the number of threads, nor on
//! interruptions, if the engine gives a position the same score each time.
//!
//! Memory: the pool while games are read (about 70 bytes a candidate and two a move), 8 bytes a candidate and the
//! book while they are scored. Other books may be made of the scores in a folder.

mod candidate;
mod folder;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod plan;
mod pool;
mod reader;
mod scorer;
mod scores;
mod scoring;
mod tally;
mod trial;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Chess, Move};

use self::scores::Scored;
use self::scoring::Prefix;
use super::text;
use process::Error;

pub use candidate::Candidate;
pub use folder::{BookFolder, book_scores};
pub use plan::{BookFile, ChoicePlan, GameFile, GamesPlan, Range, ScoringPlan};
pub use scorer::{Scorers, build_of};
pub use tally::{GamesTally, ReadTally, ScoreTally};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub scored: u64,
    pub accepted: u64,
}

/// What is told while a book is made.
pub trait Watcher {
    fn read(&mut self, games: u64);
    /// Games are read: scoring begins.
    fn candidates(&mut self, tally: &ReadTally);
    fn progress(&mut self, progress: &Progress);
    /// A candidate is skipped, counted from 0.
    fn skipped(&mut self, number: usize, why: &str);
}

/// An opening of a book.
#[derive(Debug, Clone)]
pub struct Opening {
    pub position: Chess,
    pub line: Vec<Move>,
    /// The number of its game, from 1.
    pub game: u64,
    /// Centipawns, for the side to move.
    pub cp: i32,
}

#[derive(Debug, Clone, Default)]
pub struct GamesBook {
    /// In the order of the candidates.
    pub openings: Vec<Opening>,
    pub tally: GamesTally,
}

impl GamesBook {
    /// A position a line; with its score and source if that is wanted, as EPD's operations.
    pub fn to_epd(&self, annotate: bool) -> String {
        let line = |opening: &Opening| {
            let epd = text::epd(&opening.position);
            let Opening { game, cp, line, .. } = opening;
            match annotate {
                true => format!("{epd} ce {cp}; c0 \"game {game}, ply {}\";\n", line.len()),
                false => epd + "\n",
            }
        };
        self.openings.iter().map(line).collect()
    }

    pub fn to_fen(&self) -> String {
        self.openings.iter().map(|opening| text::fen(&opening.position) + "\n").collect()
    }

    pub fn to_pgn(&self) -> String {
        let games = (1..).zip(&self.openings);
        games.map(|(number, opening)| text::game(number, &opening.line)).collect()
    }
}

/// Makes the book of a folder, or goes on with it. `None`: `stop` was set before there were enough; what is
/// known is kept.
pub fn make(
    folder: &BookFolder,
    scorers: &Scorers,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<Option<GamesBook>, Error> {
    let plan = &folder.file;
    let read = match folder.reading()? {
        Some(read) => read,
        None => {
            plan.check_files()?;
            let games = reader::read(&plan.games, stop, &mut |games| watcher.read(games))?;
            let Some((pool, read)) = games else { return Ok(None) };
            folder.write_reading(&pool, &read)?;
            read
        }
    };
    watcher.candidates(&read);
    let mut journal = folder.journal(read.candidates)?;
    let mut prefix = Prefix::new(&plan.book);
    prefix.advance(&journal.scores);
    if !prefix.is_full() && (prefix.len as u64) < read.candidates {
        let candidates = folder.candidates()?;
        scoring::score(candidates, &mut journal, &mut prefix, scorers, threads, stop, watcher)?;
        if stop.load(Ordering::Relaxed) && !prefix.is_full() {
            return Ok(None);
        }
    }
    let tally = GamesTally { read, scores: prefix.tally };
    let openings = openings(folder, &journal.scores[..prefix.len])?;
    Ok(Some(GamesBook { openings, tally }))
}

/// Those of the candidates with these scores that are in the book.
fn openings(folder: &BookFolder, scores: &[Option<Scored>]) -> Result<Vec<Opening>, Error> {
    let bias = folder.file.book.bias;
    let mut openings = Vec::new();
    for (candidate, scored) in folder.candidates()?.zip(scores) {
        let (_, candidate) = candidate?;
        let Some(scored @ Scored::Cp(cp)) = *scored else { continue };
        if scoring::is_fit(bias, scored)
            && let Some((position, line)) = candidate.play()
        {
            openings.push(Opening { position, line, game: candidate.game, cp });
        }
    }
    Ok(openings)
}
