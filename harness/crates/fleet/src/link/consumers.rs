//! Who takes stored messages: the workers of a run its chunks, the coordinator the results.

use std::time::Duration;

use async_nats::jetstream::consumer::pull::{Config, Stream};
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::{Message, stream};
use futures_util::StreamExt as _;
use wire::names::{self, RunId};

use super::{Link, Told};

/// What is not acknowledged comes again after this time. Who needs longer says so before.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// A chunk that comes so often without an end kills who plays it.
const DELIVERIES: i64 = 4;
/// Results that are refereed or on their way to the disk.
const RESULTS: i64 = 1024;
/// Messages that are fetched at once.
const FETCHED: usize = 64;

impl Link {
    /// Both of a run. Those that are there stay as they are.
    pub async fn make_consumers(&self, run: RunId) -> Result<(), Told> {
        let chunks = Config {
            durable_name: Some(names::workers_consumer(run)),
            filter_subject: names::chunk_subject(run),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_deliver: DELIVERIES,
            max_ack_pending: 4096,
            ..Config::default()
        };
        let results = Config {
            durable_name: Some(names::collector_consumer(run)),
            filter_subject: format!("v1.pair.{run}.*.*"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_ack_pending: RESULTS,
            ..Config::default()
        };
        for (name, config) in [(names::CHUNKS, chunks), (names::PAIRS, results)] {
            let durable = config.durable_name.clone().unwrap_or_default();
            let stream = self.stream(name).await?;
            stream.get_or_create_consumer(&durable, config).await.map_err(Told::away)?;
        }
        Ok(())
    }

    /// Removes what is left of a run that has ended: nobody will ask for it.
    pub async fn forget(&self, run: RunId) -> Result<(), Told> {
        self.purge(names::CHUNKS, &names::chunk_subject(run)).await?;
        self.purge(names::PAIRS, &format!("v1.pair.{run}.*.*")).await?;
        for (stream, name) in [
            (names::CHUNKS, names::workers_consumer(run)),
            (names::PAIRS, names::collector_consumer(run)),
        ] {
            // One that is not there need not be removed.
            let _ = self.stream(stream).await?.delete_consumer(&name).await;
        }
        Ok(())
    }

    async fn stream(&self, name: &str) -> Result<stream::Stream<()>, Told> {
        self.broker.get_stream_no_info(name).await.map_err(Told::away)
    }

    /// The results of a run, as they come.
    pub async fn results(&self, run: RunId) -> Result<Stream, Told> {
        let consumer = self.consumer(names::PAIRS, &names::collector_consumer(run)).await?;
        let messages = consumer.stream().max_messages_per_batch(FETCHED).messages();
        messages.await.map_err(Told::away)
    }

    /// The next chunk of a run; `None` if there is none within this time.
    pub async fn chunk(&self, run: RunId, within: Duration) -> Result<Option<Message>, Told> {
        let consumer = self.consumer(names::CHUNKS, &names::workers_consumer(run)).await?;
        let fetched = consumer.fetch().max_messages(1).expires(within).messages().await;
        let mut fetched = fetched.map_err(Told::away)?;
        match fetched.next().await {
            Some(Ok(message)) => Ok(Some(message)),
            Some(Err(error)) => Err(Told::Away(error.to_string())),
            None => Ok(None),
        }
    }

    async fn consumer(&self, stream: &str, name: &str) -> Result<Consumer<Config>, Told> {
        self.stream(stream)
            .await?
            .get_consumer(name)
            .await
            .map_err(|error| Told::Away(error.to_string()))
    }

    /// Waits before something is tried again.
    pub async fn pause(&self) {
        tokio::time::sleep(super::pause(3)).await;
    }
}
