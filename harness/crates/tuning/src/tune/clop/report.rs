//! The files of a run: `tuned.json` to play with, `summary.md`, `summary.json` and `report.html`.

use std::path::Path;

use serde_json::{Value, json};

use super::{Best, Clop, ClopFile, page, quadratic::Quadratic, run::at};
use crate::{
    simulated_engine::Peak,
    tunable::Tunable,
    tune::{TuneError, write_tuned},
};
use arena::record::{Summary, run_name, write_outcome};
use charts::page::{Page, Table};
use stats::Z95;

/// Elo per natural log odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The input of the report.
#[derive(Debug)]
pub struct Told<'a> {
    pub clop: &'a Clop,
    pub file: &'a ClopFile,
    pub is_over: bool,
    /// The confirmation match.
    pub confirmation: Option<&'a Summary>,
    /// Empty unless simulated.
    pub truth: &'a [Peak],
    /// By parameter.
    pub base: Vec<i32>,
    /// `None` before the first batch.
    pub best: Option<Best>,
}

#[derive(Debug, Clone, Copy)]
pub struct Height {
    /// Against the base.
    pub elo: f64,
    /// Half the width of its 95 % interval, by the fit.
    pub error95: f64,
}

#[derive(Debug, Clone)]
pub struct Outcome<'a> {
    pub tunable: &'a Tunable,
    pub base: i32,
    pub best: i32,
    /// The 95 % interval of `best`.
    pub interval: [f64; 2],
    /// The weighted mean of the values tried.
    pub middle: f64,
}

impl<'a> Told<'a> {
    pub fn new(
        clop: &'a Clop,
        file: &'a ClopFile,
        is_over: bool,
        confirmation: Option<&'a Summary>,
        truth: &'a [Peak],
    ) -> Result<Told<'a>, TuneError> {
        let params = file.base()?;
        let base = clop.ranges().iter().map(|range| range.tunable.get(&params)).collect();
        let best = clop.best();
        Ok(Told { clop, file, is_over, confirmation, truth, base, best })
    }

    /// The fitted strength at values in the parameters' units.
    pub fn height(&self, best: &Best, values: &[f64]) -> Height {
        let each = self.clop.ranges().iter().zip(values);
        let place: Vec<f64> = each.map(|(range, &value)| range.coordinate(value)).collect();
        let elo = ELO * best.fit.quadratic.at(&place);
        Height { elo, error95: Z95 * ELO * best.fit.error_at(&place) }
    }

    /// At the best values.
    pub fn top(&self, best: &Best) -> Height {
        self.height(best, &best.values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>())
    }

    /// The fitted strength of the base, where it lies in all ranges: the truth is 0, so it shows
    /// how good the fit is so far from the best.
    pub fn base_height(&self, best: &Best) -> Option<Height> {
        let mut each = self.clop.ranges().iter().zip(&self.base);
        let inside = each.all(|(range, base)| (range.min..=range.max).contains(base));
        let values: Vec<f64> = self.base.iter().map(|&value| f64::from(value)).collect();
        inside.then(|| self.height(best, &values))
    }

    pub fn outcomes(&self, best: &Best) -> Vec<Outcome<'_>> {
        let each = self.clop.ranges().iter().enumerate().map(|(number, range)| Outcome {
            tunable: &range.tunable,
            base: self.base[number],
            best: best.values[number],
            interval: best.intervals[number],
            middle: best.middle[number],
        });
        each.collect()
    }

    pub fn conditions(&self) -> String {
        let ClopFile { plan, axes, batch, .. } = self.file;
        let (base, seed, pairs) = (&plan.base, plan.seed, plan.pairs);
        let of = format!("{} against base {base}", axes.join(" "));
        let schedule = format!("{pairs} pairs, {batch} a batch, seed {seed}");
        if self.truth.is_empty() {
            return format!("{of}, {}, {schedule}", plan.limit_in_words());
        }
        let peaks: Vec<String> = self.truth.iter().map(Peak::words).collect();
        format!("SIMULATED, nothing was played: {}; {of}, {schedule}", peaks.join(", "))
    }

    pub fn verdict(&self) -> String {
        let (pairs, total) = (self.clop.pairs(), self.file.plan.pairs);
        let mut words = if self.is_over {
            format!("Finished: {pairs} pairs")
        } else {
            format!("Not finished: {pairs} of {total} pairs")
        };
        if let Some(best) = &self.best {
            let Height { elo, error95 } = self.top(best);
            words.push_str(&format!(
                ", of which {:.0} are near the best. The fit predicts {elo:+.1} ± {error95:.1} Elo for the \
                 best values against the base; as the best of many they look better than they are.",
                best.counting
            ));
            let coefficients = Quadratic::size(self.clop.ranges().len());
            if best.counting < 10.0 * coefficients as f64 {
                words.push_str(&format!(
                    " These are few results for a fit with {coefficients} coefficients."
                ));
            }
        } else {
            words.push('.');
        }
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

/// Writes all files; returns the summary for people and for programs.
pub fn write_all(dir: &Path, told: &Told) -> Result<(Page, Value), TuneError> {
    let name = run_name(dir);
    let values = told.best.as_ref().map_or(&told.base, |best| &best.values);
    let base = told.file.base()?;
    write_tuned(dir, &at(told.clop, &base, values), &base)?;
    let (summary, json) = (summary(told, &name), json(told));
    write_outcome(dir, &summary, &json, &page::clop(told, &name))?;
    Ok((summary, json))
}

fn summary(told: &Told, name: &str) -> Page {
    let mut page = Page::default();
    page.heading(1, name);
    page.text(told.conditions());
    if let Some(best) = &told.best {
        page.text(
            "\"best\" is the maximum of the fitted quadratic, with its 95 % interval; an interval over the \
             whole range means that nothing is known. \"tried\" is the weighted mean of the values tried.",
        );
        let mut table = Table::new(1, ["parameter", "base", "best", "95 %", "tried"]);
        for Outcome { tunable, base, best, interval: [low, high], middle } in told.outcomes(best) {
            let (name, base, best) =
                (tunable.name().to_owned(), tunable.words(base), tunable.words(best));
            let interval = format!("{low:.1} to {high:.1}");
            table.rows.push(vec![name, base, best, interval, format!("{middle:.1}")]);
        }
        page.table(table);
        if let Some(Height { elo, error95 }) = told.base_height(best) {
            page.text(format!(
                "The fit predicts {elo:+.1} ± {error95:.1} Elo for the base, which should be 0."
            ));
        }
    }
    page.text(told.verdict());
    page
}

fn json(told: &Told) -> Value {
    let height = |height: Height| json!({ "elo": height.elo, "elo_error95": height.error95 });
    let each = told.best.iter().flat_map(|best| told.outcomes(best)).map(|outcome| {
        json!({
            "name": outcome.tunable.name(),
            "base": outcome.base,
            "tuned": outcome.best,
            "ci95": outcome.interval,
            "tried": outcome.middle,
        })
    });
    let each: Vec<Value> = each.collect();
    json!({
        "over": told.is_over,
        "pairs": told.clop.pairs(),
        "counting": told.best.as_ref().map(|best| best.counting),
        "parameters": each,
        "top": told.best.as_ref().map(|best| height(told.top(best))),
        "base": told.best.as_ref().and_then(|best| told.base_height(best)).map(height),
        "confirmation": told.confirmation,
        "conditions": told.conditions(),
    })
}
