//! The page of a run of SPSA.

use super::Spsa;
use super::band::{Band, bands_after};
use super::outcome::LineOutcome;
use crate::tune::tuner::Optimizer as _;
use charts::figure::{Figure, Key};
use charts::lines::{Guide, LineChart, Series};
use charts::numbers::{count, fixed};
use charts::scale::Scale;
use charts::svg::Naming;

/// More charts are left out: the table has all.
const MOST_CHARTS: usize = 24;
/// Points on the way at which the bands are drawn.
const CHECKS: usize = 40;
/// Points of a line at most.
const POINTS: usize = 300;

/// Each parameter's way.
pub(super) fn figures(spsa: &Spsa, outcomes: &[LineOutcome<'_>]) -> Vec<Figure> {
    let steps = spsa.steps();
    let check = |check: usize| {
        let after = steps.len() * check / CHECKS;
        Some((steps.get(after.checked_sub(1)?)?.pairs as f64, bands_after(spsa, after)?))
    };
    let checks: Vec<(f64, Vec<Band>)> = (1..=CHECKS).filter_map(check).collect();
    let each = outcomes.iter().enumerate().take(MOST_CHARTS);
    each.map(|(number, outcome)| way(spsa, number, outcome, &checks)).collect()
}

fn way(
    spsa: &Spsa,
    number: usize,
    outcome: &LineOutcome<'_>,
    checks: &[(f64, Vec<Band>)],
) -> Figure {
    let LineOutcome { name, start, tuned, decimals, .. } = outcome;
    let steps = spsa.steps();
    if steps.is_empty() {
        return Figure::nothing(name, "no iteration is finished yet");
    }
    let every = steps.len().div_ceil(POINTS);
    let first = [0.0, *start];
    let rest = steps.iter().step_by(every).map(|step| [step.pairs as f64, step.theta[number]]);
    let points: Vec<[f64; 2]> = std::iter::once(first).chain(rest).collect();
    let last = spsa.pairs() as f64;
    let best = |(pairs, bands): &(f64, Vec<Band>)| {
        let best = bands[number].best?;
        Some([*pairs, best.low, best.high])
    };
    // An interval much wider than the way would hide it.
    let [low, high] = [f64::min, f64::max].map(|of| points.iter().map(|p| p[1]).fold(*start, of));
    let room = (high - low).max(spsa.lines()[number].c_end);
    let band: Vec<[f64; 3]> = checks
        .iter()
        .filter_map(best)
        .map(|[x, from, to]| [x, from.max(low - room), to.min(high + room)])
        .filter(|[_, from, to]| from < to)
        .collect();
    let heights = points.iter().map(|point| point[1]).chain(band.iter().flat_map(|b| [b[1], b[2]]));
    let heights: Vec<f64> = heights.collect();
    let desc = format!(
        "From {start} to {} after {} pairs.",
        fixed(*tuned, *decimals),
        count(spsa.pairs())
    );
    let chart = LineChart {
        naming: Naming { id: format!("way{number}"), title: format!("{name} over pairs"), desc },
        x: Scale::of([0.0, last]),
        x_name: "pairs",
        y: Scale::of(heights).with_room(0.08, 0.08),
        y_label: &fixed,
        y_least: 0.0,
        ground: None,
        band,
        wide_band: Vec::new(),
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
