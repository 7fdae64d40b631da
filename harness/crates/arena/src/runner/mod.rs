//! Plays the games of a schedule: one task for each running game, processors through
//! [`slots`](crate::slots). What comes out goes to the [`collector`](crate::collector); nothing
//! here knows results, files or statistics.

mod attempts;
mod limits;
mod live;
mod pin;
mod source;
#[cfg(test)]
mod tests;
mod watchdog;
mod worker;

pub use attempts::Attempt;
pub use limits::{Demand, Limits, Shortage};
pub use live::LiveGames;
pub use pin::Pin;
pub use process::affinity::processors;
pub use source::GameSource;
pub use watchdog::{PERIOD as WATCH_PERIOD, Watchdog, WatchedSearch};
pub use worker::Meter;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use std::{fmt, thread};

use charts::numbers::counted;
use process::lack::Lack;
use process::{Error, lock};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use self::attempts::{PlayingGames, Unplayed, until_played};
use self::worker::{GameJob, WorkerContext};
use crate::game::{Game, GameRules};
use crate::player::program::Capsule;
use crate::pool::PlayerPool;
use crate::record::GameRecord;
use crate::record::pgn::SanMoves;
use crate::schedule::ScheduledGame;
use crate::slots::{Order, Slots};
use pgn::{Book, BookError};

/// A finished game on its way to the collector.
#[derive(Debug)]
pub struct Finished {
    pub record: GameRecord,
    /// Its moves, if it was replayed.
    pub san: Option<SanMoves>,
    pub capsule: Option<Box<Capsule>>,
    /// Entries of the book that were passed over to its opening.
    pub bad_entries: Vec<BookError>,
    /// Earlier attempts at it, for which verdict was late.
    pub late_attempts: Vec<Finished>,
    /// Number of earlier attempts that failed for lack of a resource.
    pub lack_count: u32,
    /// What the last of them lacked.
    pub lack: Option<Lack>,
    /// What another machine has to say of it.
    pub remarks: Vec<String>,
    /// Told when the game is on the disk; dropped if it is not recorded.
    pub synced: Option<oneshot::Sender<()>>,
}

impl Finished {
    pub fn new(record: GameRecord, capsule: Option<Box<Capsule>>) -> Finished {
        Finished {
            record,
            san: None,
            capsule,
            bad_entries: Vec::new(),
            late_attempts: Vec::new(),
            lack_count: 0,
            lack: None,
            remarks: Vec::new(),
            synced: None,
        }
    }

    /// What went wrong on the way to it without stopping the run, in words.
    pub fn troubles(&self) -> Vec<String> {
        let mut troubles = self.unrecorded_troubles();
        let (game, time) = (self.record.game, &self.record.time);
        if time.replays > 0 {
            let times = counted(time.replays.into(), "time");
            let at =
                time.worker.as_ref().map_or_else(String::new, |worker| format!(" at {worker}"));
            troubles.push(format!(
                "game {game}: played again{at}, {times}: verdict itself was late for a clock"
            ));
        }
        troubles
    }

    /// Those of which the record does not tell.
    pub fn unrecorded_troubles(&self) -> Vec<String> {
        let record = &self.record;
        // Both games of a pair have one opening.
        let bad_entries = self.bad_entries.iter().filter(|_| record.game.is_multiple_of(2));
        let mut troubles: Vec<String> =
            bad_entries.map(|bad| format!("pair {} skips {bad}", record.pair)).collect();
        if let Some(lack) = &self.lack {
            let (game, times) = (record.game, counted(self.lack_count.into(), "time"));
            troubles.push(format!("game {game}: started again, {times}: {lack}"));
        }
        troubles.extend_from_slice(&self.remarks);
        troubles
    }
}

/// The two ways to end a run early, shared by all its parts.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    drain: CancellationToken,
    now: CancellationToken,
    flag: Arc<AtomicBool>,
    /// Those that end with it.
    parts: Arc<Mutex<Vec<Stops>>>,
}

impl Stops {
    /// The stops of a part, which can end before the whole and ends with it.
    pub fn part(&self) -> Stops {
        self.with(Stops { drain: self.drain.child_token(), ..Stops::default() })
    }

    /// The stops of a part that ignores draining. Its source of games decides what begins.
    pub fn undrained_part(&self) -> Stops {
        self.with(Stops::default())
    }

