//! Has chunks played a second time, and acts on what comes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use arena::record::{GameRecord, Strike};
use arena::runner::{Finished, QueuedGame};
use charts::numbers::counted;
use process::lock;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use wire::audit::{Found, ToPlay};
use wire::message::ChunkMessage;
use wire::names::WorkerName;

use super::desk::Desk;
use super::run_audits::RunAudits;
use crate::link::Link;

/// How often it is looked who may play what.
const LOOK_EVERY: Duration = Duration::from_secs(1);

pub(super) struct Auditor {
    pub(super) desk: Arc<Desk>,
    pub(super) link: Arc<Link>,
    /// For the slots of this machine.
    pub(super) queue: mpsc::UnboundedSender<QueuedGame>,
    pub(super) tell: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Auditor {
    /// Until nothing more is to be expected.
    pub(super) async fn run(self) -> Result<(), process::Error> {
        let desk = Arc::clone(&self.desk);
        let Some(audits) = &desk.audits else { return Ok(()) };
        let (played, mut here) = mpsc::channel(super::CHANNEL);
        let mut half: BTreeMap<u64, GameRecord> = BTreeMap::new();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut changed = desk.changes().hear();
        let now = desk.contest.stops.now_token();
        self.finish_convictions(audits).await;
        while !desk.has_all() {
            changed.mark_unchanged();
            self.act(audits).await;
            if let Some(error) = audits.failure() {
                return Err(error.into());
            }
            let has_new = tokio::select! {
                () = now.cancelled() => return Ok(()),
                Some(Finished { record, .. }) = here.recv() => {
                    if let Some(other) = half.remove(&(record.game ^ 1)) {
                        let (first, second) =
                            if other.game < record.game { (&other, &record) } else { (&record, &other) };
                        audits.played_here(record.pair, [first, second]);
                    } else {
                        half.insert(record.game, record);
                    }
                    true
                }
                _ = changed.changed() => false,
                _ = looks.tick() => true,
            };
            if has_new && !desk.contest.stops.no_new_games() {
                self.hand_out(audits, &played).await;
            }
        }
        Ok(())
    }

    async fn hand_out(&self, audits: &RunAudits, played: &mpsc::Sender<Finished>) {
        let present: BTreeSet<WorkerName> = lock(&self.desk.present).keys().cloned().collect();
        while let Some(to_play) = audits.next(&present) {
            match to_play {
                ToPlay::Here(pairs) => {
                    for game in self.desk.games_of(&pairs, played) {
                        // Slots that have ended play nothing, and the audit stays open.
                        let _ = self.queue.send(game);
                    }
                    self.desk.changes().tell();
                }
                ToPlay::Others(chunk) => {
                    // As any other chunk: who plays it shall not know.
                    let message = ChunkMessage::new(self.desk.id, chunk);
                    let next_round = || audits.next_round(chunk.first);
                    if self.link.publish_chunk(message, next_round).await.is_err() {
                        audits.put_back(chunk.first);
                        return;
                    }
                }
            }
        }
    }

    /// Does what follows from what was found out.
    async fn act(&self, audits: &RunAudits) {
        let was_settled = audits.is_settled();
        while let Some(found) = audits.found(&self.desk.strikes) {
            match found {
                // They are noted already.
                Found::Clean(_) | Found::Closed(_) => {}
                Found::Lapsed(why) => {
                    (self.tell)(&format!("nothing is played twice any more: {why}"));
                    audits.note_lapse(&why);
                }
                Found::Convicted { worker, why } => self.convict(audits, &worker, &why).await,
                Found::NoFault { worker, pair, why } => {
                    let _passing = self.desk.passing.lock().await;
                    let why = format!("{why}; the pair is struck and played anew");
                    self.strike(audits, &worker, vec![pair], why).await;
                }
            }
            audits.told(&self.desk.strikes);
        }
        if !was_settled && audits.is_settled() {
            self.desk.changes().tell();
        }
    }

    async fn convict(&self, audits: &RunAudits, worker: &WorkerName, why: &str) {
        let _passing = self.desk.passing.lock().await;
        let pairs = audits.suspect(&worker.name);
        let count = pairs.len() as u64;
        audits.note_conviction(worker, why, count);
        let told = format!(
            "{why}; struck and played anew: {1} of the invitation {0}, all since its machines were last found to \
             be right; they get no more of this run. If it is not yours: verdict serve remove {0}",
            worker.name,
            counted(count, "pair")
        );
        self.strike(audits, worker, pairs, told).await;
    }

    async fn strike(&self, audits: &RunAudits, worker: &WorkerName, pairs: Vec<u64>, why: String) {
        if pairs.is_empty() {
            (self.tell)(&format!("{worker}: {why}"));
        } else if !self.desk.strikes.strike(Strike::new(&pairs, worker.to_string(), why)).await {
            // The collector has gone: a resumed run strikes them.
            return;
        }
        self.desk.ledger(|ledger, _| ledger.strike(&pairs));
        audits.strike(&pairs);
        self.desk.changes().tell();
    }

    /// A session that ended between a conviction and its strike.
    async fn finish_convictions(&self, audits: &RunAudits) {
        for barred in audits.barred() {
            let _passing = self.desk.passing.lock().await;
            let pairs = audits.suspect(&barred.worker.name);
            if !pairs.is_empty() {
                self.strike(audits, &barred.worker, pairs, barred.why).await;
            }
        }
    }
}
