//! Quiet positions from games.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::eval::{Evaluator, LineFacts, NoTrace};
use engine::movegen::MoveList;
use engine::{Engine, HashSize, Params, Position};
use process::Error;
use process::parallel::States;
use process::progress::Progress;
use serde::Serialize;

use super::batches::{GameLine, Scores};
use super::source::{self, Wanted};
use super::targets::expected;

#[derive(Debug, Clone, Serialize)]
pub struct Sampling {
    /// A position is quiet if playing out captures changes its value by at most this, 1/256 pawn.
    pub margin: i32,
    /// Positions of a greater value for either side are skipped as decided, 1/256 pawn.
    pub decided: i32,
    /// One opening in so many is held out with all its games, unless there are runs for that; of a
    /// list of positions one block in so many.
    pub held_out: NonZeroUsize,
    /// Share of the game's result in the target, 0 to 1; the rest is the player's score.
    pub lambda: f64,
}

impl Default for Sampling {
    fn default() -> Sampling {
        let held_out = NonZeroUsize::MIN.saturating_add(9);
        Sampling { margin: 16, decided: 2560, held_out, lambda: 1.0 }
    }
}

#[derive(Debug, Clone)]
pub struct TexelSample {
    pub fen: String,
    /// How the game ended for White: 0, ½ or 1; what its score promises where that is not known.
    pub result: f32,
    /// The score by the player to move, White's view, 1/256 pawn.
    pub score: f32,
    /// Index of the source: each has a scale of its own.
    pub source: u16,
    /// Pieces of both sides together: N 3, B 3, R 5, Q 9; 62 at the start.
    pub men: u8,
    /// The number of its game, unique among all sources.
    pub game: u32,
    pub(crate) key: u64,
}

