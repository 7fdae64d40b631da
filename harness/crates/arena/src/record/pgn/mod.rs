//! `games.pgn`: the journal's games for people, databases and rating programs.
//!
//! It [grows](GrowingPgn) with the run, and is rendered anew where that has failed: game by game,
//! so memory does not grow with the run. Tags and comments follow fastchess and cutechess-cli:
//! `Termination` has their words, every move after the book has a comment `{+0.35/9 0.012s n=5000}`
//! (score from the side that moved, depth in plies, time, nodes), mates are `+M5` and `-M4` in
//! plies, and the last comment says how the game ended. With `--details` a comment goes on with
//! time left, selective depth, hash fullness, table-base hits and variation: `tl=0.950s sd=12
//! hashfull=34 tbhits=5 pv="e2e4 e7e5"`.

mod growing;
mod movetext;
mod san;
mod words;
mod writer;

pub use growing::GrowingPgn;
pub use san::SanMoves;
pub use writer::{PgnWriter, began};

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::{Games, PGN_FILE, RecordError, RunFile, atomic};

/// Renders `games.pgn` from the journal; returns the number of games. After an error
/// ([`RecordError::Replay`]: a game breaks the rules) an older `games.pgn` is left as it was.
pub fn render(dir: &Path, run: &RunFile) -> Result<u64, RecordError> {
    let path = dir.join(PGN_FILE);
    let writer = PgnWriter::of(run, &run_name(dir));
    let mut text = String::new();
    atomic::replace(&path, |out: &mut BufWriter<File>| {
        let mut count = 0;
        for game in Games::open(dir)? {
            text.clear();
            writer.append(&mut text, &game?)?;
            out.write_all(text.as_bytes()).map_err(RecordError::io(&path, "write"))?;
            count += 1;
        }
        Ok(count)
    })
}

/// A run's name: its folder's.
pub fn run_name(dir: &Path) -> String {
    let folder = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    folder.file_name().map_or_else(|| "?".to_owned(), |name| name.to_string_lossy().into_owned())
}
