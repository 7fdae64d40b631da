//! Results from PGN.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::input::{CrosstableInput, InputCounts, Unusable};
use super::line::{GameMoves, HashedWords, start};
use super::names::{NamesInPgn, Renaming};
use super::pairing::{PairMatcher, PairOrigin, PairedBy, PlayedGame, RatedUnit, hash, round};
use super::same::{KnownGames, SharedGameId};
use arena::record::Side;
use pgn::{
    BookError, BookFormat, Extent, GameResult, GameText, Lines, Origin as Text, Outcome,
    ResultWords, parse, with_text,
};
use process::Error;
use stats::ratings::{PlayerId, Results};

/// What players in PGN are called.
pub(super) struct Names<'a> {
    /// By the user's wish.
    pub(super) renaming: Renaming<'a>,
    /// As in the runs that were read, too.
    pub(super) in_pgn: NamesInPgn,
}

/// What tells the games of one match from others.
#[derive(Debug, Clone, Copy)]
pub struct GameTags<'a> {
    pub white: &'a str,
    pub black: &'a str,
    pub event: &'a [u8],
    pub site: &'a [u8],
    pub round: &'a [u8],
}

/// Which games are counted; asked of each in the order of the file.
pub type OnlyGames<'a> = dyn FnMut(&GameTags<'_>) -> bool + 'a;

/// Counts the games of a PGN text, as a stream. `seen` has the hashes of pairs, and of games in none,
/// that were counted.
pub(super) fn read(
    tally: &mut CrosstableInput,
    text: Text<'_>,
    names: &mut Names<'_>,
    seen: &mut HashSet<u64>,
    known: &mut KnownGames,
    only: &mut OnlyGames<'_>,
) -> Result<(), Error> {
    let CrosstableInput { results, counted } = tally;
    let path = match text {
        Text::File(path) | Text::Memory(path, _) => path,
    };
    let mut games = PgnCounter {
        path,
        results,
        counted,
        names,
        ids: HashMap::new(),
        pairing: PairMatcher::default(),
        seen,
        known,
        only,
        number: 0,
        game: TaggedGame::default(),
    };
    let mut is_pgn = true;
    with_text(text, &mut |format, text| {
        is_pgn = format == BookFormat::Pgn;
        if is_pgn { parse(&mut Lines::new(text), &mut games) } else { Ok(()) }
    })
    .map_err(|error| match error {
        BookError::Read { path, source } => Error::io(&path, "read")(source),
        BookError::Archive { found, .. } => no_pgn(path, &found),
        other => no_pgn(path, &other.to_string()),
    })?;
    for unit in games.pairing.finish() {
        games.count_unit(&unit);
    }
    let found = match (is_pgn, games.number) {
        (false, _) => "found lines of another kind",
        (true, 0) => "found no game",
        (true, _) => return Ok(()),
    };
    Err(no_pgn(path, found))
}

fn no_pgn(path: &Path, found: &str) -> Error {
    Error::input_output(format!("{}: expected PGN, {found}", path.display()))
}

/// The tags and moves of one game that matter here.
#[derive(Default)]
struct TaggedGame {
    white: Option<String>,
    black: Option<String>,
    result: ResultWords,
    event: Vec<u8>,
    site: Vec<u8>,
    round: Vec<u8>,
    fen: Vec<u8>,
    /// The tags of our own PGN.
    number: Option<u64>,
    white_side: Option<Side>,
    began: [String; 2],
    index: Option<u64>,
    specs: [String; 2],
    tagged_plies: Option<u64>,
    all_tags: HashedWords,
    line: GameMoves,
    /// It did not end by chess, or its text is not whole.
    is_unsound: bool,
}

/// What the tag `Termination` says of games that a fault or the clock ended: the words of the PGN
/// standard, of fastchess and of cutechess-cli.
const UNSOUND: [&[u8]; 8] = [
    b"abandoned",
    b"death",
    b"emergency",
    b"illegal move",
    b"rules infraction",
    b"stalled connection",
    b"time forfeit",
    b"unterminated",
];

struct PgnCounter<'a, 'r, 'o> {
    path: &'a Path,
    results: &'a mut Results,
    counted: &'a mut InputCounts,
    names: &'a mut Names<'r>,
    ids: HashMap<String, PlayerId>,
    pairing: PairMatcher,
    seen: &'a mut HashSet<u64>,
    known: &'a mut KnownGames,
    only: &'a mut OnlyGames<'o>,
    /// How many games were read.
    number: u64,
    game: TaggedGame,
}

