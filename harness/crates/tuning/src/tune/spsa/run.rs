//! A run of SPSA as a tuner.

use std::{ops::Range, path::Path, sync::Arc};

use serde_json::Value;

use super::{
    Spsa, SpsaFile, Trial,
    band::{self, Best},
    line::at,
    report::{self, Told},
};
use crate::{
    sweep::Confirm,
    tune::{
        TuneError,
        tuner::{Duel, Sitting, Tuner},
    },
};
use arena::{plan::Plan, record::Summary};
use charts::page::Page;

/// Parameters in the status line.
const TOLD: usize = 6;

impl Tuner for SpsaFile {
    type Learned = Spsa;

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn confirm(&self) -> Option<Confirm> {
        self.confirm
    }

    fn parameters(&self) -> usize {
        self.lines.len()
    }

    fn begin(&self, _dir: &Path) -> Result<Spsa, TuneError> {
        self.start()
    }

    fn next_pairs(&self, spsa: &Spsa) -> Range<u64> {
        let pairs = spsa.next_pairs();
        if band::is_done(spsa, self.flat) { pairs.start..pairs.start } else { pairs }
    }

    /// The two sides of an iteration, who play all its pairs.
    fn propose(&self, spsa: &mut Spsa) -> Result<Vec<Duel>, TuneError> {
        let base = self.base()?;
        let Trial { plus, minus } = spsa.trial();
        let duel = [plus, minus].map(|side| Arc::new(at(spsa.lines(), &base, &side)));
        Ok(spsa.next_pairs().map(|_| duel.clone()).collect())
    }

    fn learn(&self, spsa: &mut Spsa, half_points: &[u8]) {
        spsa.learn(half_points);
    }

    fn line(&self, spsa: &Spsa) -> String {
        let bands = band::bands(spsa);
        let each = spsa.lines().iter().enumerate().take(TOLD).map(|(number, line)| {
            let (name, theta) = (line.tunable.name(), spsa.theta()[number]);
            match bands.as_ref().and_then(|bands| bands[number].best) {
                Some(Best { low, high, .. }) => {
                    format!("{name} {theta:.1} (best {low:.1} to {high:.1})")
                }
                None => format!("{name} {theta:.1}"),
            }
        });
        let each: Vec<String> = each.collect();
        let more = spsa.lines().len().saturating_sub(TOLD);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}/{} pairs · {}{more}", spsa.pairs(), self.plan.pairs, each.join(" · "))
    }

    fn render(
        &self,
        dir: &Path,
        sitting: &Sitting<Spsa>,
        confirmation: Option<&Summary>,
    ) -> Result<(Page, Value), TuneError> {
        let (spsa, is_over) = (&sitting.learned, sitting.is_over);
        report::write_all(dir, &Told { spsa, file: self, is_over, confirmation, truth: &[] })
    }
}
