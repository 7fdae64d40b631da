//! What sources are read into: games and positions, handed on in batches.

use arena::record::{GameRecord, Score};
use pgn::Outcome;
use process::Error;

/// Games per batch.
pub(super) const BATCH: usize = 1024;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct GameLine {
    /// Its number in its source, from 0; for positions, the number of their block.
    pub(super) number: u64,
    /// Its line in a list of positions, from 1.
    pub(super) line: Option<u64>,
    /// Whether it is from another game than the previous line.
    pub(crate) is_new: bool,
    pub(super) fen: String,
    /// In UCI, separated by spaces; empty for a position.
    pub(super) moves: String,
    /// White's result: 0, ½ or 1; `None` of a position without one.
    pub(crate) result: Option<f32>,
    /// For the positions before each move, and the last one.
    pub(super) scores: Scores,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scores {
    /// By position, the score of the player to move in centipawns; positions with `None` are
    /// skipped.
    Given(Vec<Option<i32>>),
    /// No scores; so many positions at the start are skipped.
    Unknown(usize),
}

impl Default for Scores {
    fn default() -> Scores {
        Scores::Unknown(0)
    }
}

impl GameLine {
    /// A game just played, of which `(fen, moves)` are known; the first `book_plies` moves are not its
    /// players'.
    pub(crate) fn played(
        number: u64,
        (fen, moves): (String, String),
        book_plies: usize,
        result: f32,
    ) -> GameLine {
        let scores = Scores::Unknown(book_plies);
        GameLine { number, line: None, is_new: true, fen, moves, result: Some(result), scores }
    }

    pub(super) fn of_record(game: &GameRecord) -> GameLine {
        let told = game.notes.iter().map(|note| match note.score {
            Some(Score::Cp(score)) => Some(score),
            _ => None,
        });
        let book = std::iter::repeat_n(None, game.book_plies as usize);
        GameLine {
            number: game.game,
            line: None,
            is_new: true,
            fen: game.fen.clone(),
            moves: game.moves.clone(),
            result: Some(white_score(game.result)),
            scores: Scores::Given(book.chain(told).collect()),
        }
    }
}

/// White's score: 0, ½ or 1.
pub(super) fn white_score(result: Outcome) -> f32 {
    f32::from(result.half_points(true)) / 2.0
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Skipped {
    /// Games that have no result, are malformed, or are of a variant.
    pub(crate) games: u64,
    /// Place and reason of the first of them.
    pub(crate) first: Option<String>,
    /// Positions without move counters, so that their games are unknown.
    pub(super) alone: u64,
}

pub(super) struct Batches<'a> {
    take: &'a mut dyn FnMut(&[GameLine]) -> Result<(), Error>,
    waiting: Vec<GameLine>,
    pub(super) failed: Option<Error>,
}

impl<'a> Batches<'a> {
    pub(super) fn new(take: &'a mut dyn FnMut(&[GameLine]) -> Result<(), Error>) -> Batches<'a> {
        Batches { take, waiting: Vec::new(), failed: None }
    }

    pub(super) fn add(&mut self, line: GameLine) {
        self.waiting.push(line);
        if self.waiting.len() >= BATCH {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        let lines = std::mem::take(&mut self.waiting);
        if self.failed.is_none()
            && let Err(error) = (self.take)(&lines)
        {
            self.failed = Some(error);
        }
    }

    pub(super) fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.hand_over();
        self.failed.map_or(Ok(()), Err)
    }
}
