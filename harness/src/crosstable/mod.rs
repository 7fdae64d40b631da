//! Crosstables (TST-04): joint ratings of everyone who played in some runs and PGN files.
//!
//! [`Crosstable::read`] counts games ([`CrosstableInput`], streamed) and rates their players by
//! [`stats::ratings`]. `verdict ratings` prints it, tournaments write it into their folder.
//!
//! The unit is the pair of games with one opening and swapped colours. Runs know their pairs. In
//! PGN of ours the tags `GameNumber` and `WhiteSide` tell them. In other PGN two games of two
//! players make a pair when colours are swapped and
//! - event and round are equal (`k.1` and `k.2` are one round), and so are start position and book
//!   moves, as far as the text tells these: fastchess and cutechess-cli write `book` after each;
//! - or, of players and events of which no round names a pair, start position and book moves are
//!   equal, or the first [`OPENING_PLIES`] plies where the text does not tell the book.
//!
//! Games in no pair count one by one. A pair that repeats an earlier one of the same players (start
//! position, moves and result of both games) says nothing new, nor does such a game in no pair:
//! ratings leave them out, as matches do, and report them. Games that ended by a fault or on time
//! are never duplicates. A game that two inputs have, such as a run and its own PGN, counts once,
//! however it ended: games of verdict are compared by number, start time, opening, players' specs,
//! plies and result, other PGN by all tags and moves.

pub(crate) mod display;
mod elostat;
mod input;
mod json;
mod line;
pub(crate) mod meeting;
mod names;
mod page;
mod pairing;
mod pgn;
mod runs;
mod same;
mod tally;

use std::path::PathBuf;

use serde_json::Value;

use charts::page::Page;
pub use elostat::elostat_table;
pub use input::{CrosstableInput, InputCounts, Unusable};
pub use line::OPENING_PLIES;
pub use meeting::Meeting;
pub use pgn::{GameTags, OnlyGames};
use process::Error;
use stats::ratings::{RatingScale, Ratings, rate};
pub use tally::PgnGames;

/// How a crosstable is made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    pub scale: RatingScale,
    /// Players of fewer games are left out, and so are their games.
    pub min_games: u64,
    /// Names to replace, with what replaces them: names in PGN, and names or specs of a run's
    /// players. Players of equal names are one player.
    pub names: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct Crosstable {
    pub ratings: Ratings,
    pub counted: InputCounts,
    /// How many players had too few games.
    pub left_out: u64,
    pub options: Options,
}

impl Crosstable {
    /// Reads runs and PGN files and rates everyone in them.
    ///
    /// An input is a run's folder, a folder of such folders (those in it that hold a journal), or a
    /// PGN file, plain or as `.gz`, `.zst` or `.zip`. Memory grows with the pairs of players who
    /// met, with some 16 bytes for each game, and with some 100 for each of the games that wait for
    /// a partner, 4 million at most.
    pub fn read(inputs: &[PathBuf], options: Options) -> Result<Crosstable, Error> {
        let tally = CrosstableInput::read(inputs, &options.names)?;
        Crosstable::of(&tally, options)
    }

    /// Rates everyone in the games that were counted.
    pub fn of(tally: &CrosstableInput, options: Options) -> Result<Crosstable, Error> {
        let results = tally.results.with_at_least(options.min_games);
        let left_out = (tally.results.names().len() - results.names().len()) as u64;
        let ratings = rate(&results, &options.scale)?;
        Ok(Crosstable { ratings, counted: tally.counted.clone(), left_out, options })
    }

    pub fn page(&self) -> Page {
        page::of(self)
    }

    /// Everything in it as JSON. What is undefined is `null`, with `why` beside it.
    pub fn json(&self) -> Value {
        json::render(self)
    }
}
