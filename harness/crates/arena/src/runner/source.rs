//! Where the games of a run come from: a schedule, or chunks that arrive over a network.

use std::future::Future;

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
