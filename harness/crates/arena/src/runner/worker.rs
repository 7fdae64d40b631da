//! Search threads. A thread plays a game ply by ply, search and referee alike, so that nothing
//! crosses threads while the game has its slot.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::oneshot;

use super::attempts::{Attempt, InPlay, OutOfResource, PlayingGames};
use super::live::Shown;
use super::watchdog::{Watchdog, WatchedSearch};
use super::{Contest, Finished, Pin, Width, unix_ms};
use crate::game::Game;
use crate::player::program::Capsule;
use crate::player::{Fault, Halt};
use crate::pool::{Player, PlayerFault, PlayerPool, SharedBoard};
use crate::record::{Side, Termination};
use crate::slots::Slots;
use process::lack::Lack;
use process::{affinity, cpu_time};

pub(super) type Queue = Slots<Box<GameJob>>;

/// A running game, and the sender that reports its end.
pub(super) struct GameJob {
    game: Arc<Game>,
    contest: Arc<Contest>,
    running: Option<Running>,
    capsule: Option<Box<Capsule>>,
    /// `None` while an embedded engine thinks: the watchdog holds it.
    done: Option<oneshot::Sender<Attempt>>,
}

/// What a game holds from its first turn on.
struct Running {
    board: SharedBoard,
    base: Box<dyn Player>,
    test: Box<dyn Player>,
    started_ms: u64,
    shown: Option<Shown>,
    _in_play: InPlay,
}

/// What all search threads share.
pub(super) struct WorkerContext {
    pub(super) queue: Arc<Queue>,
    pub(super) meter: Option<Arc<Meter>>,
    pub(super) pools: Vec<Arc<PlayerPool>>,
    pub(super) games_playing: Arc<PlayingGames>,
}

impl WorkerContext {
    fn close_idle(&self) {
        self.pools.iter().for_each(|pool| pool.close());
    }
}

/// A search thread; `ended` closes when it ends.
pub(super) struct Thread {
    pub(super) ended: oneshot::Receiver<()>,
    pub(super) watchdog: Arc<Watchdog>,
}

/// Counts what the players of a run cost, for the harness's own benchmark.
#[derive(Debug, Default)]
pub struct Meter {
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

/// Starts a search thread for each slot. They and idle players end when the queue is closed.
pub(super) fn start(width: &Width, context: &Arc<WorkerContext>) -> std::io::Result<Vec<Thread>> {
    let processors = match &width.pin {
        Pin::Off => Vec::new(),
        Pin::All => affinity::processors()?,
        Pin::These(these) => these.clone(),
    };
    let mut processors = processors.into_iter();
    (0..width.slots.get())
        .map(|number| {
            let context = Arc::clone(context);
            let processor = processors.next();
            let watchdog = Arc::new(Watchdog::default());
            let seen = Arc::clone(&watchdog);
            let (alive, ended) = oneshot::channel::<()>();
            std::thread::Builder::new()
                .name(format!("search-{number}"))
                .spawn(move || {
                    search(&context, processor, &seen);
                    context.close_idle();
                    drop(alive);
                })
                .map(|_| Thread { ended, watchdog })
        })
        .collect()
}

/// Plays games. A thread that has a `processor` of its own stays on it, with all programs that
/// think in its slot.
fn search(context: &WorkerContext, processor: Option<usize>, watchdog: &Watchdog) {
    let queue = &context.queue;
    if let Some(processor) = processor {
        affinity::pin_thread(processor);
    }
    let mut next = queue.wait();
    while let Some(mut turn) = next {
        // `pool::embedded` catches the engine's panics. One here loses the game, not the thread.
        let fresh = turn.is_fresh();
        let step = catch_unwind(AssertUnwindSafe(|| {
            if fresh {
                turn.job.warm();
                turn.job.pin(processor);
            }
            turn.job.ply(context, watchdog, processor)
        }));
        next = match step.unwrap_or(PlyOutcome::Abandoned) {
            PlyOutcome::GoesOn => queue.turn(turn),
            PlyOutcome::Over => {
                turn.job.finish();
                queue.wait()
            }
            PlyOutcome::OutOfResource(shortage) => {
                // Idle processes hold the resources that this game needs.
                context.close_idle();
                turn.job.report(Err(shortage));
                queue.wait()
            }
            // Dropping the job drops the sender: that is how its task knows.
            PlyOutcome::Abandoned => {
                drop(turn);
                queue.wait()
            }
        };
    }
}

/// What a turn did to its game.
enum PlyOutcome {
    GoesOn,
    Over,
    OutOfResource(OutOfResource),
    Abandoned,
}

impl GameJob {
    pub(super) fn new(
        game: Game,
        contest: Arc<Contest>,
        done: oneshot::Sender<Attempt>,
    ) -> Box<GameJob> {
        let (game, done) = (Arc::new(game), Some(done));
        Box::new(GameJob { game, contest, running: None, capsule: None, done })
    }

    fn report(self: Box<Self>, attempt: Attempt) {
        send(self.done, attempt);
    }

    /// Warms the caches, which hold another game's tables.
    fn warm(&self) {
        if let Some(running) = &self.running {
            running.base.warm();
            running.test.warm();
        }
    }

    /// Pins its programs here: the game may come from another slot.
    fn pin(&self, processor: Option<usize>) {
        if let (Some(processor), Some(running)) = (processor, &self.running) {
            running.pin(processor);
        }
    }

