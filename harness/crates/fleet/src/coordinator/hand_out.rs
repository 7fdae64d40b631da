//! Hands out the chunks of one run, and follows which workers hold them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::Message as Heard;
use futures_util::StreamExt as _;
use process::{Error, lock};
use tokio::time::{Instant, MissedTickBehavior};
use wire::chunk::Chunk;
use wire::ledger::{Ledger, SILENCE};
use wire::message::{
    Beat, ChunkMessage, Missing, Need, Refused, RunCard, RunMark, RunState, VERSION, WorkerCard,
    decode, encode,
};
use wire::names::{self, Subject, WorkerName};

use super::desk::{Changes, Desk, Present};
use crate::link::{Link, LinkState, Stored, Told};

/// How often to look for silent workers.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often the ledger is compared with what the broker has.
const RECONCILE_EVERY: Duration = Duration::from_secs(60);
/// The same after the broker has lost its store.
const RESTLESS_EVERY: Duration = Duration::from_secs(2);
/// How long to wait until the broker knows that the run has ended.
const END_WITHIN: Duration = Duration::from_secs(1);
/// Chunks that are published at once.
const PUBLISHED: usize = 32;
const MARK_EVERY: Duration = Duration::from_secs(10);

pub(super) struct HandOut {
    pub(super) desk: Arc<Desk>,
    pub(super) link: Arc<Link>,
    pub(super) card: RunCard,
    pub(super) own_slots: usize,
    pub(super) changes: Changes,
    /// Until when the broker's store is checked more often.
    pub(super) restless_until: Option<Instant>,
    /// The card's number in its stream.
    pub(super) stored: u64,
    pub(super) tell: Arc<dyn Fn(&str) + Send + Sync>,
    /// What of runs that have ended nobody was given.
    pub(super) unplayed: Arc<Mutex<Vec<String>>>,
    /// Workers of another protocol that were told of.
    pub(super) strangers: Arc<Mutex<BTreeSet<WorkerName>>>,
}

