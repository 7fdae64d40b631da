//! The connection of a simulated worker, and what it can say.

use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use fleet::link::{Access, Link};
use futures_util::StreamExt as _;
use process::Error;
use wire::chunk::Chunk;
use wire::message::{
    Beat, ChunkMessage, HeldChunk, Missing, Need, Packed, PairsBatch, RunCard, RunState, VERSION,
    WireGame, WorkerStamp, decode,
};
use wire::names::{self, RunId, WorkerName};
use wire::token::Token;

/// How long the coordinator may take to say what is missing.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);

pub(crate) struct Member {
    pub(crate) link: Link,
    pub(crate) name: WorkerName,
}

/// A chunk, and its message at the broker.
pub(crate) struct Taken {
    pub(crate) chunk: Chunk,
    pub(crate) message: Message,
    /// Pairs to play.
    pub(crate) missing: Vec<u64>,
    pub(crate) at: Instant,
}

impl Member {
    pub(crate) async fn join(token: &Token, instance: &str) -> Result<Member, Error> {
        let instance = instance.parse().map_err(Error::fault)?;
        let name = WorkerName { name: token.name.clone(), instance };
        let link = Link::connect(&Access::of(token, &name)).await?;
        Ok(Member { link, name })
    }

    /// Reads a chunk that was taken, and asks what of it is missing.
    pub(crate) async fn read(&self, run: RunId, message: Message) -> Result<Taken, Error> {
        let chunk = decode::<ChunkMessage>(&message.payload).map_err(Error::fault)?.chunk();
        let missing = self.missing(run, chunk).await;
        Ok(Taken { chunk, message, missing, at: Instant::now() })
    }

    async fn missing(&self, run: RunId, chunk: Chunk) -> Vec<u64> {
        let subject = names::need_subject(run, &self.name);
        match self.link.ask::<_, Missing>(subject, &Need::of(chunk), ANSWER_WITHIN).await {
            Ok(Some(missing)) => missing.pairs(chunk),
            _ => chunk.range().collect(),
        }
    }

    /// Packs games as a worker of one slot does.
    pub(crate) fn pack(
        &self,
        run: RunId,
        chunk: Chunk,
        games: Vec<WireGame>,
    ) -> Result<Vec<Packed>, Error> {
        let worker = WorkerStamp {
            name: self.name.clone(),
            verdict: "simulated".to_owned(),
            slots: 1,
            nps: 0,
            scale: 1.0,
            seq: 0,
        };
        let batch =
            PairsBatch { v: VERSION, run, first: chunk.first, round: chunk.round, games, worker };
        batch.pack()
    }

    /// Stores a message of results; when it is acknowledged.
    pub(crate) async fn store(&self, run: RunId, packed: Packed) -> Result<Instant, Error> {
        let subject = names::pairs_subject(run, &self.name);
        self.link.store(subject, Some(&packed.id), packed.bytes).await?;
        Ok(Instant::now())
    }

    /// `seq`: number of beats before.
    pub(crate) async fn beat(
        &self,
        run: RunId,
        chunks: Vec<HeldChunk>,
        seq: u64,
    ) -> Result<(), Error> {
        let beat = Beat { run: Some(run), chunks, seq, ..Beat::new(1) }.encode()?;
        self.link.say(names::beat_subject(&self.name), beat).await?;
        Ok(())
    }

    /// Waits until the run has ended; when that is known here.
    pub(crate) async fn until_stopped(&self, run: RunId) -> Result<Instant, Error> {
        let subject = names::run_subject(run);
        let mut cards = self.link.hear(subject.clone()).await?;
        // It may have ended before the subscription.
        let last = self.link.last(names::KV_RUNS, &subject).await?;
        if last.is_some_and(|(_, card)| is_stopped(&card)) {
            return Ok(Instant::now());
        }
        while let Some(card) = cards.next().await {
            if is_stopped(&card.payload) {
                return Ok(Instant::now());
            }
        }
        Err(Error::fault("the connection has ended"))
    }
}

fn is_stopped(card: &[u8]) -> bool {
    decode::<RunCard>(card).is_ok_and(|card| card.state == RunState::Stopped)
}
