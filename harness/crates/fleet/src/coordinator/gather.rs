//! Gathers the results of one run: checks each game again, drops copies, and passes the rest to the
//! collector. A message is acknowledged when its games are on the disk.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use arena::player::program::Capsule;
use arena::record::{GameRecord, TimeRecord};
use arena::runner::Finished;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use tokio::sync::oneshot;
use tokio_util::task::TaskTracker;
use wire::ledger::Took;
use wire::message::{PairsBatch, Refused, WireGame};
use wire::names::{RunId, Subject, WorkerName};

use super::capsules::Capsules;
use super::desk::Desk;
use super::referees::{Checked, Referees};
use crate::link::{Link, Told};

/// How many refused results of one sender are reported.
const SAID: u32 = 10;
/// A day.
const LONGEST_GAME_MS: u64 = 24 * 60 * 60 * 1000;

pub(super) struct Gather {
    pub(super) desk: Arc<Desk>,
    pub(super) link: Arc<Link>,
    pub(super) referees: Referees,
    pub(super) capsules: Capsules,
    pub(super) tell: Arc<dyn Fn(&str) + Send + Sync>,
    /// Number of reports by sender.
    pub(super) said: BTreeMap<String, u32>,
}

/// What is left to do after gathering.
pub(super) struct Taken {
    pub(super) run: RunId,
    acks: TaskTracker,
    /// Whether the run has ended for good. Later results are of no use.
    is_decided: bool,
}

impl Taken {
    /// Waits until all that was taken is on the disk. The channel to the collector must be closed.
    pub(super) async fn end(self, link: &Link) -> Result<(), Told> {
        self.acks.wait().await;
        if self.is_decided { link.forget(self.run).await } else { Ok(()) }
    }
}

/// Clocks of different machines are never compared: a game ends when its result arrives.
fn by_own_clock(time: &mut TimeRecord) {
    let now = unix_ms();
    let lasted = time.end_ms().saturating_sub(time.started_ms).min(LONGEST_GAME_MS).min(now);
    (time.started_ms, time.ended_ms) = (now - lasted, now);
}

fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Why a batch is refused.
enum Why {
    Refused(Refused),
    /// A game that cannot belong to this run.
    Game(String),
}

impl Gather {
    /// Runs until the run is over. Some messages may not be acknowledged yet.
    pub(super) async fn run(mut self) -> Taken {
        let acks = TaskTracker::new();
        let now = self.desk.contest.stops.now_token();
        let mut changed = self.desk.changes().hear();
        let mut state = self.link.state();
        'consumer: while !self.desk.has_all() {
            let asked = tokio::select! {
                () = now.cancelled() => break,
                asked = self.link.results(self.desk.id) => asked,
            };
            let mut messages = match asked {
                Ok(messages) => messages,
                Err(told) => {
                    (self.tell)(&format!("results wait: {told}"));
                    self.link.pause().await;
                    continue;
                }
            };
            loop {
                changed.mark_unchanged();
                if self.desk.has_all() {
                    break 'consumer;
                }
                tokio::select! {
                    () = now.cancelled() => break 'consumer,
                    _ = changed.changed() => {}
                    // A restarted broker does not answer earlier requests.
                    Ok(()) = state.changed() => continue 'consumer,
                    message = messages.next() => match message {
                        Some(Ok(message)) => self.take(message, &acks).await,
                        // The consumer is made again and continues where it was.
                        Some(Err(_)) | None => continue 'consumer,
                    },
                }
            }
        }
        acks.close();
        Taken { run: self.desk.id, acks, is_decided: self.desk.is_decided() }
    }

    async fn take(&mut self, message: Message, acks: &TaskTracker) {
        let (worker, scale, games) = match self.read(&message).await {
            Ok(read) => read,
            Err((worker, why)) => {
                self.desk.counts.refused.fetch_add(1, Ordering::Relaxed);
                let by = worker.map_or_else(|| "somebody".to_owned(), |it| it.to_string());
                let why = match why {
                    Why::Refused(refused) => refused.to_string(),
                    Why::Game(game) => game,
                };
                self.say_refused(&by, &why);
                // If this fails, the message comes again and is refused again.
                let _ = message.ack_with(AckKind::Term).await;
                return;
            }
        };
        let mut receipts = Vec::new();
        let records = games.iter().map(|(game, _)| &game.record);
        let doubted = self.desk.doubted(records, &worker);
        for (game, san) in games {
            if doubted.contains(&game.record.pair) {
                continue;
            }
            let (synced, on_disk) = oneshot::channel();
            let game = self.finished(game, &worker, scale);
            let game = Finished { san: Some(san), synced: Some(synced), ..game };
            if self.desk.record(game, &worker).await == Took::Fresh {
                receipts.push(on_disk);
            }
        }
        // Once for all of them: each time all tasks of the run look what is left to do.
        self.desk.changes().tell();
        acks.spawn(async move {
            for receipt in receipts {
                if receipt.await.is_err() {
                    // Not recorded: the broker must keep the message.
                    return;
                }
            }
            // If this fails, the message comes again and is dropped as a copy.
            let _ = message.ack().await;
        });
    }

    /// A game as if this machine had played it.
    fn finished(&self, game: WireGame, worker: &WorkerName, scale: f64) -> Finished {
        let WireGame { record, troubles: mut remarks, capsule, spoilt } = game;
        let mut own = |mut record: GameRecord, capsule: Option<Capsule>| {
            by_own_clock(&mut record.time);
            record.time.worker = Some(worker.to_string());
            record.time.scale = self.desk.plan.scale.map(|_| scale);
            let capsule = capsule.map(|capsule| self.capsules.own(capsule, &record)).transpose();
            let capsule = capsule.unwrap_or_else(|why| {
                let game = record.game;
                remarks.push(format!(
                    "game {game}: what {worker} kept of its fault is not saved: {why}"
                ));
                None
            });
            Finished::new(record, capsule.map(Box::new))
        };
        let late_attempts = spoilt.into_iter().map(|it| own(it.record, it.capsule)).collect();
        let game = own(record, capsule);
        Finished { late_attempts, remarks, ..game }
    }

    fn say_refused(&mut self, by: &str, why: &str) {
        let said = self.said.entry(by.to_owned()).or_default();
        *said += 1;
        match *said {
            ..SAID => (self.tell)(&format!("a result of {by} is refused: {why}")),
            SAID => (self.tell)(&format!(
                "a result of {by} is refused: {why}; its further ones are counted only. If it goes on, take its key \
                 back: verdict serve remove NAME"
            )),
            _ => {}
        }
    }

    /// The games of a message that are in order, all of them or none, and by what their machine
    /// multiplied the times.
    async fn read(
        &self,
        message: &Message,
    ) -> Result<(WorkerName, f64, Vec<Checked>), (Option<WorkerName>, Why)> {
        let Some(Subject::Pairs(run, worker)) = Subject::parse(&message.subject) else {
            return Err((None, Why::Game(format!("subject {}", message.subject))));
        };
        let refused = |refused| (Some(worker.clone()), Why::Refused(refused));
        if self.desk.is_barred(&worker) {
            let why = "its invitation is barred: it sent games that it did not play".to_owned();
            return Err((Some(worker), Why::Game(why)));
        }
        let batch = PairsBatch::unpack(&message.payload).map_err(refused)?;
        batch.expect(run, &worker).map_err(refused)?;
        let scale = batch.worker.scale;
        let checked = self.referees.check(batch.games).await;
        let games = checked.map_err(|why| (Some(worker.clone()), Why::Game(why)))?;
        Ok((worker, scale, games))
    }
}