impl HandOut {
    /// Runs until the run is over and the workers have been told.
    pub(super) async fn run(mut self) -> Result<(), Error> {
        let run = self.desk.id;
        let mut beats = self.link.hear("v1.beat.>".to_owned()).await?;
        let mut needs = self.link.hear(format!("v1.need.{run}.*.*")).await?;
        let mut state = self.link.state();
        let mut changed = self.changes.hear();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut reconciled, mut marked) = (Instant::now(), (Instant::now(), 0));
        let put = self.put_card().await;
        self.say_again(put);
        let now = self.desk.contest.stops.now_token();
        let (mut is_draining, mut is_set_up) = (false, true);
        while !self.desk.has_all() {
            changed.mark_unchanged();
            if !is_draining && self.desk.is_over() {
                is_draining = true;
                self.end(RunState::Draining).await;
            }
            if !is_draining
                && *state.borrow() == LinkState::Connected
                && let Err(told) = self.publish().await
            {
                (self.tell)(&format!("chunks wait: {told}"));
                tokio::time::sleep(LOOK_EVERY).await;
            }
            tokio::select! {
                () = now.cancelled() => break,
                _ = changed.changed() => {}
                Some(beat) = beats.next() => self.beat(&beat),
                Some(need) = needs.next() => self.answer(&need).await,
                Ok(()) = state.changed() => {
                    if *state.borrow_and_update() == LinkState::Connected {
                        // The store and recent messages may be lost.
                        is_set_up = false;
                    }
                }
                _ = looks.tick() => {
                    self.silent();
                    let barred = self.desk.barred();
                    if barred != self.card.barred {
                        self.card.barred = barred;
                        let put = self.put_card().await;
                        self.say_again(put);
                    }
                    if self.own_slots > 0 {
                        // They may take what nobody has.
                        self.changes.tell();
                    }
                    if !is_set_up && self.set_up().await.is_ok() {
                        is_set_up = true;
                        reconciled = Instant::now() - RECONCILE_EVERY;
                    }
                    if !is_draining && reconciled.elapsed() >= self.reconcile_every() {
                        reconciled = Instant::now();
                        tokio::select! {
                            () = now.cancelled() => break,
                            done = self.reconcile() => self.say_again(done),
                        }
                    }
                    if !is_draining && self.desk.plan.repeats_itself() {
                        let slow = self.desk.ledger(Ledger::hedge);
                        let done = self.publish_all(slow.into_iter().collect()).await;
                        self.say_again(done);
                    }
                    let prefix = self.desk.ledger(|ledger, _| ledger.prefix());
                    if marked.0.elapsed() >= MARK_EVERY && marked.1 != prefix {
                        marked = (Instant::now(), prefix);
                        self.say_again(self.mark(prefix).await);
                        self.enroll().await;
                    }
                }
            }
        }
        let _ = tokio::time::timeout(END_WITHIN, self.enroll()).await;
        if let Some(unplayed) = self.desk.unplayed() {
            lock(&self.unplayed).push(unplayed);
        }
        // Whoever waits for results looks whether any are to come.
        self.changes.tell();
        let ending = self.end(RunState::Stopped);
        // If the broker is away, workers read the card when it is back.
        let _ = tokio::time::timeout(END_WITHIN, ending).await;
        Ok(())
    }

    fn reconcile_every(&self) -> Duration {
        match self.restless_until {
            Some(until) if Instant::now() < until => RESTLESS_EVERY,
            _ => RECONCILE_EVERY,
        }
    }

    fn say_again(&self, done: Result<(), Told>) {
        if let Err(told) = done {
            (self.tell)(&told.to_string());
        }
    }

    /// Prepares the broker for the run. A new store has nothing of it.
    async fn set_up(&mut self) -> Result<(), Told> {
        self.link.make_consumers(self.desk.id).await?;
        let before = self.stored;
        self.put_card().await?;
        if self.stored <= before {
            (self.tell)("the broker has lost what it had; what is missing is given out again");
            self.desk.ledger(Ledger::distrust);
            self.restless_until = Some(Instant::now() + RECONCILE_EVERY);
        }
        Ok(())
    }

    async fn put_card(&mut self) -> Result<(), Told> {
        let card = encode(&self.card).map_err(|error| Told::Defect(error.to_string()))?;
        let stored = self.link.store(names::run_subject(self.desk.id), None, card).await?;
        if let Stored::New { number } = stored {
            self.stored = number;
        }
        Ok(())
    }

    /// Workers need not keep the results of pairs below this number.
    async fn mark(&self, recorded: u64) -> Result<(), Told> {
        let mark = encode(&RunMark { v: VERSION, recorded });
        let mark = mark.map_err(|error| Told::Defect(error.to_string()))?;
        self.link.store(names::mark_subject(self.desk.id), None, mark).await.map(drop)
    }

    /// Publishes all chunks of the window that wait.
    async fn publish(&self) -> Result<(), Told> {
        let waiting = std::iter::from_fn(|| self.desk.ledger(|it, now| it.publish_next(now)));
        self.publish_all(waiting.collect()).await
    }

    /// Several at once: a broker far away answers late (results/fleet-model). After an error the
    /// others wait again.
    async fn publish_all(&self, chunks: Vec<Chunk>) -> Result<(), Told> {
        let mut left: BTreeSet<u64> = chunks.iter().map(|chunk| chunk.first).collect();
        let mut published = futures_util::stream::iter(chunks)
            .map(|chunk| async move { (chunk.first, self.publish_one(chunk).await) })
            .buffer_unordered(PUBLISHED);
        while let Some((first, done)) = published.next().await {
            if done.is_err() {
                self.desk.ledger(|ledger, _| left.iter().for_each(|first| ledger.put_back(*first)));
                return done;
            }
            left.remove(&first);
        }
        Ok(())
    }

    async fn publish_one(&self, mut chunk: Chunk) -> Result<(), Told> {
        let run = self.desk.id;
        loop {
            let values = self.desk.asking.as_ref().and_then(|asking| asking.values(chunk.first));
            let message = encode(&ChunkMessage { values, ..ChunkMessage::new(run, chunk) });
            let message = message.map_err(|error| Told::Defect(error.to_string()))?;
            let id = names::chunk_message_id(run, chunk);
            match self.link.store(names::chunk_subject(run), Some(&id), message).await? {
                Stored::New { .. } => return Ok(()),
                // Published by an earlier coordinator of this run, and perhaps finished.
                Stored::Copy => match self.desk.ledger(|it, _| it.next_round(chunk.first)) {
                    Some(next) => chunk = next,
                    None => return Ok(()),
                },
            }
        }
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
        let is_ours = beat.run == Some(self.desk.id);
        let before = lock(&self.desk.present).get(&worker).copied();
        if let Some(Present { slots, beats, .. }) = before
            && beat.seq < beats
        {
            // It was started anew, and does not know what it had.
            let had = self.desk.ledger(|ledger, now| ledger.left(&worker, now));
            self.desk.died(&worker, &had, slots).iter().for_each(|told| (self.tell)(told));
        }
        if beat.leaving || !is_ours {
            lock(&self.desk.present).remove(&worker);
            lock(&self.desk.roster).left(&worker);
            self.desk.ledger(|ledger, now| drop(ledger.left(&worker, now)));
        } else {
            lock(&self.desk.roster).heard(&worker, &beat);
            let present =
                Present { slots: beat.slots, heard: std::time::Instant::now(), beats: beat.seq };
            lock(&self.desk.present).insert(worker.clone(), present);
            self.desk.ledger(|ledger, now| ledger.beat(&worker, &beat, now));
        }
        self.widen();
        if beat.leaving {
            self.changes.tell();
        }
    }

    fn widen(&self) {
        let present = lock(&self.desk.present);
        let theirs: usize = present.values().map(|it| it.slots as usize).sum();
        drop(present);
        let own = self.own_slots;
        self.desk.ledger(|ledger, _| {
            ledger.window(own + theirs);
            ledger.queue(if own > 0 { theirs } else { usize::MAX });
        });
    }

    fn silent(&self) {
        let lost = self.desk.ledger(|ledger, now| ledger.silent(now));
        for (worker, chunks) in lost {
            let slots = lock(&self.desk.present).get(&worker).map_or(1, |it| it.slots);
            lock(&self.desk.roster).left(&worker);
            let pairs: u32 = chunks.iter().map(|chunk| chunk.pairs).sum();
            (self.tell)(&format!(
                "{worker} is no longer heard of; {pairs} pairs are given to others"
            ));
            self.desk.died(&worker, &chunks, slots).iter().for_each(|told| (self.tell)(told));
        }
        lock(&self.desk.present).retain(|_, it| it.heard.elapsed() <= SILENCE);
        self.widen();
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

    /// Writes down who plays.
    async fn enroll(&self) {
        let unknown = lock(&self.desk.roster).unknown();
        for worker in unknown {
            // Who has no card yet has one later.
            let card = self.link.last(names::KV_WORKERS, &names::worker_subject(&worker)).await;
            if let Ok(Some((_, card))) = card
                && let Ok(card) = decode::<WorkerCard>(&card)
                && card.name == worker
            {
                lock(&self.desk.roster).card(&card);
            }
        }
        if let Err(error) = lock(&self.desk.roster).write() {
            (self.tell)(&error.to_string());
        }
    }

    /// What a worker is to play of a chunk that it has.
    fn missing(&self, chunk: Chunk, worker: &WorkerName) -> Vec<u64> {
        let desk = &self.desk;
        if let Some(audits) = &desk.audits {
            if audits.is_convicted(worker) {
                desk.ledger(|ledger, _| ledger.refuse(chunk.first));
                self.changes.tell();
                return Vec::new();
            }
            let present = lock(&desk.present).keys().cloned().collect();
            if let Some(pairs) = audits.need(chunk, worker, &present) {
                return pairs;
            }
        }
        desk.ledger(|ledger, _| match ledger.is_poisoned(chunk.first) {
            true => Vec::new(),
            false => ledger.missing(chunk),
        })
    }

    /// Publishes what got lost.
    async fn reconcile(&mut self) -> Result<(), Told> {
        let subject = names::chunk_subject(self.desk.id);
        let mut queued = BTreeSet::new();
        let mut from = 1;
        while let Some((number, _, body)) = self.link.next(names::CHUNKS, &subject, from).await? {
            from = number + 1;
            if let Ok(message) = decode::<ChunkMessage>(&body) {
                queued.insert(message.first);
            }
        }
        let lost = self.desk.ledger(|ledger, now| ledger.reconcile(&queued, now));
        self.publish_all(lost).await
    }

    /// Tells the workers that the run has ended.
    async fn end(&mut self, state: RunState) {
        self.card.state = state;
        let put = self.put_card().await;
        self.say_again(put);
        let purged = self.link.purge(names::CHUNKS, &names::chunk_subject(self.desk.id)).await;
        self.say_again(purged);
    }
}
