//! Threads that check the games of other machines.

use std::sync::{Arc, Mutex};

use arena::record::pgn::SanMoves;
use arena::verify::GameVerifier;
use process::{Error, lock};
use tokio::sync::Semaphore;
use wire::message::WireGame;

use super::desk::Desk;

/// How many batches are checked at the same time.
const AT_ONCE: usize = 2;

/// A valid game, and its moves.
pub(super) type Checked = (WireGame, SanMoves);

#[derive(Clone)]
pub(super) struct Referees {
    idle: Arc<Mutex<Vec<GameVerifier>>>,
    seats: Arc<Semaphore>,
}

impl Referees {
    pub(super) fn of(desk: &Desk) -> Result<Referees, Error> {
        let made = (0..AT_ONCE).map(|_| GameVerifier::of(&desk.plan, &desk.run));
        let idle = made.collect::<Result<Vec<_>, Error>>()?;
        Ok(Referees { idle: Arc::new(Mutex::new(idle)), seats: Arc::new(Semaphore::new(AT_ONCE)) })
    }

    /// Returns the games with their moves if all are valid; otherwise the first error.
    /// Attempts that do not count and are not valid are left out.
    pub(super) async fn check(&self, mut games: Vec<WireGame>) -> Result<Vec<Checked>, String> {
        let seat = Arc::clone(&self.seats).acquire_owned().await;
        let idle = Arc::clone(&self.idle);
        let checking = tokio::task::spawn_blocking(move || {
            let _seat = seat;
            let Some(mut referee) = lock(&idle).pop() else {
                return Err("no referee is free".to_owned());
            };
            let moves: Result<Vec<SanMoves>, String> =
                games.iter().map(|game| referee.check(&game.record)).collect();
            for game in &mut games {
                game.spoilt.retain(|attempt| referee.check(&attempt.record).is_ok());
            }
            lock(&idle).push(referee);
            Ok(games.into_iter().zip(moves?).collect())
        });
        checking.await.unwrap_or_else(|error| Err(format!("the referee failed: {error}")))
    }
}
