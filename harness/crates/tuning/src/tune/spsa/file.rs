//! `spsa.json`: the parameters and settings.

use engine::Params;
use serde::{Deserialize, Serialize};

use super::{Gains, Line, Spsa, line::LineText};
use crate::{
    sweep::{Confirm, params_of},
    tune::TuneError,
};
use arena::record::FolderKind;
use arena::{plan::Plan, record::Manifest};

/// The content of `spsa.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SpsaFile {
    pub format: u32,
    pub lines: Vec<LineText>,
    /// Pairs per iteration.
    pub batch: u64,
    pub gains: Gains,
    /// The run ends when no move is worth this Elo; `None`: at its last pair.
    pub flat: Option<f64>,
    /// The confirmation match.
    pub confirm: Option<Confirm>,
    /// The match of the base against itself over all pairs of the run.
    pub plan: Plan,
}

impl SpsaFile {
    pub fn new(
        lines: &[Line],
        batch: u64,
        gains: Gains,
        flat: Option<f64>,
        confirm: Option<Confirm>,
        plan: Plan,
    ) -> SpsaFile {
        let lines = lines.iter().map(Line::text).collect();
        SpsaFile { format: SpsaFile::FORMAT, lines, batch, gains, flat, confirm, plan }
    }

    pub fn base(&self) -> Result<Params, TuneError> {
        params_of(&self.plan.base).map_err(TuneError::Base)
    }

    /// The run before its first game. Fails when the engine no longer has a parameter.
    pub fn start(&self) -> Result<Spsa, TuneError> {
        let read = |text: &LineText| {
            let place = SpsaFile::KIND.file().to_owned();
            Line::read(&text.0).map_err(|error| TuneError::Line { place, error })
        };
        let lines = self.lines.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Spsa::new(lines, self.gains, self.plan.pairs, self.batch, self.plan.seed))
    }
}

impl Manifest for SpsaFile {
    const KIND: FolderKind = FolderKind::Spsa;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }
}
