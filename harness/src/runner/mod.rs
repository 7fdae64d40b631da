//! Plays the games of a schedule: one task for each game in flight, processors through
//! [`slots`](crate::slots). What comes out goes to the [`collector`](crate::collector); nothing
//! here knows results, files or statistics.

mod worker;

pub use worker::Meter;

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use self::worker::{Job, Queue, Shared};
use crate::{
    game::{Game, GameRules},
    opening::Book,
    player::{program::Capsule, seat::Source},
    record::GameRecord,
    schedule::Pairing,
    slots::{Order, Slots},
};

/// A finished game on its way to the collector.
#[derive(Debug)]
pub struct Finished {
    /// Its record.
    pub record: GameRecord,
    /// What is kept of a fault.
    pub capsule: Option<Box<Capsule>>,
}

/// The two ways to end a run early, shared by all its parts.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    drain: CancellationToken,
    now: CancellationToken,
    flag: Arc<AtomicBool>,
}

impl Stops {
    /// No game begins any more; those that have begun are finished.
    pub fn drain(&self) {
        self.drain.cancel();
    }

    /// Every search ends at once, unfinished games are abandoned.
    pub fn stop_now(&self) {
        self.drain.cancel();
        self.flag.store(true, Ordering::Relaxed);
        self.now.cancel();
    }

    /// Whether games may still begin.
    #[must_use]
    pub fn no_new_games(&self) -> bool {
        self.drain.is_cancelled()
    }

    /// Whether all is to end at once.
    #[must_use]
    pub fn now(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Cancelled when all is to end at once.
    #[must_use]
    pub fn now_token(&self) -> CancellationToken {
        self.now.clone()
    }

    fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}

/// How many at once.
#[derive(Debug, Clone, Copy)]
pub struct Width {
    /// Games in flight.
    pub concurrency: NonZeroUsize,
    /// Processors.
    pub slots: NonZeroUsize,
    /// Who thinks first.
    pub order: Order,
}

/// Why a run ended before its schedule and not by [`Stops`].
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system gives no threads to search on.
    #[error("cannot start the search threads: {0}")]
    Threads(#[from] std::io::Error),
    /// A defect of the harness: the game's thread panicked outside of any player.
    #[error("game {0} was lost to an error in the harness itself, please report it")]
    Lost(u64),
}

/// All that the games of a run share.
pub struct Runner {
    /// The openings.
    pub book: Arc<Book>,
    /// What holds for every game.
    pub rules: GameRules,
    /// The base player.
    pub base: Arc<Source>,
    /// The test player.
    pub test: Arc<Source>,
    /// How many at once.
    pub width: Width,
    /// When to stop.
    pub stops: Stops,
    /// Counts the cost of searching, for the benchmark.
    pub meter: Option<Arc<Meter>>,
}

impl Runner {
    /// Plays `games` in order and sends each that finishes. Returns when all are played, or after
    /// [`Stops`], with nothing left running.
    ///
    /// # Errors
    /// When threads cannot be had, or a game is lost by a defect of ours.
    pub async fn run(
        self,
        games: impl Iterator<Item = Pairing>,
        finished: mpsc::Sender<Finished>,
    ) -> Result<(), RunError> {
        let queue = Slots::new(self.width.order);
        let shared = Arc::new(Shared {
            base: Arc::clone(&self.base),
            test: Arc::clone(&self.test),
            stops: self.stops.clone(),
            meter: self.meter.clone(),
        });
        let threads = worker::start(self.width.slots.get(), &queue, &shared)?;
        let played = self.play_all(games, &queue, &finished).await;
        if played.is_err() {
            self.stops.stop_now();
        }
        queue.close();
        // A thread ends at the end of its search, which the stop flag cuts short. Its panic has
        // been reported as a lost game.
        let sources = [self.base, self.test];
        let ended = tokio::task::spawn_blocking(move || {
            threads.into_iter().for_each(|thread| drop(thread.join()));
            sources.iter().for_each(|source| source.close());
        });
        let _ = ended.await;
        played
    }

    async fn play_all(
        &self,
        games: impl Iterator<Item = Pairing>,
        queue: &Arc<Queue>,
        finished: &mpsc::Sender<Finished>,
    ) -> Result<(), RunError> {
        let mut tasks: JoinSet<Result<(), RunError>> = JoinSet::new();
        let mut games = games.fuse();
        let mut stopped = false;
        loop {
            while tasks.len() < self.width.concurrency.get() && !self.stops.no_new_games() {
                let Some(pairing) = games.next() else { break };
                let opening = self.book.opening(pairing.opening);
                let opening = opening.ok_or(RunError::Lost(pairing.game))?;
                let game = Game::new(pairing, &opening, &self.rules);
                let (queue, stops) = (Arc::clone(queue), self.stops.clone());
                let finished = finished.clone();
                tasks.spawn(play(game, queue, stops, finished));
            }
            tokio::select! {
                () = self.stops.now.cancelled(), if !stopped => {
                    stopped = true;
                    queue.close();
                }
                ended = tasks.join_next() => match ended {
                    None => return Ok(()),
                    Some(Ok(result)) => result?,
                    Some(Err(panicked)) => std::panic::resume_unwind(panicked.into_panic()),
                },
            }
        }
    }
}

/// The task of one game.
async fn play(
    game: Game,
    queue: Arc<Queue>,
    stops: Stops,
    finished: mpsc::Sender<Finished>,
) -> Result<(), RunError> {
    let number = game.pairing().game;
    let (done, end) = oneshot::channel();
    queue.submit(number, Job::new(game, done));
    match end.await {
        // The collector leaves only after everything else.
        Ok(game) => drop(finished.send(game).await),
        Err(_) if stops.no_new_games() => {}
        Err(_) => return Err(RunError::Lost(number)),
    }
    Ok(())
}
