//! Processes of the teacher, and what they say of positions.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use arena::player::external::External;
use arena::player::program::{ProgramHost, ProgramSpec};
use arena::player::{Fault, GoLimit};
use arena::record::Score;
use arena::runner::Stops;
use engine::Position;
use process::progress::Progress;
use process::{Error, lock, parallel};
use shakmaty::Color;
use shakmaty::uci::UciMove;
use tokio::runtime::Handle;

use super::{Chosen, LabelPlan};

/// Positions in which the teacher may fail, even when it is started anew.
const MOST_FAILURES: u64 = 10;

/// Positions that are one game to the teacher. To be told of a new game costs an engine as much as
/// some thousand nodes, since it clears its tables.
pub(super) const BLOCK: usize = 32;

/// A teacher has to be able to set up positions.
const ANY_POSITION: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

/// What the teacher says of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lesson {
    /// From the side to move.
    Scored { score: Score, best: UciMove, is_quiet: bool },
    /// No score, or it failed twice.
    None,
}

pub(super) struct Teachers<'a> {
    spec: &'a ProgramSpec,
    limit: GoLimit,
    processes: NonZeroUsize,
    host: Arc<ProgramHost>,
    stops: Stops,
    /// What it calls itself.
    pub(super) name: String,
    idle: Mutex<Vec<External>>,
    failures: AtomicU64,
}

/// The process of a thread; it goes back when the thread's work is done.
struct Seat<'a> {
    teachers: &'a Teachers<'a>,
    process: Option<External>,
    /// Of its game.
    chess960: bool,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            lock(&self.teachers.idle).push(process);
        }
    }
}

impl<'a> Teachers<'a> {
    /// Starts the first process, so that one that cannot start or refuses the limit is told before
    /// anything is written. To be called inside of a multi-threaded runtime.
    pub(super) fn start(plan: &'a LabelPlan, stops: &Stops) -> Result<Teachers<'a>, Error> {
        let host = ProgramHost::new(plan.settings.clone(), Handle::current(), stops.now_token())?;
        let mut teachers = Teachers {
            spec: &plan.teacher,
            limit: plan.limit,
            processes: plan.processes,
            host,
            stops: stops.clone(),
            name: String::new(),
            idle: Mutex::default(),
            failures: AtomicU64::new(0),
        };
        let first = teachers.process().map_err(|fault| teachers.error(fault))?;
        let refused = first.refuses_limit(&plan.limit);
        if let Some(why) = refused.or_else(|| first.refuses_start(ANY_POSITION, false)) {
            return Err(Error::usage(format!("{}: {why}", plan.teacher.command_line())));
        }
        teachers.name.clone_from(&first.identity().name);
        lock(&teachers.idle).push(first);
        Ok(teachers)
    }

    fn process(&self) -> Result<External, Fault> {
        External::start(self.spec, &self.host).map_err(|error| error.fault)
    }

    fn error(&self, fault: Fault) -> Error {
        let error = match fault {
            Fault::Lack(lack) => Error::input_output(lack),
            fault => Error::fault(fault),
        };
        error.context(self.spec.command_line())
    }

    /// Hands what it says of these positions to `take`, block by block in their order; `None` after
    /// an interruption.
    ///
    /// # Errors
    /// It fails too often; those of `take`.
    pub(super) fn search(
        &self,
        positions: &[Chosen],
        progress: &dyn Progress,
        mut take: impl FnMut(Option<Vec<Lesson>>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let begin = || Seat { teachers: self, process: lock(&self.idle).pop(), chess960: false };
        let blocks: Vec<&[Chosen]> = positions.chunks(BLOCK).collect();
        parallel::stream(
            &blocks,
            self.processes,
            begin,
            |seat, block| seat.block(block, progress),
            |lessons| take(lessons?),
        )
    }

    /// Ends all processes in order.
    pub(super) fn quit(&self) {
        for process in std::mem::take(&mut *lock(&self.idle)) {
            process.quit();
        }
    }
}

impl Seat<'_> {
    /// What it says of these positions as of one game; `None` when interrupted.
    fn block(
        &mut self,
        block: &[Chosen],
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Lesson>>, Error> {
        let mut lessons = Vec::with_capacity(block.len());
        for (sample, _) in block {
            if self.teachers.stops.now() {
                return Ok(None);
            }
            let Some(lesson) = self.lesson(&sample.fen, lessons.is_empty())? else {
                return Ok(None);
            };
            lessons.push(lesson);
            progress.advance(1);
        }
        Ok(Some(lessons))
    }

    /// A process that fails is started anew once; `None` when interrupted.
    fn lesson(&mut self, fen: &str, is_new: bool) -> Result<Option<Lesson>, Error> {
        let Teachers { failures, stops, .. } = self.teachers;
        let mut fault = None;
        for _ in 0..2 {
            match self.search(fen, is_new) {
                Ok(lesson) => return Ok(Some(lesson)),
                Err(_) if stops.now() => return Ok(None),
                Err(Fault::Resigns(_)) => return Ok(Some(Lesson::None)),
                Err(Fault::Lack(lack)) => return Err(self.teachers.error(Fault::Lack(lack))),
                Err(told) => fault = Some(told),
            }
        }
        let failed = failures.fetch_add(1, Ordering::Relaxed) + 1;
        match fault {
            Some(fault) if failed > MOST_FAILURES => Err(self.teachers.error(fault).context(
                format!("the teacher failed in {failed} positions, twice in each; the last: {fen}"),
            )),
            _ => Ok(Some(Lesson::None)),
        }
    }

    /// After a fault the process is not used again.
    fn search(&mut self, fen: &str, is_new: bool) -> Result<Lesson, Fault> {
        let (mut process, is_new) = match self.process.take() {
            Some(process) => (process, is_new),
            None => (self.teachers.process()?, true),
        };
        let garbage = |error: &dyn std::fmt::Display| Fault::Garbage(error.to_string());
        let position = Position::from_fen(fen).map_err(|error| garbage(&error))?;
        let chess960 = position.is_chess960();
        if is_new || chess960 != self.chess960 || !process.continue_from(fen)? {
            process.new_game(fen, chess960)?;
            self.chess960 = chess960;
        }
        let turn = if position.turn().is_white() { Color::White } else { Color::Black };
        let thought = process.think(turn, "", &self.teachers.limit)?;
        let best = position.parse_uci(&thought.best.to_string());
        let best = best.map_err(|error| garbage(&error))?;
        if process.is_reusable() {
            self.process = Some(process);
        } else {
            process.quit();
        }
        Ok(thought.newest_score().map_or(Lesson::None, |score| Lesson::Scored {
            score,
            best: best.to_uci(chess960),
            is_quiet: best.is_quiet(),
        }))
    }
}
