//! The state of a run as its coordinator publishes it in `KV_runs`, compressed.

use process::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::packed::{MOST_UNPACKED, pack, unpack};
use super::{Barred, Message, Refused, allow, is_amount, is_line};
use crate::names::WorkerName;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    pub v: u64,
    /// Contents of `summary.json`.
    pub summary: Value,
    /// The state in one line.
    pub line: String,
    /// The report's charts as HTML.
    pub charts: String,
    /// Pairs of the gap-free prefix.
    pub prefix: u64,
    /// Finished pairs.
    pub finished: u64,
    /// In this session.
    #[serde(default)]
    pub games_per_s: f64,
    /// What the gap-free prefix waits for; `None`: nothing.
    #[serde(default)]
    pub waits: Option<WaitsFor>,
    /// Pairs that were lost at one worker and played by another.
    #[serde(default)]
    pub redrawn: u64,
    /// Messages that were refused.
    #[serde(default)]
    pub refused: u64,
    /// Games that came twice.
    #[serde(default)]
    pub duplicates: u64,
    #[serde(default)]
    pub residuals: Vec<ResidualRow>,
    /// Pairs that two machines have played.
    #[serde(default)]
    pub audited: u64,
    /// Games that were taken out of the journal.
    #[serde(default)]
    pub struck: u64,
    #[serde(default)]
    pub convicted: Vec<Barred>,
}

/// The chunk that the gap-free prefix waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitsFor {
    pub first: u64,
    /// The worker that holds it, or the coordinator; `None`: nobody yet.
    #[serde(default)]
    pub worker: Option<WorkerName>,
    /// Seconds since the prefix last grew.
    #[serde(default)]
    pub seconds: u64,
}

/// How much a worker's games differ from those of the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResidualRow {
    pub worker: WorkerName,
    /// χ² over three classes of pairs; `None`: too few pairs.
    pub chi2: Option<f64>,
    /// p-value, corrected for the number of workers.
    pub p: Option<f64>,
    /// Games lost on time.
    pub time_losses: u64,
    /// Mean plies of a game, with its opening.
    pub plies: Option<f64>,
    /// Nodes a second of thinking in its games.
    #[serde(default)]
    pub nps: Option<u64>,
}

impl RunView {
    pub fn pack(&self) -> Result<Vec<u8>, Error> {
        pack(self)
    }

    pub fn unpack(packed: &[u8]) -> Result<RunView, Refused> {
        unpack(packed)
    }
}

impl Message for RunView {
    const NAME: &'static str = "a run's view";
    const MOST: usize = MOST_UNPACKED;

    fn version(&self) -> u64 {
        self.v
    }

    fn check(&self) -> Result<(), Refused> {
        allow(is_amount(self.games_per_s), "games_per_s")?;
        allow(self.convicted.iter().all(|it| is_line(&it.why, 1000)), "convicted")?;
        allow(is_line(&self.line, 4000), "line")
    }
}
