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
mod words;

pub use growing::GrowingPgn;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::Value;
use shakmaty::Color;

use super::{GameRecord, Games, PGN_FILE, RecordError, RunFile, atomic, utc};
use process::terminal::escape::shown;

/// Renders `games.pgn` from the journal; returns the number of games. After an error
/// ([`RecordError::Replay`]: a game breaks the rules) an older `games.pgn` is left as it was.
pub fn render(dir: &Path, run: &RunFile) -> Result<u64, RecordError> {
    let path = dir.join(PGN_FILE);
    let event = run_name(dir);
    let mut text = String::new();
    atomic::replace(&path, |out: &mut BufWriter<File>| {
        let mut count = 0;
        for game in Games::open(dir)? {
            text.clear();
            append_game(&mut text, run, &event, &game?)?;
            out.write_all(text.as_bytes()).map_err(RecordError::io(&path, "write"))?;
            count += 1;
        }
        Ok(count)
    })
}

/// Appends one game and an empty line. After an error `out` is as it was.
pub fn append_game(
    out: &mut String,
    run: &RunFile,
    event: &str,
    game: &GameRecord,
) -> Result<(), RecordError> {
    let replay = |reason| RecordError::Replay { game: game.game, reason };
    let start = movetext::StartPosition::of(game).map_err(replay)?;
    let moves = movetext::movetext(game, &start).map_err(replay)?;
    tags(out, run, event, game, &start);
    out.push('\n');
    out.push_str(&moves);
    out.push('\n');
    Ok(())
}

/// A run's name: its folder's.
pub fn run_name(dir: &Path) -> String {
    let folder = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    folder.file_name().map_or_else(|| "?".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn tags(
    out: &mut String,
    run: &RunFile,
    event: &str,
    game: &GameRecord,
    start: &movetext::StartPosition,
) {
    let began = began(game);
    let date = began.as_ref().map_or("????.??.??", |[date, _]| date);
    let given = |key: &str| run.plan.get(key).and_then(Value::as_str);
    tag(out, "Event", given("event").unwrap_or(event));
    tag(out, "Site", given("site").unwrap_or("?"));
    tag(out, "Date", date);
    tag(out, "Round", &format!("{}.{}", game.pair + 1, game.game % 2 + 1));
    tag(out, "White", &run.label(game.white));
    tag(out, "Black", &run.label(game.black));
    tag(out, "Result", game.pgn_result());
    if !start.is_usual {
        tag(out, "SetUp", "1");
        tag(out, "FEN", &game.fen);
    }
    if start.is_chess960 {
        tag(out, "Variant", "Chess960");
    }
    if let Some([_, time]) = &began {
        tag(out, "UTCTime", time);
    }
    // The journal's own numbers, from 0, to find a game again.
    tag(out, "GameNumber", &game.game.to_string());
    tag(out, "OpeningIndex", &game.opening.to_string());
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let side = game.player(color);
        let identity = run.identity(side);
        tag(out, &format!("{name}Side"), &side.to_string());
        tag(out, &format!("{name}Name"), &identity.own_name());
        tag(out, &format!("{name}Spec"), &identity.spec);
    }
    let [white, black] = [game.white, game.black].map(|side| &run.identity(side).limit);
    if white == black {
        tag(out, "TimeControl", white);
    } else {
        tag(out, "WhiteTimeControl", white);
        tag(out, "BlackTimeControl", black);
    }
    tag(out, "PlyCount", &game.plies.to_string());
    tag(out, "Termination", words::termination_tag(game.termination));
}

/// Date and time of the start, UTC, as the tags `Date` and `UTCTime` have them.
pub fn began(game: &GameRecord) -> Option<[String; 2]> {
    let started = game.time.started_ms;
    (started > 0).then(|| utc::pgn(started))
}

fn tag(out: &mut String, name: &str, value: &str) {
    let value = shown(value).replace('\\', r"\\").replace('"', "\\\"");
    *out += &format!("[{name} \"{value}\"]\n");
}
