//! The sole owner of results: journals every finished game, counts the gap-free prefix of pairs,
//! and stops the run when the rule has decided or too many games end by faults.

mod capsule;
mod faults;
mod incoming;
mod ruling;
mod strikes;

pub use capsule::{GAME_FILE, INPUT_FILE, KEPT_FAULTS, TRANSCRIPT_FILE};
use faults::FaultWatch;
pub use faults::TooManyFaults;
pub use incoming::Incoming;
pub use ruling::Ruling;
use strikes::StrikeEvent;
pub use strikes::{StrikeReceiver, StrikeSender};

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::player::program::Capsule;
use crate::record::pgn::{GrowingPgn, SanMoves};
use crate::record::{
    DuplicatePair, GameRecord, Games, Journal, MatchState, PairJoiner, RecordError, Strike,
    Termination,
};
use crate::runner::{Finished, Stops};

pub trait MatchObserver: Send + 'static {
    /// A game has finished and is counted.
    fn game(&mut self, record: &GameRecord, match_state: &MatchState);

    /// Something went wrong that does not stop the run.
    fn warning(&mut self, what: &str);

    /// Games were struck. Those that stand are told again by [`MatchObserver::stands`].
    fn struck(&mut self) {}

    fn stands(&mut self, _: &GameRecord) {}
}

/// A game to be recorded.
#[derive(Debug)]
struct Counted {
    record: GameRecord,
    /// Its moves, where it was replayed.
    san: Option<SanMoves>,
}

pub struct Collector<W> {
    journal: Journal,
    /// `None` once it could not be written.
    pgn: Option<GrowingPgn>,
    dir: PathBuf,
    match_state: MatchState,
    /// Games waiting for the other half of their pair, so that a pair is written whole. `None`: the
    /// journal has it already.
    joiner: PairJoiner<Option<Arc<Counted>>>,
    /// Games that could not start. They are recorded once a later game has started. If faults stop
    /// the run before that, they are not recorded, and a resumed run plays them.
    not_begun: Vec<Counted>,
    faults: FaultWatch,
    /// Faults of this session; the first [`KEPT_FAULTS`] are saved.
    faults_seen: u64,
    stops: Stops,
    strikes: StrikeReceiver,
    observer: W,
}

#[derive(Debug)]
pub struct Collected {
    pub too_many_faults: Option<TooManyFaults>,
    /// Games that did not begin before the run was stopped; not recorded.
    pub not_begun: u64,
    /// Whether the PGN has all games of the journal.
    pub has_pgn: bool,
}

/// What an earlier session has recorded.
#[derive(Debug)]
pub struct Recorded {
    pub match_state: MatchState,
    joiner: PairJoiner<Option<Arc<Counted>>>,
    /// They need not be played any more.
    pub games: HashSet<u64>,
}

impl Recorded {
    pub fn new(match_state: MatchState) -> Recorded {
        Recorded { match_state, joiner: PairJoiner::default(), games: HashSet::new() }
    }

    pub fn add(&mut self, game: &GameRecord) -> Result<(), DuplicatePair> {
        self.match_state.add(game)?;
        self.joiner.add(game.game, None);
        self.games.insert(game.game);
        Ok(())
    }
}

impl<W: MatchObserver> Collector<W> {
    /// Continues the run in `dir` from `recorded`. `max_faults`: the share of games, 0 to 1, above
    /// which faults stop the run. `strikes`: by whom games may be struck.
    pub fn new(
        journal: Journal,
        dir: &Path,
        recorded: Recorded,
        max_faults: Option<f64>,
        (stops, strikes): (Stops, StrikeReceiver),
        observer: W,
    ) -> Collector<W> {
        let Recorded { match_state, joiner, games } = recorded;
        capsule::remove_unrecorded(dir, &games);
        let collector = Collector {
            journal,
            pgn: None,
            dir: dir.to_owned(),
            match_state,
            joiner,
            not_begun: Vec::new(),
            faults: FaultWatch::new(max_faults),
            faults_seen: 0,
            stops,
            strikes,
            observer,
        };
        collector.stop_if_decided();
        collector
    }

