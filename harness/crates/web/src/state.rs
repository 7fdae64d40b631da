//! What is known of a run, as the page shows it.

use std::sync::Arc;

use arena::record::{FinalVerdict, Summary};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::fleet::FleetState;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Playing,
    /// No game is under way, and it can be resumed.
    Stopped,
    /// It has a verdict.
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
    /// As in addresses: letters, digits and hyphens.
    pub id: String,
    pub name: String,
    pub phase: Phase,
    /// Score, Elo, LOS, LLR and what is to be expected, in one line.
    pub line: String,
    pub summary: Arc<Summary>,
    /// Games that finished, those that do not count included.
    pub finished: u64,
    /// Games of the whole match.
    pub total_games: u64,
    /// Pairs without a gap.
    pub prefix: u64,
    /// In this session; `None`: not known.
    pub games_per_s: Option<f64>,
    /// Grows with what the charts show.
    pub charts_version: u64,
    /// What went wrong lately without stopping the run.
    pub warnings: Vec<String>,
    /// `None`: it is played on one machine.
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

    /// For the list of runs.
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

    /// For the page of the run.
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
