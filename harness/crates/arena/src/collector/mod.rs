//! The sole owner of results: journals every finished game, counts the gap-free prefix of pairs,
//! and stops the run when the rule has decided or too many games end by faults.

mod capsule;
mod faults;
mod incoming;
mod ruling;

pub use capsule::{GAME_FILE, INPUT_FILE, TRANSCRIPT_FILE};
use faults::FaultWatch;
pub use faults::TooManyFaults;
pub use incoming::Incoming;
pub use ruling::Ruling;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tokio::sync::mpsc;

use crate::player::program::Capsule;
use crate::record::pgn::GrowingPgn;
use crate::record::{
    DuplicatePair, GameRecord, Journal, MatchState, PairJoiner, RecordError, Termination,
};
use crate::runner::{Finished, Stops};

pub trait MatchObserver: Send + 'static {
    /// A game has finished and is counted.
    fn game(&mut self, record: &GameRecord, match_state: &MatchState);

    /// Something went wrong that does not stop the run.
    fn warning(&mut self, what: &str);
}

pub struct Collector<W> {
    journal: Journal,
    /// `None` once it could not be written.
    pgn: Option<GrowingPgn>,
    dir: PathBuf,
    match_state: MatchState,
    /// Games waiting for the other half of their pair, so that a pair is written whole. `None`: the
    /// journal has it already.
    joiner: PairJoiner<Option<GameRecord>>,
    /// Games that could not start. They are recorded once a later game has started. If faults stop
    /// the run before that, they are not recorded, and a resumed run plays them.
    not_begun: Vec<GameRecord>,
    faults: FaultWatch,
    /// Faults of this session; the first [`capsule::MOST`] are saved.
    faults_seen: u64,
    stops: Stops,
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
    joiner: PairJoiner<Option<GameRecord>>,
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
    /// which faults stop the run.
    pub fn new(
        journal: Journal,
        dir: &Path,
        recorded: Recorded,
        max_faults: Option<f64>,
        stops: Stops,
        observer: W,
    ) -> Collector<W> {
        let Recorded { match_state, joiner, games } = recorded;
        capsule::remove_unrecorded(dir, &games);
        if match_state.judgement().verdict().is_some() {
            stops.stop_now();
        }
        Collector {
            journal,
            pgn: None,
            dir: dir.to_owned(),
            match_state,
            joiner,
            not_begun: Vec::new(),
            faults: FaultWatch::new(max_faults),
            faults_seen: 0,
            stops,
            observer,
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

    fn write(&mut self, games: &[&GameRecord]) -> Result<(), RecordError> {
        self.journal.append(games)?;
        if let Some(Err(error)) = self.pgn.as_mut().map(|pgn| pgn.append(games)) {
            self.pgn = None;
            self.pgn_stops(&error);
        }
        Ok(())
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
            let taken = match incoming.next(&mut self.journal).await {
                Ok(None) => break,
                Ok(Some(game)) => self.take(game, &mut too_many_faults),
                Err(error) => Err(error),
            };
            if let Err(error) = taken {
                self.stops.stop_now();
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
            self.write(&[game])?;
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
        let Finished { record, capsule, late_attempts, .. } = finished;
        troubles.iter().for_each(|trouble| self.observer.warning(trouble));
        *too_many = too_many.take().or(self.faults.note(&record));
        for (attempt, game) in (1..).zip(&late_attempts) {
            self.keep(&game.record, Some(attempt), game.capsule.as_deref());
        }
        if record.termination.is_fault() {
            self.keep(&record, None, capsule.as_deref());
        }
        if record.termination == Termination::NotStarted && self.faults.limit.is_some() {
            self.not_begun.push(record);
        } else {
            // A game that was already running proves nothing about new starts.
            let is_later = |earlier: &GameRecord| record.time.started_ms >= earlier.time.end_ms();
            if too_many.is_none() && self.not_begun.last().is_some_and(is_later) {
                self.record_not_begun()?;
            }
            self.record(record)?;
        }
        if too_many.is_some() || self.match_state.judgement().verdict().is_some() {
            self.stops.stop_now();
        }
        Ok(())
    }

    fn record_not_begun(&mut self) -> Result<(), RecordError> {
        std::mem::take(&mut self.not_begun).into_iter().try_for_each(|game| self.record(game))
    }

    fn record(&mut self, record: GameRecord) -> Result<(), RecordError> {
        self.match_state.add(&record)?;
        let shown = record.clone();
        if let Some(pair) = self.joiner.add(record.game, Some(record)) {
            match pair {
                [Some(first), Some(second)] => self.write(&[&first, &second])?,
                [game, None] | [None, game] => {
                    game.iter().try_for_each(|game| self.write(&[game]))?;
                }
            }
        }
        // Last, because it blocks while the output is not read.
        self.observer.game(&shown, &self.match_state);
        Ok(())
    }

    /// Keeps what is known of a fault: in the game, or in an earlier `attempt` at it.
    /// The game itself is recorded all the same.
    fn keep(&mut self, game: &GameRecord, attempt: Option<u32>, capsule: Option<&Capsule>) {
        self.faults_seen += 1;
        if self.faults_seen > capsule::MOST {
            if self.faults_seen == capsule::MOST + 1 {
                let most = capsule::MOST;
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
mod tests {
    use std::fs;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::record::{Tally, sample};

    /// Collects warnings.
    #[derive(Clone, Default)]
    struct Ear(Arc<Mutex<Vec<String>>>);

    impl MatchObserver for Ear {
        fn game(&mut self, _: &GameRecord, _: &MatchState) {}

        fn warning(&mut self, what: &str) {
            self.0.lock().unwrap().push(what.to_owned());
        }
    }

    /// Collects these games in `dir`; what trouble there was.
    fn collect(dir: &Path, games: Vec<Finished>) -> Vec<String> {
        let journal = Journal::create(dir).unwrap();
        fs::write(dir.join("run.json"), "{}").unwrap();
        let recorded = Recorded::new(MatchState::new("los=95".parse().unwrap(), 1000));
        let ear = Ear::default();
        let collector = Collector::new(journal, dir, recorded, None, Stops::default(), ear.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let collected = runtime.block_on(async {
            let (sender, receiver) = mpsc::channel(games.len());
            for game in games {
                sender.send(game).await.unwrap();
            }
            drop(sender);
            collector.run(receiver).await
        });
        collected.unwrap();
        ear.0.lock().unwrap().clone()
    }

    /// What would fill the disk is left out, but not in silence.
    #[test]
    fn the_last_fault_that_is_kept_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let crash = |game| {
            let termination = Termination::Crash;
            Finished::new(GameRecord { termination, ..sample(game) }, None)
        };
        let games = (0..2 * capsule::MOST).map(crash).collect();
        let troubles = collect(dir.path(), games);
        let told = troubles.iter().filter(|told| told.starts_with("100 faults are saved"));
        assert_eq!(told.count(), 1, "{troubles:?}");
        let kept = fs::read_dir(dir.path().join("faults")).unwrap().count();
        assert_eq!(kept as u64, capsule::MOST);
    }

    /// A machine that is busy, or a harness that was stopped for a while.
    #[test]
    fn what_was_played_again_is_no_fault_of_the_run() {
        let mut watch = FaultWatch::new(Some(0.1));
        let mut tally = Tally::default();
        for number in 0..100 {
            let mut game = sample(number);
            game.time.replays = 2;
            assert_eq!(watch.note(&game), None);
            tally.add(&game).unwrap();
        }
        assert_eq!((tally.faults.total, tally.faults.replayed), (200, 200));
        assert_eq!(TooManyFaults::of_run(&tally, Some(0.1), true), None);
        // Those that the harness spoils each time are.
        let stopped = (100..).take(100).any(|number| {
            let game = GameRecord { termination: Termination::LateHarness, ..sample(number) };
            tally.add(&game).unwrap();
            watch.note(&game).is_some()
        });
        assert!(stopped && TooManyFaults::of_run(&tally, Some(0.1), false).is_some());
    }

    #[test]
    fn what_the_harness_has_spoilt_is_kept_though_the_game_is_played_again() {
        let dir = tempfile::tempdir().unwrap();
        let late = || {
            let termination = Termination::LateHarness;
            Finished::new(GameRecord { termination, ..sample(0) }, None)
        };
        let game =
            Finished { late_attempts: vec![late(), late()], ..Finished::new(sample(0), None) };
        collect(dir.path(), vec![game]);
        let fault = |name: &str| fs::read_to_string(dir.path().join("faults").join(name));
        for attempt in [1, 2] {
            let text = fault(&format!("0.{attempt}/fault.txt")).unwrap();
            assert!(text.contains(&format!("attempt {attempt} at this game")), "{text}");
            assert!(text.contains("late-harness"), "{text}");
        }
        assert!(fault("0/fault.txt").is_err() && fault("0.1/game.json").is_ok());
    }
}
