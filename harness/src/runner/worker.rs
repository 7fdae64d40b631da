//! Search threads: they carry games on, ply by ply, the referee's work included, so that nothing
//! crosses threads while a game has its slot.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::JoinHandle,
};

use tokio::sync::oneshot;

use super::{
    Contest, Finished, Pin, Width, affinity, unix_ms,
    watch::{Post, Search},
};
use crate::{
    cpu_time,
    game::Game,
    player::{
        Halt,
        program::Capsule,
        seat::{Board, Charged, Seat},
    },
    record::Side,
    slots::Slots,
};

/// The queue of games in flight.
pub(super) type Queue = Slots<Box<Job>>;

/// A game in flight, and where its end is awaited.
pub(super) struct Job {
    game: Arc<Game>,
    contest: Arc<Contest>,
    running: Option<Running>,
    capsule: Option<Box<Capsule>>,
    /// With the watch, while an engine in this process thinks.
    done: Option<oneshot::Sender<Finished>>,
}

/// What a game holds from its first turn on.
struct Running {
    board: Board,
    base: Seat,
    test: Seat,
    started_ms: u64,
}

/// Counts what the players of a run cost, for the harness's own benchmark.
#[derive(Debug, Default)]
pub struct Meter {
    /// Plies played.
    pub plies: AtomicU64,
    /// Processor time of our threads in players' code, in nanoseconds.
    pub player_ns: AtomicU64,
}

impl Meter {
    fn time<T>(meter: Option<&Meter>, plies: u64, work: impl FnOnce() -> T) -> T {
        let Some(meter) = meter else { return work() };
        let before = cpu_time::of_thread();
        let result = work();
        let taken = cpu_time::of_thread().saturating_sub(before).as_nanos();
        meter.player_ns.fetch_add(u64::try_from(taken).unwrap_or(u64::MAX), Ordering::Relaxed);
        meter.plies.fetch_add(plies, Ordering::Relaxed);
        result
    }
}

/// Starts the search threads, one for each slot. They end when the queue is closed.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn start(
    width: &Width,
    queue: &Arc<Queue>,
    meter: Option<&Arc<Meter>>,
) -> std::io::Result<Vec<(JoinHandle<()>, Arc<Post>)>> {
    let processors = match &width.pin {
        Pin::Off => Vec::new(),
        Pin::All => affinity::processors()?,
        Pin::These(these) => these.clone(),
    };
    let mut processors = processors.into_iter();
    (0..width.slots.get())
        .map(|number| {
            let (queue, meter) = (Arc::clone(queue), meter.cloned());
            let processor = processors.next();
            let post = Arc::new(Post::default());
            let seen = Arc::clone(&post);
            std::thread::Builder::new()
                .name(format!("search-{number}"))
                .spawn(move || search(&queue, meter.as_deref(), processor, &seen))
                .map(|thread| (thread, post))
        })
        .collect()
}

/// Carries games on. A thread that has a `processor` of its own stays on it, with all programs
/// that think in its slot.
fn search(queue: &Queue, meter: Option<&Meter>, processor: Option<usize>, post: &Post) {
    if let Some(processor) = processor {
        affinity::pin_thread(processor);
    }
    let mut next = queue.wait();
    while let Some(mut turn) = next {
        // A panic in a player is caught nearer to it. One of ours costs its game, not the thread.
        let fresh = turn.is_fresh();
        let step = catch_unwind(AssertUnwindSafe(|| {
            if fresh {
                turn.job.warm();
                turn.job.pin(processor);
            }
            turn.job.ply(meter, post, processor)
        }));
        next = match step.unwrap_or(Step::Abandoned) {
            Step::GoesOn => queue.turn(turn),
            Step::Over => {
                turn.job.finish();
                queue.wait()
            }
            // Dropping the job drops the sender: that is how its task knows.
            Step::Abandoned => {
                drop(turn);
                queue.wait()
            }
        };
    }
}

/// What a turn did to its game.
enum Step {
    GoesOn,
    Over,
    Abandoned,
}

impl Job {
    pub(super) fn new(
        game: Game,
        contest: Arc<Contest>,
        done: oneshot::Sender<Finished>,
    ) -> Box<Job> {
        let (game, done) = (Arc::new(game), Some(done));
        Box::new(Job { game, contest, running: None, capsule: None, done })
    }

