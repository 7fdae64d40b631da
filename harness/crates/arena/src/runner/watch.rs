//! The limit on silence for engines in this process. A search that should have ended is told to
//! stop. If it does not hear, its game and the run are ended: no thread can be killed.

use std::{
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use engine::Params;
use process::lock;
use tokio::sync::oneshot;

use super::{Finished, RunError, attempts::Attempt, unix_ms};
use crate::{
    game::Game,
    player::{Fault, Thought},
};

/// How often searches are looked at. Their time is counted by such looks, so that it stands still
/// while this whole program does.
pub const PERIOD: Duration = Duration::from_millis(250);
/// The least time to come back in for a search that was told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// A search thread, as the watch sees it.
#[derive(Default)]
pub struct Post {
    search: Mutex<Option<WatchedSearch>>,
    /// Tells the search to stop.
    overdue: AtomicBool,
    lost: AtomicBool,
}

/// A search under way, and all that it takes to end its game without it.
pub struct WatchedSearch {
    game: Arc<Game>,
    params: Arc<Params>,
    done: oneshot::Sender<Attempt>,
    started_ms: u64,
    /// So long it may take.
    patience: Duration,
    waited: Duration,
}

impl WatchedSearch {
    /// A search that begins, of an engine with these parameters. It may take `hang` longer than its
    /// limit gives it; a limit in nodes or depth gives it no time at all.
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
        // The search still has it, too.
        let mut game = Arc::unwrap_or_clone(game);
        let side = game.to_move();
        let text = format!("no move within {patience:?}, and it does not hear that it is to stop");
        game.fault(side, &Fault::Hang(text));
        let mut player = format!("{side}, embedded:default");
        for (name, value) in params.differences(&Params::standard()) {
            player.push_str(&format!(",{name}={value}"));
        }
        let stuck = RunError::Stuck {
            game: game.pairing().game,
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

impl Post {
    /// Has a search watched. Gives back what it found and where its game is awaited; `None` when
    /// the game was ended in its stead.
    pub fn watch(
        &self,
        search: WatchedSearch,
        think: impl FnOnce(&AtomicBool) -> Result<Thought, Fault>,
    ) -> Option<(Result<Thought, Fault>, oneshot::Sender<Attempt>)> {
        let is_timed = search.game.limit().time(search.game.turn()).is_some();
        let patience = search.patience;
        self.overdue.store(false, Ordering::Relaxed);
        *self.search() = Some(search);
        let under_way = UnderWay(self);
        let thought = think(&self.overdue);
        let WatchedSearch { done, .. } = under_way.end()?;
        // Where a clock runs, it decides.
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

    /// Looks at the search, every [`PERIOD`]; what it says when it is given up.
    pub fn check(&self) -> Option<RunError> {
        let mut current = self.search();
        let search = current.as_mut()?;
        search.waited += PERIOD;
        // The first look may have come just after its beginning.
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

    fn search(&self) -> MutexGuard<'_, Option<WatchedSearch>> {
        lock(&self.search)
    }
}

/// Takes the search back from its post, even when it panics.
struct UnderWay<'a>(&'a Post);

impl UnderWay<'_> {
    fn end(self) -> Option<WatchedSearch> {
        self.0.search().take()
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        drop(self.0.search().take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        record::{Side, Termination},
        runner::tests::{Deaf, play},
    };

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
