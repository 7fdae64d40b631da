//! The state of a run, as the page shows it.

use std::sync::Arc;

use arena::record::{FinalVerdict, Summary};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::fleet::FleetState;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Playing,
    /// Not being played, and without a verdict; it can be resumed.
    Stopped,
    /// With a verdict.
    Finished,
}

impl Phase {
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Playing => "playing",
            Phase::Stopped => "stopped",
            Phase::Finished => "finished",
        }
    }
}

/// A run at one moment. Elo is test minus base.
#[derive(Debug, Clone)]
pub struct RunState {
    /// For addresses: letters, digits and hyphens.
    pub id: String,
    pub name: String,
    pub phase: Phase,
    /// Score, Elo, LOS, LLR and forecast in one line.
    pub line: String,
    pub summary: Arc<Summary>,
    /// Finished games, with those that do not count.
    pub finished: u64,
    /// Games of the whole match.
    pub total_games: u64,
    /// Pairs of the gap-free prefix.
    pub prefix: u64,
    /// In this session; `None`: not known.
    pub games_per_s: Option<f64>,
    /// Grows whenever the charts change.
    pub charts_version: u64,
    /// Recent problems that did not stop the run.
    pub warnings: Vec<String>,
    /// `None`: played on one machine.
    pub fleet: Option<FleetState>,
}

impl RunState {
    /// Pairs of the whole match.
    pub fn total_pairs(&self) -> u64 {
        self.total_games / 2
    }

    pub fn verdict(&self) -> Option<FinalVerdict> {
        self.summary.judged.verdict
    }

    /// A row in the list of runs.
    pub(crate) fn row(&self, kind: &str) -> Value {
        json!({
            "id": self.id,
            "name": self.name,
            "kind": kind,
            "state": self.phase,
            "line": self.line,
            "pairs": self.summary.pairs,
            "of": self.total_pairs(),
            "prefix": self.prefix,
            "finished": self.finished,
            "games_per_s": self.games_per_s.map(|rate| (100.0 * rate).round() / 100.0),
            "verdict": self.verdict(),
        })
    }

    /// Details for the run's page.
    pub(crate) fn details(&self) -> Value {
        let mut value = self.row("live");
        if let Value::Object(map) = &mut value {
            map.insert("charts_version".to_owned(), self.charts_version.into());
            map.insert("warnings".to_owned(), json!(self.warnings));
            if let Some(fleet) = &self.fleet {
                map.insert("fleet".to_owned(), json!(fleet));
                map.insert("waits_for".to_owned(), fleet.waits_for().into());
            }
        }
        value
    }
}
