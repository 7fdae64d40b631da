//! `verdict stats RUN`: the numbers of a recorded run, under its own rule or another.

use std::path::Path;

use anyhow::Context as _;

use crate::collector::Standing;
use crate::plan::Plan;
use crate::record::{Games, RunFile};
use crate::stats::{Rule, Sprt, Statistics};

/// The statistics of the pairs that count in a run's folder, finished or not: the gap-free prefix up
/// to the pair at which `sprt`, or else the run's own rule, decided.
///
/// # Errors
/// When there is no run, or its files are damaged.
pub(super) fn statistics(dir: &Path, sprt: Option<&Sprt>) -> anyhow::Result<Statistics> {
    let run = RunFile::read(dir)?;
    let plan: Plan = serde_json::from_value(run.plan)
        .with_context(|| format!("{}: expected a plan in run.json", dir.display()))?;
    let rule = sprt.map_or(plan.rule, |sprt| Rule::Sprt(*sprt));
    let mut standing = Standing::new(rule, plan.pairs);
    for game in Games::open(dir)? {
        standing.add(&game?).with_context(|| dir.display().to_string())?;
    }
    Ok(standing.statistics())
}
