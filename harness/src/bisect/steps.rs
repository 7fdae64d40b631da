//! `steps.json`: what a bisection has done, in order.

use std::path::Path;

use serde::{Deserialize, Serialize};

use arena::record::output_files::STEPS_FILE;
use arena::record::{RecordError, read_json, write_json};

/// Versions are numbered as in `bisect.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "did")]
pub(super) enum Step {
    Built {
        version: usize,
        /// The node total of its bench, if it tells one.
        bench: Option<u64>,
    },
    PassedOver {
        version: usize,
        why: String,
    },
    /// The first pairs of a version were taken into account, so many in all.
    Looked {
        version: usize,
        pairs: u64,
    },
    /// A match of plain halving is decided.
    Judged {
        version: usize,
        lost: bool,
    },
}

#[derive(Serialize, Deserialize)]
struct StepsFile {
    steps: Vec<Step>,
}

/// None where nothing was done yet. Versions above `last` are an error.
pub(super) fn read(dir: &Path, last: usize) -> Result<Vec<Step>, RecordError> {
    let path = dir.join(STEPS_FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let file: StepsFile = read_json(&path, "the steps of a bisection")?;
    let is_known = |step: &Step| {
        let (Step::Built { version, .. }
        | Step::PassedOver { version, .. }
        | Step::Looked { version, .. }
        | Step::Judged { version, .. }) = step;
        *version <= last
    };
    match file.steps.iter().all(is_known) {
        true => Ok(file.steps),
        false => Err(RecordError::damaged(&path, 1, format!("expected versions up to {last}"))),
    }
}

pub(super) fn write(dir: &Path, steps: &[Step]) -> Result<(), RecordError> {
    write_json(&dir.join(STEPS_FILE), &StepsFile { steps: steps.to_vec() })
}
