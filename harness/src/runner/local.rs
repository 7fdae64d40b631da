//! Games between two embedded engines: search threads carry them on, ply by ply, referee's work
//! included, so that nothing crosses threads while a game has its slot.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread::JoinHandle,
    time::SystemTime,
};

use engine::{Engine, Position};
use tokio::sync::oneshot;

use super::{Finished, Stops};
use crate::{
    game::Game,
    player::{
        Fault,
        embedded::{Embedded, think},
    },
    record::Side,
    slots::{Slots, Turn},
};

/// The queue of local games.
pub(super) type LocalSlots = Slots<Box<LocalGame>>;

/// A game between embedded engines, and where its end is awaited.
pub(super) struct LocalGame {
    game: Game,
    running: Option<Running>,
    done: oneshot::Sender<Finished>,
}

/// What a game holds from its first turn on.
struct Running {
    position: Position,
    base: Engine,
    test: Engine,
    started_ms: u64,
}

impl LocalGame {
    pub(super) fn new(game: Game, done: oneshot::Sender<Finished>) -> Box<LocalGame> {
        Box::new(LocalGame { game, running: None, done })
    }
}

/// What the search threads share.
pub(super) struct LocalPlayers {
    /// The base player's engines.
    pub(super) base: Arc<Embedded>,
    /// The test player's engines.
    pub(super) test: Arc<Embedded>,
    /// When to stop.
    pub(super) stops: Stops,
    /// Where the bench reads what the searches cost.
    pub(super) meter: Option<Arc<Meter>>,
}

/// Counts what the searches of a run cost, for the harness's own benchmark.
#[derive(Debug, Default)]
pub struct Meter {
    /// Plies searched.
    pub plies: AtomicU64,
    /// Processor time in engine code, in nanoseconds.
    pub engine_ns: AtomicU64,
}

impl Meter {
    fn time<T>(meter: Option<&Meter>, plies: u64, work: impl FnOnce() -> T) -> T {
        let Some(meter) = meter else { return work() };
        let before = thread_cpu_ns();
        let result = work();
        meter.engine_ns.fetch_add(thread_cpu_ns() - before, Ordering::Relaxed);
        meter.plies.fetch_add(plies, Ordering::Relaxed);
        result
    }
}

/// Processor time of the calling thread in nanoseconds.
fn thread_cpu_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec; the call writes nothing else.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// Starts one search thread for each slot. They end when the slots are closed.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn start_threads(
    count: usize,
    slots: &Arc<LocalSlots>,
    players: &Arc<LocalPlayers>,
) -> std::io::Result<Vec<JoinHandle<()>>> {
    (0..count)
        .map(|number| {
            let (slots, players) = (Arc::clone(slots), Arc::clone(players));
            std::thread::Builder::new()
                .name(format!("search-{number}"))
                .spawn(move || search_thread(&slots, &players))
        })
        .collect()
}

fn search_thread(slots: &Arc<LocalSlots>, players: &LocalPlayers) {
    let mut next = slots.wait();
    while let Some(Turn { game, mut job }) = next {
        // A panic in a player is caught nearer to it. One of ours costs its game, not the thread.
        let step = catch_unwind(AssertUnwindSafe(|| job.ply(players)));
        let kept = match step.unwrap_or(Step::Abandoned) {
            Step::GoesOn => slots.turn(Turn { game, job }),
            Step::Over => {
                job.finish(players);
                slots.done()
            }
            // Dropping the job drops the sender: that is how its task knows.
            Step::Abandoned => {
                drop(job);
                slots.done()
            }
        };
        next = kept.or_else(|| slots.wait());
    }
}

/// What a turn did to its game.
enum Step {
    GoesOn,
    Over,
    Abandoned,
}

impl LocalGame {
    /// One ply: search, move, rules, adjudication.
    fn ply(&mut self, players: &LocalPlayers) -> Step {
        if players.stops.now() || (self.running.is_none() && players.stops.no_new_games()) {
            return Step::Abandoned;
        }
        if self.game.end().is_some() {
            return Step::Over; // the opening was the whole game
        }
        let side = self.game.to_move();
        let meter = players.meter.as_deref();
        let running = match &mut self.running {
            Some(running) => running,
            empty => match Meter::time(meter, 0, || Running::begin(&self.game, players)) {
                Ok(running) => empty.insert(running),
                Err(fault) => {
                    self.game.fault(side, &fault);
                    return Step::Over;
                }
            },
        };
        let engine = match side {
            Side::Base => &mut running.base,
            Side::Test => &mut running.test,
        };
        let (turn, limit) = (self.game.turn(), self.game.limit());
        let thought = Meter::time(meter, 1, || {
            think(engine, &mut running.position, turn, limit, players.stops.flag())
        });
        if players.stops.now() {
            return Step::Abandoned;
        }
        let over = match &thought {
            Ok(thought) => self.game.apply(thought),
            Err(fault) => self.game.fault(side, fault),
        };
        if over.is_some() { Step::Over } else { Step::GoesOn }
    }

    /// Gives the engines back, the finished game to its task.
    fn finish(self: Box<Self>, players: &LocalPlayers) {
        let LocalGame { game, running, done } = *self;
        let mut started_ms = unix_ms();
        if let Some(running) = running {
            started_ms = running.started_ms;
            // After a fault nothing vouches for the engines' state.
            if game.end().is_some_and(|end| !end.termination.is_fault()) {
                players.base.give_back(running.base);
                players.test.give_back(running.test);
            }
        }
        if let Some(record) = game.into_record(started_ms, unix_ms()) {
            // The receiver is gone only when the run is being torn down.
            let _ = done.send(Finished { record, capsules: Vec::new() });
        }
    }
}

impl Running {
    fn begin(game: &Game, players: &LocalPlayers) -> Result<Running, Fault> {
        let position = engine_position(game)?;
        Ok(Running {
            position,
            base: players.base.take(),
            test: players.test.take(),
            started_ms: unix_ms(),
        })
    }
}

/// The engine's own position of a game, its moves so far played.
///
/// # Errors
/// When the engine refuses what the referee accepted.
pub(super) fn engine_position(game: &Game) -> Result<Position, Fault> {
    let refused = |error: &dyn std::fmt::Display| {
        Fault::Garbage(format!("refuses the opening {}: {error}", game.start_fen()))
    };
    let mut position = Position::from_fen(game.start_fen()).map_err(|error| refused(&error))?;
    for uci in game.moves() {
        let played = position.parse_uci(&uci.to_string()).map_err(|error| refused(&error))?;
        position.play(played);
    }
    Ok(position)
}

/// Milliseconds since 1970.
pub(super) fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
