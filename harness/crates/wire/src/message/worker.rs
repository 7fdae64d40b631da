//! What is known of a worker: its card in `KV_workers`, and its beat each 10 s.

use std::collections::BTreeMap;

use arena::record::{BySide, Side};
use process::Error;
use serde::{Deserialize, Serialize};

use super::{Message, Refused, VERSION, allow, encode, is_amount, is_line, may_be_line};
use crate::names::{FileHash, Label, RunId, WorkerName};

/// Entries of a list at most.
const LIST: usize = 64;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerCard {
    pub v: u64,
    pub name: WorkerName,
    pub host: String,
    pub cpu: String,
    /// Physical ones.
    pub cores: u32,
    pub slots: u32,
    pub memory_mb: u64,
    /// The target triple.
    pub target: String,
    /// Of its processor: `x86-64-v3`.
    pub level: String,
    #[serde(default)]
    pub glibc: Option<String>,
    /// Commit of its verdict.
    pub verdict: String,
    /// In what it runs others' programs: `bwrap`, `systemd`; `off`: in nothing.
    pub sandbox: String,
    #[serde(default)]
    pub tables: Vec<TableSet>,
    /// Programs that are installed there.
    #[serde(default)]
    pub have: Vec<Have>,
    #[serde(default)]
    pub nps: Option<Speed>,
    /// By run: what its players' benches are there.
    #[serde(default)]
    pub bench: BTreeMap<RunId, BenchNodes>,
    pub state: WorkerState,
    #[serde(default)]
    pub run: Option<RunId>,
    /// Runs that it does not play.
    #[serde(default)]
    pub declined: Vec<Declined>,
    /// When it leaves, RFC 3339.
    #[serde(default)]
    pub until: Option<String>,
    /// RFC 3339, UTC, by its own clock: for people.
    pub joined_at: String,
}

pub type BenchNodes = BySide<Option<u64>>;

/// Endgame tablebases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSet {
    pub men: u32,
    /// Of the folder's list.
    pub sha256: FileHash,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Have {
    /// As `uci:NAME` has it.
    pub name: Label,
    pub sha256: FileHash,
}

/// Nodes a second of the embedded engine's bench on one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speed {
    /// The other slots at rest.
    pub idle: u64,
    /// All slots at work.
    pub loaded: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerState {
    Idle,
    /// It fetches or builds a run's files, or checks its players.
    Preparing,
    Playing,
    Leaving,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declined {
    pub run: RunId,
    /// In words.
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
        allow(self.slots > 0, "slots")?;
        allow(self.tables.len() <= LIST, "tables")?;
        allow(self.have.len() <= LIST, "have")?;
        allow(self.bench.len() <= LIST, "bench")?;
        allow(self.declined.len() <= LIST, "declined")?;
        allow(self.declined.iter().all(|it| is_line(&it.why, 1000)), "declined")
    }
}

/// What a worker does at the moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    pub v: u64,
    /// `None`: it plays none.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Beats before this one.
    pub seq: u64,
    /// The chunks that it has and has not yet ended.
    #[serde(default)]
    pub chunks: Vec<HeldChunk>,
    /// The games under way.
    #[serde(default)]
    pub playing: Vec<Playing>,
    #[serde(default)]
    pub games_per_s: f64,
    /// Of the machine, as `uptime` says it.
    #[serde(default)]
    pub load: f64,
    pub slots: u32,
    /// Games that its harness woke too late for.
    #[serde(default)]
    pub late: u64,
    /// Since it joined.
    #[serde(default)]
    pub games: u64,
    /// Since it joined.
    #[serde(default)]
    pub faults: u64,
    /// Batches that are not yet at the broker.
    #[serde(default)]
    pub spooled: u64,
    /// Nodes a second of one slot, all slots at work.
    #[serde(default)]
    pub nps: Option<u64>,
    /// In words.
    #[serde(default)]
    pub idle_why: Option<String>,
    /// The last beat of an orderly leaver.
    #[serde(default)]
    pub leaving: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldChunk {
    pub first: u64,
    pub pairs: u32,
    pub round: u32,
    /// Pairs that are finished.
    pub done: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playing {
    pub game: u64,
    pub plies: u32,
    /// Who thinks.
    pub to_move: Side,
}

impl Beat {
    /// The beat of a worker that has nothing to tell yet.
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

    /// Its JSON. Games under way are left out where many slots make it larger than it may be.
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
