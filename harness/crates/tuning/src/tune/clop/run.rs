//! A run of CLOP as a tuner.

use std::{path::Path, sync::Arc};

use engine::Params;
use serde_json::Value;

use super::{
    Clop, ClopFile,
    report::{self, Told},
};
use crate::{
    sweep::Confirm,
    tunable::Tunable,
    tune::{
        TuneError,
        tuner::{Duel, Sitting, Tuner},
    },
};
use arena::{plan::Plan, record::Summary};
use charts::page::Page;

/// Parameters in the status line.
const TOLD: usize = 6;

impl Tuner for ClopFile {
    type Learned = Clop;

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn confirm(&self) -> Option<Confirm> {
        self.confirm
    }

    fn parameters(&self) -> usize {
        self.axes.len()
    }

    fn begin(&self, dir: &Path) -> Result<Clop, TuneError> {
        self.start(self.read_points(dir)?)
    }

    fn next_pairs(&self, clop: &Clop) -> std::ops::Range<u64> {
        clop.next_pairs()
    }

    /// Each pair tries its own values, all against the base.
    fn propose(&self, clop: &mut Clop) -> Result<Vec<Duel>, TuneError> {
        let base = Arc::new(self.base()?);
        let trials = clop.propose().to_vec();
        let duel = |values: Vec<i32>| [Arc::new(at(clop, &base, &values)), Arc::clone(&base)];
        Ok(trials.into_iter().map(duel).collect())
    }

    fn keep(&self, dir: &Path, clop: &Clop) -> Result<(), TuneError> {
        self.write_points(dir, clop)
    }

    fn learn(&self, clop: &mut Clop, half_points: &[u8]) {
        clop.learn(half_points);
    }

    fn line(&self, clop: &Clop) -> String {
        let mut text = format!("{}/{} pairs", clop.pairs(), self.plan.pairs);
        let Some(best) = clop.best() else { return text };
        for (number, range) in clop.ranges().iter().enumerate().take(TOLD) {
            let [low, high] = best.intervals[number];
            let (name, value) = (range.tunable.name(), best.values[number]);
            text.push_str(&format!(" · {name} {value} ({low:.0} to {high:.0})"));
        }
        text
    }

    fn render(
        &self,
        dir: &Path,
        sitting: &Sitting<Clop>,
        confirmation: Option<&Summary>,
    ) -> Result<(Page, Value), TuneError> {
        let (clop, is_over) = (&sitting.learned, sitting.is_over);
        let told = Told::new(clop, self, is_over, confirmation, &[])?;
        report::write_all(dir, &told)
    }
}

/// The engine's parameters with these values.
pub(super) fn at(clop: &Clop, base: &Params, values: &[i32]) -> Params {
    let tunables = clop.ranges().iter().map(|range| &range.tunable);
    Tunable::turned(base, tunables.zip(values.iter().map(|&value| f64::from(value))))
}
