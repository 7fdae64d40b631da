//! Watchdog for embedded engines. A search that exceeds its limit is told to stop. If it does not,
//! its game is recorded as a hang and the run ends, because a thread cannot be killed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::Params;
use process::lock;
use tokio::sync::oneshot;

use super::attempts::Attempt;
use super::{Finished, RunError, unix_ms};
use crate::game::Game;
use crate::player::{Fault, Thought};

/// Interval of the checks. A search's time is counted in checks: time in which the whole process is
/// suspended does not count.
pub const PERIOD: Duration = Duration::from_millis(250);
/// Minimum time for a search to return after it was told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Watches the searches of one search thread.
#[derive(Default)]
pub struct Watchdog {
    search: Mutex<Option<WatchedSearch>>,
    /// Tells the search to stop.
    overdue: AtomicBool,
    lost: AtomicBool,
}

/// A running search, and what it takes to end its game without it.
pub struct WatchedSearch {
    game: Arc<Game>,
    params: Arc<Params>,
    done: oneshot::Sender<Attempt>,
    started_ms: u64,
    /// Time until it is told to stop.
    patience: Duration,
    waited: Duration,
}

impl WatchedSearch {
    /// A search that begins, of an engine with these parameters. It may take `hang` longer than its
    /// time limit, which is 0 for a limit in nodes or depth.
    pub fn new(
        game: &Arc<Game>,
        params: Arc<Params>,
        done: oneshot::Sender<Attempt>,
        started_ms: u64,
        hang: Duration,
    ) -> WatchedSearch {
        let time = game.limit().time(game.turn()).unwrap_or_default();
        let (game, patience) = (Arc::clone(game), time.saturating_add(hang));
        WatchedSearch { game, params, done, started_ms, patience, waited: Duration::ZERO }
    }

    /// Ends the game by the fault of the player that does not come back.
    fn give_up(self) -> RunError {
        let WatchedSearch { game, params, done, started_ms, patience, .. } = self;
        // A copy: the stuck search still shares it.
        let mut game = Arc::unwrap_or_clone(game);
        let side = game.to_move();
        let text = format!("no move within {patience:?}, and it does not hear that it is to stop");
        game.fault(side, &Fault::Hang(text));
        let mut player = format!("{side}, embedded:default");
        for (name, value) in params.differences(&Params::standard()) {
            player.push_str(&format!(",{name}={value}"));
        }
        let stuck = RunError::Stuck {
            game: game.scheduled().game,
            player,
            position: format!("fen {} moves {}", game.start_fen(), game.moves_text()),
        };
        if let Some(record) = game.into_record(started_ms, unix_ms()) {
            // Its task is gone only when the run is being torn down.
            let _ = done.send(Ok(Finished::new(record, None)));
        }
        stuck
    }
}

impl Watchdog {
    /// Runs `think` under the watchdog. Returns its result and the game's sender; `None` if the
    /// watchdog has given the search up and ended the game.
    pub fn watch(
        &self,
        search: WatchedSearch,
        think: impl FnOnce(&AtomicBool) -> Result<Thought, Fault>,
    ) -> Option<(Result<Thought, Fault>, oneshot::Sender<Attempt>)> {
        let is_timed = search.game.limit().time(search.game.turn()).is_some();
        let patience = search.patience;
        self.overdue.store(false, Ordering::Relaxed);
        *lock(&self.search) = Some(search);
        let under_way = UnderWay(self);
        let thought = think(&self.overdue);
        let WatchedSearch { done, .. } = under_way.end()?;
        // On a clock, the clock decides about time forfeits, not the watchdog.
        let is_forced = self.overdue.load(Ordering::Relaxed) && !is_timed;
        let thought = match thought {
            Ok(_) if is_forced => {
                let text = format!("no move within {patience:?}, until it was told to stop");
                Err(Fault::Hang(text))
            }
            thought => thought,
        };
        Some((thought, done))
    }

    /// To be called every [`PERIOD`]. Returns the error if the search is given up.
    pub fn check(&self) -> Option<RunError> {
        let mut current = lock(&self.search);
        let search = current.as_mut()?;
        search.waited += PERIOD;
        // The first check may have come right after the start, so one period does not count.
        let due = search.patience.saturating_add(PERIOD);
        if search.waited < due {
            return None;
        }
        self.overdue.store(true, Ordering::Relaxed);
        if search.waited < due.saturating_add(search.patience.max(GRACE)) {
            return None;
        }
        self.lost.store(true, Ordering::Relaxed);
        current.take().map(WatchedSearch::give_up)
    }

    /// Whether its thread will not come back.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

/// Takes the search back from the watchdog, even when it panics.
struct UnderWay<'a>(&'a Watchdog);

impl UnderWay<'_> {
    fn end(self) -> Option<WatchedSearch> {
        lock(&self.0.search).take()
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        drop(lock(&self.0.search).take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Side, Termination};
    use crate::runner::tests::{Deaf, play};

    #[test]
    fn a_search_that_never_ends_ends_its_game_and_the_run() {
        // Test does not come back from its first search.
        let (ran, games) = play(Deaf::pool(), 100);
        let Err(RunError::Stuck { game, player, position }) = ran else { panic!("{ran:?}") };
        assert_eq!(player, "test, embedded:default,lmr.min_move=7");
        let records: Vec<_> = games.into_iter().map(|finished| finished.record).collect();
        let record = records.iter().find(|record| record.game == game).unwrap();
        assert_eq!(record.termination, Termination::Hang);
        assert_eq!(record.player(record.fault_color().unwrap()), Side::Test);
        assert_eq!(position, format!("fen {} moves {}", record.fen, record.moves));
        assert!(records.len() <= 2, "{records:?}");
    }
}