impl GameText for PgnCounter<'_, '_, '_> {
    fn tag(&mut self, _line: u64, name: &[u8], value: &[u8]) {
        let game = &mut self.game;
        game.all_tags.add(name);
        game.all_tags.add(value);
        match name {
            b"White" => game.white = Some(text(value)),
            b"Black" => game.black = Some(text(value)),
            b"Result" => game.result.tag = Some(value.trim_ascii().to_vec()),
            b"Event" => game.event = value.to_vec(),
            b"Site" => game.site = value.to_vec(),
            b"Round" => game.round = value.to_vec(),
            b"FEN" => game.fen = value.trim_ascii().to_vec(),
            b"GameNumber" => game.number = number(value),
            b"WhiteSide" => {
                game.white_side = Some(if value == b"base" { Side::Base } else { Side::Test });
            }
            b"Date" => game.began[0] = text(value),
            b"UTCTime" => game.began[1] = text(value),
            b"OpeningIndex" => game.index = number(value),
            b"WhiteSpec" => game.specs[0] = text(value),
            b"BlackSpec" => game.specs[1] = text(value),
            b"PlyCount" => game.tagged_plies = number(value),
            b"Termination" => {
                let value = value.trim_ascii();
                game.is_unsound |= UNSOUND.iter().any(|word| value.eq_ignore_ascii_case(word));
            }
            _ => (),
        }
    }

    fn san(&mut self, _line: u64, word: &[u8]) {
        self.game.line.add(word);
    }

    fn comment(&mut self, text: &[u8]) {
        self.game.line.comment(text);
    }

    fn result(&mut self, _line: u64, word: &[u8]) {
        self.game.result.token = Some(word.to_vec());
    }

    /// What is wrong with moves and comments does not concern the result.
    fn fail(&mut self, _line: u64, _expected: &str, _found: &[u8]) {
        self.game.is_unsound = true;
    }

    fn finish(&mut self, extent: &Extent) {
        let game = std::mem::take(&mut self.game);
        if game.is_stray_text() {
            return;
        }
        self.number += 1;
        if let Err(why) = self.count(game) {
            self.counted.unusable += 1;
            let (line, number) = (extent.first_line(), self.number);
            self.counted.first_unusable.get_or_insert_with(|| Unusable {
                path: self.path.to_owned(),
                line,
                game: number,
                why,
            });
        }
    }
}

impl PgnCounter<'_, '_, '_> {
    fn count(&mut self, mut game: TaggedGame) -> Result<(), String> {
        if !(self.only)(&game.tags()) {
            self.counted.of_others += 1;
            return Ok(());
        }
        if self.known.note(game.identity()) {
            self.counted.same_games += 1;
            return Ok(());
        }
        let outcome = match game.result()? {
            GameResult::Decided(outcome) => outcome,
            GameResult::Open => {
                self.counted.unfinished += 1;
                return Ok(());
            }
            // There is no score for it: no rating says that both players lose.
            GameResult::LostByBoth => {
                self.counted.lost_by_both += 1;
                return Ok(());
            }
        };
        let (origin, content_hash) = (game.origin(), game.content_hash(outcome));
        let white = self.player("White", game.white.take())?;
        let black = self.player("Black", game.black.take())?;
        if white == black {
            self.counted.against_itself += 1;
            return Ok(());
        }
        let white_half_points = outcome.half_points(true);
        for unit in
            self.pairing.add(PlayedGame { white, black, white_half_points, origin, content_hash })
        {
            self.count_unit(&unit);
        }
        Ok(())
    }

    fn count_unit(&mut self, unit: &RatedUnit) {
        match unit {
            RatedUnit::Pair(games, by) => self.pair(games, *by),
            RatedUnit::Single(game) => self.single(game),
        }
    }

    fn pair(&mut self, [first, second]: &[PlayedGame; 2], by: PairedBy) {
        match by {
            PairedBy::Tagged => self.counted.pairs_tagged += 1,
            PairedBy::Round | PairedBy::Opening => self.counted.pairs_found += 1,
        }
        if by == PairedBy::Round {
            self.counted.pairs_by_round += 1;
        }
        let points = [first.white_half_points, 2 - second.white_half_points];
        // Two pairs may be equal whoever had White first.
        let (one, other) =
            if first.white < first.black { (first, second) } else { (second, first) };
        if let (Some(game), Some(swapped)) = (one.content_hash, other.content_hash)
            && !self.seen.insert(hash(&(one.white, one.black, game, swapped)))
        {
            self.results.add_repeated_pair(first.white, second.white, points);
            self.counted.repeated_pairs += 1;
            return;
        }
        let [with_white, with_black] = points;
        self.results.add_pair(first.white, second.white, with_white, with_black);
    }

    fn single(&mut self, game: &PlayedGame) {
        let PlayedGame { white, black, white_half_points, content_hash, .. } = *game;
        self.counted.single_games += 1;
        if content_hash.is_some_and(|game| !self.seen.insert(hash(&(white, black, game)))) {
            self.results.add_repeated_game(white, black, white_half_points);
            self.counted.repeated_games += 1;
        } else {
            self.results.add_game(white, black, white_half_points);
        }
    }

    fn player(&mut self, colour: &str, name: Option<String>) -> Result<PlayerId, String> {
        let name = name.filter(|name| !name.is_empty() && name != "?");
        let name = name.ok_or_else(|| format!("expected a tag [{colour} \"name\"]"))?;
        if let Some(&player) = self.ids.get(&name) {
            return Ok(player);
        }
        let in_run = self.names.in_pgn.get(&name).and_then(Option::as_deref);
        let called = self.names.renaming.get(&name).or(in_run).unwrap_or(&name);
        let player = self.results.player(called);
        self.ids.insert(name, player);
        Ok(player)
    }
}

