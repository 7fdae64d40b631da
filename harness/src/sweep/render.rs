//! What a sweep's folder holds of all its matches together.

use std::path::Path;

use serde_json::{Value, json};

use super::{Outcome, SweepError, SweepFile, race::Race, speed, words};
use crate::{
    record::{SUMMARY_FILE, SUMMARY_MD_FILE, Summary, atomic, run_name},
    report,
    truth::Peak,
};

/// Writes `summary.md`, `summary.json` and `report.html`; returns the first two. `truth` is what was
/// simulated, if it was.
///
/// # Errors
/// When one cannot be written.
pub fn write(
    dir: &Path,
    file: &SweepFile,
    race: &Race,
    confirmation: Option<&Summary>,
    truth: &[Peak],
) -> Result<(String, Value), SweepError> {
    let axes = file.axes().unwrap_or_default();
    let outcome = Outcome::new(file, axes, race);
    let (name, conditions) = (run_name(dir), conditions(file, truth));
    let markdown = words::markdown(&outcome, &name, &conditions, confirmation);
    let json = json!({
        "sweep": outcome.json(),
        "confirmation": confirmation,
        "conditions": conditions,
    });
    let pretty = format!("{json:#}\n");
    let page = report::sweep(&outcome, [&name, &conditions], truth, confirmation);
    put(dir, [&markdown, &pretty, &page])?;
    Ok((markdown, json))
}

/// The same of a sweep for speed.
///
/// # Errors
/// When one cannot be written.
pub fn write_speed(dir: &Path, told: &speed::Told) -> Result<(String, Value), SweepError> {
    let name = run_name(dir);
    let (markdown, json) = (told.markdown(&name), told.json());
    put(dir, [&markdown, &format!("{json:#}\n"), &report::speed(told, &name)])?;
    Ok((markdown, json))
}

fn put(dir: &Path, texts: [&String; 3]) -> Result<(), SweepError> {
    for (name, text) in [SUMMARY_MD_FILE, SUMMARY_FILE, report::REPORT_FILE].into_iter().zip(texts)
    {
        atomic::replace_by(&dir.join(name), text)?;
    }
    Ok(())
}

/// What was played, in one line.
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
