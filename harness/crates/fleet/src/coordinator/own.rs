//! This machine's slots. They take chunks as workers do, and their games are recorded in the same
//! way.

use std::collections::VecDeque;
use std::sync::Arc;

use arena::plan::TimeScale;
use arena::runner::{Finished, GameSource, QueuedGame};
use tokio::sync::{mpsc, watch};
use wire::ledger::Took;
use wire::names::WorkerName;

use super::desk::{Changes, Desk};

/// A run, and its games that were finished here.
pub(super) type OwnFinished = (Arc<Desk>, mpsc::Receiver<Finished>);

/// Games for this machine, chunk by chunk: the lowest chunk of the first run that has one.
pub(super) struct OwnGames {
    desks: Vec<(Arc<Desk>, mpsc::Sender<Finished>)>,
    queue: VecDeque<QueuedGame>,
    /// Games that others have played, to be compared.
    audits: mpsc::UnboundedReceiver<QueuedGame>,
    /// Whether it plays anything else.
    plays: bool,
    changed: watch::Receiver<u64>,
}

impl OwnGames {
    /// With each run's games that will be finished here.
    pub(super) fn of(
        desks: &[Arc<Desk>],
        audits: mpsc::UnboundedReceiver<QueuedGame>,
        plays: bool,
        changes: &Changes,
    ) -> (OwnGames, Vec<OwnFinished>) {
        let (mut senders, mut receivers) = (Vec::new(), Vec::new());
        for desk in desks {
            let (sender, receiver) = mpsc::channel(super::CHANNEL);
            senders.push((Arc::clone(desk), sender));
            receivers.push((Arc::clone(desk), receiver));
        }
        let (queue, changed) = (VecDeque::new(), changes.hear());
        (OwnGames { desks: senders, queue, audits, plays, changed }, receivers)
    }

    fn take(&mut self) -> Option<QueuedGame> {
        if let Ok(game) = self.audits.try_recv() {
            return Some(game);
        }
        while self.plays && self.queue.is_empty() {
            let mut open = self.desks.iter().filter(|(desk, _)| !desk.is_over());
            let (desk, sender, chunk) = open.find_map(|(desk, sender)| {
                let chunk = desk.ledger(|ledger, now| ledger.take_local(now))?;
                Some((desk, sender, chunk))
            })?;
            self.queue = desk.games(chunk, sender);
        }
        self.queue.pop_front()
    }
}

impl GameSource for OwnGames {
    async fn next_game(&mut self) -> Option<QueuedGame> {
        loop {
            self.changed.mark_unchanged();
            if let Some(game) = self.take() {
                return Some(game);
            }
            if self.desks.iter().all(|(desk, _)| desk.is_over()) {
                return None;
            }
            self.changed.changed().await.ok()?;
        }
    }
}

/// Passes on the games that are finished here, until all slots have ended.
pub(super) async fn pass_on(
    desk: Arc<Desk>,
    mut finished: mpsc::Receiver<Finished>,
    own: WorkerName,
) {
    let scale = desk.plan.scale.map(TimeScale::factor);
    while let Some(mut game) = finished.recv().await {
        game.record.time.scale = scale;
        // A copy: a worker that seemed lost has sent it, too.
        let _: Took = desk.record(game, &own).await;
        desk.changes().tell();
    }
}