#[cfg(test)]
impl TexelSample {
    pub(super) fn of(fen: &str, result: f32) -> TexelSample {
        TexelSample { fen: fen.to_owned(), result, score: 0.0, source: 0, men: 0, game: 0, key: 0 }
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Sampled {
    #[serde(skip)]
    pub fitted: Vec<TexelSample>,
    /// Positions of held-out games.
    #[serde(skip)]
    pub held_out: Vec<TexelSample>,
    /// By source, without games that ended by a fault. First all sources of fewer than [`LARGE`]
    /// games together, then each larger one.
    pub games: Vec<u64>,
    /// Skipped games in PGN: without a result, with illegal moves, or of a variant; without scores
    /// where these count.
    pub skipped: u64,
    /// Place and reason of the first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_skipped: Option<String>,
    /// Positions of lists without move counters: each counts as a game of its own.
    pub alone: u64,
    pub positions: u64,
    /// Repeated positions of these games.
    pub repeated: u64,
}

/// The halfmove clock above which positions are skipped: they end in a draw whatever is on the
/// board.
const STALE: u32 = 40;

/// Games from which a source has a scale of its own: players convert advantages differently, and a
/// scale needs many games.
pub const LARGE: u64 = 4000;

/// Public games that agree for so many plies share an opening.
const OPENING: usize = 8;

/// Where no result is known, a score of so many centipawns has the expected score of such an Elo
/// difference.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;

const UNSCORED: &str = "no scores are recorded: expected --lambda 1";

/// Reads the games of run folders, PGN files and lists of positions, and takes their quiet
/// positions, each once. Held out are the games of `validate`, or else those of every
/// [`Sampling::held_out`]th opening. Fails for illegal moves in a run.
pub fn sample(
    runs: &[PathBuf],
    validate: &[PathBuf],
    params: &Arc<Params>,
    sampling: &Sampling,
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Result<Sampled, Error> {
    let mut sampled = Sampled { games: vec![0], ..Sampled::default() };
    let mut seen = HashSet::new();
    let mut game = 0;
    let takers = States::default();
    // Those to validate first: a position belongs to where it is seen first.
    let validate = validate.iter().map(|run| (run, true));
    let every = if validate.len() == 0 { sampling.held_out.get() as u64 } else { u64::MAX };
    let wanted = if sampling.lambda < 1.0 { Wanted::ResultsOrScores } else { Wanted::Results };
    for (run, held_out) in validate.chain(runs.iter().map(|run| (run, false))) {
        let from = (sampled.fitted.len(), sampled.held_out.len());
        let mut count = 0;
        let skipped = source::read(run, wanted, &mut |batch| {
            let taker = || Taker::new(params, sampling);
            let taken = takers.map(batch, threads, taker, |taker, line| taker.take(line));
            for (line, taken) in batch.iter().zip(taken) {
                let Some(taken) = taken.map_err(|why| wrong(run, line, why))? else {
                    sampled.skip(line.is_new, || wrong(run, line, UNSCORED));
                    continue;
                };
                let Taken { samples, positions, opening, .. } = taken;
                // Both games of a pair, and all games of one opening, are on one side: else a
                // fitted game would resemble one held out, or equal it.
                let lot = opening.unwrap_or(line.number);
                let held_out = held_out || lot % every == every - 1;
                let list = if held_out { &mut sampled.held_out } else { &mut sampled.fitted };
                game += u32::from(line.is_new);
                for mut sample in samples {
                    sample.game = game;
                    if seen.insert(sample.key) {
                        list.push(sample);
                    } else {
                        sampled.repeated += 1;
                    }
                }
                count += u64::from(line.is_new);
                sampled.positions += positions;
            }
            progress.advance(batch.len() as u64);
            Ok(())
        })?;
        sampled.skipped += skipped.games;
        sampled.first_skipped = sampled.first_skipped.or(skipped.first);
        sampled.alone += skipped.alone;
        sampled.finish_source(count, from);
    }
    Ok(sampled)
}

impl Sampled {
    /// The number of skipped games, and the first of them; `None` without any.
    pub fn skipped_words(&self) -> Option<String> {
        let first = self.first_skipped.as_ref()?;
        Some(format!("skipped {} games, the first {first}", self.skipped))
    }

    /// Skips a game, or one more position of it.
    fn skip(&mut self, is_new: bool, why: impl FnOnce() -> Error) {
        self.skipped += u64::from(is_new);
        self.first_skipped.get_or_insert_with(|| why().to_string());
    }

    /// Counts the games of a source; its positions begin at the given indices.
    fn finish_source(&mut self, games: u64, (fitted, held_out): (usize, usize)) {
        if games < LARGE {
            self.games[0] += games;
            return;
        }
        let source = self.games.len() as u16;
        self.games.push(games);
        let of_run = self.fitted[fitted..].iter_mut().chain(&mut self.held_out[held_out..]);
        for sample in of_run {
            sample.source = source;
        }
    }
}

pub(crate) fn wrong(run: &Path, line: &GameLine, why: impl std::fmt::Display) -> Error {
    let (run, game) = (run.display(), line.number);
    Error::input_output(match line.line {
        Some(line) => format!("{run}:{line}: {why}"),
        None => format!("{run}: game {game}: {why}"),
    })
}

pub(crate) struct Taken {
    pub(crate) samples: Vec<TexelSample>,
    /// Positions after the book.
    pub(crate) positions: u64,
    /// Positions that were passed over since they are known.
    pub(crate) repeated: u64,
    /// The position where the players began to think, or where a public game left the usual
    /// openings; `None` for a single position.
    opening: Option<u64>,
}

/// Takes quiet positions; each thread needs its own.
pub(crate) struct Taker<'a> {
    engine: Engine,
    evaluator: Evaluator,
    sampling: &'a Sampling,
}

impl Taker<'_> {
    pub(crate) fn new<'a>(params: &Arc<Params>, sampling: &'a Sampling) -> Taker<'a> {
        // What is stored or learned at one position must not affect the next.
        let mut alone = Params::clone(params);
        (alone.qsearch.hash, alone.correction.on) = (false, false);
        (alone.history.reply, alone.history.follow_up) = (false, false);
        Taker {
            engine: Engine::new(&Arc::new(alone), HashSize::MIN),
            evaluator: Evaluator::new(params),
            sampling,
        }
    }

    /// All quiet positions; `None` if scores count and the game has none.
    pub(crate) fn take(&mut self, line: &GameLine) -> Result<Option<Taken>, String> {
        let mut samples = Vec::new();
        let taken = self.walk(line, |taker, position, score| {
            if taker.is_quiet(position) {
                samples.push(sample_of(line, position, score));
            }
        })?;
        Ok(taken.map(|taken| Taken { samples, ..taken }))
    }

    /// Quiet positions that are not `known`, at most so many: those whose keys have the least lots.
    /// Positions with greater lots are not looked at.
    pub(crate) fn draw(
        &mut self,
        line: &GameLine,
        most: NonZeroUsize,
        lot: impl Fn(u64) -> u64,
        known: &HashSet<u64>,
    ) -> Result<Option<Taken>, String> {
        let mut candidates = Vec::new();
        let taken = self.walk(line, |_, position, score| {
            candidates.push((lot(position.key()), candidates.len(), position.clone(), score));
        })?;
        let Some(mut taken) = taken else { return Ok(None) };
        candidates.sort_unstable_by_key(|(lot, place, ..)| (*lot, *place));
        candidates.dedup_by_key(|(lot, ..)| *lot);
        let mut drawn = Vec::new();
        for (_, place, position, score) in candidates {
            if known.contains(&position.key()) {
                taken.repeated += 1;
            } else if self.is_quiet(&position) {
                drawn.push((place, sample_of(line, &position, score)));
            }
            if drawn.len() == most.get() {
                break;
            }
        }
        drawn.sort_unstable_by_key(|(place, _)| *place);
        taken.samples = drawn.into_iter().map(|(_, sample)| sample).collect();
        Ok(Some(taken))
    }

    /// Shows the positions that may be quiet, with their scores, in the order of the game.
    fn walk(
        &mut self,
        line: &GameLine,
        mut show: impl FnMut(&mut Self, &Position, i32),
    ) -> Result<Option<Taken>, String> {
        let mut position = Position::from_fen(&line.fen).map_err(|error| error.to_string())?;
        position.set_table(&self.evaluator.table);
        let has_scores = matches!(line.scores, Scores::Given(_));
        if !has_scores && self.sampling.lambda < 1.0 {
            return Ok(None);
        }
        let mut taken = Taken { samples: Vec::new(), positions: 0, repeated: 0, opening: None };
        let begins = match &line.scores {
            Scores::Given(scores) => scores.iter().position(Option::is_some).unwrap_or(0),
            Scores::Unknown(book) => OPENING.min(*book),
        };
        // A single position has no move before it.
        let moves = line.moves.split_ascii_whitespace().map(Some);
        let alone = line.moves.is_empty().then_some(None);
        for (ply, text) in moves.chain(alone).enumerate() {
            let mv = text.map(|text| position.parse_uci(text)).transpose();
            let mv = mv.map_err(|error| error.to_string())?;
            if ply == begins && mv.is_some() {
                taken.opening = Some(position.key());
            }
            let score = match &line.scores {
                Scores::Given(scores) => scores.get(ply).copied().flatten(),
                Scores::Unknown(book) => (ply >= *book).then_some(0),
            };
            taken.positions += u64::from(score.is_some());
            if let Some(score) = score
                && mv.is_none_or(|mv| mv.is_quiet())
                && position.halfmoves() < STALE
                && !position.in_check()
                && (mv.is_some() || has_moves(&position))
            {
                show(self, &position, score);
            }
            if let Some(mv) = mv {
                position.play(mv);
            }
        }
        Ok(Some(taken))
    }

    fn is_quiet(&mut self, position: &Position) -> bool {
        let found = self.evaluator.evaluate(position, LineFacts::default(), None, &mut NoTrace);
        let value = found.value.binary();
        let stand = if position.turn().is_white() { value } else { -value };
        !found.known_ending
            && value.abs() <= self.sampling.decided
            && (self.engine.quiescence(position).binary() - stand).abs() <= self.sampling.margin
    }
}

