//! The files of a fit to traces.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::super::fit::{Anchor, Fitting};
use super::{Coefficient, Coefficients, TracePlan, TracedFit};
use crate::number;
use arena::record::output_files::{COEFFICIENTS_FILE, TUNED_FILE, WEIGHTS_FILE};
use arena::record::{FolderKind, RecordError, Versions, atomic};

/// Writes into a folder, created if missing: values by name as JSON, the coefficients' file (`text`
/// is its content) with the new values, a table, and the settings.
pub fn write(dir: &Path, plan: &TracePlan, text: &str, fit: &TracedFit) -> Result<(), RecordError> {
    fs::create_dir_all(dir).map_err(RecordError::io(dir, "create"))?;
    let written: Vec<String> =
        rows(plan, fit).map(|row| format!("{:.*}", row.coefficient.decimals, row.value)).collect();
    let tuned: Map<String, Value> = rows(plan, fit)
        .map(|row| (row.coefficient.name.clone(), number::json(row.rounded())))
        .collect();
    let files = [
        (TUNED_FILE, format!("{:#}\n", Value::Object(tuned))),
        (COEFFICIENTS_FILE, Coefficients::with_values(text, &written)),
        (WEIGHTS_FILE, weights(plan, fit)),
        (FolderKind::Fit.file(), format!("{:#}\n", settings(plan, fit))),
    ];
    for (name, text) in files {
        atomic::replace_by(&dir.join(name), text)?;
    }
    Ok(())
}

pub fn summary(plan: &TracePlan, fit: &TracedFit) -> String {
    let [fitted, held_out] = fit.positions;
    let ([before, after], [held_before, held_after]) = (fit.errors, fit.held_out_errors);
    let changed = rows(plan, fit).filter(|row| row.rounded() != row.coefficient.start).count();
    let mut text = format!(
        "games      {}\npositions  {fitted} fitted, {held_out} held out\nscale      {:.6}\nerror      \
         {before:.6} → {after:.6}, held out {held_before:.6} → {held_after:.6}\nweights    {changed} of {} changed\n",
        fit.games,
        fit.scale,
        fit.values.len()
    );
    if changed == 0 {
        text += "           the positions held out gained nothing: more positions, another --rate or less \
                 --l2 may help\n";
    }
    text
}

struct TraceRow<'a> {
    coefficient: &'a Coefficient,
    value: f64,
    error95: Option<f64>,
    positions: u32,
}

impl TraceRow<'_> {
    /// With the decimals of the file.
    fn rounded(&self) -> f64 {
        format!("{:.*}", self.coefficient.decimals, self.value).parse().unwrap_or(self.value)
    }
}

fn rows<'a>(plan: &'a TracePlan, fit: &'a TracedFit) -> impl Iterator<Item = TraceRow<'a>> {
    plan.coefficients.0.iter().enumerate().map(|(index, coefficient)| TraceRow {
        coefficient,
        value: fit.values[index],
        error95: fit.errors95[index],
        positions: fit.met[index],
    })
}

/// The content of `texel.json`.
pub fn settings(plan: &TracePlan, fit: &TracedFit) -> Value {
    let weights = rows(plan, fit).map(|row| {
        json!({
            "name": row.coefficient.name,
            "before": number::json(row.coefficient.start),
            "after": row.value,
            "error95": row.error95,
            "positions": row.positions,
        })
    });
    // Whatever the plan says: the values of the file are the only ones there are.
    let fitting = Fitting { l2_to: Anchor::Start, ..plan.fitting.clone() };
    json!({
        "versions": Versions::here(),
        "traces": plan.traces,
        "validate": plan.validate,
        "sampling": { "held_out": plan.held_out, "block": fit.block },
        "fitting": fitting,
        "positions": { "fitted": fit.positions[0], "held_out": fit.positions[1] },
        "games": fit.games,
        "scales": [fit.scale],
        "epochs": fit.epochs,
        "errors": fit.errors,
        "held_out_errors": fit.held_out_errors,
        "weights": weights.collect::<Vec<_>>(),
    })
}

fn weights(plan: &TracePlan, fit: &TracedFit) -> String {
    let mut text = String::from(
        "# Fitted weights\n\n\
         Values are in the engine's own unit. ± is half the width of the 95 % interval: it covers the noise of \
         the games (positions of one game count as one) and the distance that early stopping leaves. \
         \"positions\" is the number of positions that use the weight.\n\n\
         | weight | before | after | ± | positions |\n|---|---:|---:|---:|---:|\n",
    );
    for row in rows(plan, fit) {
        let Coefficient { name, start, decimals, .. } = row.coefficient;
        let more = decimals + 1;
        let error = row.error95.map_or("–".to_owned(), |error| format!("{error:.more$}"));
        let name = name.replace('|', "\\|");
        text += &format!(
            "| `{name}` | {start} | {:.decimals$} | {error} | {} |\n",
            row.value, row.positions
        );
    }
    text
}
