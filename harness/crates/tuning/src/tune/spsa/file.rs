//! `spsa.json`: what is tuned, and how.

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

    /// The base's parameters.
    ///
    /// # Errors
    /// When the base has none.
    pub fn base(&self) -> Result<Params, TuneError> {
        params_of(&self.plan.base).map_err(TuneError::Base)
    }

    /// The run before its first game.
    ///
    /// # Errors
    /// When the engine no longer has a parameter.
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
