//! The report of a run, with `spsa.csv` in OpenBench's columns.

use serde_json::{Value, json};

use super::band::Best;
use super::outcome::{LineOutcome, outcomes};
use super::{Spsa, SpsaFile, SpsaParam, page};
use crate::report::{Circumstances, Report};
use crate::tune::outputs::{Outputs, TunedValue};
use crate::tune::tuner::{Optimizer as _, Tuner as _};
use arena::record::output_files::SPSA_CSV_FILE;
use charts::page::{Page, PageTable};
use process::Error;

pub(super) fn report(
    spsa: &Spsa,
    file: &SpsaFile,
    is_over: bool,
    circumstances: Circumstances<'_>,
) -> Result<Report, Error> {
    let SpsaFile { plan, batch, gains, .. } = file;
    let outcomes = outcomes(spsa);
    let (pairs, total) = (spsa.pairs(), plan.pairs);
    let mut verdict = match file.flat {
        _ if !is_over => format!("Not finished: {pairs} of {total} pairs."),
        Some(elo) if pairs < total => format!(
            "Flat after {pairs} of {total} pairs: no parameter gains {elo} Elo by a further step."
        ),
        _ => format!("Finished: {pairs} pairs."),
    };
    verdict.push_str(&circumstances.confirmed("Tuned values against the base", "pairs"));
    // A simulated run has no base.
    let of = match circumstances.peaks {
        [] => format!("base {}, ", plan.base),
        _ => String::new(),
    };
    let schedule = format!(
        "at most {total} pairs, {batch} an iteration, A {}, α {}, γ {}, seed {}",
        gains.a_ratio, gains.alpha, gains.gamma, plan.seed
    );
    let base = file.base()?;
    let outputs = Outputs { base: &base, spec: &plan.base, form: file.form.as_ref() };
    let mut files = outputs.files(&tuned_values(spsa, &outcomes));
    files.push((SPSA_CSV_FILE, csv(spsa)));
    let table = table(&outcomes);
    Ok(Report {
        heading: "SPSA",
        intro: "Each iteration moves every parameter a little towards the side that won. The band is the 95 % interval \
                of its best value, by the slopes measured so far; there is none while they do not tell.",
        source: circumstances.source("spsa.json and games.jsonl"),
        conditions: circumstances.conditions(&of, plan, &schedule),
        verdict,
        json: json(spsa, &outcomes, is_over, circumstances),
        figures: page::figures(spsa, &outcomes),
        table: table.html("All parameters"),
        summary: summary(table),
        files,
    })
}

fn tuned_values<'a>(spsa: &'a Spsa, outcomes: &[LineOutcome<'a>]) -> Vec<TunedValue<'a>> {
    let of = |(line, outcome): (&'a SpsaParam, &LineOutcome<'a>)| TunedValue {
        tunable: &line.tunable,
        tuned: outcome.tuned,
        decimals: if line.is_whole { 0 } else { outcome.decimals },
        range: [line.min, line.max],
    };
    spsa.lines().iter().zip(outcomes).map(of).collect()
}

/// The current values, in OpenBench's columns.
fn csv(spsa: &Spsa) -> String {
    let mut text = String::from("Name,Curr,Start,Min,Max,C,C_end,R,R_end\n");
    let k = spsa.pairs().max(1);
    for (number, line) in spsa.lines().iter().enumerate() {
        let reach = spsa.reach(number, k);
        text += &format!(
            "{},{:.4},{},{},{},{:.4},{},{:.6},{}\n",
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

fn summary(table: PageTable) -> Page {
    let mut page = Page::default();
    page.text(
        "Each iteration measures the slope of Elo at the current value. A line is fitted to slope against \
         value; \"best\" is where it crosses zero, with Fieller's interval (at least 95 %); \"–\" means \
         that the line does not fall significantly. It assumes that Elo is a parabola of each parameter. \"tuned\" \
         is the same crossing if the line falls by 1.96 standard errors, limited to the range tried; else \
         the mean of the last quarter of the run. It is an estimate: play a match. \"last\" is the value at \
         the end. \"Elo a step\" is the gain from moving the parameter up by its perturbation, by the games \
         of the second half of the run.",
    );
    page.table(table);
    page
}

fn table(outcomes: &[LineOutcome<'_>]) -> PageTable {
    let mut table =
        PageTable::new(1, ["parameter", "start", "tuned", "best", "last", "Elo a step"]);
    for outcome in outcomes {
        let LineOutcome { name, start, tuned, last, band, decimals: digits } = outcome;
        let digits = *digits;
        let slope = band.map_or("–".to_owned(), |band| {
            format!("{:+.2} ± {:.2}", band.slope, band.slope_error95)
        });
        let best = band.and_then(|band| band.best);
        let best = best.map_or("–".to_owned(), |Best { value, low, high }| {
            format!("{value:.digits$} ({low:.digits$} to {high:.digits$})")
        });
        let shown = 10.0_f64.powi(digits.max(2) as i32);
        let tuned = (tuned * shown).round() / shown;
        let [start, tuned] = [start.to_string(), tuned.to_string()];
        let last = format!("{last:.digits$}");
        table.rows.push(vec![(*name).to_owned(), start, tuned, best, last, slope]);
    }
    table
}

fn json(
    spsa: &Spsa,
    outcomes: &[LineOutcome<'_>],
    is_over: bool,
    circumstances: Circumstances<'_>,
) -> Value {
    let each = outcomes.iter().map(|outcome| {
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
        "over": is_over,
        "pairs": spsa.pairs(),
        "parameters": each.collect::<Vec<_>>(),
        "confirmation": circumstances.confirmation,
    })
}
