//! The common files of a sweep's folder.

use std::path::Path;

use serde_json::{Value, json};

use super::{Outcome, SweepError, SweepFile, page, race::Race, speed, words};

use crate::simulated_engine::Peak;
use arena::record::{Summary, run_name, write_outcome};
use charts::page::Page;

/// Writes `summary.md`, `summary.json` and `report.html`; returns the first two. `truth` is what
/// was simulated, if anything.
pub fn write(
    dir: &Path,
    file: &SweepFile,
    race: &Race,
    confirmation: Option<&Summary>,
    truth: &[Peak],
) -> Result<(Page, Value), SweepError> {
    let axes = file.axes().unwrap_or_default();
    let outcome = Outcome::new(file, axes, race);
    let (name, conditions) = (run_name(dir), conditions(file, truth));
    let page = words::page(&outcome, &name, &conditions, confirmation);
    let json = json!({
        "sweep": outcome.json(),
        "confirmation": confirmation,
        "conditions": conditions,
    });
    let html = page::sweep(&outcome, [&name, &conditions], truth, confirmation);
    write_outcome(dir, &page, &json, &html)?;
    Ok((page, json))
}

/// As [`write()`], for a sweep for speed.
pub fn write_speed(dir: &Path, told: &speed::Told) -> Result<(Page, Value), SweepError> {
    let name = run_name(dir);
    let (page, json) = (told.page(&name), told.json());
    write_outcome(dir, &page, &json, &speed::page::speed(told, &name))?;
    Ok((page, json))
}

/// The conditions of play, in one line.
fn conditions(file: &SweepFile, truth: &[Peak]) -> String {
    let plan = &file.plan;
    let of = format!("{} against base {}", file.axes.join(" "), plan.base);
    let pairs = format!("at most {} pairs each, seed {}", plan.pairs, plan.seed);
    if truth.is_empty() {
        return format!("{of}, {}, {pairs}", plan.limit_in_words());
    }
    let peaks = truth.iter().map(Peak::words);
    format!(
        "SIMULATED, nothing was played: {}; {of}, {pairs}",
        peaks.collect::<Vec<_>>().join(", ")
    )
}
