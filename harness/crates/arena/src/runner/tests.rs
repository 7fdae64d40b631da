//! Matches of engines in this process that misbehave.

use std::collections::BTreeSet;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use engine::{HashSize, Params, Setup};
use process::lack::{ERRORS, Lack};
use tokio::sync::mpsc;

use super::{
    Contest, Finished, GameSource, LiveGames, Pin, QueuedGame, RunError, Runner, Stops, Width,
};
use crate::game::{Adjudication, Game, GameRules, Limit, PlayerLimits, TablebaseResults};
use crate::plan::shipped_book;
use crate::player::{Fault, Halt, Thought};
use crate::pool::embedded::Embedded;
use crate::pool::{Player, PlayerFault, PlayerPool, SharedBoard};
use crate::schedule::Schedule;
use crate::slots::Order;
use pgn::OrderKind;

/// Games that are sent while others are played.
struct SentGames(mpsc::Receiver<QueuedGame>);

impl GameSource for SentGames {
    async fn next_game(&mut self) -> Option<QueuedGame> {
        self.0.recv().await
    }
}

/// An engine that differs from the default by one parameter.
fn engine() -> Embedded {
    let mut params = Params::standard();
    params.set("lmr.min_move", "7").unwrap();
    Embedded::new(&Arc::new(Setup::new(&Arc::new(params))), HashSize::from_bytes(1 << 16))
}

/// One whose searches never end.
pub(super) struct Deaf(Embedded);

impl Deaf {
    pub(super) fn pool() -> PlayerPool {
        PlayerPool::new(|| Ok(Box::new(Deaf(engine()))))
    }
}

impl Player for Deaf {
    fn new_game(&mut self, _: &Game) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn think(&mut self, _: &Game, _: &mut SharedBoard, _: Halt<'_>) -> Result<Thought, Fault> {
        loop {
            std::thread::park();
        }
    }

    fn params(&self) -> Option<&Arc<Params>> {
        self.0.params()
    }
}

/// Engines that cannot be had so many times, each time for want of something else.
fn scarce(lacks: u32) -> PlayerPool {
    let left = AtomicU32::new(lacks);
    PlayerPool::new(move || {
        let Ok(drawn) = left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)) else {
            return Ok(Box::new(engine()));
        };
        let error = io::Error::from_raw_os_error(ERRORS[drawn as usize % ERRORS.len()]);
        Err((Lack::of("cannot start a player", &error).unwrap().into(), None))
    })
}

/// What comes of so many pairs between base and such a test.
pub(super) fn play(test: PlayerPool, pairs: u64) -> (Result<(), RunError>, Vec<Finished>) {
    play_from(test, pairs, Arrive::AtOnce)
}

/// How games come to the runner.
#[derive(Clone, Copy, PartialEq)]
enum Arrive {
    AtOnce,
    /// Each after a pause in which all others may end.
    OneByOne,
}

fn play_from(
    test: PlayerPool,
    pairs: u64,
    arrive: Arrive,
) -> (Result<(), RunError>, Vec<Finished>) {
    let stops = Stops::default();
    let live = Arc::new(LiveGames::default());
    live.look();
    let contest = Arc::new(Contest {
        book: Arc::new(shipped_book().unwrap()),
        rules: GameRules {
            limits: PlayerLimits::even(Limit::Nodes(20)),
            adjudication: Adjudication::default(),
            tablebases: None,
            tablebase_results: TablebaseResults::All,
            audit: None,
            details: false,
            time_margins: [Duration::ZERO; 2],
            hang: Duration::from_millis(300),
            oversubscribed: None,
        },
        base: Arc::new(PlayerPool::new(|| Ok(Box::new(engine())))),
        test: Arc::new(test),
        stops: stops.clone(),
        live: Some(Arc::clone(&live)),
    });
    let two = NonZeroUsize::new(2).unwrap();
    let runner = Runner {
        width: Width { concurrency: two, slots: two, order: Order::LowestFirst, pin: Pin::Off },
        stops,
        pools: Vec::new(),
        meter: None,
    };
    let schedule = Schedule::new(&contest.book, OrderKind::Sequential, 0, pairs);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (sender, mut receiver) = mpsc::channel(64);
        let queued = QueuedGame::all(contest, schedule, sender);
        let ran = match arrive {
            Arrive::AtOnce => runner.run(queued).await,
            Arrive::OneByOne => {
                let (feed, fed) = mpsc::channel(1);
                let feeding = async move {
                    for game in queued {
                        let _ = feed.send(game).await;
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                };
                tokio::join!(runner.run(SentGames(fed)), feeding).0
            }
        };
        // A search that never ends holds its game.
        let is_stuck = matches!(ran, Err(RunError::Stuck { .. }));
        assert!(is_stuck || live.look().is_empty(), "games are shown that have ended");
        let mut games = Vec::new();
        while let Some(game) = receiver.recv().await {
            games.push(game);
        }
        (ran, games)
    })
}

#[test]
fn games_to_which_something_was_lacking_are_the_games_without() {
    let played = |lacks: u32| {
        let (ran, games) = play(scarce(lacks), 4);
        ran.unwrap();
        let seen: u32 = games.iter().map(|game| game.lack_count).sum();
        let mut lines: Vec<_> =
            games.iter().map(|game| game.record.canonical_line().unwrap()).collect();
        lines.sort();
        (lines, seen)
    };
    let (whole, none) = played(0);
    let (lines, seen) = played(7);
    assert_eq!((whole.len(), none, seen), (8, 0, 7));
    assert_eq!(lines, whole);
}

#[test]
fn games_that_arrive_one_by_one_are_the_same() {
    let played = |arrive| {
        let (ran, games) = play_from(scarce(0), 4, arrive);
        ran.unwrap();
        let lines = games.iter().map(|game| game.record.canonical_line().unwrap());
        lines.collect::<BTreeSet<_>>()
    };
    let at_once = played(Arrive::AtOnce);
    assert_eq!(at_once.len(), 8);
    assert_eq!(played(Arrive::OneByOne), at_once);
}

#[test]
fn what_is_never_to_be_had_ends_the_run_and_no_game() {
    let (ran, games) = play(scarce(u32::MAX), 4);
    let Err(RunError::Lack { source, .. }) = ran else { panic!("{ran:?}") };
    assert!(source.raw_os_error().is_some() && games.is_empty(), "{games:?}");
}
