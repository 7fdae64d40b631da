//! The page of a run of SPSA.

use super::figure::{Figure, Key};
use super::html::{Cell, Column, Table, Text};
use super::lines::{Guide, Lines, Series};
use super::page;
use super::scale::Scale;
use super::svg::Naming;
use super::words::{count, fixed, signed};
use crate::tune::spsa::report::{Outcome, Told};

/// More charts than this are left out: the table has all.
const MOST_CHARTS: usize = 24;
/// Points of a line at most.
const POINTS: usize = 300;

/// The page: what came of it, each parameter's way, the table.
pub(crate) fn spsa(told: &Told, name: &str) -> String {
    let mut body = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n<p>{}</p>\n<div class=\"charts\">\n",
        Text(name),
        Text(&told.conditions()),
        Text(&told.verdict())
    );
    let outcomes = told.outcomes();
    for (number, outcome) in outcomes.iter().enumerate().take(MOST_CHARTS) {
        body.push_str(&way(told, number, outcome).render());
    }
    body.push_str("</div>\n");
    body.push_str(&table(&outcomes));
    body.push_str("</section>\n");
    let intro = "Each parameter goes a little towards the side that won. The band is the 95 % interval \
                 of its mean over the second half of the run.";
    page::whole(name, "SPSA", intro, &body, "")
}

fn way(told: &Told, number: usize, outcome: &Outcome) -> Figure {
    let Outcome { name, start, tuned, band, .. } = outcome;
    let steps = told.spsa.steps();
    if steps.is_empty() {
        return Figure::nothing(name, "no iteration is finished yet");
    }
    let every = steps.len().div_ceil(POINTS);
    let first = [0.0, *start];
    let rest = steps.iter().step_by(every).map(|step| [step.pairs as f64, step.theta[number]]);
    let points: Vec<[f64; 2]> = std::iter::once(first).chain(rest).collect();
    let last = told.spsa.pairs() as f64;
    let half = steps[steps.len() / 2].pairs as f64;
    let ends = |half_width: f64, mean: f64| [mean - half_width, mean + half_width];
    let area = band.map(|band| ends(band.error95, band.mean));
    let heights = points.iter().map(|point| point[1]).chain(area.into_iter().flatten());
    let desc =
        format!("From {start} to {} after {} pairs.", fixed(*tuned, 1), count(told.spsa.pairs()));
    let chart = Lines {
        naming: Naming { id: format!("way{number}"), title: format!("{name} over pairs"), desc },
        x: Scale::of([0.0, last]),
        x_name: "pairs",
        y: Scale::of(heights).with_room(0.08, 0.08),
        y_label: &fixed,
        y_least: 0.0,
        ground: None,
        band: area.map_or_else(Vec::new, |[low, high]| vec![[half, low, high], [last, low, high]]),
        series: vec![Series { class: "line test", points }],
        guides: vec![Guide {
            class: "base",
            y: *start,
            label: format!("start {start}"),
            label_below: false,
        }],
    };
    Figure::new(name, chart.render()).with_keys(&[
        Key::Line("test", "where it stood"),
        Key::Band("mean of the second half, 95%"),
    ])
}

fn table(outcomes: &[Outcome]) -> String {
    let head = [
        ("parameter", Column::Long),
        ("start", Column::Number),
        ("tuned", Column::Number),
        ("settled", Column::Number),
        ("last", Column::Number),
        ("Elo a step", Column::Number),
    ];
    let mut table = Table::new("All parameters", &head);
    for outcome in outcomes {
        let (settled, slope) = match outcome.band {
            Some(band) => (
                format!("{} ± {}", fixed(band.mean, 1), fixed(band.error95, 1)),
                format!("{} ± {}", signed(band.slope, 2), fixed(band.slope_error95, 2)),
            ),
            None => ("–".to_owned(), "–".to_owned()),
        };
        table.row([
            Cell::text(&outcome.name),
            Cell::text(&fixed(outcome.start, 0)),
            Cell::text(&fixed(outcome.tuned, 1)),
            Cell::text(&settled),
            Cell::text(&fixed(outcome.last, 1)),
            Cell::text(&slope),
        ]);
    }
    table.render()
}
