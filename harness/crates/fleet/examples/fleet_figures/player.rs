//! A simulated worker of one slot: it does what `fleet::worker` does, but a pair is a pause.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use process::{Error, lock};
use tokio::sync::mpsc;
use wire::batch::Batcher;
use wire::chunk::Chunk;
use wire::message::{BEAT_EVERY, HeldChunk, WireGame};
use wire::names::RunId;

use super::member::{Member, Taken};
use super::recorded::Recorded;

// As in fleet::worker.
const CHUNK_WITHIN: Duration = Duration::from_secs(5);
const SENDING: usize = 8;
/// Pairs that wait for the slot.
const AHEAD: usize = 1;
/// The run is not ready yet.
const PAUSE: Duration = Duration::from_millis(50);

/// What to play, and how.
#[derive(Clone)]
pub(crate) struct Course {
    pub(crate) run: RunId,
    pub(crate) recorded: Arc<Recorded>,
    /// How long a pair takes.
    pub(crate) pair: Duration,
    /// Each pair in a message of its own; else as real workers do.
    pub(crate) alone: bool,
}

/// What one worker did, and when.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) taken: Vec<Instant>,
    /// Begin and end of each pair.
    pub(crate) played: Vec<(Instant, Instant)>,
    /// From the last result of a message until it was packed, and until it was acknowledged.
    pub(crate) sent: Vec<(Duration, Duration)>,
}

struct Player<'a> {
    member: &'a Member,
    course: &'a Course,
    log: Mutex<Log>,
    holding: Mutex<BTreeMap<u64, Held>>,
    beats: Mutex<u64>,
}

struct Held {
    chunk: Chunk,
    message: Message,
    left: BTreeSet<u64>,
}

struct PairOf {
    chunk: Chunk,
    pair: u64,
}

/// Plays until the run has ended; when that is known here.
pub(crate) async fn play(member: &Member, course: &Course) -> Result<(Instant, Log), Error> {
    let player = Player {
        member,
        course,
        log: Mutex::default(),
        holding: Mutex::default(),
        beats: Mutex::default(),
    };
    let (feed, fed) = mpsc::channel(AHEAD);
    let (finished, receiver) = mpsc::channel(256);
    let playing = async {
        let done = tokio::try_join!(
            player.feed(feed),
            player.slot(fed, finished),
            player.send_all(receiver),
            player.pulse(),
        );
        done.map(drop)
    };
    let ended = tokio::select! {
        ended = member.until_stopped(course.run) => ended?,
        done = playing => {
            done?;
            return Err(Error::fault("a simulated worker has ended before its run"));
        }
    };
    let log = std::mem::take(&mut *lock(&player.log));
    Ok((ended, log))
}

impl Player<'_> {
    async fn feed(&self, feed: mpsc::Sender<PairOf>) -> Result<(), Error> {
        let mut chunks = self.member.link.chunks(self.course.run);
        loop {
            let Ok(Some(message)) = chunks.next(CHUNK_WITHIN).await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let taken = self.member.read(self.course.run, message).await?;
            let Taken { chunk, message, missing, at } = taken;
            if missing.is_empty() {
                message.ack().await.map_err(Error::fault)?;
                continue;
            }
            lock(&self.log).taken.push(at);
            let held = Held { chunk, message, left: missing.iter().copied().collect() };
            lock(&self.holding).insert(chunk.first, held);
            self.beat().await?;
            for pair in missing {
                if feed.send(PairOf { chunk, pair }).await.is_err() {
                    return Ok(());
                }
            }
        }
    }

    async fn slot(
        &self,
        mut fed: mpsc::Receiver<PairOf>,
        finished: mpsc::Sender<(PairOf, Instant)>,
    ) -> Result<(), Error> {
        while let Some(pair) = fed.recv().await {
            let began = Instant::now();
            if !self.course.pair.is_zero() {
                tokio::time::sleep(self.course.pair).await;
            }
            let ended = Instant::now();
            lock(&self.log).played.push((began, ended));
            if finished.send((pair, ended)).await.is_err() {
                break;
            }
        }
        Ok(())
    }

    async fn send_all(&self, mut finished: mpsc::Receiver<(PairOf, Instant)>) -> Result<(), Error> {
        let mut batcher: Batcher<PairOf> = Batcher::default();
        let began = Instant::now();
        let mut last = began;
        let mut sending = FuturesUnordered::new();
        loop {
            let due = batcher.due_at().map(|due| (began + due).into());
            let batch = tokio::select! {
                Some(sent) = sending.next() => {
                    let () = sent?;
                    continue;
                }
                pair = finished.recv(), if sending.len() < SENDING => {
                    let Some((pair, ended)) = pair else { return Ok(()) };
                    last = ended;
                    let games = self.course.recorded.pair(pair.pair);
                    let bytes = games.iter().map(|it| it.record.moves.len() * 4).sum();
                    match self.course.alone {
                        true => Some(vec![pair]),
                        false => batcher.add(pair, bytes, began.elapsed()),
                    }
                }
                () = sleep_until(due), if sending.len() < SENDING => batcher.due(began.elapsed()),
            };
            sending.extend(batch.map(|batch| self.send(batch, last)));
        }
    }

    async fn send(&self, pairs: Vec<PairOf>, ended: Instant) -> Result<(), Error> {
        let mut by_chunk: BTreeMap<u64, (Chunk, Vec<u64>)> = BTreeMap::new();
        for PairOf { chunk, pair } in pairs {
            by_chunk.entry(chunk.first).or_insert((chunk, Vec::new())).1.push(pair);
        }
        for (chunk, pairs) in by_chunk.into_values() {
            let games = pairs.iter().flat_map(|pair| self.course.recorded.pair(*pair));
            let games: Vec<WireGame> = games.collect();
            let parts = self.member.pack(self.course.run, chunk, games)?;
            let packed = ended.elapsed();
            for part in parts {
                let stored = self.member.store(self.course.run, part).await?;
                lock(&self.log).sent.push((packed, stored - ended));
            }
            let ended = self.stored(chunk.first, &pairs);
            if let Some(message) = ended {
                message.ack().await.map_err(Error::fault)?;
            }
        }
        Ok(())
    }

    /// The message of the chunk, if nothing of it is left.
    fn stored(&self, first: u64, pairs: &[u64]) -> Option<Message> {
        let mut holding = lock(&self.holding);
        let held = holding.get_mut(&first)?;
        pairs.iter().for_each(|pair| _ = held.left.remove(pair));
        let is_over = held.left.is_empty();
        if is_over { holding.remove(&first).map(|held| held.message) } else { None }
    }

    async fn beat(&self) -> Result<(), Error> {
        let held = lock(&self.holding).values().map(Held::told).collect();
        let seq = {
            let mut beats = lock(&self.beats);
            *beats += 1;
            *beats
        };
        self.member.beat(self.course.run, held, seq).await
    }

    async fn pulse(&self) -> Result<(), Error> {
        let mut times = tokio::time::interval(BEAT_EVERY);
        loop {
            times.tick().await;
            let messages: Vec<Message> =
                lock(&self.holding).values().map(|held| held.message.clone()).collect();
            for message in messages {
                message.ack_with(AckKind::Progress).await.map_err(Error::fault)?;
            }
            self.beat().await?;
        }
    }
}

impl Held {
    fn told(&self) -> HeldChunk {
        let Chunk { first, pairs, round } = self.chunk;
        let left = u32::try_from(self.left.len()).unwrap_or(pairs);
        HeldChunk { first, pairs, round, done: pairs.saturating_sub(left) }
    }
}

async fn sleep_until(due: Option<tokio::time::Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
