//! The report of a sweep.

use serde_json::json;

use super::race::Race;
use super::words::{NOT_SEPARABLE, elo, fitted_as, parabola, verdict};
use super::{Axis, SweepFile, SweepOutcome, page};
use crate::report::{Circumstances, Report};
use charts::html::HtmlText;
use charts::page::{Page, PageTable};
use process::Error;
use stats::{display_los, percent_clamped};

pub fn report(
    file: &SweepFile,
    race: &Race,
    circumstances: Circumstances<'_>,
) -> Result<Report, Error> {
    let plan = &file.plan;
    let outcome = SweepOutcome::new(file, file.axes()?, race);
    let values = values(&outcome);
    Ok(Report {
        heading: "Sweep",
        intro: "All Elo is <strong>candidate minus base</strong>. Two games from one opening, \
                colours swapped, are a pair; all candidates play the same openings.",
        source: circumstances.source("sweep.json and the candidates' journals"),
        conditions: circumstances.conditions(
            &format!("{} against base {}, ", file.axes.join(" "), plan.base),
            plan,
            &format!("at most {} pairs each, seed {}", plan.pairs, plan.seed),
        ),
        verdict: verdict(&outcome, circumstances),
        json: json!({
            "sweep": outcome.json(),
            "confirmation": circumstances.confirmation,
        }),
        figures: page::figures(&outcome),
        table: format!(
            "{}<p class=\"note\">{}</p>\n",
            values.html("All candidates; Elo is candidate minus base"),
            HtmlText(&self::race(&outcome))
        ),
        summary: summary(&outcome, values),
        files: Vec::new(),
    })
}

fn summary(outcome: &SweepOutcome, values: PageTable) -> Page {
    let mut page = Page::default();
    page.text("All Elo is candidate minus base, ± half the width of its 95 % interval.");
    page.table(values);
    page.text(race(outcome));
    page.text(parabola(outcome).unwrap_or_default());
    if outcome.axes.len() > 1 {
        effects(outcome, &mut page);
    }
    page
}

/// The candidates, the best first.
fn values(outcome: &SweepOutcome) -> PageTable {
    let names = outcome.axes.iter().map(Axis::title);
    let numbers = ["Elo", "LOS", "pairs", "Ptnml", ""].map(str::to_owned);
    let mut table = PageTable::new(outcome.axes.len(), names.chain(numbers));
    for number in outcome.ranked() {
        let row = &outcome.rows[number];
        let values = outcome.axes.iter().zip(&row.values);
        let values = values.map(|(axis, &value)| axis.tunable.words(value));
        let [los, pairs, counts] = if row.is_base {
            ["", "", "base"].map(str::to_owned)
        } else {
            let los = display_los(&row.counts).map_or("–".to_owned(), percent_clamped);
            [los, row.pairs.to_string(), row.counts.to_string().replace(',', ", ")]
        };
        let cells = [elo(row), los, pairs, counts, outcome.fate(number)];
        table.rows.push(values.chain(cells).collect());
    }
    table
}

fn race(outcome: &SweepOutcome) -> String {
    let candidates = outcome.rows.len() - 1;
    format!(
        "Race: a candidate was dropped when the e-value for \"the leader is better\", over pairs of the \
         same openings, exceeded {:.0} (Bonferroni for {candidates} comparisons). So the strongest of \
         all, base included, is dropped with probability {:.4} % at most, however often the race is \
         checked. A dropped candidate looks a little worse than it is, and the best of many a little \
         better. The confirmation match has no such bias.",
        outcome.bound.exp(),
        100.0 * outcome.alpha
    )
    .replace(".0000 %", " %")
}

fn effects(outcome: &SweepOutcome, page: &mut Page) {
    let begun = "Effect of each value against the base's value, the other parameters fixed";
    let Some(all) = outcome.effects() else {
        page.text(format!("{begun}: {NOT_SEPARABLE}."));
        return;
    };
    page.text(format!("{begun} ({}):", fitted_as(&all)));
    let mut table = PageTable::new(2, ["parameter", "value", "Elo"]);
    for ((axis, effects), base) in outcome.axes.iter().zip(&all.axes).zip(&outcome.base) {
        for effect in effects {
            let elo = if effect.value == *base {
                "0".to_owned()
            } else {
                format!("{:+.1} ± {:.1}", effect.elo, effect.error95)
            };
            let (name, value) = (axis.tunable.name().to_owned(), axis.tunable.words(effect.value));
            table.rows.push(vec![name, value, elo]);
        }
    }
    page.table(table);
}
