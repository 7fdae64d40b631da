//! `spsa.json`: the parameters and settings.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::outcome::outcomes;
use super::{Gains, Spsa, SpsaParam, report};
use crate::base::base_of;
use crate::confirm::Confirm;
use crate::form::Form;
use crate::report::{Circumstances, Report};
use crate::tunable::Base;
use crate::tune::tuner::{Tuner, retain};
use arena::plan::Plan;
use arena::record::{FolderKind, Manifest};
use arena::session::VariedOption;
use process::{Context as _, Error};

/// The content of `spsa.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SpsaFile {
    pub format: u32,
    pub lines: Vec<String>,
    /// Pairs per iteration.
    pub batch: u64,
    pub gains: Gains,
    /// The run ends when no move is worth this Elo; `None`: at its last pair.
    pub flat: Option<f64>,
    /// The form of the file that they were read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// The options of a program that are tuned, with their values in the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<VariedOption>,
    /// The confirmation match.
    pub confirm: Option<Confirm>,
    /// The match of the base against itself over all pairs of the run.
    pub plan: Plan,
}

impl Manifest for SpsaFile {
    const KIND: FolderKind = FolderKind::Spsa;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }
}

impl Tuner for SpsaFile {
    type Search = Spsa;

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn base(&self) -> Result<Base, Error> {
        base_of(&self.plan.base, &self.options)
    }

    fn options(&self) -> &[VariedOption] {
        &self.options
    }

    fn tuned(&self, spsa: &Spsa) -> Vec<f64> {
        outcomes(spsa).iter().map(|outcome| outcome.tuned).collect()
    }

    fn confirm(&self) -> Option<Confirm> {
        self.confirm
    }

    fn retain(&mut self, wanted: &[bool]) {
        retain(&mut self.lines, wanted);
    }

    fn begin(&self, _dir: &Path) -> Result<Spsa, Error> {
        let base = self.base()?;
        let lines = self.lines.iter().map(|text| SpsaParam::read(text, &base));
        let lines = lines.collect::<Result<_, _>>().context(SpsaFile::KIND.file())?;
        let spsa = Spsa::new(lines, self.gains, self.plan.pairs, self.batch, self.plan.seed);
        Ok(spsa.until_flat(self.flat))
    }

    fn report(
        &self,
        spsa: &Spsa,
        is_over: bool,
        circumstances: Circumstances<'_>,
    ) -> Result<Report, Error> {
        report::report(spsa, self, is_over, circumstances)
    }
}
