//! What a coordinator tells of its run, in `KV_runs`: packed.

use process::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::packed::{MOST_UNPACKED, pack, unpack};
use super::{Message, Refused, allow, is_amount, is_line};
use crate::names::WorkerName;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    pub v: u64,
    /// As in `summary.json`.
    pub summary: Value,
    /// The state in one line.
    pub line: String,
    /// HTML of the report's charts.
    pub charts: String,
    /// Pairs without a gap.
    pub prefix: u64,
    /// Pairs.
    pub finished: u64,
    /// In this session.
    #[serde(default)]
    pub games_per_s: f64,
    /// `None`: for nothing.
    #[serde(default)]
    pub waits: Option<WaitsFor>,
    /// Pairs.
    #[serde(default)]
    pub redrawn: u64,
    /// Messages.
    #[serde(default)]
    pub refused: u64,
    /// Games.
    #[serde(default)]
    pub duplicates: u64,
    #[serde(default)]
    pub residuals: Vec<ResidualRow>,
}

/// The chunk that the gap-free prefix waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitsFor {
    pub first: u64,
    /// Who has it; `None`: nobody yet.
    #[serde(default)]
    pub worker: Option<WorkerName>,
    /// Since when the prefix has not grown.
    #[serde(default)]
    pub seconds: u64,
}

/// How a worker's games differ from those of the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResidualRow {
    pub worker: WorkerName,
    /// Of three classes of pairs; `None`: too few pairs.
    pub chi2: Option<f64>,
    /// Corrected for the number of workers.
    pub p: Option<f64>,
    /// Games.
    pub time_losses: u64,
    /// Of a game, book included.
    pub plies: Option<f64>,
    /// Nodes a second of its games over those of its bench.
    pub nps_share: Option<f64>,
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
        allow(is_line(&self.line, 4000), "line")
    }
}
