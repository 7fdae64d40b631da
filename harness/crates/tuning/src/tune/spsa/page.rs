//! The page of a run of SPSA.

use crate::simulated_engine::made_of;
use crate::tune::spsa::band::{Band, bands_after};
use crate::tune::spsa::report::{Outcome, Told};
use charts::figure::{Figure, Key};
use charts::frame::whole;
use charts::html::{Cell, Column, Table, Text};
use charts::lines::{Guide, Lines, Series};
use charts::numbers::{count, fixed, signed};
use charts::scale::Scale;
use charts::svg::Naming;

/// More charts are left out: the table has all.
const MOST_CHARTS: usize = 24;
/// Points on the way at which the bands are drawn.
const CHECKS: usize = 40;
/// Points of a line at most.
const POINTS: usize = 300;

/// The page: the outcome, each parameter's way, the table.
pub(super) fn spsa(told: &Told, name: &str) -> String {
    let mut body = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n<p>{}</p>\n<div class=\"charts\">\n",
        Text(name),
        Text(&told.conditions()),
        Text(&told.verdict())
    );
    let outcomes = told.outcomes();
    let steps = told.spsa.steps();
    let check = |check: usize| {
        let after = steps.len() * check / CHECKS;
        Some((steps.get(after.checked_sub(1)?)?.pairs as f64, bands_after(told.spsa, after)?))
    };
    let checks: Vec<(f64, Vec<Band>)> = (1..=CHECKS).filter_map(check).collect();
    for (number, outcome) in outcomes.iter().enumerate().take(MOST_CHARTS) {
        body.push_str(&way(told, number, outcome, &checks).render());
    }
    body.push_str("</div>\n");
    body.push_str(&table(&outcomes));
    body.push_str("</section>\n");
    let intro = "Each iteration moves every parameter a little towards the side that won. The band is the 95 % interval \
                 of its best value, by the slopes measured so far; there is none while they do not tell.";
    let source = made_of(told.truth, "spsa.json and games.jsonl");
    whole([name, "SPSA"], intro, &body, source, "")
}

fn way(told: &Told, number: usize, outcome: &Outcome, checks: &[(f64, Vec<Band>)]) -> Figure {
    let Outcome { name, start, tuned, .. } = outcome;
    let steps = told.spsa.steps();
    if steps.is_empty() {
        return Figure::nothing(name, "no iteration is finished yet");
    }
    let every = steps.len().div_ceil(POINTS);
    let first = [0.0, *start];
    let rest = steps.iter().step_by(every).map(|step| [step.pairs as f64, step.theta[number]]);
    let points: Vec<[f64; 2]> = std::iter::once(first).chain(rest).collect();
    let last = told.spsa.pairs() as f64;
    let best = |(pairs, bands): &(f64, Vec<Band>)| {
        let best = bands[number].best?;
        Some([*pairs, best.low, best.high])
    };
    // An interval much wider than the way would hide it.
    let [low, high] = [f64::min, f64::max].map(|of| points.iter().map(|p| p[1]).fold(*start, of));
    let room = (high - low).max(told.spsa.lines()[number].c_end);
    let band: Vec<[f64; 3]> = checks
        .iter()
        .filter_map(best)
        .map(|[x, from, to]| [x, from.max(low - room), to.min(high + room)])
        .filter(|[_, from, to]| from < to)
        .collect();
    let heights = points.iter().map(|point| point[1]).chain(band.iter().flat_map(|b| [b[1], b[2]]));
    let heights: Vec<f64> = heights.collect();
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
        band,
        series: vec![Series { class: "line test", points }],
        guides: vec![Guide {
            class: "base",
            y: *start,
            label: format!("start {start}"),
            label_below: false,
        }],
    };
    Figure::new(name, chart.render())
        .with_keys(&[Key::Line("test", "where it stood"), Key::Band("best value, 95%")])
}

fn table(outcomes: &[Outcome]) -> String {
    let head = [
        ("parameter", Column::Long),
        ("start", Column::Number),
        ("tuned", Column::Number),
        ("best", Column::Number),
        ("last", Column::Number),
        ("Elo a step", Column::Number),
    ];
    let mut table = Table::new("All parameters", &head);
    for outcome in outcomes {
        let slope = outcome.band.map_or("–".to_owned(), |band| {
            format!("{} ± {}", signed(band.slope, 2), fixed(band.slope_error95, 2))
        });
        table.row([
            Cell::text(&outcome.name),
            Cell::text(&fixed(outcome.start, 0)),
            Cell::text(&fixed(outcome.tuned, 1)),
            Cell::text(&outcome.best_words()),
            Cell::text(&fixed(outcome.last, 1)),
            Cell::text(&slope),
        ]);
    }
    table.render()
}