    /// One ply: a player's thinking, then move, rules, adjudication.
    fn ply(
        &mut self,
        context: &WorkerContext,
        watchdog: &Watchdog,
        processor: Option<usize>,
    ) -> PlyOutcome {
        let meter = context.meter.as_deref();
        let stops = &self.contest.stops;
        if stops.now() || (self.running.is_none() && stops.no_new_games()) {
            return PlyOutcome::Abandoned;
        }
        if self.game.end().is_some() {
            return PlyOutcome::Over; // the opening was the whole game
        }
        let running = match &mut self.running {
            Some(running) => running,
            empty => match Meter::time(meter, 0, || {
                Running::begin(&self.game, &self.contest, &context.games_playing)
            }) {
                Ok(running) => {
                    let running = empty.insert(running);
                    processor.into_iter().for_each(|processor| running.pin(processor));
                    running
                }
                Err((_, (Fault::Lack(lack), _))) => return self.spoil(lack),
                Err((side, (fault, capsule))) => {
                    self.capsule = capsule;
                    Arc::make_mut(&mut self.game).fault(side, &fault);
                    return if stops.now() { PlyOutcome::Abandoned } else { PlyOutcome::Over };
                }
            },
        };
        let side = self.game.to_move();
        let (game, board) = (&self.game, &mut running.board);
        let player = side.choose(&mut running.base, &mut running.test);
        let params = player.params().map(Arc::clone);
        let mut think = |overdue: Option<&AtomicBool>| {
            let halt = Halt { run: &stops.flag, overdue };
            Meter::time(meter, 1, || player.think(game, board, halt))
        };
        let thought = match (params, self.done.take()) {
            (Some(params), Some(done)) => {
                let (started_ms, hang) = (running.started_ms, self.contest.rules.hang);
                let search = WatchedSearch::new(&self.game, params, done, started_ms, hang);
                let watched = watchdog.watch(search, |overdue| think(Some(overdue)));
                let Some((thought, done)) = watched else { return PlyOutcome::Abandoned };
                self.done = Some(done);
                thought
            }
            (_, done) => {
                self.done = done;
                think(None)
            }
        };
        if stops.now() {
            return PlyOutcome::Abandoned;
        }
        // Nobody shares the game now, so this copies nothing.
        let game = Arc::make_mut(&mut self.game);
        let end = match &thought {
            Ok(thought) => {
                game.apply(thought);
                running.shown.iter_mut().for_each(|shown| shown.update(game));
                game.end()
            }
            Err(Fault::Lack(lack)) => {
                let lack = lack.clone();
                return self.spoil(lack);
            }
            Err(fault) => game.fault(side, fault),
        };
        let Some(termination) = end.map(|end| end.termination) else { return PlyOutcome::GoesOn };
        if termination == Termination::IllegalMove
            && let Some(fault) = player.second_answer()
        {
            game.fault(side, &fault);
        }
        if termination.is_fault() {
            self.capsule = player.capsule();
        }
        PlyOutcome::Over
    }

    /// Ends the attempt for lack of a resource; its players are dropped.
    fn spoil(&mut self, lack: Lack) -> PlyOutcome {
        PlyOutcome::OutOfResource(OutOfResource { lack, begun: self.running.take().is_some() })
    }

    /// Returns the players to their pools, and sends the finished game to its task.
    fn finish(self: Box<Self>) {
        let GameJob { game, contest, running, capsule, done } = *self;
        let ended_ms = unix_ms();
        let mut started_ms = ended_ms;
        if let Some(running) = running {
            started_ms = running.started_ms;
            // The state of a player at fault is unknown: it is dropped, and its process killed.
            // A fault is always of the player to move.
            let fault = game.end().is_some_and(|end| end.termination.is_fault());
            let guilty = fault.then(|| game.to_move());
            for (side, pool, player) in [
                (Side::Base, &contest.base, running.base),
                (Side::Test, &contest.test, running.test),
            ] {
                if guilty != Some(side) {
                    pool.give_back(player);
                }
            }
        }
        if let Some(record) = Arc::unwrap_or_clone(game).into_record(started_ms, ended_ms) {
            send(done, Ok(Finished::new(record, capsule)));
        }
    }
}

fn send(done: Option<oneshot::Sender<Attempt>>, attempt: Attempt) {
    if let Some(done) = done {
        // The receiver is gone only when the run is being torn down.
        let _ = done.send(attempt);
    }
}

impl Running {
    fn begin(
        game: &Game,
        contest: &Contest,
        playing: &Arc<PlayingGames>,
    ) -> Result<Running, (Side, PlayerFault)> {
        let base = contest.base.take(game).map_err(|fault| (Side::Base, fault))?;
        let test = match contest.test.take(game) {
            Ok(test) => test,
            Err(fault) => {
                contest.base.give_back(base);
                return Err((Side::Test, fault));
            }
        };
        let in_play = InPlay::new(playing);
        let (board, started_ms) = (SharedBoard::default(), unix_ms());
        let shown = Shown::new(contest.live.as_ref(), game);
        Ok(Running { board, base, test, started_ms, shown, _in_play: in_play })
    }

    fn pin(&self, processor: usize) {
        for pid in [self.base.pid(), self.test.pid()].into_iter().flatten() {
            affinity::pin_process(pid, processor);
        }
    }
}
