//! Feeds games into a search while they are played.

use std::sync::{Arc, Mutex, MutexGuard};

use super::{Need, Search};
use arena::collector::MatchObserver;
use arena::record::{GAMES_FILE, GameRecord, Games, MatchState, RecordError};
use arena::runner::Stops;
use process::lock;

/// A search that games are fed into. Clones share it.
#[derive(Clone)]
pub struct SharedSearch(Arc<Mutex<Search>>);

impl SharedSearch {
    pub fn new(search: Search) -> SharedSearch {
        SharedSearch(Arc::new(Mutex::new(search)))
    }

    pub fn lock(&self) -> MutexGuard<'_, Search> {
        lock(&self.0)
    }
}

/// Watches the match of a version: its `stops` end it when the search needs no more of its pairs.
pub struct Watch<W> {
    search: SharedSearch,
    version: usize,
    state: MatchState,
    stops: Stops,
    inner: W,
}

impl<W: MatchObserver> Watch<W> {
    /// `run` is the folder of the match, whose games the search has.
    pub fn new(
        search: SharedSearch,
        version: usize,
        run: &std::path::Path,
        stops: Stops,
        inner: W,
    ) -> Result<Watch<W>, RecordError> {
        let mut state = MatchState::default();
        if run.join(GAMES_FILE).is_file() {
            for game in Games::open(run)? {
                // The session has refused a game that is there twice.
                let _ = state.add(&game?);
            }
        }
        Ok(Watch { search, version, state, stops, inner })
    }
}

impl<W: MatchObserver> MatchObserver for Watch<W> {
    fn game(&mut self, record: &GameRecord, match_state: &MatchState) {
        self.inner.game(record, match_state);
        // The collector has refused duplicates.
        let pairs = self.state.add(record).unwrap_or_default();
        if pairs.is_empty() {
            return;
        }
        let mut search = self.search.lock();
        for pair in pairs {
            search.add(self.version, pair.half_points, pair.pair_status);
        }
        if !matches!(search.need(), Need::Pairs(version, _) if version == self.version) {
            self.stops.drain();
        }
    }

    fn warning(&mut self, what: &str) {
        self.inner.warning(what);
    }
}
