//! Consumers: the workers of a run take its chunks, the coordinator takes the results.

use std::time::Duration;

use async_nats::jetstream::consumer::pull::{Config, Stream};
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::stream;
use wire::names::{self, RunId};

use super::{Link, Told};

/// An unacknowledged message is delivered again after this time, unless its holder reports
/// progress.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// Results that are refereed or on their way to the disk.
const RESULTS: i64 = 1024;
/// Messages that are fetched at once.
const FETCHED: usize = 64;

impl Link {
    /// Makes both consumers of a run. Existing ones are kept.
    pub async fn make_consumers(&self, run: RunId) -> Result<(), Told> {
        // However often a chunk was given back, it is to be played: no `max_deliver`.
        let chunks = Config {
            durable_name: Some(names::workers_consumer(run)),
            filter_subject: names::chunk_subject(run),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
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

    /// For a run that is taken up again: what the coordinator before had been given and did not
    /// acknowledge comes at once, not after `ACK_WAIT`.
    pub async fn renew_results(&self, run: RunId) -> Result<(), Told> {
        let stream = self.stream(names::PAIRS).await?;
        // One that is not there need not be removed.
        let _ = stream.delete_consumer(&names::collector_consumer(run)).await;
        self.make_consumers(run).await
    }

    /// Removes what is left of a run that has ended: nobody will ask for it.
    pub async fn forget(&self, run: RunId) -> Result<(), Told> {
        self.purge(names::CHUNKS, &names::chunk_subject(run)).await?;
        self.purge(names::PAIRS, &format!("v1.pair.{run}.*.*")).await?;
        for (stream, name) in [
            (names::CHUNKS, names::workers_consumer(run)),
            (names::PAIRS, names::collector_consumer(run)),
        ] {
            // It may not exist.
            let _ = self.stream(stream).await?.delete_consumer(&name).await;
        }
        Ok(())
    }

    async fn stream(&self, name: &str) -> Result<stream::Stream<()>, Told> {
        self.broker.get_stream_no_info(name).await.map_err(Told::away)
    }

    /// The stream of a run's results.
    pub async fn results(&self, run: RunId) -> Result<Stream, Told> {
        let consumer = self.consumer(names::PAIRS, &names::collector_consumer(run)).await?;
        let messages = consumer.stream().max_messages_per_batch(FETCHED).messages();
        messages.await.map_err(Told::away)
    }

    pub(super) async fn consumer(
        &self,
        stream: &str,
        name: &str,
    ) -> Result<Consumer<Config>, Told> {
        self.stream(stream)
            .await?
            .get_consumer(name)
            .await
            .map_err(|error| Told::Away(error.to_string()))
    }

    /// Waits before a retry.
    pub async fn pause(&self) {
        tokio::time::sleep(super::pause(3)).await;
    }
}
