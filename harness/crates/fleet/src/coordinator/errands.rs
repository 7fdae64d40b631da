//! Requests to the broker, which answers late if it is far away: they run beside the loop that begins
//! them, several at once.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use process::lock;
use tokio::task::JoinSet;
use wire::chunk::Chunk;
use wire::message::{ChunkMessage, RunMark, VERSION, WorkerCard, decode, encode};
use wire::names;

use super::desk::Desk;
use crate::link::{AT_ONCE, Link, Told};

/// After an error nothing is published for this time.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Errand {
    Publish,
    Reconcile,
    WriteDown,
}

/// Those that run: one of each kind at most.
#[derive(Default)]
pub(super) struct Errands {
    running: JoinSet<(Errand, Result<(), Told>)>,
    kinds: BTreeSet<Errand>,
}

impl Errands {
    pub(super) fn is_idle(&self, errand: Errand) -> bool {
        !self.kinds.contains(&errand)
    }

    pub(super) fn begin(
        &mut self,
        errand: Errand,
        work: impl Future<Output = Result<(), Told>> + Send + 'static,
    ) {
        if self.kinds.insert(errand) {
            self.running.spawn(async move { (errand, work.await) });
        }
    }

    /// Waits until one has ended; `None`: none runs.
    pub(super) async fn ended(&mut self) -> Option<(Errand, Result<(), Told>)> {
        match self.running.join_next().await? {
            Ok((errand, done)) => {
                self.kinds.remove(&errand);
                Some((errand, done))
            }
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }

    pub(super) async fn abandon(&mut self) {
        self.running.shutdown().await;
        self.kinds.clear();
    }
}

/// After an error those that are left wait again.
pub(super) async fn publish(
    desk: Arc<Desk>,
    link: Arc<Link>,
    chunks: Vec<Chunk>,
) -> Result<(), Told> {
    let done = publish_all(&desk, &link, chunks).await;
    if done.is_err() {
        tokio::time::sleep(PAUSE).await;
    }
    done
}

async fn publish_all(desk: &Desk, link: &Link, chunks: Vec<Chunk>) -> Result<(), Told> {
    let mut left: BTreeSet<u64> = chunks.iter().map(|chunk| chunk.first).collect();
    let mut published = stream::iter(chunks)
        .map(async |chunk: Chunk| {
            let values = desk.asking.as_ref().and_then(|asking| asking.values(chunk.first));
            let message = ChunkMessage { values, ..ChunkMessage::new(desk.id, chunk) };
            let next_round = || desk.ledger(|ledger, _| ledger.next_round(chunk.first));
            (chunk.first, link.publish_chunk(message, next_round).await)
        })
        .buffer_unordered(AT_ONCE);
    while let Some((first, done)) = published.next().await {
        if done.is_err() {
            desk.ledger(|ledger, _| left.iter().for_each(|first| ledger.put_back(*first)));
            return done;
        }
        left.remove(&first);
    }
    Ok(())
}

/// Publishes what got lost.
pub(super) async fn reconcile(desk: Arc<Desk>, link: Arc<Link>) -> Result<(), Told> {
    // What is handed out from now on may be missing in the list.
    let Some(asked) = desk.ledger(|ledger, now| ledger.is_in_doubt(now).then_some(now)) else {
        return Ok(());
    };
    let queued = link.queued_chunks(desk.id).await?;
    let lost = desk.ledger(|ledger, _| ledger.reconcile(&queued, asked));
    publish_all(&desk, &link, lost).await
}

/// Writes down who plays, and tells the workers whose results they need not keep: those of pairs below
/// `recorded`.
pub(super) async fn write_down(
    desk: Arc<Desk>,
    link: Arc<Link>,
    recorded: u64,
    tell: Arc<dyn Fn(&str) + Send + Sync>,
) -> Result<(), Told> {
    let mark = encode(&RunMark { v: VERSION, recorded });
    let mark = mark.map_err(|error| Told::Defect(error.to_string()))?;
    let marked = link.store(names::mark_subject(desk.id), None, mark).await.map(drop);
    look_up(&desk, &link).await;
    write_roster(&desk, &*tell);
    marked
}

/// Looks up the cards of those who play.
pub(super) async fn look_up(desk: &Desk, link: &Link) {
    let unknown = lock(&desk.roster).unknown();
    let mut cards = stream::iter(unknown)
        .map(async |worker| {
            let card = link.last(names::KV_WORKERS, &names::worker_subject(&worker)).await;
            (worker, card)
        })
        .buffer_unordered(AT_ONCE);
    while let Some((worker, card)) = cards.next().await {
        // Who has no card yet has one later.
        if let Ok(Some((_, card))) = card
            && let Ok(card) = decode::<WorkerCard>(&card)
            && card.name == worker
        {
            lock(&desk.roster).card(&card);
        }
    }
}

pub(super) fn write_roster(desk: &Desk, tell: &(dyn Fn(&str) + Send + Sync)) {
    if let Err(error) = lock(&desk.roster).write() {
        tell(&error.to_string());
    }
}
