//! A worker's card in `KV_workers`, and its beat, sent every 10 s.

use std::collections::BTreeMap;
use std::time::Duration;

use arena::record::{BySide, Side};
use process::Error;
use serde::{Deserialize, Serialize};

use super::{Message, Refused, VERSION, allow, encode, is_amount, is_line, may_be_line};
use crate::names::{FileHash, Label, RunId, WorkerName};

/// Time between two beats of a worker that has nothing else to say.
pub const BEAT_EVERY: Duration = Duration::from_secs(10);
/// Most entries of a list.
const LIST: usize = 64;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerCard {
    pub v: u64,
    pub name: WorkerName,
    pub host: String,
    pub cpu: String,
    /// Physical cores.
    pub cores: u32,
    pub slots: u32,
    pub memory_mb: u64,
    /// Target of programs that run there, such as `x86_64-linux`.
    pub target: String,
    /// Level of its processor, such as `x86-64-v3`.
    pub level: String,
    #[serde(default)]
    pub glibc: Option<String>,
    /// Commit of its verdict.
    pub verdict: String,
    /// Sandbox for programs of others: `bwrap` or `systemd`; `off` or `none`: no sandbox.
    pub sandbox: String,
    #[serde(default)]
    pub tables: Vec<TableSet>,
    /// Programs that are installed there (`--have`).
    #[serde(default)]
    pub have: Vec<Have>,
    /// Benches of the players, by run.
    #[serde(default)]
    pub bench: BTreeMap<RunId, BenchNodes>,
    pub state: WorkerState,
    #[serde(default)]
    pub run: Option<RunId>,
    /// Runs that it declines.
    #[serde(default)]
    pub declined: Vec<Declined>,
    /// When it will leave (RFC 3339).
    #[serde(default)]
    pub until: Option<String>,
    /// By its own clock, RFC 3339, UTC; only shown.
    pub joined_at: String,
    /// Why its invitation is no longer valid, in words; the broker's owner says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<String>,
}

pub type BenchNodes = BySide<Option<u64>>;

/// A folder of endgame tablebases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSet {
    pub men: u32,
    /// Hash of the folder's list of files.
    pub sha256: FileHash,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Have {
    /// The NAME of `uci:NAME`.
    pub name: Label,
    pub sha256: FileHash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerState {
    Idle,
    /// Fetching or building a run's files, or checking its players.
    Preparing,
    Playing,
    Leaving,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declined {
    pub run: RunId,
    /// The reason in words.
    pub why: String,
}

impl Message for WorkerCard {
    const NAME: &'static str = "a worker's card";
    const MOST: usize = 16 << 10;

    fn version(&self) -> u64 {
        self.v
    }

    fn check(&self) -> Result<(), Refused> {
        let WorkerCard { host, cpu, target, level, verdict, sandbox, joined_at, .. } = self;
        for (text, field) in [
            (host, "host"),
            (cpu, "cpu"),
            (target, "target"),
            (level, "level"),
            (verdict, "verdict"),
            (sandbox, "sandbox"),
            (joined_at, "joined_at"),
        ] {
            allow(is_line(text, 200), field)?;
        }
        allow(may_be_line(self.glibc.as_ref(), 200), "glibc")?;
        allow(may_be_line(self.until.as_ref(), 200), "until")?;
        allow(may_be_line(self.removed.as_ref(), 200), "removed")?;
        allow(self.slots > 0, "slots")?;
        allow(self.tables.len() <= LIST, "tables")?;
        allow(self.have.len() <= LIST, "have")?;
        allow(self.bench.len() <= LIST, "bench")?;
        allow(self.declined.len() <= LIST, "declined")?;
        allow(self.declined.iter().all(|it| is_line(&it.why, 1000)), "declined")
    }
}

/// What a worker is doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    pub v: u64,
    /// `None`: no run.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Number of beats before this one.
    pub seq: u64,
    /// Chunks that it holds.
    #[serde(default)]
    pub chunks: Vec<HeldChunk>,
    /// Games under way.
    #[serde(default)]
    pub playing: Vec<Playing>,
    #[serde(default)]
    pub games_per_s: f64,
    /// Load average of the machine, as in `uptime`.
    #[serde(default)]
    pub load: f64,
    pub slots: u32,
    /// Games that were spoilt because verdict woke too late.
    #[serde(default)]
    pub late: u64,
    /// Games since it joined.
    #[serde(default)]
    pub games: u64,
    /// Faults since it joined.
    #[serde(default)]
    pub faults: u64,
    /// Batches that are not at the broker yet.
    #[serde(default)]
    pub spooled: u64,
    /// Nodes/s of one slot while all slots are busy.
    #[serde(default)]
    pub nps: Option<u64>,
    /// Why it plays nothing, in words, if others cannot see that from the runs and its card.
    #[serde(default)]
    pub idle_why: Option<String>,
    /// The last beat before it leaves in good order.
    #[serde(default)]
    pub leaving: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldChunk {
    pub first: u64,
    pub pairs: u32,
    pub round: u32,
    /// Finished pairs.
    pub done: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playing {
    pub game: u64,
    pub plies: u32,
    /// The side to think.
    pub to_move: Side,
}

impl Beat {
    /// The first beat of a worker.
    pub fn new(slots: u32) -> Beat {
        Beat {
            v: VERSION,
            run: None,
            seq: 0,
            chunks: Vec::new(),
            playing: Vec::new(),
            games_per_s: 0.0,
            load: 0.0,
            slots,
            late: 0,
            games: 0,
            faults: 0,
            spooled: 0,
            nps: None,
            idle_why: None,
            leaving: false,
        }
    }

    /// Encodes the beat. Games under way are left out if it would be too large.
    pub fn encode(mut self) -> Result<Vec<u8>, Error> {
        loop {
            match encode(&self) {
                Err(_) if !self.playing.is_empty() => {
                    let half = self.playing.len() / 2;
                    self.playing.truncate(half);
                }
                done => return done,
            }
        }
    }
}

impl Message for Beat {
    const NAME: &'static str = "a worker's beat";
    const MOST: usize = 8 << 10;

    fn version(&self) -> u64 {
        self.v
    }

    fn check(&self) -> Result<(), Refused> {
        allow(self.chunks.iter().all(|it| it.done <= it.pairs), "chunks")?;
        allow(is_amount(self.games_per_s), "games_per_s")?;
        allow(is_amount(self.load), "load")?;
        allow(may_be_line(self.idle_why.as_ref(), 1000), "idle_why")
    }
}
