//! `spsa.json`: what is tuned, and how.

use std::{
    fs,
    path::{Path, PathBuf},
};

use engine::Params;
use serde::{Deserialize, Serialize};

use super::{Gains, Line, LineError, Spsa, line::LineText};
use crate::{
    plan::Plan,
    record::{RecordError, atomic},
    stats::Rule,
    sweep::{Confirm, SweepError, params_of},
};

/// The file's name.
const FILE: &str = "spsa.json";
/// The version of the file.
const FORMAT: u32 = 1;

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// The base has no parameters.
    #[error(transparent)]
    Base(SweepError),
    /// A parameter.
    #[error("{place}: {error}")]
    Line {
        /// The file and line, or the flag.
        place: String,
        /// What is wrong.
        error: LineError,
    },
    /// Parameters that change nothing.
    #[error(
        "no-op: {0}: moved to either side, no search of the fixed positions changed; their mechanism \
         may be off. Leave them out, or play without them by --skip-no-ops"
    )]
    NoOps(String),
    /// All parameters change nothing.
    #[error("nothing is left to tune")]
    Nothing,
    /// A rule in the tuner's place.
    #[error("--rule {0}: games steer the tuner; the rule of the match at the end is --confirm")]
    Rule(Rule),
    /// A folder that holds one already.
    #[error("{0}: there is a run already; continue it with: verdict resume {0}")]
    Exists(String),
    /// The file cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The file is none.
    #[error("{path}:{line}: expected a run of SPSA: {reason}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
}

impl SpsaError {
    /// Whether the command line is what is wrong.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        !matches!(self, SpsaError::Record(_) | SpsaError::Damaged { .. })
    }
}

/// The content of `spsa.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SpsaFile {
    /// The version of the file.
    pub format: u32,
    /// What is tuned.
    pub lines: Vec<LineText>,
    /// Pairs of an iteration.
    pub batch: u64,
    /// How steps and perturbations shrink.
    pub gains: Gains,
    /// The Elo below which a move is worth nothing, if the run is to end then.
    pub flat: Option<f64>,
    /// The match at the end.
    pub confirm: Option<Confirm>,
    /// The match of the base against itself over all pairs of the run.
    pub plan: Plan,
}

impl SpsaFile {
    /// A run over these lines.
    ///
    /// # Errors
    /// When the plan has a rule that ends it.
    pub fn new(
        lines: &[Line],
        batch: u64,
        gains: Gains,
        flat: Option<f64>,
        confirm: Option<Confirm>,
        plan: Plan,
    ) -> Result<SpsaFile, SpsaError> {
        if plan.rule.is_sequential() {
            return Err(SpsaError::Rule(plan.rule));
        }
        let lines = lines.iter().map(Line::text).collect();
        Ok(SpsaFile { format: FORMAT, lines, batch, gains, flat, confirm, plan })
    }

    /// The base's parameters.
    ///
    /// # Errors
    /// When the base has none.
    pub fn base(&self) -> Result<Params, SpsaError> {
        params_of(&self.plan.base).map_err(SpsaError::Base)
    }

    /// The run before its first game.
    ///
    /// # Errors
    /// When the engine no longer has a parameter.
    pub fn begin(&self) -> Result<Spsa, SpsaError> {
        let read = |text: &LineText| {
            let place = FILE.to_owned();
            Line::read(&text.0).map_err(|error| SpsaError::Line { place, error })
        };
        let lines = self.lines.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Spsa::new(lines, self.gains, self.plan.pairs, self.batch, self.plan.seed))
    }

    /// Whether a folder holds a run.
    #[must_use]
    pub fn is_in(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }

    /// Reads the run of a folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn read(dir: &Path) -> Result<SpsaFile, SpsaError> {
        let path = dir.join(FILE);
        let text = fs::read_to_string(&path).map_err(RecordError::io(&path, "read"))?;
        let damaged = |line, reason| SpsaError::Damaged { path: path.clone(), line, reason };
        let file: SpsaFile = serde_json::from_str(&text)
            .map_err(|error| damaged(error.line(), error.to_string()))?;
        if file.format != FORMAT {
            return Err(damaged(1, format!("format {FORMAT}, found {}", file.format)));
        }
        Ok(file)
    }

    /// Writes it into a folder, which is made where it does not exist.
    ///
    /// # Errors
    /// When it cannot be written, or is there already.
    pub fn write(&self, dir: &Path) -> Result<(), SpsaError> {
        let path = dir.join(FILE);
        if path.exists() {
            return Err(SpsaError::Exists(dir.display().to_string()));
        }
        fs::create_dir_all(dir).map_err(RecordError::io(dir, "create the folder"))?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        atomic::replace_by(&path, text)?;
        Ok(())
    }
}