/// `score` is that of the side to move, in centipawns.
fn sample_of(line: &GameLine, position: &Position, score: i32) -> TexelSample {
    let white = if position.turn().is_white() { score } else { -score };
    let unknown = || expected(f64::from(white) * SCALE) as f32;
    let score = white as f32 * 2.56;
    let (fen, key) = (position.fen(), position.key());
    let (result, source, game) = (line.result.unwrap_or_else(unknown), 0, 0);
    // More than 9 queens a side are not possible.
    let men = u8::try_from(position.phase_material()).unwrap_or(u8::MAX);
    TexelSample { fen, result, score, key, source, men, game }
}

fn has_moves(position: &Position) -> bool {
    let mut moves = MoveList::default();
    position.legal_moves(&mut moves);
    !moves.as_slice().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(fen: &str, moves: &str, scores: Scores) -> Option<u64> {
        let sampling = Sampling::default();
        let mut taker = Taker::new(&Arc::new(Params::default()), &sampling);
        let line = GameLine {
            fen: fen.to_owned(),
            moves: moves.to_owned(),
            scores,
            ..GameLine::default()
        };
        taker.take(&line).unwrap().unwrap().opening
    }

    /// Games of one opening are on one side of the split, whoever has White and whatever comes then.
    #[test]
    fn games_are_known_by_their_openings() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let has_scores = || Scores::Given(vec![None, None, Some(5), Some(-9)]);
        let first = opening(START, "e2e4 e7e5 g1f3 b8c6", has_scores());
        let second = opening(START, "e2e4 e7e5 f1c4 g8f6", has_scores());
        let other = opening(START, "e2e4 c7c5 g1f3 b8c6", has_scores());
        assert!(first.is_some() && first == second && first != other);
        // The same in public games, which part later than this.
        let usual = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6";
        let [first, second] = ["e1g1 f8e7", "d2d3 b7b5"]
            .map(|rest| opening(START, &format!("{usual} {rest}"), Scores::Unknown(16)));
        assert!(first.is_some() && first == second);
        // A position by itself belongs to none.
        assert_eq!(opening(START, "", Scores::default()), None);
    }

    /// Those drawn are those of all quiet ones that have the least lots; known ones count for nothing.
    #[test]
    fn drawn_are_the_quiet_ones_with_the_least_lots() {
        let sampling = Sampling::default();
        let mut taker = Taker::new(&Arc::new(Params::default()), &sampling);
        // With a position that comes again.
        let line = GameLine {
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            moves: "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 d2d4 e5d4 f3d4 c6c5"
                .to_owned(),
            ..GameLine::default()
        };
        let lot = |key: u64| key.rotate_left(7) ^ 0x5555;
        let mut all = taker.take(&line).unwrap().unwrap().samples;
        all.remove(all.iter().rposition(|sample| sample.key == all[0].key).unwrap());
        let keys = |samples: &[TexelSample]| samples.iter().map(|it| it.key).collect::<Vec<_>>();
        let in_order = keys(&all);
        all.sort_by_key(|sample| lot(sample.key));
        let mut known = HashSet::new();
        for first in 0..3 {
            for most in 1..=all.len() - first {
                let drawn = taker
                    .draw(&line, NonZeroUsize::new(most).unwrap(), lot, &known)
                    .unwrap()
                    .unwrap();
                let mut least = keys(&all[first..first + most]);
                least.sort_by_key(|key| in_order.iter().position(|it| it == key));
                assert_eq!((keys(&drawn.samples), drawn.repeated), (least, first as u64));
            }
            known.insert(all[first].key);
        }
        assert!(all.len() > 6, "{}", all.len());
    }
}
