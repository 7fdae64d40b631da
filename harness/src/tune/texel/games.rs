//! Games in PGN, for the positions of a fit.

use std::path::Path;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use super::said::Said;
use super::source::{Batches, Line, Scores, Skipped, white_score};
use crate::opening::{Extent, GameResult, GameText, Variant, find_move, quote};

/// Opening moves of games in PGN that nobody thought about, plies.
pub(super) const BOOK_PLIES: usize = 16;

/// The games of a PGN file.
pub(super) struct PgnGames<'a, 'b> {
    batches: &'a mut Batches<'b>,
    path: &'a Path,
    skipped: Skipped,
    number: u64,
    game: Option<PgnGame>,
}

/// A game that is being read.
#[derive(Default)]
struct PgnGame {
    fen: Option<String>,
    board: Chess,
    moves: String,
    plies: usize,
    /// What is said of the positions before each move, and of the last one.
    said: Vec<Option<Option<i32>>>,
    result: Option<GameResult>,
    /// What is wrong with it.
    bad: Option<String>,
    has_begun: bool,
}

impl PgnGame {
    /// A comment behind the last move.
    fn comment(&mut self, text: &[u8]) {
        let (place, score) = match Said::of(text) {
            Some(Said::Before(score)) if self.plies > 0 => (self.plies - 1, score),
            Some(Said::After(score)) => {
                let white = self.board.turn().is_white();
                (self.plies, score.map(|score| if white { score } else { score.saturating_neg() }))
            }
            _ => return,
        };
        self.said.resize(self.said.len().max(place + 1), None);
        self.said[place] = Some(score);
    }

    /// What is known of its positions; a few remarks among its moves are no scores.
    fn scores(&self) -> Scores {
        if 2 * self.said.iter().flatten().count() >= self.plies.max(1) {
            return Scores::Told(self.said.iter().map(|said| said.flatten()).collect());
        }
        Scores::Unknown(if self.fen.is_some() { 0 } else { BOOK_PLIES })
    }
}

impl<'a, 'b> PgnGames<'a, 'b> {
    /// Those of the file at `path`, handed over to `batches`.
    pub(super) fn new(path: &'a Path, batches: &'a mut Batches<'b>) -> PgnGames<'a, 'b> {
        PgnGames { batches, path, skipped: Skipped::default(), number: 1, game: None }
    }

    /// What was not taken of them.
    pub(super) fn skipped(self) -> Skipped {
        self.skipped
    }

    fn game(&mut self) -> &mut PgnGame {
        self.game.get_or_insert_default()
    }
}

impl GameText for PgnGames<'_, '_> {
    fn tag(&mut self, _line: u64, name: &[u8], value: &[u8]) {
        let game = self.game();
        match name {
            b"FEN" => {
                let start = Fen::from_ascii(value.trim_ascii())
                    .ok()
                    .and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).ok());
                if start.is_none() {
                    game.bad = Some(format!("no legal position: {}", quote(value)));
                }
                game.board = start.unwrap_or_default();
                let fen = Fen::from_position(&game.board, EnPassantMode::Legal);
                game.fen = Some(fen.to_string());
            }
            b"Variant" if !matches!(Variant::of(value), Variant::Standard) => {
                game.bad = Some(format!("a game of {}", quote(value)));
            }
            b"Result" => game.result = GameResult::of(value.trim_ascii()),
            _ => (),
        }
    }

    fn begin_moves(&mut self, _line: u64) {}

    fn san(&mut self, _line: u64, word: &[u8]) {
        let game = self.game();
        game.has_begun = true;
        if game.bad.is_some() {
            return;
        }
        match find_move(&game.board, word) {
            Ok(played) => {
                let uci = UciMove::from_standard(played);
                game.moves.push_str(&format!("{uci} "));
                game.board.play_unchecked(played);
                game.plies += 1;
            }
            Err(_) => game.bad = Some(format!("no legal move: {}", quote(word))),
        }
    }

    fn comment(&mut self, text: &[u8]) {
        self.game().comment(text);
    }

    fn result(&mut self, _line: u64, word: &[u8]) {
        let found = GameResult::of(word).filter(|found| *found != GameResult::Open);
        let game = self.game();
        game.result = found.or(game.result);
    }

    fn fail(&mut self, line: u64, expected: &str, _found: &[u8]) {
        self.game().bad.get_or_insert(format!("line {line}: {expected}"));
    }

    fn finish(&mut self, extent: &Extent) {
        let Some(mut game) = self.game.take() else { return };
        let wrong = match (game.bad.take(), game.result) {
            (Some(why), _) => Some(why),
            (None, Some(GameResult::LostByBoth)) => Some("lost by both players".to_owned()),
            (None, None | Some(GameResult::Open)) => Some("no result".to_owned()),
            (None, Some(GameResult::Decided(_))) => {
                (!game.has_begun).then(|| "no moves".to_owned())
            }
        };
        match (wrong, game.result) {
            (None, Some(GameResult::Decided(result))) => {
                let start =
                    || Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
                self.batches.add(Line {
                    number: self.number,
                    is_new: true,
                    scores: game.scores(),
                    fen: game.fen.unwrap_or_else(start),
                    moves: game.moves,
                    result: white_score(result),
                });
            }
            (why, _) => {
                self.skipped.games += 1;
                let (path, line) = (self.path.display(), extent.first_line());
                let why = why.unwrap_or_default();
                self.skipped.first.get_or_insert_with(|| format!("{path}:{line}: {why}"));
            }
        }
        self.number += 1;
    }
}
