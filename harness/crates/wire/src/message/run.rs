//! The card and the watermark of a run, in `KV_runs`.

use std::fmt;

use arena::record::{BookIdentity, BySide, Identity};
use arena::session::VariedOption;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::worker::TableSet;
use super::{Message, Refused, allow, is_amount, is_line, may_be_line};
use crate::chunk::MOST_ASKED;
use crate::names::{FileHash, RunId, WorkerName};

/// Most files of a run.
const FILES: usize = 256;
/// Barred workers that a card names at most. The results of others are refused all the same.
pub const BARRED: usize = 64;
/// Bytes of a file at most.
const FILE_BYTES: u64 = 512 << 20;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunCard {
    pub v: u64,
    pub run: RunId,
    /// Name of the run's folder.
    pub name: String,
    pub state: RunState,
    /// Why it is not played, in words.
    #[serde(default)]
    pub why: Option<String>,
    /// Runs with a larger weight are played first.
    pub weight: f64,
    pub coordinator: WorkerName,
    pub needs: Needs,
    /// The plan as JSON, with `sha256:…` in place of paths.
    pub plan: Value,
    pub files: Vec<FileCard>,
    pub identities: RunIdentities,
    /// `None` for a player that does not repeat itself.
    pub signatures: RunSignatures,
    /// Pairs of a chunk.
    pub chunk: u32,
    /// Most pairs of the run.
    pub pairs: u64,
    /// Most slots of all workers together; `None`: no limit.
    #[serde(default)]
    pub slots_max: Option<u32>,
    /// Share of the chunks that are played twice, 0 to 1.
    #[serde(default)]
    pub audit: f64,
    /// Whose invitations may not play it any more.
    #[serde(default)]
    pub barred: Vec<Barred>,
    /// Of a tuner: each of its chunks is a pair with values of its own, of a program those of these
    /// options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub varied: Option<Vec<VariedOption>>,
}

/// A worker that has sent games that it did not play. All workers of its invitation are barred.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Barred {
    pub worker: WorkerName,
    /// In words.
    pub why: String,
}

impl fmt::Display for Barred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Barred { worker, why } = self;
        write!(f, "invitation {} gets no more pairs, {worker} was convicted: {why}", worker.name)
    }
}

pub type RunSignatures = BySide<Option<Signature>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    Playing,
    /// No new chunks; games under way are finished.
    Draining,
    /// Games under way are abandoned.
    Stopped,
}

/// What a worker must have to play a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needs {
    /// Commit of verdict.
    pub verdict: String,
    pub protocol: u64,
    /// Target of the programs that are sent, such as `x86_64-linux`.
    pub target: String,
    /// Processor level that they need, such as `x86-64-v3`.
    pub cpu: String,
    /// The glibc version that they need; `None`: none.
    #[serde(default)]
    pub glibc: Option<String>,
    /// Memory of each slot.
    pub memory_mb: u64,
    /// Threads of each slot.
    pub threads: u32,
    /// Whether the games have a clock.
    pub clock: bool,
    /// The coordinator's, where times count and nobody scales them: others may not play it. `None`: times
    /// do not count, are scaled, or it is unknown; then no worker may play it.
    #[serde(default)]
    pub processor: Option<String>,
    #[serde(default)]
    pub tables: Vec<TableSet>,
    /// Whether it has programs that others built.
    #[serde(default)]
    pub sandbox: bool,
}

/// A file that the run needs. The object store has it by its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCard {
    pub sha256: FileHash,
    pub bytes: u64,
    /// Such as `book`, `test.program`, `test.option.EvalFile`, `base.sources`.
    pub role: String,
    /// File name, without folders.
    pub name: String,
    #[serde(default, skip_serializing_if = "arena::is_default")]
    pub executable: bool,
    /// How to build sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<FileRecipe>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecipe {
    pub command: String,
    /// Path of the built program inside the source tree.
    pub binary: String,
    pub commit: String,
}

/// The players and the book, as in `run.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunIdentities {
    pub base: Identity,
    pub test: Identity,
    #[serde(default)]
    pub book: Option<BookIdentity>,
}

/// Proof that a player plays the same on another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Signature {
    /// Node total of its `bench`.
    Bench { nodes: u64 },
    /// Hash of its nodes and moves in fixed positions.
    Positions { hash: String },
}

impl RunCard {
    /// Why a worker may not play it any more.
    pub fn bars(&self, worker: &WorkerName) -> Option<&Barred> {
        self.barred.iter().find(|barred| barred.worker.name == worker.name)
    }
}

impl Message for RunCard {
    const NAME: &'static str = "a run's card";
    const MOST: usize = 256 << 10;

    fn version(&self) -> u64 {
        self.v
    }

    fn check(&self) -> Result<(), Refused> {
        allow(!self.name.is_empty() && is_line(&self.name, 200), "name")?;
        allow(may_be_line(self.why.as_ref(), 2000), "why")?;
        allow(is_amount(self.weight), "weight")?;
        allow((0.0..=1.0).contains(&self.audit), "audit")?;
        allow((1..=MOST_ASKED).contains(&self.chunk), "chunk")?;
        allow(self.barred.len() <= BARRED, "barred")?;
        allow(self.barred.iter().all(|it| is_line(&it.why, 1000)), "barred")?;
        // Twice as many games.
        allow(self.pairs <= u64::MAX / 4, "pairs")?;
        self.needs.check()?;
        let mut varied = self.varied.iter().flatten();
        allow(varied.all(|option| is_line(&option.declared.name, 200)), "varied")?;
        allow(self.files.len() <= FILES, "files")?;
        self.files.iter().try_for_each(FileCard::check)?;
        let BySide { base, test } = &self.signatures;
        let short = |signature: &Option<Signature>| match signature {
            Some(Signature::Positions { hash }) => is_line(hash, 200),
            Some(Signature::Bench { .. }) | None => true,
        };
        allow(short(base) && short(test), "signatures")
    }
}

impl Needs {
    fn check(&self) -> Result<(), Refused> {
        let Needs { verdict, target, cpu, glibc, processor, tables, threads, .. } = self;
        let texts = [verdict, target, cpu].into_iter().chain(glibc).chain(processor);
        allow(texts.into_iter().all(|text| is_line(text, 200)), "needs")?;
        allow(*threads > 0 && tables.len() <= 16, "needs")
    }
}

impl FileCard {
    /// Rejects names with folders: a worker creates a file with this name.
    fn check(&self) -> Result<(), Refused> {
        let FileCard { name, role, bytes, recipe, .. } = self;
        let plain = !matches!(&**name, "" | "." | "..") && !name.contains(['/', '\\']);
        allow(plain && is_line(name, 255), "files.name")?;
        allow(is_line(role, 300), "files.role")?;
        allow(*bytes <= FILE_BYTES, "files.bytes")?;
        let Some(FileRecipe { command, binary, commit }) = recipe else { return Ok(()) };
        let inside =
            !binary.starts_with('/') && binary.split('/').all(|part| !matches!(part, "" | ".."));
        allow(inside && is_line(binary, 1000), "files.recipe.binary")?;
        allow(is_line(command, 4000), "files.recipe.command")?;
        allow(is_line(commit, 200), "files.recipe.commit")
    }
}

/// The watermark: how far the coordinator has recorded the run without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunMark {
    pub v: u64,
    /// In pairs.
    pub recorded: u64,
}

impl Message for RunMark {
    const NAME: &'static str = "a run's watermark";
    const MOST: usize = 1 << 10;

    fn version(&self) -> u64 {
        self.v
    }
}
