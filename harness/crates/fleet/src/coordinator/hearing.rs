//! Hears the workers of one run: their beats, their questions for what is missing, and their silence.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::{Message as Heard, Subscriber};
use futures_util::StreamExt as _;
use process::{Error, lock};
use tokio::time::MissedTickBehavior;
use wire::chunk::Chunk;
use wire::ledger::SILENCE;
use wire::message::{Beat, Missing, Need, Refused, VERSION, decode, encode};
use wire::names::{self, Subject, WorkerName};

use super::desk::{Desk, Present};
use crate::link::{Link, Told};

/// How often to look for silent workers.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Workers of another protocol that were told of, in any run of the session.
pub(super) type Strangers = Arc<Mutex<BTreeSet<WorkerName>>>;

pub(super) struct Hearing {
    desk: Arc<Desk>,
    link: Arc<Link>,
    own_slots: usize,
    tell: Arc<dyn Fn(&str) + Send + Sync>,
    strangers: Strangers,
    beats: Subscriber,
    needs: Subscriber,
}

impl Hearing {
    /// To be called before workers know of the run.
    pub(super) async fn begin(
        (desk, link): (Arc<Desk>, Arc<Link>),
        own_slots: usize,
        tell: Arc<dyn Fn(&str) + Send + Sync>,
        strangers: Strangers,
    ) -> Result<Hearing, Told> {
        let beats = link.hear("v1.beat.>".to_owned()).await?;
        let needs = link.hear(format!("v1.need.{}.*.*", desk.id)).await?;
        Ok(Hearing { desk, link, own_slots, tell, strangers, beats, needs })
    }

    /// Until no more results are expected.
    pub(super) async fn run(mut self) -> Result<(), Error> {
        let mut changed = self.desk.changes().hear();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let now = self.desk.contest.stops.now_token();
        while !self.desk.has_all() {
            changed.mark_unchanged();
            tokio::select! {
                () = now.cancelled() => break,
                _ = changed.changed() => {}
                Some(beat) = self.beats.next() => self.beat(&beat),
                Some(need) = self.needs.next() => self.answer(&need).await,
                _ = looks.tick() => self.silent(),
            }
        }
        // Others wait for that, too.
        self.desk.changes().tell();
        Ok(())
    }

    fn beat(&self, heard: &Heard) {
        let Some(Subject::Beat(worker)) = Subject::parse(&heard.subject) else { return };
        let beat = match decode::<Beat>(&heard.payload) {
            Ok(beat) => beat,
            Err(Refused::Version(version)) => {
                if lock(&self.strangers).insert(worker.clone()) {
                    (self.tell)(&format!(
                        "{worker} plays nothing: it has protocol {version}, this verdict {VERSION}; build the same \
                         commit of verdict there, and start it again"
                    ));
                }
                return;
            }
            // Other messages are ignored.
            Err(_) => return,
        };
        // What a barred worker says that it holds is given to others.
        let is_ours = beat.run == Some(self.desk.id) && !self.desk.is_barred(&worker);
        let before = lock(&self.desk.present).get(&worker).copied();
        if let Some(Present { slots, beats, .. }) = before
            && beat.seq < beats
        {
            // It was started anew, and does not know what it had.
            let had = self.desk.ledger(|ledger, now| ledger.left(&worker, now));
            self.desk.died(&worker, &had, slots).iter().for_each(|told| (self.tell)(told));
        }
        let is_new = if beat.leaving || !is_ours {
            lock(&self.desk.roster).left(&worker);
            let was_present = lock(&self.desk.present).remove(&worker).is_some();
            was_present | !self.desk.ledger(|ledger, now| ledger.left(&worker, now)).is_empty()
        } else {
            lock(&self.desk.roster).heard(&worker, &beat);
            let present =
                Present { slots: beat.slots, heard: std::time::Instant::now(), beats: beat.seq };
            let was_present = lock(&self.desk.present).insert(worker.clone(), present).is_some();
            !was_present | self.desk.ledger(|ledger, now| ledger.beat(&worker, &beat, now))
        };
        // Most beats only say that a worker is still there.
        if self.widen() | is_new {
            self.desk.changes().tell();
        }
    }

    /// Whether more or less may be handed out than before.
    fn widen(&self) -> bool {
        let present = lock(&self.desk.present);
        let theirs: usize = present.values().map(|it| it.slots as usize).sum();
        drop(present);
        let own = self.own_slots;
        self.desk.ledger(|ledger, _| {
            ledger.window(own + theirs) | ledger.queue(if own > 0 { theirs } else { usize::MAX })
        })
    }

    fn silent(&self) {
        let lost = self.desk.ledger(|ledger, now| ledger.silent(now));
        let is_new = !lost.is_empty();
        for (worker, chunks) in lost {
            let slots = lock(&self.desk.present).get(&worker).map_or(1, |it| it.slots);
            lock(&self.desk.roster).left(&worker);
            let missing =
                |chunk: &Chunk| self.desk.ledger(|ledger, _| ledger.missing(*chunk).len());
            let pairs: usize = chunks.iter().map(missing).sum();
            (self.tell)(&format!(
                "{worker} is no longer heard of; {} given to others",
                if pairs == 1 { "1 pair is".to_owned() } else { format!("{pairs} pairs are") }
            ));
            self.desk.died(&worker, &chunks, slots).iter().for_each(|told| (self.tell)(told));
        }
        lock(&self.desk.present).retain(|_, it| it.heard.elapsed() <= SILENCE);
        if self.widen() | is_new {
            self.desk.changes().tell();
        }
    }

    async fn answer(&self, heard: &Heard) {
        let Some(Subject::Need(_, worker)) = Subject::parse(&heard.subject) else { return };
        let reply = heard.reply.as_ref().map(ToString::to_string).unwrap_or_default();
        // Otherwise a worker could make us send messages to others.
        if !names::is_own_reply(&reply, &worker) {
            return;
        }
        let Ok(need) = decode::<Need>(&heard.payload) else { return };
        let missing = self.missing(need.chunk(), &worker);
        if let Ok(answer) = encode(&Missing::of(&missing)) {
            // Without an answer it plays all pairs of the chunk; copies are dropped.
            let _ = self.link.answer(heard, answer).await;
        }
    }

    /// What a worker is to play of a chunk that it has.
    fn missing(&self, chunk: Chunk, worker: &WorkerName) -> Vec<u64> {
        let desk = &self.desk;
        if desk.is_barred(worker) {
            desk.ledger(|ledger, _| ledger.refuse(chunk.first));
            desk.changes().tell();
            return Vec::new();
        }
        if let Some(pairs) = desk.audits.as_ref().and_then(|audits| audits.need(chunk, worker)) {
            return pairs;
        }
        desk.ledger(|ledger, _| match ledger.is_poisoned(chunk.first) {
            true => Vec::new(),
            false => ledger.missing(chunk),
        })
    }
}
