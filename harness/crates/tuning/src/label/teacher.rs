//! Processes of the teacher, and what they say of positions.

use std::sync::Mutex;

use arena::player::external::External;
use arena::player::program::{ProgramHost, ProgramSpec};
use arena::player::{Fault, GoLimit};
use arena::record::Score;
use arena::runner::Stops;
use engine::Position;
use process::progress::Progress;
use process::{Error, lock, parallel};
use shakmaty::Color;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::runtime::Handle;

use super::{Chosen, LabelPlan};

/// Positions in which the teacher may fail, even when it is started anew.
const MOST_FAILURES: u64 = 20;

/// What the teacher says of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lesson {
    /// From the side to move, and whether the best move is quiet.
    Score(Score, bool),
    /// No score, or it failed twice.
    None,
}

pub(super) struct Teachers<'a> {
    spec: &'a ProgramSpec,
    limit: GoLimit,
    processes: NonZeroUsize,
    host: Arc<ProgramHost>,
    stops: Stops,
    idle: Mutex<Vec<External>>,
    failures: AtomicU64,
}

/// The process of a thread; it goes back when the thread's work is done.
struct Seat<'a> {
    teachers: &'a Teachers<'a>,
    process: Option<External>,
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
        let teachers = Teachers {
            spec: &plan.teacher,
            limit: plan.limit,
            processes: plan.processes,
            host,
            stops: stops.clone(),
            idle: Mutex::default(),
            failures: AtomicU64::new(0),
        };
        let first = teachers.process().map_err(|fault| teachers.error(fault))?;
        if let Some(why) = first.refuses_limit(&plan.limit) {
            return Err(Error::usage(format!("{}: {why}", plan.teacher.command_line())));
        }
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

    /// What it says of each of these positions, in their order; those after an interruption are
    /// [`Lesson::None`].
    ///
    /// # Errors
    /// It fails too often.
    pub(super) fn search(
        &self,
        positions: &[Chosen],
        progress: &dyn Progress,
    ) -> Result<Vec<Lesson>, Error> {
        let begin = || Seat { teachers: self, process: lock(&self.idle).pop() };
        let lessons = parallel::map(positions, self.processes, begin, |seat, (sample, _)| {
            if self.stops.now() || self.failures.load(Ordering::Relaxed) > MOST_FAILURES {
                return Ok(Lesson::None);
            }
            progress.advance(1);
            seat.lesson(&sample.fen)
        });
        lessons.into_iter().collect()
    }

    /// Ends all processes in order.
    pub(super) fn quit(&self) {
        for process in std::mem::take(&mut *lock(&self.idle)) {
            process.quit();
        }
    }
}

impl Seat<'_> {
    /// A process that fails is started anew once.
    fn lesson(&mut self, fen: &str) -> Result<Lesson, Error> {
        let Teachers { failures, stops, .. } = self.teachers;
        let mut fault = None;
        for _ in 0..2 {
            match self.search(fen) {
                Ok(lesson) => return Ok(lesson),
                Err(_) if stops.now() => return Ok(Lesson::None),
                Err(Fault::Lack(lack)) => return Err(self.teachers.error(Fault::Lack(lack))),
                Err(told) => fault = Some(told),
            }
        }
        let failed = failures.fetch_add(1, Ordering::Relaxed) + 1;
        match fault {
            Some(fault) if failed > MOST_FAILURES => Err(self
                .teachers
                .error(fault)
                .context(format!("the teacher failed in {failed} positions, the last {fen}"))),
            _ => Ok(Lesson::None),
        }
    }

    /// Without a fault the process is kept.
    fn search(&mut self, fen: &str) -> Result<Lesson, Fault> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.teachers.process()?,
        };
        let turn = if fen.contains(" w ") { Color::White } else { Color::Black };
        process.new_game(fen, false)?;
        let thought = process.think(turn, "", &self.teachers.limit)?;
        let position =
            Position::from_fen(fen).map_err(|error| Fault::Garbage(error.to_string()))?;
        let best = position.parse_uci(&thought.best.to_string());
        let best = best.map_err(|error| Fault::Garbage(error.to_string()))?;
        self.process = Some(process);
        Ok(thought.score.map_or(Lesson::None, |score| Lesson::Score(score, best.is_quiet())))
    }
}
