//! Who plays the games of matches: this process ([`Here`]), or many machines.

use std::collections::{HashSet, VecDeque};
use std::iter::Peekable;
use std::path::PathBuf;
use std::pin::Pin;
use std::slice;
use std::sync::Arc;

use tokio::sync::mpsc::{Receiver, Sender};
use tokio::sync::watch;

use crate::collector::StrikeSender;
use crate::plan::{BookUse, Plan};
use crate::pool::PlayerPool;
use crate::record::RunFile;
use crate::runner::{Contest, Finished, GameSource, QueuedGame, RunError, Runner, Stops, Width};
use crate::schedule::Schedule;
use crate::session::VariedOption;
use crate::varied::PairValues;

/// A match of which games are missing.
pub struct Work {
    /// The run's folder.
    pub dir: PathBuf,
    pub plan: Plan,
    pub run: RunFile,
    pub contest: Arc<Contest>,
    /// Games that are recorded already.
    pub recorded: HashSet<u64>,
    /// Where each game goes, once, unless it was struck. It must be dropped when no more games come.
    pub finished: Sender<Finished>,
    /// Where games are struck.
    pub strikes: StrikeSender,
}

impl Work {
    /// All games of the match, those recorded as well.
    pub fn schedule(&self) -> Schedule {
        let BookUse { offset, .. } = self.plan.openings;
        let order = self.plan.openings.order(self.plan.seed);
        Schedule::new(&self.contest.book, order, offset, self.plan.pairs)
    }

    /// The missing games; with those of other matches a pair of each in turn.
    fn games(self, matches: u64, place: u64) -> impl Iterator<Item = QueuedGame> {
        let schedule = self.schedule();
        let Work { contest, recorded, finished, .. } = self;
        schedule.filter(move |scheduled| !recorded.contains(&scheduled.game)).map(
            move |scheduled| QueuedGame {
                contest: Arc::clone(&contest),
                scheduled,
                place: (scheduled.pair() * matches + place) * 2 + scheduled.game % 2,
                finished: finished.clone(),
            },
        )
    }
}

/// Pairs of a match that are asked for one after another, since what they are to be depends on those
/// before.
pub struct Asked {
    /// The options that a program has values of; none of an embedded player.
    pub options: Vec<VariedOption>,
    /// Pairs that may be played at once, in their order: those with missing games. It ends when nothing
    /// more is wanted.
    pub pairs: Receiver<Vec<AskedPair>>,
    /// In one line how far it is.
    pub status: watch::Receiver<String>,
}

#[derive(Clone)]
pub struct AskedPair {
    pub pair: u64,
    pub values: Arc<PairValues>,
    /// The players with these values, here.
    pub contest: Arc<Contest>,
}

pub type Playing<'a> = Pin<Box<dyn Future<Output = Result<(), RunError>> + 'a>>;

pub trait Hands: Send + Sync {
    /// Plays the missing games of these matches, until all are played or [`Stops`].
    fn play(&self, matches: Vec<Work>, width: Width, stops: Stops) -> Playing<'_>;

    /// Plays the missing games of those pairs of a match that are asked for, until no more are or
    /// [`Stops`].
    fn pairs(&self, work: Work, asked: Asked, width: Width, stops: Stops) -> Playing<'_>;
}

/// This process.
pub struct Here;

impl Hands for Here {
    fn play(&self, matches: Vec<Work>, width: Width, stops: Stops) -> Playing<'_> {
        let pools = pools(&matches);
        let count = matches.len() as u64;
        let games = (0..).zip(matches).map(|(place, work)| work.games(count, place).peekable());
        let games = Interleaved(games.collect());
        let runner = Runner { width, stops, pools, meter: None };
        Box::pin(runner.run(games))
    }

    fn pairs(&self, work: Work, asked: Asked, width: Width, stops: Stops) -> Playing<'_> {
        let pools = pools(slice::from_ref(&work));
        let (schedule, queue) = (work.schedule(), VecDeque::new());
        let games = AskedGames { work, schedule, asked: asked.pairs, queue };
        let runner = Runner { width, stops, pools, meter: None };
        Box::pin(runner.run(games))
    }
}

/// The players of these matches, each once.
pub fn pools(matches: &[Work]) -> Vec<Arc<PlayerPool>> {
    let mut pools: Vec<Arc<PlayerPool>> = Vec::new();
    for pool in matches.iter().flat_map(|work| [&work.contest.base, &work.contest.test]) {
        if !pools.iter().any(|known| Arc::ptr_eq(known, pool)) {
            pools.push(Arc::clone(pool));
        }
    }
    pools
}

/// The games of several matches, by their places.
struct Interleaved<I: Iterator<Item = QueuedGame>>(Vec<Peekable<I>>);

impl<I: Iterator<Item = QueuedGame>> Iterator for Interleaved<I> {
    type Item = QueuedGame;

    fn next(&mut self) -> Option<QueuedGame> {
        let first = self.0.iter_mut().filter_map(|games| Some((games.peek()?.place, games)));
        first.min_by_key(|(place, _)| *place)?.1.next()
    }
}

/// The games of pairs that are asked for.
struct AskedGames {
    work: Work,
    schedule: Schedule,
    asked: Receiver<Vec<AskedPair>>,
    queue: VecDeque<QueuedGame>,
}

impl AskedGames {
    fn queue(&mut self, AskedPair { pair, contest, .. }: AskedPair) {
        let missing =
            [2 * pair, 2 * pair + 1].into_iter().filter(|game| !self.work.recorded.contains(game));
        for scheduled in missing.filter_map(|game| self.schedule.game(game)) {
            let (contest, place) = (Arc::clone(&contest), scheduled.game);
            let finished = self.work.finished.clone();
            self.queue.push_back(QueuedGame { contest, scheduled, place, finished });
        }
    }
}

impl GameSource for AskedGames {
    async fn next_game(&mut self) -> Option<QueuedGame> {
        loop {
            if let Some(game) = self.queue.pop_front() {
                return Some(game);
            }
            let asked = tokio::select! {
                () = self.work.contest.stops.drained() => None,
                asked = self.asked.recv() => asked,
            };
            asked?.into_iter().for_each(|pair| self.queue(pair));
        }
    }
}
