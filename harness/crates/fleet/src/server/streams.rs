//! Streams of the broker: chunks, results, cards of runs and workers, files.
//!
//! Created as plain streams, because the calls for buckets need replies that servers before 2.10 do
//! not send.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use process::Error;
use wire::names::{CHUNKS, KV_RUNS, KV_WORKERS, OBJ_FILES, PAIRS};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// A second message with the same id within this time is dropped.
const DUPLICATES: Duration = Duration::from_secs(120);

pub async fn create(broker: &Context) -> Result<(), Error> {
    for config in all() {
        let name = config.name.clone();
        broker
            .get_or_create_stream(config)
            .await
            .map_err(|error| Error::input_output(format!("the broker's stream {name}: {error}")))?;
    }
    Ok(())
}

/// Bytes of each stream, by its name.
pub async fn sizes(broker: &Context) -> Result<Vec<(String, u64)>, Error> {
    let sizes = all().map(async |Config { name, .. }| {
        let stream = broker.get_stream(&name).await.map_err(Error::input_output)?;
        Ok((name, stream.cached_info().state.bytes))
    });
    futures_util::future::try_join_all(sizes).await
}

fn all() -> [Config; 5] {
    let stream = |name: &str, subjects: &[&str]| Config {
        name: name.to_owned(),
        subjects: subjects.iter().map(|&subject| subject.into()).collect(),
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        num_replicas: 1,
        ..Config::default()
    };
    let queue = |name, subjects: &[&str], max_bytes| Config {
        retention: RetentionPolicy::WorkQueue,
        max_bytes,
        duplicate_window: DUPLICATES,
        ..stream(name, subjects)
    };
    // Keeps the last message of each subject.
    let cards = |name, subject, max_message_size| Config {
        max_messages_per_subject: 1,
        max_message_size,
        allow_direct: true,
        allow_rollup: true,
        deny_delete: true,
        ..stream(name, &[subject])
    };
    [
        // Coordinators read it to see which chunks are queued.
        Config { allow_direct: true, ..queue(CHUNKS, &["v1.chunk.*"], 256 << 20) },
        queue(PAIRS, &["v1.pair.*.*.*"], 2 << 30),
        // What is played longer than that is resumed, which makes its card anew.
        Config { max_age: 90 * DAY, ..cards(KV_RUNS, "$KV.runs.>", 256 << 10) },
        Config { max_age: DAY, ..cards(KV_WORKERS, "$KV.workers.>", 16 << 10) },
        Config {
            max_bytes: 8 << 30,
            allow_direct: true,
            allow_rollup: true,
            ..stream(OBJ_FILES, &["$O.files.C.>", "$O.files.M.>"])
        },
    ]
}
