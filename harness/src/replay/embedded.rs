//! A fault of the engine in this program brought about again, under the match's limit on silence.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use tokio::sync::oneshot;

use super::{Case, Ending, Replay, goes_on};
use arena::game::Game;
use arena::player::replay::{Strayed, is_same_move};
use arena::player::{Fault, Halt, Thought};
use arena::pool::{Player, PlayerPool, SharedBoard};
use arena::runner::{Attempt, Finished, WATCH_PERIOD, Watchdog, WatchedSearch, unix_ms};

impl Case {
    /// Plays the game's moves again on a thread of its own: a search that does not hear that it is
    /// to stop is left behind on it.
    pub(super) fn embedded(&self, pool: PlayerPool) -> Replay {
        let (sender, answer) = channel();
        let (done, mut given_up) = oneshot::channel();
        let (case, watchdog) = (self.clone(), Arc::new(Watchdog::default()));
        let watched = Arc::clone(&watchdog);
        let thread = std::thread::spawn(move || {
            let mut desk =
                ReplayDesk { watchdog: &watched, done: Some(done), board: SharedBoard::default() };
            if let Some(replay) = case.play_again(&pool, &mut desk) {
                // Nobody listens who has given the search up.
                let _ = sender.send(replay);
            }
        });
        loop {
            match answer.recv_timeout(WATCH_PERIOD) {
                Ok(replay) => return replay,
                Err(RecvTimeoutError::Timeout) => {
                    if watchdog.check().is_some()
                        && let Ok(Ok(Finished { record, .. })) = given_up.try_recv()
                    {
                        let detail = record.detail.unwrap_or_default();
                        let (termination, plies) = (Some(record.termination), record.plies);
                        let plies = plies as usize;
                        return self.shown(Ending { termination, detail, plies }, None);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => match thread.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(()) => return self.shown(goes_on("does nothing wrong".to_owned(), 0), None),
                },
            }
        }
    }

    /// What comes of the game's moves; `None` when a search was given up.
    fn play_again(&self, pool: &PlayerPool, desk: &mut ReplayDesk<'_>) -> Option<Replay> {
        let mut game = self.begin();
        let plies = game.moves().len();
        let mut player = match pool.take(&game) {
            Ok(seat) => seat,
            Err((fault, _)) => return Some(self.shown(self.judge(game, plies, Err(fault)), None)),
        };
        let hang = Duration::from_millis(self.plan.hang_ms);
        for thought in self.thoughts() {
            if game.turn() == self.color {
                let plies = game.moves().len();
                match desk.think(&mut *player, &game, hang)? {
                    Ok(now) if is_same_move(game.position(), now.best, thought.best) => {}
                    Ok(Thought { best: now, .. }) => {
                        let strayed = Strayed { ply: plies, recorded: thought.best, now };
                        let ending = goes_on("does nothing wrong".to_owned(), plies);
                        return Some(self.shown(ending, Some(strayed)));
                    }
                    Err(early) => {
                        return Some(self.shown(self.judge(game, plies, Err(early)), None));
                    }
                }
            }
            game.apply(&thought);
        }
        let plies = game.moves().len();
        let answer = desk.think(&mut *player, &game, hang)?;
        Some(self.shown(self.judge(game, plies, answer), None))
    }

    fn shown(&self, now: Ending, strayed: Option<Strayed>) -> Replay {
        let (transcript, stderr) = (String::new(), String::new());
        Replay { then: self.then(), now, strayed, transcript, stderr, exit_status: None }
    }
}

/// Where the engine thinks, watched.
struct ReplayDesk<'a> {
    watchdog: &'a Watchdog,
    /// Where the game goes when a search is given up.
    done: Option<oneshot::Sender<Attempt>>,
    board: SharedBoard,
}

impl ReplayDesk<'_> {
    /// The engine's answer; `None` when its search was given up.
    fn think(
        &mut self,
        player: &mut dyn Player,
        game: &Game,
        hang: Duration,
    ) -> Option<Result<Thought, Fault>> {
        let (params, done) = (Arc::clone(player.params()?), self.done.take()?);
        let stop = AtomicBool::new(false);
        let search = WatchedSearch::new(&Arc::new(game.clone()), params, done, unix_ms(), hang);
        let (thought, done) = self.watchdog.watch(search, |overdue| {
            player.think(game, &mut self.board, Halt { run: &stop, overdue: Some(overdue) })
        })?;
        self.done = Some(done);
        Some(thought)
    }
}
