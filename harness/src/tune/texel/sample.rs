//! Quiet positions from the games of runs.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::eval::{Evaluator, LineFacts, NoTrace};
use engine::{Engine, HashSize, Params, Position};
use indicatif::ProgressBar;
use serde::Serialize;

use super::TexelError;
use crate::parallel;
use crate::record::{GameRecord, Games, Outcome, Score};

/// Which positions are taken.
#[derive(Debug, Clone, Serialize)]
pub struct Sampling {
    /// A position is quiet when playing out captures changes its value by no more, 1/256 pawn.
    pub margin: i32,
    /// Positions of a greater value for either side are decided and say nothing, 1/256 pawn.
    pub decided: i32,
    /// One game in so many is held out to see when to stop, unless there are runs for that.
    pub held_out: NonZeroUsize,
    /// Part of the target that is the game's result, 0 to 1; the rest is the player's score.
    pub lambda: f64,
}

impl Default for Sampling {
    fn default() -> Sampling {
        let held_out = NonZeroUsize::MIN.saturating_add(9);
        Sampling { margin: 16, decided: 2560, held_out, lambda: 1.0 }
    }
}

/// One quiet position.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The position.
    pub fen: String,
    /// How the game ended for White: 0, ½ or 1.
    pub result: f32,
    /// What the player to move said, from White's view, 1/256 pawn.
    pub score: f32,
    /// Which source the game is from: each has a scale of its own.
    pub source: u16,
    key: u64,
}

#[cfg(test)]
impl Sample {
    pub(super) fn of(fen: &str, result: f32) -> Sample {
        Sample { fen: fen.to_owned(), result, score: 0.0, source: 0, key: 0 }
    }
}

/// What the games gave.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Sampled {
    /// Positions to fit.
    #[serde(skip)]
    pub fitted: Vec<Sample>,
    /// Positions of games that are held out.
    #[serde(skip)]
    pub held_out: Vec<Sample>,
    /// Games of each source, those that ended by a fault left out: first all runs of fewer than
    /// [`LARGE`] games together, then each larger run.
    pub games: Vec<u64>,
    /// Positions after the book.
    pub positions: u64,
    /// Positions that stood before in these games.
    pub repeated: u64,
}

/// Games read at once.
const BATCH: usize = 1024;

/// Positions late in the fifty moves are on their way to a draw whatever stands on the board.
const STALE: u32 = 40;

/// A run of so many games is a source of its own: players differ in how much of an advantage they
/// win, and a scale needs many games.
pub const LARGE: u64 = 4000;

/// Reads the games of run folders and takes their quiet positions, each once. Held out are the games
/// of the runs `validate`, or every [`Sampling::held_out`]th if there are none.
///
/// # Errors
/// When a run cannot be read or holds moves that are none.
pub fn sample(
    runs: &[PathBuf],
    validate: &[PathBuf],
    params: &Arc<Params>,
    sampling: &Sampling,
    threads: NonZeroUsize,
    bar: &ProgressBar,
) -> Result<Sampled, TexelError> {
    let mut sampled = Sampled { games: vec![0], ..Sampled::default() };
    let mut seen = HashSet::new();
    // Those to validate first: a position stays where it is seen first.
    let validate = validate.iter().map(|run| (run, true));
    let every = if validate.len() == 0 { sampling.held_out.get() } else { usize::MAX };
    for (run, held_out) in validate.chain(runs.iter().map(|run| (run, false))) {
        let from = (sampled.fitted.len(), sampled.held_out.len());
        let mut games = Games::open(run)?
            .filter(|game| !game.as_ref().is_ok_and(|game| game.termination.is_fault()));
        let mut count = 0;
        loop {
            let batch = games.by_ref().take(BATCH).collect::<Result<Vec<_>, _>>()?;
            if batch.is_empty() {
                break;
            }
            let taken = parallel::map(
                &batch,
                threads,
                || Taker::new(params, sampling),
                |taker, game| taker.take(game),
            );
            for (game, taken) in batch.iter().zip(taken) {
                let taken = taken.map_err(|why| wrong(run, game, why))?;
                let held_out = held_out || count % every == every - 1;
                let list = if held_out { &mut sampled.held_out } else { &mut sampled.fitted };
                for sample in taken {
                    if seen.insert(sample.key) {
                        list.push(sample);
                    } else {
                        sampled.repeated += 1;
                    }
                }
                count += 1;
                sampled.positions += u64::from(game.plies - game.book_plies);
            }
            bar.inc(batch.len() as u64);
        }
        sampled.finish_run(count as u64, from);
    }
    Ok(sampled)
}

impl Sampled {
    /// Counts a run's games for its source; its positions are those from the given places on.
    fn finish_run(&mut self, games: u64, (fitted, held_out): (usize, usize)) {
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

fn wrong(run: &Path, game: &GameRecord, why: String) -> TexelError {
    TexelError::Game { run: run.to_owned(), game: game.game, why }
}

/// Takes quiet positions from games.
struct Taker<'a> {
    engine: Engine,
    evaluator: Evaluator,
    sampling: &'a Sampling,
}

impl Taker<'_> {
    fn new<'a>(params: &Arc<Params>, sampling: &'a Sampling) -> Taker<'a> {
        // What is stored or learned of one position must not tell on the next.
        let mut alone = Params::clone(params);
        (alone.qsearch.hash, alone.correction.on) = (false, false);
        (alone.history.reply, alone.history.follow_up) = (false, false);
        Taker {
            engine: Engine::new(&Arc::new(alone), HashSize::MIN),
            evaluator: Evaluator::new(params),
            sampling,
        }
    }

    fn take(&mut self, game: &GameRecord) -> Result<Vec<Sample>, String> {
        let mut position = Position::from_fen(&game.fen).map_err(|error| error.to_string())?;
        position.set_table(&self.evaluator.table);
        let result = match game.result {
            Outcome::White => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Black => 0.0,
        };
        let mut taken = Vec::new();
        for (ply, text) in game.moves.split_ascii_whitespace().enumerate() {
            let mv = position.parse_uci(text).map_err(|error| error.to_string())?;
            let note = ply.checked_sub(game.book_plies as usize).and_then(|at| game.notes.get(at));
            if let Some(Some(Score::Cp(score))) = note.map(|note| note.score)
                && mv.is_quiet()
                && position.halfmoves() < STALE
                && !position.in_check()
                && self.is_quiet(&position)
            {
                let white = if position.turn().is_white() { score } else { -score };
                let score = white as f32 * 2.56;
                let (fen, key) = (position.fen(), position.key());
                taken.push(Sample { fen, result, score, key, source: 0 });
            }
            position.play(mv);
        }
        Ok(taken)
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
