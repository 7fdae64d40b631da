//! The page of a sweep for speed.

use super::{Ratio, SpeedOutcome, SpeedRow};
use crate::sweep::page::{across, dot, dots, map, naming};
use charts::figure::{Figure, Key};

/// Charts for one axis or two.
pub(super) fn figures(outcome: &SpeedOutcome) -> Vec<Figure> {
    let draw: Draw = match outcome.axes.len() {
        1 => chart,
        2 => heat,
        _ => return Vec::new(),
    };
    vec![draw(outcome, "nodes", |row| row.nodes_ratio), draw(outcome, "time", |row| row.time_ratio)]
}

/// Draws a chart of one of the two ratios.
type Draw = fn(&SpeedOutcome, &str, fn(&SpeedRow) -> Ratio) -> Figure;

/// Per cent above the base, and half the interval; it is drawn symmetric, which it nearly is.
fn percent(Ratio { mean, ends }: Ratio) -> [f64; 2] {
    let width = ends.map_or(f64::NAN, |[low, high]| high - low);
    [100.0 * (mean - 1.0), 50.0 * width]
}

fn chart(outcome: &SpeedOutcome, what: &str, of: fn(&SpeedRow) -> Ratio) -> Figure {
    let axis = &outcome.axes[0];
    let each = outcome.rows.iter().map(|row| dot(row.is_base, row.values[0], percent(of(row))));
    let heading = format!("{what} beside the base's, in per cent more or less");
    let title = format!("{what} over {}", axis.tunable.name());
    let naming = naming(&format!("speed-{what}"), &title, heading.clone());
    Figure::new(&heading, dots(axis, naming, each.collect()))
}

fn heat(outcome: &SpeedOutcome, what: &str, of: fn(&SpeedRow) -> Ratio) -> Figure {
    let rows = outcome.rows.iter().map(|row| {
        let [more, error] = percent(of(row));
        (&row.values[..], [-more, error], row.is_base)
    });
    let heading = format!("{what} spared beside the base's, in per cent");
    let title = format!("{what} over two parameters");
    let naming = naming(&format!("speed-{what}"), &title, heading.clone());
    let chart = map(&outcome.axes, naming, "%", rows);
    Figure::new(&format!("{heading}: {}", across(&outcome.axes)), chart)
        .with_keys(&[Key::Area("test", "cheaper than base"), Key::Area("base", "dearer")])
        .with_note("● the base.")
}