impl TaggedGame {
    fn tags(&self) -> GameTags<'_> {
        GameTags {
            white: self.white.as_deref().unwrap_or_default(),
            black: self.black.as_deref().unwrap_or_default(),
            event: &self.event,
            site: &self.site,
            round: &self.round,
        }
    }

    /// The result by tag, or by the token after the moves where the tag has none.
    fn result(&self) -> Result<GameResult, String> {
        if self.result.tag.as_deref().is_some_and(|tag| GameResult::of(tag).is_none()) {
            let expected = "expected the result 1-0, 0-1, 1/2-1/2 or *";
            return Err(format!("{expected}, found {}", self.result.quoted_tag()));
        }
        self.result.agreed()
    }

    /// Words between games, such as the second line of a `;` comment that was wrapped.
    fn is_stray_text(&self) -> bool {
        self.white.is_none()
            && self.black.is_none()
            && self.result.tag.is_none()
            && self.result.token.is_none()
    }

    fn origin(&self) -> PairOrigin {
        let event = hash(&self.event);
        match (self.number, self.white_side) {
            (Some(number), Some(_)) => PairOrigin::Tagged(hash(&(event, number / 2))),
            _ => PairOrigin::Found {
                event,
                round: round(&self.round),
                opening: self.line.opening(&self.fen),
            },
        }
    }

    /// What is the same in a copy of the game, and in the run that it was played in.
    fn identity(&self) -> u64 {
        if let (Some(number), Some(white), Some(opening), Some(plies)) =
            (self.number, self.white_side, self.index, self.tagged_plies)
            && !self.began[1].is_empty()
        {
            let began = [self.began[0].as_str(), self.began[1].as_str()];
            let specs = [self.specs[0].as_str(), self.specs[1].as_str()];
            let result = self.result.tag.as_deref().map(String::from_utf8_lossy);
            let result = result.as_deref().unwrap_or_default();
            let id = SharedGameId { number, began, opening, white, specs, plies, result };
            return hash(&id);
        }
        hash(&(self.all_tags.hash(), self.line.hash(), &self.result.token))
    }

    /// What equal games have in common: start position, moves and result. `None` of a game that is
    /// like no other: one that did not end by chess, and one whose moves are not all there.
    fn content_hash(&self, outcome: Outcome) -> Option<u64> {
        if self.is_unsound || self.line.plies() == 0 || self.result.token.is_none() {
            return None;
        }
        Some(hash(&(self.line.hash(), start(&self.fen), outcome.as_str())))
    }
}

/// A tag's value that is a whole number.
fn number(value: &[u8]) -> Option<u64> {
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

/// A tag's value: UTF-8, or else Latin-1, with quotes and backslashes unescaped.
fn text(value: &[u8]) -> String {
    let text = match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().map(|&byte| char::from(byte)).collect(),
    };
    let mut out = String::with_capacity(text.len());
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                chars.next();
                out.push(escaped);
            }
            _ => out.push(c),
        }
    }
    out
}
