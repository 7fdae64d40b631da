//! Games in PGN, for the positions of a fit.

use std::path::Path;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode};

use super::batches::{Batches, GameLine, Scores, Skipped, white_score};
use super::eval_comment::EvalComment;
use pgn::san::Board;
use pgn::{Extent, GameText, Outcome, ResultWords, Variant, quote};

/// Book plies of a PGN game whose comments have no scores.
pub(super) const BOOK_PLIES: usize = 16;

pub(super) struct PgnGames<'a, 'b> {
    batches: &'a mut Batches<'b>,
    path: &'a Path,
    pub(super) skipped: Skipped,
    number: u64,
    line: LinePlace,
    game: Option<PgnGame>,
}

/// A line: its number, from 1, and the offset of its first byte in the text, from 0.
#[derive(Debug, Default, Clone, Copy)]
struct LinePlace(u64, u64);

#[derive(Default)]
struct PgnGame {
    fen: Option<String>,
    board: Board,
    moves: String,
    plies: usize,
    /// Scores from the comments, for the position before each move and for the last one.
    comment_scores: Vec<Option<Option<i32>>>,
    result: ResultWords,
    begin: LinePlace,
    /// The first mistake: its line, and what was expected.
    bad: Option<(u64, String)>,
    has_begun: bool,
}

impl PgnGame {
    /// The comment follows the last move read.
    fn comment(&mut self, text: &[u8]) {
        let (place, score) = match EvalComment::of(text) {
            Some(EvalComment::Before(score)) if self.plies > 0 => (self.plies - 1, score),
            Some(EvalComment::After(score)) => {
                let white = self.board.turn().is_white();
                (self.plies, score.map(|score| if white { score } else { score.saturating_neg() }))
            }
            _ => return,
        };
        self.comment_scores.resize(self.comment_scores.len().max(place + 1), None);
        self.comment_scores[place] = Some(score);
    }

    /// Fails without moves or without a result.
    fn outcome(&self) -> Result<Outcome, String> {
        let outcome = self.result.decided().map_err(|why| why.to_string())?;
        if self.has_begun { Ok(outcome) } else { Err("expected moves".to_owned()) }
    }

    /// The scores of its positions; none if fewer than half of the moves have one.
    fn scores(&self) -> Scores {
        if 2 * self.comment_scores.iter().flatten().count() >= self.plies.max(1) {
            return Scores::Given(self.comment_scores.iter().map(|said| said.flatten()).collect());
        }
        Scores::Unknown(if self.fen.is_some() { 0 } else { BOOK_PLIES })
    }
}

impl<'a, 'b> PgnGames<'a, 'b> {
    pub(super) fn new(path: &'a Path, batches: &'a mut Batches<'b>) -> PgnGames<'a, 'b> {
        let (skipped, line) = (Skipped::default(), LinePlace::default());
        PgnGames { batches, path, skipped, number: 1, line, game: None }
    }

    fn game(&mut self) -> &mut PgnGame {
        let begin = self.line;
        self.game.get_or_insert_with(|| PgnGame { begin, ..PgnGame::default() })
    }

    /// Marks the game as bad; the first reason is kept.
    fn spoil(&mut self, line: u64, why: String) {
        self.game().bad.get_or_insert((line, why));
    }
}

impl GameText for PgnGames<'_, '_> {
    fn place(&mut self, line: u64, offset: u64) {
        self.line = LinePlace(line, offset);
    }

    fn tag(&mut self, line: u64, name: &[u8], value: &[u8]) {
        let game = self.game();
        match &*name.to_ascii_lowercase() {
            b"fen" => {
                let start = Fen::from_ascii(value.trim_ascii())
                    .ok()
                    .and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).ok());
                let is_legal = start.is_some();
                let start = start.unwrap_or_default();
                game.board = Board::new(&start);
                let fen = Fen::from_position(&start, EnPassantMode::Legal);
                game.fen = Some(fen.to_string());
                if !is_legal {
                    let found = quote(value);
                    self.spoil(
                        line,
                        format!("expected the FEN of a legal position, found {found}"),
                    );
                }
            }
            b"variant" if !matches!(Variant::of(value), Variant::Standard) => {
                let found = quote(value);
                self.spoil(line, format!("expected a game of standard chess, found {found}"));
            }
            b"result" => game.result.tag = Some(value.trim_ascii().to_vec()),
            _ => (),
        }
    }

    fn san(&mut self, line: u64, word: &[u8]) {
        let game = self.game();
        game.has_begun = true;
        if game.bad.is_some() {
            return;
        }
        match game.board.find_move(word) {
            Ok(change) => {
                UciMove::from_standard(change.to_move()).append_to_string(&mut game.moves);
                game.moves.push(' ');
                game.board.play(&change);
                game.plies += 1;
            }
            Err(wrong) => {
                let side = game.board.turn().fold_wb("White", "Black");
                let (ply, expected, found) = (game.plies + 1, wrong.expected(), quote(word));
                self.spoil(
                    line,
                    format!("ply {ply}: expected {expected} for {side}, found {found}"),
                );
            }
        }
    }

    fn wants_moves(&self) -> bool {
        self.batches.failed.is_none()
    }

    fn comment(&mut self, text: &[u8]) {
        self.game().comment(text);
    }

    fn result(&mut self, _line: u64, word: &[u8]) {
        self.game().result.token = Some(word.to_vec());
    }

    fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
        let found =
            if found.is_empty() { String::new() } else { format!(", found {}", quote(found)) };
        self.spoil(line, format!("{expected}{found}"));
    }

    fn finish(&mut self, _extent: &Extent) {
        let Some(mut game) = self.game.take() else { return };
        let LinePlace(first, offset) = game.begin;
        let outcome = match game.bad.take() {
            Some(bad) => Err(bad),
            None => game.outcome().map_err(|why| (first, why)),
        };
        match outcome {
            Ok(outcome) => {
                let start =
                    || Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
                self.batches.add(GameLine {
                    number: self.number,
                    line: None,
                    is_new: true,
                    scores: game.scores(),
                    fen: game.fen.unwrap_or_else(start),
                    moves: game.moves,
                    result: Some(white_score(outcome)),
                });
            }
            Err((line, why)) => {
                self.skipped.games += 1;
                let path = self.path.display();
                self.skipped.first.get_or_insert_with(|| {
                    format!("{path}:{line}: game of line {first} (byte {offset}): {why}")
                });
            }
        }
        self.number += 1;
    }
}
