//! Chunks at the broker: the coordinator of a run publishes them, its workers take them.

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::jetstream::consumer::Consumer;
use async_nats::jetstream::consumer::pull::Config;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use wire::chunk::Chunk;
use wire::message::{ChunkMessage, decode, encode};
use wire::names::{self, RunId};

use super::{Link, Stored, Told};

/// Takes the chunks of a run.
pub struct Chunks<'a> {
    link: &'a Link,
    run: RunId,
    /// Looked up once, and again after an error: that is a round trip to the broker.
    consumer: Option<Consumer<Config>>,
}

impl Chunks<'_> {
    /// The next chunk; `None` if none comes within this time.
    pub async fn next(&mut self, within: Duration) -> Result<Option<Message>, Told> {
        let consumer = match self.consumer.take() {
            Some(consumer) => consumer,
            None => {
                let name = names::workers_consumer(self.run);
                self.link.consumer(names::CHUNKS, &name).await?
            }
        };
        let fetched = consumer.fetch().max_messages(1).expires(within).messages().await;
        let fetched = fetched.map_err(Told::away)?.next().await;
        let message = fetched.transpose().map_err(|error| Told::Away(error.to_string()))?;
        self.consumer = Some(consumer);
        Ok(message)
    }
}

impl Link {
    /// The chunks of a run.
    pub fn chunks(&self, run: RunId) -> Chunks<'_> {
        Chunks { link: self, run, consumer: None }
    }

    /// Others may have a chunk at once. One that cannot be given back comes back by itself, later.
    pub async fn give_back(&self, chunk: &Message) {
        let _ = chunk.ack_with(AckKind::Nak(None)).await;
    }

    /// Publishes a chunk. The broker drops a message that it has seen before, from an earlier coordinator:
    /// then `next_round` is published, unless it is `None`.
    pub async fn publish_chunk(
        &self,
        mut message: ChunkMessage,
        next_round: impl Fn() -> Option<Chunk>,
    ) -> Result<(), Told> {
        loop {
            let (run, chunk) = (message.run, message.chunk());
            let body = encode(&message).map_err(|error| Told::Defect(error.to_string()))?;
            let id = names::chunk_message_id(run, chunk);
            match self.store(names::chunk_subject(run), Some(&id), body).await? {
                Stored::New { .. } => return Ok(()),
                Stored::Copy => match next_round() {
                    Some(Chunk { round, .. }) => message.round = round,
                    None => return Ok(()),
                },
            }
        }
    }

    /// First pairs of the chunks of a run that are at the broker.
    pub async fn queued_chunks(&self, run: RunId) -> Result<BTreeSet<u64>, Told> {
        let messages = self.all(names::CHUNKS, &names::chunk_subject(run)).await?;
        let chunks = messages.iter().filter_map(|body| decode::<ChunkMessage>(body).ok());
        Ok(chunks.map(|chunk| chunk.first).collect())
    }
}