    /// The rule has decided, and nothing of what it has decided by is doubted.
    fn stop_if_decided(&self) {
        let is_decided = self.match_state.judgement().verdict().is_some();
        if is_decided && self.strikes.trusts(self.match_state.pairs()) {
            self.stops.stop_now();
        }
    }

    /// Appends every recorded game to the run's PGN, too. If that fails the run goes on: the PGN is
    /// rendered from the journal at the end.
    pub fn with_pgn(mut self, pgn: Result<GrowingPgn, RecordError>) -> Collector<W> {
        self.pgn = pgn.map_err(|error| self.pgn_stops(&error)).ok();
        self
    }

    fn pgn_stops(&mut self, error: &RecordError) {
        self.observer
            .warning(&format!("{error}; games are not added to the PGN until the run is resumed"));
    }

    fn add(&mut self, games: &[&Counted]) -> Result<(), RecordError> {
        let records: Vec<&GameRecord> = games.iter().map(|game| &game.record).collect();
        self.journal.add(&records)?;
        self.with_growing(|pgn| {
            games.iter().try_for_each(|game| pgn.add(&game.record, game.san.as_ref()))
        });
        if self.journal.is_full() { self.write() } else { Ok(()) }
    }

    /// Writes the games that were added.
    fn write(&mut self) -> Result<(), RecordError> {
        self.journal.write()?;
        self.with_growing(GrowingPgn::write);
        Ok(())
    }

    fn with_growing(&mut self, work: impl FnOnce(&mut GrowingPgn) -> Result<(), RecordError>) {
        if let Some(Err(error)) = self.pgn.as_mut().map(work) {
            self.pgn = None;
            self.pgn_stops(&error);
        }
    }

    /// Takes finished games until their senders are gone, then closes the journal. An error stops
    /// the run.
    pub async fn run(
        mut self,
        finished: mpsc::Receiver<Finished>,
    ) -> Result<Collected, RecordError> {
        let mut too_many_faults = None;
        let mut incoming = Incoming::new(finished);
        loop {
            let taken = tokio::select! {
                game = incoming.next(&mut self.journal) => match game {
                    Ok(None) => break,
                    Ok(Some(game)) => self.take(game, &mut too_many_faults),
                    Err(error) => Err(error),
                },
                event = self.strikes.next() => match event {
                    StrikeEvent::Strike(strike, done) => {
                        // What it is about may still be on its way.
                        let mut taken = Ok(());
                        while taken.is_ok() && let Some(game) = incoming.waiting(&mut self.journal) {
                            taken = self.take(game, &mut too_many_faults);
                        }
                        taken.and_then(|()| self.strike(&strike)).map(|()| {
                            // Who no longer waits for it need not be told.
                            let _ = done.send(());
                        })
                    }
                    StrikeEvent::Doubts => {
                        self.stop_if_decided();
                        Ok(())
                    }
                },
            };
            let is_idle = incoming.is_idle();
            let taken = taken.and_then(|()| if is_idle { self.write() } else { Ok(()) });
            if let Err(error) = taken {
                self.stops.stop_now();
                // A task that waits for a strike may hold senders of games: draining would never end.
                drop(self.strikes);
                incoming.drain().await;
                return Err(error);
            }
        }
        let is_decided = self.match_state.judgement().verdict().is_some();
        // A stopped run leaves them to its resume: no later game has shown that the engine starts.
        if too_many_faults.is_none() && !self.stops.no_new_games() {
            self.record_not_begun()?;
        }
        let joiner = std::mem::take(&mut self.joiner);
        for game in joiner.unpaired().filter_map(|(_, game)| game.as_ref()) {
            self.add(&[game])?;
        }
        self.journal.close()?;
        let has_pgn = self.pgn.is_some_and(|pgn| pgn.finish().is_ok());
        let not_begun = if is_decided { 0 } else { self.not_begun.len() as u64 };
        Ok(Collected { too_many_faults, not_begun, has_pgn })
    }

