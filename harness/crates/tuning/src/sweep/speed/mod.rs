//! Speed instead of Elo (TST-08): nodes and time to a depth over fixed positions, for every
//! candidate and the base.
//!
//! Node counts are exact and the same everywhere, of programs as they tell them; times are processor
//! time, of programs the time from question to answer: the least of some rounds, in which the base and the candidates take turns at each position, so that a busy moment
//! of the machine hits all alike, and not one of them in all positions. `speed.jsonl` keeps one
//! line for each candidate and round: an interrupted sweep goes on behind the last whole round.

mod journal;
mod outcome;
mod page;
mod program;

use journal::SpeedJournal;
pub use journal::{Timing, read};
pub use outcome::{Ratio, SpeedOutcome, SpeedRow, ratio};

use std::path::Path;
use std::sync::Arc;

use engine::{Engine, HashSize, Limits, Params, Position, bench};
use serde::{Deserialize, Serialize};

use self::program::ProgramClock;
use super::SweepFile;
use crate::base::params_of;
use crate::tunable::Tunable;
use arena::plan::Plan;
use arena::player::program::GameOptions;
use arena::record::Side;
use arena::schedule::Schedule;
use pgn::{Book, BookError};
use process::{Error, cpu_time};

pub const ROUNDS: u32 = 3;

/// The positions: those of the engine's bench, or as many from a book as the plan has pairs.
pub fn positions(plan: &Plan) -> Result<Vec<Position>, BookError> {
    let fens: Vec<String> = match &plan.book {
        None => bench::POSITIONS.iter().map(|&fen| fen.to_owned()).collect(),
        Some(path) => {
            let book = Book::read(path)?;
            let order = plan.openings.order(plan.seed);
            let schedule = Schedule::new(&book, order, plan.openings.offset, plan.pairs);
            let numbers = schedule.step_by(2).take(book.len()).map(|scheduled| scheduled.opening);
            let fen = |number| Ok(book.opening(number)?.end_fen());
            numbers.map(fen).collect::<Result<_, BookError>>()?
        }
    };
    let positions = fens.iter().filter_map(|fen| Position::from_fen(fen).ok());
    // Programs need not play Chess960, unless a book asks for it.
    let is_usual = |position: &Position| {
        plan.base.is_embedded() || plan.book.is_some() || !position.is_chess960()
    };
    Ok(positions.filter(is_usual).collect())
}

/// Measures to `depth` plies what `dir` does not have yet. For a program it is to be called inside
/// of a multi-threaded runtime.
pub fn measure(
    dir: &Path,
    file: &SweepFile,
    depth: u32,
    positions: &[Position],
    say: &dyn Fn(&str),
) -> Result<Vec<Timing>, Error> {
    let (mut journal, mut timings) = SpeedJournal::open(dir, positions.len())?;
    let mut clock = SpeedClock::new(file, depth)?;
    for round in 0..ROUNDS {
        let all = std::iter::once(None).chain((0..file.candidates.len()).map(Some));
        let is_done = |candidate: &Option<usize>| {
            timings.iter().any(|it| it.candidate == *candidate && it.round == round)
        };
        let left: Vec<Option<usize>> = all.filter(|candidate| !is_done(candidate)).collect();
        let costs = clock.costs(&left, round, positions)?;
        for (candidate, Cost { nodes, micros }) in left.into_iter().zip(costs) {
            let timing = Timing { candidate, round, nodes, micros };
            journal.append(&timing)?;
            let name = candidate.map_or("base", |number| file.candidates[number].name.as_str());
            let total: u64 = timing.nodes.iter().sum();
            say(&format!("round {} of {ROUNDS}: {name}: {total} nodes", round + 1));
            timings.push(timing);
        }
    }
    Ok(timings)
}

/// Times the candidates of a sweep; `None` among them is the base.
struct SpeedClock<'a> {
    file: &'a SweepFile,
    tunables: Vec<Tunable>,
    depth: u32,
    /// `None`: the engine in this program.
    program: Option<ProgramClock>,
}

impl SpeedClock<'_> {
    fn new(file: &SweepFile, depth: u32) -> Result<SpeedClock<'_>, Error> {
        let tunables = file.axes()?.into_iter().map(|axis| axis.tunable).collect();
        let is_program = !file.plan.base.is_embedded();
        let program = is_program.then(|| ProgramClock::new(&file.plan, depth)).transpose()?;
        Ok(SpeedClock { file, tunables, depth, program })
    }

    fn costs(
        &mut self,
        candidates: &[Option<usize>],
        round: u32,
        positions: &[Position],
    ) -> Result<Vec<Cost>, Error> {
        let SpeedClock { file, tunables, depth, program } = self;
        let values = |candidate: &Option<usize>| {
            candidate.map_or(&file.base, |number| &file.candidates[number].values)
        };
        if let Some(program) = program {
            let options = |candidate: &Option<usize>| {
                program.options(tunables.iter().zip(values(candidate).iter().copied()))
            };
            let players: Vec<GameOptions> =
                candidates.iter().map(options).collect::<Result<_, _>>()?;
            return program.in_turn(&players, round, positions);
        }
        let player = |candidate: &Option<usize>| {
            params_of(&file.player(tunables, values(candidate))?).map(Arc::new)
        };
        let players: Vec<Arc<Params>> = candidates.iter().map(player).collect::<Result<_, _>>()?;
        let hash = usize::try_from(file.plan.embedded_hash(Side::Test).0).unwrap_or(usize::MAX);
        let how = (HashSize::from_bytes(hash), *depth, round);
        Ok(in_turn(&players, how, positions, &|| false).unwrap_or_default())
    }
}

/// The cost of a player's searches, by position.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub nodes: Vec<u64>,
    /// Processor time.
    pub micros: Vec<u64>,
}

/// Searches every position to `depth` plies, each player in turn before the next position; who
/// begins changes with position and round. Each search begins from a cleared state. `None` when
/// `stop` ends it.
pub fn in_turn(
    players: &[Arc<Params>],
    (hash, depth, round): (HashSize, u32, u32),
    positions: &[Position],
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Cost>> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let nothing = vec![0; positions.len()];
    let nothing = Cost { nodes: nothing.clone(), micros: nothing };
    let mut costs = vec![nothing; players.len()];
    let Some(first) = players.first() else { return Some(costs) };
    let mut engine = Engine::new(first, hash);
    for (place, position) in positions.iter().enumerate() {
        if stop() {
            return None;
        }
        for turn in 0..players.len() {
            let player = (turn + place + round as usize) % players.len();
            engine.set_params(&players[player]);
            engine.new_game();
            let before = cpu_time::of_thread();
            let report = engine.search(position, &limits, &());
            let taken = cpu_time::of_thread().saturating_sub(before).as_micros();
            costs[player].nodes[place] = report.nodes;
            costs[player].micros[place] = u64::try_from(taken).unwrap_or(u64::MAX);
        }
    }
    Some(costs)
}
