//! The files of a run: `tuned.json` to play with, `spsa.csv` in OpenBench's columns, `summary.md`,
//! `summary.json` and `report.html`.

use std::{fmt::Write as _, path::Path};

use serde_json::{Value, json};

use super::{
    Line, Spsa, SpsaFile,
    band::{Band, Best, bands, tuned},
    line::at,
    page,
};
use crate::{
    simulated_engine::Peak,
    tune::{TuneError, write_tuned},
};
use arena::record::output_files::SPSA_CSV_FILE;
use arena::record::{Summary, atomic, run_name, write_outcome};
use charts::page::{Page, Table};

/// The input of the report.
#[derive(Debug)]
pub struct Told<'a> {
    pub spsa: &'a Spsa,
    pub file: &'a SpsaFile,
    pub is_over: bool,
    /// The confirmation match.
    pub confirmation: Option<&'a Summary>,
    /// Empty unless simulated.
    pub truth: &'a [Peak],
}

#[derive(Debug, Clone)]
pub struct Outcome {
    pub name: String,
    pub start: f64,
    /// The tuned value, rounded where the engine's numbers are whole.
    pub tuned: f64,
    /// The last iterate.
    pub last: f64,
    /// `None` before there are enough iterations.
    pub band: Option<Band>,
}

impl Outcome {
    /// The best value with its interval, `–` while unknown.
    pub fn best_words(&self) -> String {
        let best = self.band.and_then(|band| band.best);
        best.map_or("–".to_owned(), |Best { value, low, high }| {
            format!("{value:.1} ({low:.1} to {high:.1})")
        })
    }
}

impl Told<'_> {
    pub fn outcomes(&self) -> Vec<Outcome> {
        let bands = bands(self.spsa);
        let tuned = tuned(self.spsa);
        let each = self.spsa.lines().iter().enumerate().map(|(number, line)| Outcome {
            name: line.tunable.name().to_owned(),
            start: line.start,
            tuned: rounded(line, tuned[number]),
            last: self.spsa.theta()[number],
            band: bands.as_ref().map(|bands| bands[number]),
        });
        each.collect()
    }

    pub fn conditions(&self) -> String {
        let SpsaFile { plan, batch, gains, .. } = self.file;
        let (base, seed, pairs) = (&plan.base, plan.seed, plan.pairs);
        let schedule = format!(
            "at most {pairs} pairs, {batch} an iteration, A {}, α {}, γ {}, seed {seed}",
            gains.a_ratio, gains.alpha, gains.gamma
        );
        if self.truth.is_empty() {
            return format!("base {base}, {}, {schedule}", plan.limit_in_words());
        }
        let peaks = self.truth.iter().map(Peak::words);
        format!(
            "SIMULATED, nothing was played: {}; {schedule}",
            peaks.collect::<Vec<_>>().join(", ")
        )
    }

    pub fn verdict(&self) -> String {
        let (pairs, total) = (self.spsa.pairs(), self.file.plan.pairs);
        let mut words = match self.file.flat {
            _ if !self.is_over => format!("Not finished: {pairs} of {total} pairs."),
            Some(elo) if pairs < total => format!(
                "Flat after {pairs} of {total} pairs: no parameter gains {elo} Elo by a further step."
            ),
            _ => format!("Finished: {pairs} pairs."),
        };
        if let Some(summary) = self.confirmation {
            words.push_str(&format!(
                " Tuned values against the base, {} pairs: {}.",
                summary.pairs,
                summary.judged.words()
            ));
        }
        words
    }
}

/// The nearest value that the engine can have.
fn rounded(line: &Line, value: f64) -> f64 {
    if line.is_whole { value.round() } else { value }
}

/// Writes all files; returns the summary for people and for programs.
pub fn write_all(dir: &Path, told: &Told) -> Result<(Page, Value), TuneError> {
    let name = run_name(dir);
    let values: Vec<f64> = told.outcomes().iter().map(|outcome| outcome.tuned).collect();
    let base = told.file.base()?;
    write_tuned(dir, &at(told.spsa.lines(), &base, &values), &base)?;
    atomic::replace_by(&dir.join(SPSA_CSV_FILE), csv(told.spsa))?;
    let (summary, json) = (summary(told, &name), json(told));
    write_outcome(dir, &summary, &json, &page::spsa(told, &name))?;
    Ok((summary, json))
}

/// The current values, in OpenBench's columns.
pub fn csv(spsa: &Spsa) -> String {
    let mut text = String::from("Name,Curr,Start,Min,Max,C,C_end,R,R_end\n");
    let k = spsa.pairs().max(1);
    for (number, line) in spsa.lines().iter().enumerate() {
        let reach = spsa.reach(number, k);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{},{:.4},{},{},{},{:.4},{},{:.6},{}",
            line.tunable.name(),
            spsa.theta()[number],
            line.start,
            line.min,
            line.max,
            reach,
            line.c_end,
            spsa.stride(number, k) / reach,
            line.r_end
        );
    }
    text
}

fn summary(told: &Told, name: &str) -> Page {
    let mut page = Page::default();
    page.heading(1, name);
    page.text(told.conditions());
    page.text(
        "Each iteration measures the slope of Elo at the current value. A line is fitted to slope against \
         value; \"best\" is where it crosses zero, with Fieller's interval (at least 95 %); \"–\" means \
         that the line does not fall significantly. It assumes that Elo is a parabola of each parameter. \"tuned\" \
         is the same crossing if the line falls by 1.96 standard errors, limited to the range tried; else \
         the mean of the last quarter of the run. It is an estimate: play a match. \"last\" is the value at \
         the end. \"Elo a step\" is the gain from moving the parameter up by its perturbation, by the games \
         of the second half of the run.",
    );
    let mut table = Table::new(1, ["parameter", "start", "tuned", "best", "last", "Elo a step"]);
    for outcome in told.outcomes() {
        let Outcome { name, start, tuned, last, band } = &outcome;
        let slope = band.map_or("–".to_owned(), |band| {
            format!("{:+.2} ± {:.2}", band.slope, band.slope_error95)
        });
        let best = outcome.best_words();
        let tuned = (tuned * 100.0).round() / 100.0;
        let [start, tuned] = [start.to_string(), tuned.to_string()];
        table.rows.push(vec![name.clone(), start, tuned, best, format!("{last:.1}"), slope]);
    }
    page.table(table);
    page.text(told.verdict());
    page
}

fn json(told: &Told) -> Value {
    let each = told.outcomes().into_iter().map(|outcome| {
        let band = outcome.band;
        let best = band.and_then(|band| band.best);
        json!({
            "name": outcome.name,
            "start": outcome.start,
            "tuned": outcome.tuned,
            "last": outcome.last,
            "best": best.map(|best| best.value),
            "best_ci95": best.map(|best| [best.low, best.high]),
            "elo_a_step": band.map(|band| band.slope),
            "elo_a_step_error95": band.map(|band| band.slope_error95),
        })
    });
    json!({
        "over": told.is_over,
        "pairs": told.spsa.pairs(),
        "parameters": each.collect::<Vec<_>>(),
        "confirmation": told.confirmation,
        "conditions": told.conditions(),
    })
}
