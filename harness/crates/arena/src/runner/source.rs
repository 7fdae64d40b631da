//! Where the games of a run come from: a schedule, or chunks that arrive over a network.

use std::future::Future;

use tokio::sync::mpsc;

use super::QueuedGame;

/// Games to be played, in this order.
pub trait GameSource {
    /// The next game, or `None` when there are no more. The future may be dropped while it waits; no
    /// game is lost by that.
    fn next_game(&mut self) -> impl Future<Output = Option<QueuedGame>>;
}

impl<I: Iterator<Item = QueuedGame>> GameSource for I {
    async fn next_game(&mut self) -> Option<QueuedGame> {
        self.next()
    }
}

/// Games that are sent while others are played. It ends when the senders are gone.
pub struct SentGames(pub mpsc::Receiver<QueuedGame>);

impl GameSource for SentGames {
    async fn next_game(&mut self) -> Option<QueuedGame> {
        self.0.recv().await
    }
}