    fn with(&self, part: Stops) -> Stops {
        let part = Stops { now: self.now.child_token(), ..part };
        lock(&self.parts).push(part.clone());
        // It may have ended while the part was made.
        if self.now() {
            part.stop_now();
        }
        part
    }

    /// No game begins any more; those that have begun are finished.
    pub fn drain(&self) {
        self.drain.cancel();
    }

    /// Every search ends at once, unfinished games are abandoned.
    pub fn stop_now(&self) {
        self.drain.cancel();
        self.flag.store(true, Ordering::Relaxed);
        self.now.cancel();
        lock(&self.parts).iter().for_each(Stops::stop_now);
    }

    pub fn no_new_games(&self) -> bool {
        self.drain.is_cancelled()
    }

    pub fn now(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    pub fn now_token(&self) -> CancellationToken {
        self.now.clone()
    }

    /// Returns when no game begins any more.
    pub async fn drained(&self) {
        self.drain.cancelled().await;
    }
}

/// How many at once.
#[derive(Debug, Clone)]
pub struct Width {
    /// Games at once.
    pub concurrency: NonZeroUsize,
    pub slots: NonZeroUsize,
    pub order: Order,
    pub pin: Pin,
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Width { concurrency, slots, .. } = self;
        let processors = thread::available_parallelism().unwrap_or(*slots);
        let said = |number: NonZeroUsize, thing| counted(number.get() as u64, thing);
        let games = said(*concurrency, "game");
        if *slots <= processors {
            write!(f, "{games} at once on {}", said(*slots, "processor"))
        } else {
            write!(f, "{games} at once, {slots} searches on {}", said(processors, "processor"))
        }
    }
}

/// Why a run ended before its schedule and not by [`Stops`].
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("cannot start the search threads: {0}")]
    Threads(#[from] std::io::Error),
    #[error(transparent)]
    Book(#[from] BookError),
    /// Other machines that should play cannot be reached.
    #[error(transparent)]
    Fleet(#[from] Error),
    /// A defect of the harness: the game's thread panicked outside of any player.
    #[error("game {0} was lost to an error in verdict itself, please report it")]
    Lost(u64),
    /// What it takes to play is lacking, even when no other game is under way.
    #[error(
        "game {game} cannot be played here: {lack}; expected fewer games at once (--concurrency), or a \
         higher limit (ulimit -a shows the limits)"
    )]
    Lack {
        /// The game, which is not recorded.
        game: u64,
        lack: Lack,
        source: std::io::Error,
    },
    #[error(
        "game {game}: the embedded search of {player} does not stop; position {position}; the recorded \
         games are safe; verdict exits, since it cannot end the search otherwise"
    )]
    Stuck {
        /// The game, which is recorded as lost by this fault.
        game: u64,
        /// Whose search, and its parameters.
        player: String,
        /// The position that it searches, as UCI writes it.
        position: String,
    },
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Error {
        match error {
            RunError::Stuck { .. } => Error::fault(error),
            RunError::Fleet(error) => error,
            _ => Error::input_output(error),
        }
    }
}

/// All that the games of a match share.
pub struct Contest {
    pub book: Arc<Book>,
    pub rules: GameRules,
    pub base: Arc<PlayerPool>,
    pub test: Arc<PlayerPool>,
    pub stops: Stops,
    /// Where its games are shown while they are played.
    pub live: Option<Arc<LiveGames>>,
}

/// A game to be played, and where it goes when it has finished.
pub struct QueuedGame {
    pub contest: Arc<Contest>,
    pub scheduled: ScheduledGame,
    /// Its place among all games that are played together.
    pub place: u64,
    pub finished: mpsc::Sender<Finished>,
}

impl QueuedGame {
    /// The games of a match that is played alone, in the order of their numbers.
    pub fn all(
        contest: Arc<Contest>,
        games: impl Iterator<Item = ScheduledGame>,
        finished: mpsc::Sender<Finished>,
    ) -> impl Iterator<Item = QueuedGame> {
        games.map(move |scheduled| QueuedGame {
            contest: Arc::clone(&contest),
            scheduled,
            place: scheduled.game,
            finished: finished.clone(),
        })
    }
}

/// Plays games, of one match or of several.
pub struct Runner {
    pub width: Width,
    pub stops: Stops,
    /// The pools of all matches; their idle players are ended when the run ends.
    pub pools: Vec<Arc<PlayerPool>>,
    /// Counts the cost of searching, for the benchmark.
    pub meter: Option<Arc<Meter>>,
}