    fn take(
        &mut self,
        finished: Finished,
        too_many: &mut Option<TooManyFaults>,
    ) -> Result<(), RecordError> {
        let troubles = finished.troubles();
        let Finished { record, san, capsule, late_attempts, .. } = finished;
        troubles.iter().for_each(|trouble| self.observer.warning(trouble));
        *too_many = too_many.take().or(self.faults.note(&record));
        for (attempt, game) in (1..).zip(&late_attempts) {
            self.keep(&game.record, Some(attempt), game.capsule.as_deref());
        }
        if record.termination.is_fault() {
            self.keep(&record, None, capsule.as_deref());
        }
        if record.termination == Termination::NotStarted && self.faults.limit.is_some() {
            self.not_begun.push(Counted { record, san });
        } else {
            // A game that was already running proves nothing about new starts.
            let is_later =
                |earlier: &Counted| record.time.started_ms >= earlier.record.time.end_ms();
            if too_many.is_none() && self.not_begun.last().is_some_and(is_later) {
                self.record_not_begun()?;
            }
            self.record(Counted { record, san })?;
        }
        if too_many.is_some() {
            self.stops.stop_now();
        }
        self.stop_if_decided();
        Ok(())
    }

    /// Takes games out, and counts anew.
    fn strike(&mut self, strike: &Strike) -> Result<(), RecordError> {
        self.write()?;
        self.journal.strike(strike)?;
        if let Some(pgn) = self.pgn.take() {
            self.pgn = pgn.again(&self.dir).map_err(|error| self.pgn_stops(&error)).ok();
        }
        self.match_state = self.match_state.emptied();
        self.observer.struck();
        // Those that were not written yet wait for their partner.
        let joiner = std::mem::take(&mut self.joiner);
        let waiting = joiner.unpaired().filter_map(|(_, game)| game.as_ref());
        let waiting = waiting.filter(|game| !strike.has(game.record.pair));
        for game in waiting {
            self.match_state.add(&game.record)?;
            self.joiner.add(game.record.game, Some(Arc::clone(game)));
            self.observer.stands(&game.record);
        }
        for game in Games::open(&self.dir)? {
            let game = game?;
            self.match_state.add(&game)?;
            self.joiner.add(game.game, None);
            self.observer.stands(&game);
        }
        self.not_begun.retain(|game| !strike.has(game.record.pair));
        capsule::remove_of(&self.dir, |game| strike.has(game / 2));
        self.observer.warning(&format!("{}: {}", strike.worker, strike.why));
        self.stop_if_decided();
        Ok(())
    }

    fn record_not_begun(&mut self) -> Result<(), RecordError> {
        std::mem::take(&mut self.not_begun).into_iter().try_for_each(|game| self.record(game))
    }

    fn record(&mut self, game: Counted) -> Result<(), RecordError> {
        self.match_state.add(&game.record)?;
        let game = Arc::new(game);
        if let Some(pair) = self.joiner.add(game.record.game, Some(Arc::clone(&game))) {
            match pair {
                [Some(first), Some(second)] => self.add(&[&first, &second])?,
                [game, None] | [None, game] => {
                    game.iter().try_for_each(|game| self.add(&[game]))?;
                }
            }
        }
        // Last, because it blocks while the output is not read.
        self.observer.game(&game.record, &self.match_state);
        Ok(())
    }

    /// Keeps what is known of a fault: in the game, or in an earlier `attempt` at it.
    /// The game itself is recorded all the same.
    fn keep(&mut self, game: &GameRecord, attempt: Option<u32>, capsule: Option<&Capsule>) {
        self.faults_seen += 1;
        if self.faults_seen > KEPT_FAULTS {
            if self.faults_seen == KEPT_FAULTS + 1 {
                let most = KEPT_FAULTS;
                self.observer.warning(&format!(
                    "{most} faults are saved in faults/; further faults are recorded in the journal only"
                ));
            }
            return;
        }
        if let Err(error) = capsule::write(&self.dir, game, attempt, capsule) {
            let game = game.game;
            self.observer.warning(&format!("the fault in game {game} is not saved: {error}"));
        }
    }
}

#[cfg(test)]
mod tests;
