//! Feeds games into the race, and turns its decisions into stops.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use super::SweepFile;
use super::race::{PairResult, Race};
use arena::collector::MatchObserver;
use arena::record::{DuplicatePair, GAMES_FILE, GameRecord, Games, MatchState, RecordError};
use arena::runner::Stops;
use process::lock;

/// A race fed with games. Clones share it.
#[derive(Clone)]
pub struct Racing(Arc<Mutex<RacingState>>);

type Notify = Box<dyn Fn(&str) + Send>;

struct RacingState {
    race: Race,
    names: Vec<String>,
    tell: Option<Notify>,
    /// Each candidate's games, in order, and its stops while it is played.
    states: Vec<(MatchState, Option<Stops>)>,
}

/// Watches one candidate's games.
pub struct RaceWatch<W> {
    racing: Racing,
    candidate: usize,
    inner: W,
}

impl Racing {
    pub fn new(file: &SweepFile) -> Racing {
        let pairs = file.plan.pairs;
        let match_state = MatchState::new(file.plan.rule, pairs);
        let states = vec![(match_state, None); file.candidates.len()];
        Racing(Arc::new(Mutex::new(RacingState {
            race: Race::new(file.candidates.len(), pairs, file.alpha),
            names: file.candidates.iter().map(|candidate| candidate.name.clone()).collect(),
            tell: None,
            states,
        })))
    }

    /// The race of a sweep with all games of its folder.
    pub fn read(file: &SweepFile, dir: &Path) -> Result<Racing, RecordError> {
        let racing = Racing::new(file);
        for (number, candidate) in file.candidates.iter().enumerate() {
            let folder = dir.join(&candidate.folder);
            if !folder.join(GAMES_FILE).is_file() {
                continue;
            }
            for game in Games::open(&folder)? {
                // Resuming the run reports a game that is there twice.
                let _ = racing.game(number, &game?);
            }
        }
        Ok(racing)
    }

    pub fn race(&self) -> Race {
        self.lock().race.clone()
    }

    /// Sets who is told of dropped candidates from now on.
    pub fn on_event(&self, tell: impl Fn(&str) + Send + 'static) {
        self.lock().tell = Some(Box::new(tell));
    }

    /// Counts a candidate's games from now on. `stops` end them when the candidate is dropped.
    pub fn watch<W: MatchObserver>(
        &self,
        candidate: usize,
        stops: Stops,
        inner: W,
    ) -> RaceWatch<W> {
        self.lock().states[candidate].1 = Some(stops);
        RaceWatch { racing: self.clone(), candidate, inner }
    }

    fn game(&self, candidate: usize, record: &GameRecord) -> Result<(), DuplicatePair> {
        let RacingState { race, names, tell, states } = &mut *self.lock();
        for pair in states[candidate].0.add(record)? {
            let half_points = pair.half_points.iter().sum();
            let pair = PairResult { half_points, pair_status: pair.pair_status };
            let dropped = race.add(candidate, pair);
            if let Some(tell) = tell {
                let (left, pairs) = (race.running().count(), race.looked());
                for &number in &dropped {
                    tell(&format!("{} is dropped after {pairs} pairs; {left} left", names[number]));
                }
            }
            let stopped = |number: &usize| race.is_over() || dropped.contains(number);
            for number in (0..states.len()).filter(stopped) {
                if let Some(stops) = &states[number].1 {
                    stops.stop_now();
                }
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, RacingState> {
        lock(&self.0)
    }
}

impl<W: MatchObserver> MatchObserver for RaceWatch<W> {
    fn game(&mut self, record: &GameRecord, match_state: &MatchState) {
        // The collector has refused duplicates.
        let _ = self.racing.game(self.candidate, record);
        self.inner.game(record, match_state);
    }

    fn warning(&mut self, what: &str) {
        self.inner.warning(what);
    }
}
