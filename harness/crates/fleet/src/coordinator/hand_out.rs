//! Hands out the chunks of one run, and keeps its card at the broker.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use process::{Error, lock};
use tokio::time::{Instant, MissedTickBehavior};
use wire::chunk::Chunk;
use wire::ledger::Ledger;
use wire::message::{RunCard, RunState, encode};
use wire::names;

use super::desk::Desk;
use super::errands::{self, Errand, Errands};
use crate::link::{Link, LinkState, Stored, Told};

/// How often to look what is to be done.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often the ledger is compared with what the broker has.
const RECONCILE_EVERY: Duration = Duration::from_secs(60);
/// The same after the broker has lost its store.
const RESTLESS_EVERY: Duration = Duration::from_secs(2);
/// How long to wait until the broker knows that the run has ended.
const END_WITHIN: Duration = Duration::from_secs(1);
const MARK_EVERY: Duration = Duration::from_secs(10);

pub(super) struct HandOut {
    pub(super) desk: Arc<Desk>,
    pub(super) link: Arc<Link>,
    pub(super) card: RunCard,
    pub(super) own_slots: usize,
    /// Until when the broker's store is checked more often.
    pub(super) restless_until: Option<Instant>,
    /// The card's number in its stream.
    pub(super) stored: u64,
    pub(super) tell: Arc<dyn Fn(&str) + Send + Sync>,
    /// What of runs that have ended nobody was given.
    pub(super) unplayed: Arc<Mutex<Vec<String>>>,
}

impl HandOut {
    /// Runs until the run is over and the workers have been told.
    pub(super) async fn run(mut self) -> Result<(), Error> {
        let mut state = self.link.state();
        let mut changed = self.desk.changes().hear();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut reconciled, mut marked) = (Instant::now(), (Instant::now(), 0));
        let mut begun = Errands::default();
        let put = self.put_card().await;
        self.say_again(put);
        let now = self.desk.contest.stops.now_token();
        let (mut is_draining, mut is_set_up) = (false, true);
        while !self.desk.has_all() {
            changed.mark_unchanged();
            if !is_draining && self.desk.is_over() {
                is_draining = true;
                begun.abandon().await;
                self.end(RunState::Draining).await;
            }
            if !is_draining
                && *state.borrow() == LinkState::Connected
                && begun.is_idle(Errand::Publish)
                && let waiting = self.waiting()
                && !waiting.is_empty()
            {
                let (desk, link) = self.whose();
                begun.begin(Errand::Publish, errands::publish(desk, link, waiting));
            }
            tokio::select! {
                () = now.cancelled() => break,
                _ = changed.changed() => {}
                Some((errand, done)) = begun.ended() => match (errand, done) {
                    (Errand::Publish, Err(told)) => (self.tell)(&format!("chunks wait: {told}")),
                    (_, done) => self.say_again(done),
                },
                Ok(()) = state.changed() => {
                    if *state.borrow_and_update() == LinkState::Connected {
                        // The store and recent messages may be lost.
                        is_set_up = false;
                    }
                }
                _ = looks.tick() => {
                    let barred = self.desk.barred();
                    if barred != self.card.barred {
                        self.card.barred = barred;
                        let put = self.put_card().await;
                        self.say_again(put);
                    }
                    if self.own_slots > 0 {
                        // They may take what nobody has.
                        self.desk.changes().tell();
                    }
                    if !is_set_up && self.set_up().await.is_ok() {
                        is_set_up = true;
                        reconciled = Instant::now() - RECONCILE_EVERY;
                    }
                    let (desk, link) = self.whose();
                    if !is_draining && reconciled.elapsed() >= self.reconcile_every() {
                        reconciled = Instant::now();
                        begun.begin(Errand::Reconcile, errands::reconcile(desk, link));
                    }
                    let prefix = self.desk.ledger(|ledger, _| ledger.prefix());
                    if marked.0.elapsed() >= MARK_EVERY && marked.1 != prefix {
                        marked = (Instant::now(), prefix);
                        let (desk, link) = self.whose();
                        let work = errands::write_down(desk, link, prefix, Arc::clone(&self.tell));
                        begun.begin(Errand::WriteDown, work);
                    }
                }
            }
        }
        drop(begun);
        let looked_up = errands::look_up(&self.desk, &self.link);
        let _ = tokio::time::timeout(END_WITHIN, looked_up).await;
        self.desk.note_absent();
        errands::write_roster(&self.desk, &*self.tell);
        if let Some(unplayed) = self.desk.unplayed() {
            lock(&self.unplayed).push(unplayed);
        }
        // Whoever waits for results looks whether any are to come.
        self.desk.changes().tell();
        let ending = self.end(RunState::Stopped);
        // If the broker is away, workers read the card when it is back.
        let _ = tokio::time::timeout(END_WITHIN, ending).await;
        Ok(())
    }

    fn whose(&self) -> (Arc<Desk>, Arc<Link>) {
        (Arc::clone(&self.desk), Arc::clone(&self.link))
    }

    /// The chunks of the window that are to be published now.
    fn waiting(&self) -> Vec<Chunk> {
        let repeats_itself = self.desk.plan.repeats_itself();
        self.desk.ledger(|ledger, now| {
            let slow = if repeats_itself { ledger.hedge(now) } else { None };
            std::iter::from_fn(|| ledger.publish_next(now)).chain(slow).collect()
        })
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

    /// Tells the workers that the run has ended.
    async fn end(&mut self, state: RunState) {
        self.card.state = state;
        let (desk, link) = self.whose();
        let subject = names::chunk_subject(desk.id);
        let (put, purged) = tokio::join!(self.put_card(), link.purge(names::CHUNKS, &subject));
        self.say_again(put);
        self.say_again(purged);
    }
}
