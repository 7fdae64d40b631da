//! Sends finished games to the broker, as pairs in batches.

use std::num::NonZeroU64;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use arena::collector::KEPT_FAULTS;
use arena::player::program::Capsule;
use arena::record::PairJoiner;
use arena::runner::Finished;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use process::{Error, lock};
use tokio::sync::mpsc;
use wire::batch::Batcher;
use wire::message::{CAPSULE_BYTES, PairsBatch, Spoilt, VERSION, WireGame, WorkerStamp, shorten};
use wire::names;

use super::Worker;
use super::holding::Holding;
use super::play::Played;
use super::ready::Ready;
use super::room::Room;
use crate::link::Told;
use crate::machine;

/// Batches that are sent at once: a broker far away answers late (results/fleet-model).
const SENDING: usize = 8;

pub(super) struct Results<'a> {
    worker: &'a Worker,
    ready: &'a Ready,
    holding: &'a Mutex<Holding>,
    room: &'a Room,
    seq: AtomicU64,
    /// Capsules that were sent.
    capsules: AtomicU64,
    /// Whether it was said that results wait, since the last one was stored.
    said: AtomicBool,
}

/// Both games of a pair.
type Pair = [WireGame; 2];

impl<'a> Results<'a> {
    pub(super) fn new(
        worker: &'a Worker,
        ready: &'a Ready,
        holding: &'a Mutex<Holding>,
        room: &'a Room,
    ) -> Results<'a> {
        let (seq, capsules) = (AtomicU64::new(0), AtomicU64::new(0));
        Results { worker, ready, holding, room, seq, capsules, said: AtomicBool::new(false) }
    }

    /// Sends what is finished until the senders are gone. A run whose times this machine disturbs is
    /// drained.
    pub(super) async fn send_all(
        self,
        mut finished: mpsc::Receiver<Finished>,
    ) -> Result<Played, Error> {
        let mut joiner: PairJoiner<WireGame> = PairJoiner::default();
        let mut batcher: Batcher<Pair> = Batcher::default();
        let began = Instant::now();
        let mut played = Played { games: 0, leaves: None };
        let mut sending = FuturesUnordered::new();
        loop {
            let due = batcher.due_at().map(|due| (began + due).into());
            let batch = tokio::select! {
                Some(sent) = sending.next() => {
                    sent?;
                    continue;
                }
                game = finished.recv(), if sending.len() < SENDING => match game {
                    None => break,
                    Some(game) => {
                        played.games += 1;
                        self.room.finished();
                        let record = &game.record;
                        let is_late = record.time.replays > 0;
                        self.worker.pulse.finished(record.termination.is_fault(), is_late);
                        if let Some(why) = self.worker.lateness.add(self.ready.card.run, is_late) {
                            self.ready.stops.drain();
                            played.leaves = Some(why);
                        }
                        let (number, game) = (game.record.game, self.wire_game(game));
                        let Some(pair) = joiner.add(number, game) else { continue };
                        let bytes = pair.iter().map(bytes_of).sum();
                        let now = began.elapsed();
                        match batcher.add(pair, bytes, now) {
                            // The next pairs of a tuner wait for this one.
                            None if self.room.is_tight() => batcher.flush(now),
                            batch => batch,
                        }
                    }
                },
                () = sleep_until(due), if sending.len() < SENDING => batcher.due(began.elapsed()),
            };
            sending.extend(batch.map(|batch| self.send(batch)));
        }
        sending.extend(batcher.flush(began.elapsed()).map(|batch| self.send(batch)));
        while let Some(sent) = sending.next().await {
            sent?;
        }
        Ok(played)
    }

    async fn send(&self, pairs: Vec<Pair>) -> Result<(), Error> {
        let mut rest = pairs;
        while let Some(first) = rest.first() {
            let pair = first[0].record.pair;
            let Some(chunk) = lock(self.holding).chunk_of(pair) else {
                // The chunk was given back: another worker plays it.
                rest.remove(0);
                continue;
            };
            let of_chunk = |pair: &Pair| chunk.range().contains(&pair[0].record.pair);
            let (now, later) = rest.into_iter().partition::<Vec<Pair>, _>(of_chunk);
            rest = later;
            let numbers: Vec<u64> = now.iter().map(|pair| pair[0].record.pair).collect();
            let batch = PairsBatch {
                v: VERSION,
                run: self.ready.card.run,
                first: chunk.first,
                round: chunk.round,
                games: now.into_iter().flatten().collect(),
                worker: self.stamp(),
            };
            for packed in batch.pack()? {
                let subject = names::pairs_subject(self.ready.card.run, &self.worker.name);
                self.store(&subject, &packed.id, packed.bytes).await?;
            }
            for pair in numbers {
                let ended = lock(self.holding).stored(pair);
                for message in ended {
                    // Unacknowledged it would come again, and nothing of it would be missing.
                    let _ = message.ack().await;
                }
            }
        }
        Ok(())
    }

    /// Repeats until the broker has stored the message.
    async fn store(&self, subject: &str, id: &str, bytes: Vec<u8>) -> Result<(), Error> {
        loop {
            match self.worker.link.store(subject.to_owned(), Some(id), bytes.clone()).await {
                Ok(_) => {
                    self.said.store(false, Ordering::Relaxed);
                    return Ok(());
                }
                Err(told @ (Told::Refused(_) | Told::Defect(_))) => return Err(told.into()),
                Err(told) if self.worker.stops.now() => return Err(told.into()),
                Err(told) => {
                    // Several batches wait at once.
                    if !self.said.swap(true, Ordering::Relaxed) {
                        self.worker.log.say(&format!("results wait: {told}"));
                    }
                    self.worker.link.pause().await;
                }
            }
        }
    }

    fn wire_game(&self, mut game: Finished) -> WireGame {
        // The coordinator reads the others in the record.
        let troubles = game.unrecorded_troubles();
        let attempts = std::mem::take(&mut game.late_attempts);
        let spoilt = attempts.into_iter().map(|attempt| Spoilt {
            capsule: self.capsule(attempt.capsule),
            record: attempt.record,
        });
        let spoilt = spoilt.collect();
        let capsule = self.capsule(game.capsule);
        WireGame { record: game.record, troubles, capsule, spoilt }
    }

    /// A capsule as it is sent. The coordinator keeps no more than a hundred, and none of a tuner's.
    fn capsule(&self, capsule: Option<Box<Capsule>>) -> Option<Capsule> {
        let capsule = capsule.filter(|_| self.ready.card.varied.is_none())?;
        let before = self.capsules.fetch_add(1, Ordering::Relaxed);
        (before < KEPT_FAULTS).then(|| {
            let mut capsule = self.ready.places.marked(*capsule);
            shorten(&mut capsule, CAPSULE_BYTES);
            capsule
        })
    }

    fn stamp(&self) -> WorkerStamp {
        WorkerStamp {
            name: self.worker.name.clone(),
            verdict: machine::commit(),
            slots: super::slots_u32(self.worker.slots),
            nps: self.worker.speed.known().map_or(0, NonZeroU64::get),
            scale: self.ready.times.factor,
            seq: self.seq.fetch_add(1, Ordering::Relaxed),
        }
    }
}

/// About so many bytes of JSON.
fn bytes_of(game: &WireGame) -> usize {
    let spoilt = game.spoilt.iter().map(|it| (&it.record, it.capsule.as_ref()));
    let attempts = spoilt.chain([(&game.record, game.capsule.as_ref())]);
    let texts = |it: &Capsule| it.input.len() + it.transcript.len() + it.stderr.len();
    attempts.map(|(record, capsule)| record.moves.len() * 4 + capsule.map_or(0, texts)).sum()
}

pub(super) async fn sleep_until(due: Option<tokio::time::Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
