//! The report of a sweep.

use serde_json::json;

use super::{Axis, Effects, SweepFile, SweepOutcome, SweepRow, page, race::Race};
use crate::report::{Circumstances, Report};
use charts::{
    html::HtmlText,
    page::{Page, PageTable},
};
use process::Error;
use stats::{display_los, percent_clamped};

/// Elo with its interval, `–` where undefined.
fn elo(row: &SweepRow) -> String {
    match (row.elo.elo, row.elo.error95) {
        _ if row.is_base => "0".to_owned(),
        (Ok(elo), Ok(error)) => format!("{elo:+.1} ± {error:.1}"),
        (Ok(elo), Err(_)) => format!("{elo:+.1}"),
        (Err(_), _) => "–".to_owned(),
    }
}

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

pub(super) fn race(outcome: &SweepOutcome) -> String {
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

pub(super) fn parabola(outcome: &SweepOutcome) -> Option<String> {
    let (parabola, axis) = (outcome.parabola.as_ref()?, outcome.axes.first()?);
    let (chi, freedom) = parabola.chi_squared;
    let fit = format!("(χ² {chi:.1} for {freedom} degrees of freedom)");
    let name = axis.tunable.name();
    let first = f64::from(*axis.values.first()?);
    let last = f64::from(*axis.values.last()?);
    Some(match parabola.top() {
        None => format!(
            "Parabola {fit}: no significant maximum; more pairs or a wider range are needed."
        ),
        Some(top) if top.x < first || top.x > last => format!(
            "Parabola {fit}: its maximum, {:.1} ({:.1} to {:.1}), is outside the tested range; extend the \
             range.",
            top.x, top.low, top.high
        ),
        Some(top) => format!(
            "Parabola {fit}: the maximum is at {name} = {:.1} ({:.1} to {:.1}), {:+.1} Elo.",
            top.x, top.low, top.high, top.y
        ),
    })
}

/// Replaces the table of effects.
pub(super) const NOT_SEPARABLE: &str = "these points cannot tell the effects apart";

/// How the effects were fitted.
pub(super) fn fitted_as(effects: &Effects) -> &'static str {
    if effects.is_smooth {
        "fitted as a sum of one parabola per parameter, since the points cannot tell single values apart"
    } else {
        "fitted as a sum of one effect per parameter"
    }
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

pub(super) fn verdict(outcome: &SweepOutcome, circumstances: Circumstances<'_>) -> String {
    let Some(best) = outcome.best.map(|best| &outcome.rows[best]) else {
        return if outcome.is_over {
            "No candidate scored more than the base.".to_owned()
        } else {
            "Not finished: no candidate has scored more than the base yet.".to_owned()
        };
    };
    let begun = if outcome.is_over { "Best" } else { "Not finished; best so far" };
    let name = &best.name;
    let alias = circumstances.confirmation.and_then(|it| it.test.identity.alias.as_deref());
    let what = format!("Confirmation of {}", alias.unwrap_or("it"));
    let confirmed = circumstances.confirmed(&what, "pairs of fresh openings");
    format!("{begun}: {name}, {} Elo in the race.{confirmed}", elo(best))
}
