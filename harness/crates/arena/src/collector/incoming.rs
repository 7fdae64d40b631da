//! Finished games on their way to a journal, as long as it is in its place.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Interval, MissedTickBehavior};

use crate::record::{Journal, RecordError};
use crate::runner::Finished;

/// How often the run's folder is looked for, and what was recorded is synced: games may take long.
const LOOK_EVERY: Duration = Duration::from_secs(1);

pub struct Incoming {
    finished: mpsc::Receiver<Finished>,
    looks: Interval,
}

impl Incoming {
    pub fn new(finished: mpsc::Receiver<Finished>) -> Incoming {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Incoming { finished, looks }
    }

    /// `None` when the senders are gone; an error when the journal is no longer in its place. The
    /// journal tells whoever waits for the game when it is on the disk.
    pub async fn next(&mut self, journal: &mut Journal) -> Result<Option<Finished>, RecordError> {
        loop {
            tokio::select! {
                game = self.finished.recv() => {
                    return Ok(game.map(|game| expected(game, journal)));
                }
                _ = self.looks.tick() => {
                    journal.check_place()?;
                    journal.sync_if_due()?;
                }
            }
        }
    }

    /// Whether no game waits.
    pub fn is_idle(&self) -> bool {
        self.finished.is_empty()
    }

    /// A game that has come and was not taken yet.
    pub fn waiting(&mut self, journal: &mut Journal) -> Option<Finished> {
        self.finished.try_recv().ok().map(|game| expected(game, journal))
    }

    /// Running games must find a receiver until they have stopped.
    pub async fn drain(&mut self) {
        while self.finished.recv().await.is_some() {}
    }
}

fn expected(mut game: Finished, journal: &mut Journal) -> Finished {
    if let Some(synced) = game.synced.take() {
        journal.expect(game.record.game, synced);
    }
    game
}
