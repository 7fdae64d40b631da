//! The files of a fit: a personality, the weights before and after, its settings and errors.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::parts::{FamilyError, PhaseError, PhaseErrors};
use super::{TexelPlan, Tuned};
use crate::tune::personality;
use arena::record::output_files::{TUNED_FILE, WEIGHTS_FILE};
use arena::record::{FolderKind, RecordError, Versions, atomic};

/// Writes the three files into a folder, created if missing.
pub fn write(dir: &Path, plan: &TexelPlan, tuned: &Tuned) -> Result<(), RecordError> {
    fs::create_dir_all(dir).map_err(RecordError::io(dir, "create"))?;
    let files = [
        (TUNED_FILE, personality(&tuned.params, &plan.params)),
        (WEIGHTS_FILE, weights(tuned)),
        (FolderKind::Fit.file(), format!("{:#}\n", json(plan, tuned))),
    ];
    for (name, text) in files {
        atomic::replace_by(&dir.join(name), text)?;
    }
    Ok(())
}

pub fn summary(tuned: &Tuned) -> String {
    let sampled = &tuned.sampled;
    let (fitted, held_out) = (sampled.fitted.len(), sampled.held_out.len());
    let changed = changed(tuned).count();
    let [before, after] = tuned.errors;
    let [held_before, held_after] = tuned.held_out_errors;
    let mut text = String::new();
    let mut line = |words: String| text += &(words + "\n");
    line(format!("games      {}", sampled.games.iter().sum::<u64>()));
    if let Some(first) = &sampled.first_skipped {
        line(format!("skipped    {} games, the first {first}", sampled.skipped));
    }
    if sampled.alone > 0 {
        line(format!(
            "alone      {} positions have no move counters, so each counts as a game: if games gave \
             several, ± is too narrow",
            sampled.alone
        ));
    }
    line(format!("positions  {fitted} fitted, {held_out} held out, of {}", sampled.positions));
    for (scale, games) in tuned.scales.iter().zip(&sampled.games).filter(|(_, games)| **games > 0) {
        line(format!("scale      {scale:.6} by 1/256 pawn, {games} games"));
    }
    line(format!(
        "error      {before:.6} → {after:.6}, held out {held_before:.6} → {held_after:.6}"
    ));
    line(format!("weights    {changed} of {} changed", tuned.cells.0.len()));
    if changed == 0 {
        line(
            "           the positions held out gained nothing: other games, more of them, another \
             --rate or less --l2 may help"
                .to_owned(),
        );
    }
    text + &parts(tuned)
}

/// Errors by phase and family; families without their change.
fn parts(tuned: &Tuned) -> String {
    let mut text =
        "\nphase             fitted           error    held out           error\n".to_owned();
    for PhaseErrors { phase, fitted, held_out, .. } in &tuned.phases {
        let of = |PhaseError { positions, errors: [before, after] }: &PhaseError| match positions {
            0 => format!("{:>10} {:>19}", 0, "–"),
            _ => format!("{positions:>10} {before:>8.6} → {after:>8.6}"),
        };
        text += &format!("{phase:<13} {}  {}\n", of(fitted), of(held_out));
    }
    if !tuned.families.is_empty() {
        text += "\nfamily                 changed   held-out error without its change\n";
    }
    for FamilyError { family, changed, held_out_without } in &tuned.families {
        let gain = held_out_without - tuned.held_out_errors[1];
        text += &format!("{family:<22} {changed:>7}   {held_out_without:.6} ({gain:+.6})\n");
    }
    text + "\n"
}

/// The content of `texel.json`. Mean errors in the summary are the evaluation's own; those of the rounds are the tangent's.
pub fn json(plan: &TexelPlan, tuned: &Tuned) -> Value {
    json!({
        "versions": Versions::here(),
        "runs": plan.runs,
        "validate": plan.validate,
        "start": plan.params.overrides(),
        "patterns": plan.patterns,
        "sampling": plan.sampling,
        "fitting": plan.fitting,
        "sampled": tuned.sampled,
        "positions": { "fitted": tuned.sampled.fitted.len(), "held_out": tuned.sampled.held_out.len() },
        "scales": tuned.scales,
        "errors": tuned.errors,
        "held_out_errors": tuned.held_out_errors,
        "phases": tuned.phases,
        "families": tuned.families,
        "rounds": tuned.rounds,
        "weights": changed(tuned).collect::<Vec<_>>(),
    })
}

/// A changed weight, 1/256 pawn.
#[derive(Serialize)]
struct Changed {
    name: String,
    /// The table's default: the paper's value where a paper has one.
    table: i32,
    before: i32,
    after: i32,
    /// Half the width of its 95 % interval.
    error95: Option<f64>,
    /// In how many fitted positions it counted.
    positions: u32,
}

fn changed(tuned: &Tuned) -> impl Iterator<Item = Changed> {
    let cells = tuned.cells.0.iter().zip(tuned.met.iter().zip(&tuned.errors95));
    cells.filter_map(|(cell, (&positions, &error95))| {
        let (name, table, before) = (cell.name(), cell.table(), cell.start);
        let after = cell.spec.get(&tuned.params, cell.index);
        let changed = Changed { name, table, before, after, error95, positions };
        (after != before).then_some(changed)
    })
}

fn weights(tuned: &Tuned) -> String {
    let mut text = String::from(
        "# Fitted weights\n\n\
         \"table\" is the default of the parameter table, which is the paper's value if a paper gives one. \
         ± is half the width of the 95 % interval: it covers the noise of the games (positions of one game \
         count as one) and the distance that early stopping leaves. \"positions\" is the number of \
         positions that use the weight.\n\n\
         | weight | table | before | after | ± | positions |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for Changed { name, table, before, after, error95, positions } in changed(tuned) {
        let error = error95.map_or("–".to_owned(), |error| format!("{error:.0}"));
        text += &format!("| `{name}` | {table} | {before} | {after} | {error} | {positions} |\n");
    }
    text
}
