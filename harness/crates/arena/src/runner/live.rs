//! Games under way, for whoever watches them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use process::lock;

use crate::game::{Game, LiveGame};

/// Games are kept for so long after the last look: longer than from one beat of a worker to the next.
const LOOKED_AT: Duration = Duration::from_secs(15);
/// Games that are kept at once: thousands may be under way.
const MOST: usize = 64;

/// The games of a match that are under way, as far as somebody looks.
#[derive(Debug)]
pub struct LiveGames {
    begun: Instant,
    /// In milliseconds since then.
    looked_at_until: AtomicU64,
    games: Mutex<BTreeMap<u64, LiveGame>>,
}

impl Default for LiveGames {
    fn default() -> LiveGames {
        LiveGames {
            begun: Instant::now(),
            looked_at_until: AtomicU64::new(0),
            games: Mutex::new(BTreeMap::new()),
        }
    }
}

impl LiveGames {
    /// By their numbers. For some seconds from now on moves are told; before, none were.
    pub fn look(&self) -> Vec<LiveGame> {
        let until = self.begun.elapsed() + LOOKED_AT;
        let until = u64::try_from(until.as_millis()).unwrap_or(u64::MAX);
        self.looked_at_until.store(until, Ordering::Relaxed);
        lock(&self.games).values().cloned().collect()
    }

    fn is_looked_at(&self) -> bool {
        let until = self.looked_at_until.load(Ordering::Relaxed);
        until > 0 && self.begun.elapsed() < Duration::from_millis(until)
    }
}

/// A game that may be looked at, until it ends.
pub(super) struct Shown {
    to: Arc<LiveGames>,
    game: u64,
    is_kept: bool,
}

impl Shown {
    pub(super) fn new(to: Option<&Arc<LiveGames>>, game: &Game) -> Option<Shown> {
        let to = Arc::clone(to?);
        let mut shown = Shown { to, game: game.scheduled().game, is_kept: false };
        shown.update(game);
        Some(shown)
    }

    /// After a move.
    pub(super) fn update(&mut self, game: &Game) {
        if !self.to.is_looked_at() {
            return self.forget();
        }
        let mut games = lock(&self.to.games);
        if games.len() < MOST || games.contains_key(&self.game) {
            games.insert(self.game, game.so_far());
            self.is_kept = true;
        }
    }

    fn forget(&mut self) {
        if std::mem::take(&mut self.is_kept) {
            lock(&self.to.games).remove(&self.game);
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.forget();
    }
}