    /// Another game had the processor: its caches hold that game's tables.
    fn warm(&self) {
        if let Some(running) = &self.running {
            running.base.warm();
            running.test.warm();
        }
    }

    /// It may have come from another slot.
    fn pin(&self, processor: Option<usize>) {
        if let (Some(processor), Some(running)) = (processor, &self.running) {
            running.pin(processor);
        }
    }

    /// One ply: a player's thinking, then move, rules, adjudication.
    fn ply(&mut self, meter: Option<&Meter>, post: &Post, processor: Option<usize>) -> Step {
        let stops = &self.contest.stops;
        if stops.now() || (self.running.is_none() && stops.no_new_games()) {
            return Step::Abandoned;
        }
        if self.game.end().is_some() {
            return Step::Over; // the opening was the whole game
        }
        let running = match &mut self.running {
            Some(running) => running,
            empty => match Meter::time(meter, 0, || Running::begin(&self.game, &self.contest)) {
                Ok(running) => {
                    let running = empty.insert(running);
                    processor.into_iter().for_each(|processor| running.pin(processor));
                    running
                }
                Err((side, (fault, capsule))) => {
                    self.capsule = capsule;
                    Arc::make_mut(&mut self.game).fault(side, &fault);
                    return if stops.now() { Step::Abandoned } else { Step::Over };
                }
            },
        };
        let side = self.game.to_move();
        let (game, board) = (&self.game, &mut running.board);
        let seat = match side {
            Side::Base => &mut running.base,
            Side::Test => &mut running.test,
        };
        let params = seat.params().map(Arc::clone);
        let mut think = |overdue: Option<&AtomicBool>| {
            let halt = Halt { run: stops.flag(), overdue };
            Meter::time(meter, 1, || seat.think(game, board, halt))
        };
        let thought = match (params, self.done.take()) {
            (Some(params), Some(done)) => {
                let (started_ms, hang) = (running.started_ms, self.contest.rules.hang);
                let search = Search::new(&self.game, params, done, started_ms, hang);
                let watched = post.watch(search, |overdue| think(Some(overdue)));
                let Some((thought, done)) = watched else { return Step::Abandoned };
                self.done = Some(done);
                thought
            }
            (_, done) => {
                self.done = done;
                think(None)
            }
        };
        if stops.now() {
            return Step::Abandoned;
        }
        // Nobody else has it now.
        let game = Arc::make_mut(&mut self.game);
        let end = match &thought {
            Ok(thought) => game.apply(thought),
            Err(fault) => game.fault(side, fault),
        };
        let Some(end) = end else { return Step::GoesOn };
        if end.termination.is_fault() {
            self.capsule = seat.capsule();
        }
        Step::Over
    }

    /// Gives the players back, the finished game to its task.
    fn finish(self: Box<Self>) {
        let Job { game, contest, running, capsule, done } = *self;
        let ended_ms = unix_ms();
        let mut started_ms = ended_ms;
        if let Some(running) = running {
            started_ms = running.started_ms;
            // Nothing vouches for the state of a player at fault: it is dropped, its process
            // killed. A fault is always of the player to move.
            let fault = game.end().is_some_and(|end| end.termination.is_fault());
            let guilty = fault.then(|| game.to_move());
            for (side, source, seat) in [
                (Side::Base, &contest.base, running.base),
                (Side::Test, &contest.test, running.test),
            ] {
                if guilty != Some(side) {
                    source.give_back(seat);
                }
            }
        }
        let record = Arc::unwrap_or_clone(game).into_record(started_ms, ended_ms);
        if let (Some(record), Some(done)) = (record, done) {
            // The receiver is gone only when the run is being torn down.
            let _ = done.send(Finished::new(record, capsule));
        }
    }
}

impl Running {
    fn begin(game: &Game, contest: &Contest) -> Result<Running, (Side, Charged)> {
        let base = contest.base.take(game).map_err(|fault| (Side::Base, fault))?;
        let test = match contest.test.take(game) {
            Ok(test) => test,
            Err(fault) => {
                contest.base.give_back(base);
                return Err((Side::Test, fault));
            }
        };
        Ok(Running { board: Board::default(), base, test, started_ms: unix_ms() })
    }

    fn pin(&self, processor: usize) {
        for pid in [self.base.pid(), self.test.pid()].into_iter().flatten() {
            affinity::pin_process(pid, processor);
        }
    }
}
