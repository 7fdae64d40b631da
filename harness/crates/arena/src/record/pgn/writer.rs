//! One game after another as PGN: the tags, then the moves.

use std::fmt::{Display, Write as _};

use serde_json::Value;
use shakmaty::Color;

use super::movetext::movetext;
use super::{SanMoves, words};
use crate::record::{BySide, GameRecord, RecordError, RunFile, Side, utc};
use process::terminal::escape::shown;

/// Writes games of one run.
#[derive(Debug)]
pub struct PgnWriter {
    /// The first tags of each game.
    event: String,
    /// The values of `White` and `Black`.
    labels: BySide<String>,
    /// The tags about a player when it has White, and when it has Black.
    players: BySide<[String; 2]>,
    limits: BySide<String>,
}

impl PgnWriter {
    /// `event`: the tag's value unless the run has another.
    pub fn of(run: &RunFile, event: &str) -> PgnWriter {
        let given = |key: &str| run.plan.get(key).and_then(Value::as_str);
        let mut first = String::new();
        tag(&mut first, "Event", value(given("event").unwrap_or(event)));
        tag(&mut first, "Site", value(given("site").unwrap_or("?")));
        let sides =
            |of: &dyn Fn(Side) -> String| BySide { base: of(Side::Base), test: of(Side::Test) };
        let player = |side: Side, color: &str| {
            let (identity, mut tags) = (run.identity(side), String::new());
            tag(&mut tags, &format!("{color}Side"), value(&side.to_string()));
            tag(&mut tags, &format!("{color}Name"), value(&identity.own_name()));
            tag(&mut tags, &format!("{color}Spec"), value(&identity.spec));
            tags
        };
        let players = |side| ["White", "Black"].map(|color| player(side, color));
        PgnWriter {
            event: first,
            labels: sides(&|side| value(&run.label(side))),
            players: BySide { base: players(Side::Base), test: players(Side::Test) },
            limits: sides(&|side| value(&run.identity(side).limit)),
        }
    }

    /// Appends one game and an empty line. After an error ([`RecordError::Replay`]: the game breaks the
    /// rules) `out` is as it was.
    pub fn append(&self, out: &mut String, game: &GameRecord) -> Result<(), RecordError> {
        let moves =
            SanMoves::of(game).map_err(|reason| RecordError::Replay { game: game.game, reason })?;
        self.append_replayed(out, game, &moves);
        Ok(())
    }

    /// The same for a game whose moves are known.
    pub fn append_replayed(&self, out: &mut String, game: &GameRecord, moves: &SanMoves) {
        self.tags(out, game, moves);
        out.push('\n');
        out.push_str(&movetext(game, moves));
        out.push_str("\n\n");
    }

    fn tags(&self, out: &mut String, game: &GameRecord, moves: &SanMoves) {
        let began = began(game);
        out.push_str(&self.event);
        tag(out, "Date", began.as_ref().map_or("????.??.??", |[date, _]| date));
        tag(out, "Round", format_args!("{}.{}", game.pair + 1, game.game % 2 + 1));
        tag(out, "White", self.labels.of_ref(game.white));
        tag(out, "Black", self.labels.of_ref(game.black));
        tag(out, "Result", game.pgn_result());
        if !moves.is_usual {
            tag(out, "SetUp", "1");
            tag(out, "FEN", &game.fen);
        }
        if moves.is_chess960 {
            tag(out, "Variant", "Chess960");
        }
        if let Some([_, time]) = &began {
            tag(out, "UTCTime", time);
        }
        // The journal's own numbers, from 0, to find a game again.
        tag(out, "GameNumber", game.game);
        tag(out, "OpeningIndex", game.opening);
        for color in Color::ALL {
            let [white, black] = self.players.of_ref(game.player(color));
            out.push_str(color.fold_wb(white, black));
        }
        let [white, black] = [game.white, game.black].map(|side| self.limits.of_ref(side));
        if white == black {
            tag(out, "TimeControl", white);
        } else {
            tag(out, "WhiteTimeControl", white);
            tag(out, "BlackTimeControl", black);
        }
        tag(out, "PlyCount", game.plies);
        tag(out, "Termination", words::termination_tag(game.termination));
    }
}

/// Date and time of the start, UTC, as the tags `Date` and `UTCTime` have them.
pub fn began(game: &GameRecord) -> Option<[String; 2]> {
    let started = game.time.started_ms;
    (started > 0).then(|| utc::pgn(started))
}

/// A tag's value: foreign text, fit for quotes.
fn value(text: &str) -> String {
    shown(text).replace('\\', r"\\").replace('"', "\\\"")
}

fn tag(out: &mut String, name: &str, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "[{name} \"{value}\"]");
}