impl Runner {
    /// Plays `games` in order and sends each that finishes. Returns when all are played, or after
    /// [`Stops`], with nothing left running.
    pub async fn run(self, games: impl GameSource) -> Result<(), RunError> {
        let context = Arc::new(WorkerContext {
            queue: Slots::new(self.width.order),
            meter: self.meter.clone(),
            pools: self.pools.clone(),
            games_playing: Arc::new(PlayingGames::default()),
        });
        let threads = worker::start(&self.width, &context)?;
        let watchdogs: Vec<Arc<Watchdog>> =
            threads.iter().map(|thread| Arc::clone(&thread.watchdog)).collect();
        let played = self.play_all(games, &context, &watchdogs).await;
        if played.is_err() {
            self.stops.stop_now();
        }
        context.queue.close();
        // A thread ends at the end of its search, which the stop flag cuts short. Its panic has
        // been reported as a lost game.
        for thread in threads {
            if !thread.watchdog.is_lost() {
                let _ = thread.ended.await;
            }
        }
        played
    }

    async fn play_all(
        &self,
        games: impl GameSource,
        context: &Arc<WorkerContext>,
        watchdogs: &[Arc<Watchdog>],
    ) -> Result<(), RunError> {
        let mut tasks: JoinSet<Result<(), RunError>> = JoinSet::new();
        let mut looks = tokio::time::interval(watchdog::PERIOD);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stuck = None;
        // The senders of a match that has been played must go, so that its collector may end.
        let mut games = Some(games);
        let mut stopped = false;
        while games.is_some() || !tasks.is_empty() {
            let has_room = tasks.len() < self.width.concurrency.get();
            tokio::select! {
                () = self.stops.now.cancelled(), if !stopped => {
                    stopped = true;
                    games = None;
                    context.queue.close();
                }
                () = self.stops.drain.cancelled(), if games.is_some() => games = None,
                _ = looks.tick() => for watchdog in watchdogs {
                    if let Some(error) = watchdog.check() {
                        self.stops.stop_now();
                        stuck.get_or_insert(error);
                    }
                },
                Some(ended) = tasks.join_next() => match ended {
                    Ok(result) => result?,
                    Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
                },
                entry = next_of(&mut games), if has_room && games.is_some() => match entry {
                    Some(entry) if !self.stops.no_new_games() => {
                        if !entry.contest.stops.no_new_games() {
                            tasks.spawn(play(entry, Arc::clone(context)));
                        }
                    }
                    _ => games = None,
                },
            }
        }
        stuck.map_or(Ok(()), Err)
    }
}

async fn next_of(games: &mut Option<impl GameSource>) -> Option<QueuedGame> {
    games.as_mut()?.next_game().await
}

async fn play(entry: QueuedGame, context: Arc<WorkerContext>) -> Result<(), RunError> {
    let QueuedGame { contest, scheduled, place, finished } = entry;
    let number = scheduled.game;
    // From a file, if the book is large: some kilobytes, mostly in the system's memory already.
    let (opening, bad) = contest.book.opening_from(scheduled.opening)?;
    let scheduled = ScheduledGame { opening: opening.index, ..scheduled };
    let played = until_played(&context.games_playing, &contest.stops, || {
        let game = Game::new(scheduled, &opening, &contest.rules);
        let (done, end) = oneshot::channel();
        context.queue.submit(place, GameJob::new(game, Arc::clone(&contest), done));
        end
    });
    match played.await {
        Ok(mut game) => {
            game.record.passed_over = u32::try_from(bad.len()).unwrap_or(u32::MAX);
            game.bad_entries = bad;
            let sent = finished.send(game).await;
            // The collector leaves only after everything else, unless it came to grief.
            if sent.is_err() && !contest.stops.no_new_games() {
                contest.stops.stop_now();
                return Err(RunError::Lost(number));
            }
        }
        Err(_) if contest.stops.no_new_games() => {}
        Err(Unplayed::Lacking(lack)) => {
            let source = lack.error();
            return Err(RunError::Lack { game: number, lack, source });
        }
        Err(Unplayed::Abandoned) => return Err(RunError::Lost(number)),
    }
    Ok(())
}

/// Milliseconds since 1970.
pub fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
