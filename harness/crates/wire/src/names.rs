//! Names of workers and runs; subjects, message ids, streams and consumers of the broker.

use std::fmt;
use std::str::FromStr;

use arena::record::RunFile;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::chunk::Chunk;

/// Stream of chunks.
pub const CHUNKS: &str = "CHUNKS";
/// Stream of results.
pub const PAIRS: &str = "PAIRS";
pub const KV_RUNS: &str = "KV_runs";
/// Subjects of all cards of runs, in [`KV_RUNS`].
pub const RUN_CARDS: &str = "$KV.runs.*";
pub const KV_WORKERS: &str = "KV_workers";
pub const OBJ_FILES: &str = "OBJ_files";
/// Bucket in [`OBJ_FILES`].
pub const FILES_BUCKET: &str = "files";
/// Subject of requests to all workers.
pub const ASK_ALL: &str = "v1.ask.all";

/// Most characters of a [`Label`].
const LABEL: usize = 24;

/// A name has the wrong form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?}: expected {expected}")]
pub struct NameError {
    found: String,
    expected: &'static str,
}

impl NameError {
    fn new(found: &str, expected: &'static str) -> NameError {
        NameError { found: found.chars().take(80).collect(), expected }
    }
}

/// Part of a name: 1 to 24 of `a` to `z`, `0` to `9` and `-`. It is one token of a subject.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Label(String);

impl Label {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest label: other characters become `-`; `None` if nothing is left.
    pub fn like(text: &str) -> Option<Label> {
        let plain = text.chars().map(|c| match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9') => c,
            _ => '-',
        });
        let plain: String = plain.collect();
        let plain: String = plain.trim_matches('-').chars().take(LABEL).collect();
        plain.parse().ok()
    }
}

impl FromStr for Label {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Label, NameError> {
        let fits = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-');
        match (1..=LABEL).contains(&text.len()) && text.chars().all(fits) {
            true => Ok(Label(text.to_owned())),
            false => Err(NameError::new(text, "1 to 24 of a to z, 0 to 9 and -")),
        }
    }
}

/// A worker process: the name of its invitation, and the name of the process (INSTANCE).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkerName {
    pub name: Label,
    pub instance: Label,
}

impl FromStr for WorkerName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<WorkerName, NameError> {
        let parts = text.split_once('.').and_then(|(name, instance)| {
            Some(WorkerName { name: name.parse().ok()?, instance: instance.parse().ok()? })
        });
        parts
            .ok_or_else(|| NameError::new(text, "NAME.INSTANCE, each 1 to 24 of a to z, 0 to 9, -"))
    }
}

/// Identifies a run: 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId([u8; 8]);

impl RunId {
    /// Made from the run's start time and plan. A run that began without a fleet has one, too.
    pub fn of(run: &RunFile) -> RunId {
        let hash = Sha256::new()
            .chain_update(&run.created)
            .chain_update([0])
            .chain_update(run.plan.to_string())
            .finalize();
        let mut id = [0; 8];
        id.copy_from_slice(&hash[..8]);
        RunId(id)
    }
}

impl FromStr for RunId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<RunId, NameError> {
        let mut id = [0; 8];
        match is_hex(text) && hex::decode_to_slice(text, &mut id).is_ok() {
            true => Ok(RunId(id)),
            false => Err(NameError::new(text, "16 hexadecimal digits")),
        }
    }
}

/// SHA-256 of a file: 64 hexadecimal digits. It names the object at the broker and the file in a
/// cache, so other characters are refused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileHash(String);

