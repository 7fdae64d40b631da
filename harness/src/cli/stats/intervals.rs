//! `verdict stats simulate --intervals`: how often intervals of Elo hold the truth.

use serde::Serialize;
use serde_json::json;

use charts::page::{Page, PageTable};
use stats::{Coverage, Pentanomial, Simulation, TwinPairs};

#[derive(Serialize)]
pub(super) struct CoverageRow {
    /// The truth.
    pub(super) elo: f64,
    #[serde(flatten)]
    pub(super) coverage: Coverage,
}

pub(super) fn as_json(
    shape: &Pentanomial,
    simulation: &Simulation,
    rows: &[CoverageRow],
) -> String {
    let Simulation { matches, max_pairs, seed, twins, .. } = simulation;
    let all = json!({
        "shape": shape, "matches": matches, "max_pairs": max_pairs, "seed": seed,
        "twins": twins.share, "count_twins": twins.are_counted, "intervals": rows,
    });
    format!("{all}\n")
}

/// What follows the shape.
pub(super) fn twins_in_words(twins: &TwinPairs) -> String {
    match (twins.share, twins.are_counted) {
        (0.0, _) => String::new(),
        (share, false) => format!(", {}% of pairs repeat others and are left out", 100.0 * share),
        (share, true) => format!(", {}% of pairs repeat others and are counted", 100.0 * share),
    }
}

pub(super) fn table(shape: &Pentanomial, simulation: &Simulation, rows: &[CoverageRow]) -> Page {
    let mut page = Page::default();
    page.text(format!(
        "{} matches each of {} pairs, shape {shape}{}. Coverage: the share of matches in which the \
         95 % interval holds the true Elo.",
        simulation.matches,
        simulation.max_pairs,
        twins_in_words(&simulation.twins)
    ));
    let known = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let share = |share: Option<f64>| known(share.map(|share| format!("{:.2} %", 100.0 * share)));
    let width = |width: Option<f64>| known(width.map(|width| format!("{width:.2}")));
    let mut always = PageTable::new(1, ["true Elo", "interval", "covers at all looks"]);
    let heads =
        ["true Elo", "after pairs", "covers", "± Elo", "plain covers", "plain ± Elo", "wider by"];
    let mut looks = PageTable::new(0, heads);
    for CoverageRow { elo, coverage } in rows {
        for (name, covered) in
            [("at every look", Some(coverage.always)), ("plain", coverage.plain_always)]
        {
            always.rows.push(vec![elo.to_string(), name.to_owned(), share(covered)]);
        }
        for look in &coverage.looks {
            let (anytime, plain) = (look.anytime, look.plain);
            let wider = anytime.half_width.zip(plain.half_width);
            looks.rows.push(vec![
                elo.to_string(),
                look.pairs.to_string(),
                share(anytime.covered),
                width(anytime.half_width),
                share(plain.covered),
                width(plain.half_width),
                width(wider.map(|(anytime, plain)| anytime / plain)),
            ]);
        }
    }
    page.table(always);
    page.text("At single looks; the widths are means over matches.".to_owned());
    page.table(looks);
    page
}