impl FileHash {
    pub fn of(bytes: &[u8]) -> FileHash {
        FileHash(hex::encode(Sha256::digest(bytes)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FileHash {
    type Err = NameError;

    fn from_str(text: &str) -> Result<FileHash, NameError> {
        match text.len() == 64 && is_hex(text) {
            true => Ok(FileHash(text.to_owned())),
            false => Err(NameError::new(text, "64 hexadecimal digits")),
        }
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'))
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.name, self.instance)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Display for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! as_text {
    ($($type:ty),*) => { $(
        impl TryFrom<String> for $type {
            type Error = NameError;

            fn try_from(text: String) -> Result<$type, NameError> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(name: $type) -> String {
                name.to_string()
            }
        }
    )* };
}

as_text!(Label, WorkerName, RunId, FileHash);

pub fn chunk_subject(run: RunId) -> String {
    format!("v1.chunk.{run}")
}

pub fn pairs_subject(run: RunId, worker: &WorkerName) -> String {
    format!("v1.pair.{run}.{worker}")
}

/// Subject of a run's card, in [`KV_RUNS`].
pub fn run_subject(run: RunId) -> String {
    format!("$KV.runs.{run}")
}

/// Subject of a run's watermark, in [`KV_RUNS`].
pub fn mark_subject(run: RunId) -> String {
    format!("$KV.runs.{run}.mark")
}

/// Subject of a run's state, in [`KV_RUNS`].
pub fn run_view_subject(run: RunId) -> String {
    format!("$KV.runs.{run}.view")
}

/// Subject of a worker's card, in [`KV_WORKERS`].
pub fn worker_subject(worker: &WorkerName) -> String {
    format!("$KV.workers.{worker}")
}

pub fn beat_subject(worker: &WorkerName) -> String {
    format!("v1.beat.{worker}")
}

pub fn need_subject(run: RunId, worker: &WorkerName) -> String {
    format!("v1.need.{run}.{worker}")
}

pub fn hello_subject(worker: &WorkerName) -> String {
    format!("v1.hello.{worker}")
}

pub fn ask_subject(worker: &WorkerName) -> String {
    format!("v1.ask.{worker}")
}

pub fn log_subject(worker: &WorkerName) -> String {
    format!("v1.log.{worker}")
}

pub fn live_subject(run: RunId, worker: &WorkerName) -> String {
    format!("v1.live.{run}.{worker}")
}

pub fn view_subject(run: RunId) -> String {
    format!("v1.view.{run}")
}

pub fn query_subject(run: RunId) -> String {
    format!("v1.query.{run}")
}

/// Prefix of the subjects of its replies, without the last dot.
pub fn inbox(worker: &WorkerName) -> String {
    format!("_IN.{worker}")
}

/// Whether only this worker receives a reply on this subject.
pub fn is_own_reply(reply: &str, worker: &WorkerName) -> bool {
    let rest = reply.strip_prefix(&inbox(worker)).and_then(|rest| rest.strip_prefix('.'));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['*', '>', ' ']))
}

pub fn chunk_message_id(run: RunId, chunk: Chunk) -> String {
    format!("{run}.{}.{}", chunk.first, chunk.round)
}

/// The workers' consumer of [`CHUNKS`].
pub fn workers_consumer(run: RunId) -> String {
    format!("workers-{run}")
}

/// The coordinator's consumer of results in [`PAIRS`].
pub fn collector_consumer(run: RunId) -> String {
    format!("collector-{run}")
}

/// A parsed subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Chunk(RunId),
    Pairs(RunId, WorkerName),
    Run(RunId),
    Mark(RunId),
    Worker(WorkerName),
    Beat(WorkerName),
    Need(RunId, WorkerName),
    Hello(WorkerName),
    Ask(WorkerName),
    AskAll,
    Log(WorkerName),
    Live(RunId, WorkerName),
    View(RunId),
    Query(RunId),
}

impl Subject {
    /// `None` for other subjects, and for those of another version.
    pub fn parse(subject: &str) -> Option<Subject> {
        let parts: Vec<&str> = subject.split('.').collect();
        let worker = |name: &str, instance: &str| {
            Some(WorkerName { name: name.parse().ok()?, instance: instance.parse().ok()? })
        };
        Some(match *parts.as_slice() {
            ["v1", "chunk", run] => Subject::Chunk(run.parse().ok()?),
            ["v1", "view", run] => Subject::View(run.parse().ok()?),
            ["v1", "query", run] => Subject::Query(run.parse().ok()?),
            ["v1", "ask", "all"] => Subject::AskAll,
            ["$KV", "runs", run] => Subject::Run(run.parse().ok()?),
            ["$KV", "runs", run, "mark"] => Subject::Mark(run.parse().ok()?),
            ["$KV", "workers", name, instance] => Subject::Worker(worker(name, instance)?),
            ["v1", what, name, instance] => {
                let worker = worker(name, instance)?;
                match what {
                    "beat" => Subject::Beat(worker),
                    "hello" => Subject::Hello(worker),
                    "ask" => Subject::Ask(worker),
                    "log" => Subject::Log(worker),
                    _ => return None,
                }
            }
            ["v1", what, run, name, instance] => {
                let (run, worker) = (run.parse().ok()?, worker(name, instance)?);
                match what {
                    "pair" => Subject::Pairs(run, worker),
                    "need" => Subject::Need(run, worker),
                    "live" => Subject::Live(run, worker),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use arena::record::Identity;
    use serde_json::json;

    use super::*;

    fn run() -> RunId {
        "9f3c00000000000a".parse().unwrap()
    }

    #[test]
    fn labels_are_one_token_of_a_subject() {
        for good in ["a", "pc-1", "0123456789abcdefghijklmn"] {
            assert_eq!(good.parse::<Label>().unwrap().as_str(), good);
        }
        for bad in ["", "A", "a.b", "a b", "*", ">", "ä", "0123456789abcdefghijklmno"] {
            assert!(bad.parse::<Label>().is_err(), "{bad}");
            assert!(serde_json::from_value::<Label>(json!(bad)).is_err(), "{bad}");
        }
        let like = |text: &str| Label::like(text).map(String::from);
        assert_eq!(like("Home PC.local").as_deref(), Some("home-pc-local"));
        assert_eq!(like(&"x".repeat(99)).map(|label| label.len()), Some(24));
        assert_eq!(like("---"), None);
    }

    #[test]
    fn a_worker_is_a_name_and_an_instance() {
        let worker: WorkerName = "alice.pc1".parse().unwrap();
        assert_eq!((worker.name.as_str(), worker.instance.as_str()), ("alice", "pc1"));
        assert_eq!(serde_json::to_value(&worker).unwrap(), json!("alice.pc1"));
        for bad in ["alice", "alice.", ".pc1", "alice.pc1.x", "alice.*"] {
            assert!(bad.parse::<WorkerName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn hashes_are_lower_hexadecimal_digits_of_one_length() {
        assert_eq!(run().to_string(), "9f3c00000000000a");
        for bad in [
            "9F3C00000000000A",
            "9f3c",
            "9f3c00000000000a0a",
            "9f3c00000000000g",
            "+f3c00000000000a",
        ] {
            assert!(bad.parse::<RunId>().is_err(), "{bad}");
        }
        let hash = FileHash::of(b"");
        assert_eq!(hash.as_str().parse(), Ok(hash.clone()));
        assert!("../../../../etc/passwd".parse::<FileHash>().is_err());
        assert!(hash.as_str().to_uppercase().parse::<FileHash>().is_err());
    }

    #[test]
    fn a_run_is_known_by_its_start_and_its_plan() {
        let file = |created: &str, plan| RunFile {
            created: created.to_owned(),
            ..RunFile::new(plan, 1, Identity::default(), Identity::default(), None)
        };
        let first = RunId::of(&file("2026-12-01T00:00:00Z", json!({"seed": 1})));
        assert_eq!(first, RunId::of(&file("2026-12-01T00:00:00Z", json!({"seed": 1}))));
        assert_ne!(first, RunId::of(&file("2026-12-01T00:00:01Z", json!({"seed": 1}))));
        assert_ne!(first, RunId::of(&file("2026-12-01T00:00:00Z", json!({"seed": 2}))));
    }

    #[test]
    fn every_subject_is_read_as_it_is_written() {
        let (run, worker) = (run(), "alice.pc1".parse::<WorkerName>().unwrap());
        let all = [
            (chunk_subject(run), Subject::Chunk(run)),
            (pairs_subject(run, &worker), Subject::Pairs(run, worker.clone())),
            (run_subject(run), Subject::Run(run)),
            (mark_subject(run), Subject::Mark(run)),
            (worker_subject(&worker), Subject::Worker(worker.clone())),
            (beat_subject(&worker), Subject::Beat(worker.clone())),
            (need_subject(run, &worker), Subject::Need(run, worker.clone())),
            (hello_subject(&worker), Subject::Hello(worker.clone())),
            (ask_subject(&worker), Subject::Ask(worker.clone())),
            (ASK_ALL.to_owned(), Subject::AskAll),
            (log_subject(&worker), Subject::Log(worker.clone())),
            (live_subject(run, &worker), Subject::Live(run, worker.clone())),
            (view_subject(run), Subject::View(run)),
            (query_subject(run), Subject::Query(run)),
        ];
        for (text, subject) in all {
            assert_eq!(Subject::parse(&text), Some(subject), "{text}");
            assert_eq!(Subject::parse(&format!("{text}.X")), None);
            assert_eq!(
                Subject::parse(&text.replacen("v1", "v2", 1).replacen("$KV", "KV", 1)),
                None
            );
        }
        assert_eq!(pairs_subject(run, &worker), "v1.pair.9f3c00000000000a.alice.pc1");
    }

    #[test]
    fn replies_go_to_the_one_who_asked() {
        let worker: WorkerName = "alice.pc1".parse().unwrap();
        assert!(is_own_reply("_IN.alice.pc1.x7.1", &worker));
        for foreign in [
            "_IN.alice.pc1",
            "_IN.alice.pc1.",
            "_IN.alice.pc12.x",
            "_IN.alice.pc1.>",
            "v1.pair.a.b.c",
            "",
        ] {
            assert!(!is_own_reply(foreign, &worker), "{foreign}");
        }
    }
}
