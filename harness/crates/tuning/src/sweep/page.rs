//! The page of a sweep.

use super::{Axis, Effects, SweepOutcome, words};
use crate::report::Circumstances;
use charts::curve::{self, Curve, Dot};
use charts::figure::{Figure, Key};
use charts::heat::{Field, Grid, Heat};
use charts::svg::Naming;

pub(super) fn figures(outcome: &SweepOutcome) -> Vec<Figure> {
    let effects = outcome.effects();
    let each = (0..outcome.axes.len()).map(|axis| worth(outcome, axis, effects.as_ref()));
    match outcome.axes.len() {
        1 => vec![parabola(outcome)],
        2 => std::iter::once(heat(outcome)).chain(each).collect(),
        _ => each.collect(),
    }
}

pub(super) fn naming(id: &str, title: &str, desc: String) -> Naming {
    Naming { id: id.to_owned(), title: title.to_owned(), desc }
}

pub(super) fn dot(is_base: bool, value: f64, [y, error]: [f64; 2]) -> Dot {
    Dot { class: if is_base { "base" } else { "test" }, x: value, y, error }
}

/// A curve without a fitted line.
pub(super) fn dots(axis: &Axis, naming: Naming, dots: Vec<Dot>) -> String {
    let x_name = axis.tunable.name();
    Curve { naming, x_name, dots, line: Vec::new(), top: None }.render()
}

/// A map of rows over two axes: of each its values, what it is worth, whether it is marked.
pub(super) fn map<'a>(
    axes: &[Axis],
    naming: Naming,
    unit: &str,
    rows: impl Iterator<Item = (&'a [f64], [f64; 2], bool)> + Clone,
) -> String {
    let grid = Grid::of(rows.clone().map(|(values, ..)| values));
    let [columns, names] = grid.names(|axis, value| axes[axis].tunable.text(value));
    let field = |(values, worth, is_marked)| Field { place: grid.place(values), worth, is_marked };
    let (x_name, fields) = (axes[0].tunable.name(), rows.map(field).collect());
    Heat { naming, columns, rows: names, x_name, unit, fields }.render()
}

/// The names of two axes, as the heading of a map.
pub(super) fn across(axes: &[Axis]) -> String {
    let [x_name, y_name] = [0, 1].map(|axis: usize| axes[axis].tunable.name());
    format!("{y_name} (up) and {x_name} (across)")
}

fn parabola(outcome: &SweepOutcome) -> Figure {
    let axis = &outcome.axes[0];
    let dots = outcome.rows.iter().map(|row| {
        let error = if row.is_base { 0.0 } else { row.elo.error95.unwrap_or(f64::NAN) };
        dot(row.is_base, row.values[0], [row.elo.elo.unwrap_or(f64::NAN), error])
    });
    let dots: Vec<Dot> = dots.collect();
    let ends = dots.iter().map(|dot| dot.x);
    let (first, last) = (ends.clone().fold(f64::MAX, f64::min), ends.fold(f64::MIN, f64::max));
    let line = outcome.parabola.as_ref().map_or_else(Vec::new, |parabola| {
        let point = |x| [parabola.at(x), stats::Z95 * parabola.error_at(x)];
        curve::line([first, last], point)
    });
    let top = outcome.parabola.as_ref().and_then(crate::sweep::fit::Parabola::top);
    let note = words::parabola(outcome).unwrap_or_default();
    let mut keys =
        vec![Key::Line("test", "candidates with 95% intervals"), Key::Area("base", "base")];
    if !line.is_empty() {
        keys.push(Key::Band("fitted parabola, 95%"));
    }
    let chart = Curve {
        naming: naming("curve", "Elo over the parameter's values", note.clone()),
        x_name: axis.tunable.name(),
        dots,
        line,
        top: top
            .filter(|top| top.x >= first && top.x <= last)
            .map(|top| [top.x, top.low, top.high]),
    };
    Figure::new(&format!("Elo over {}", axis.tunable.name()), chart.render())
        .with_keys(&keys)
        .with_note(&note)
}

fn heat(outcome: &SweepOutcome) -> Figure {
    let rows = outcome.rows.iter().enumerate().map(|(number, row)| {
        let worth = [row.elo.elo, row.elo.error95].map(|number| number.unwrap_or(f64::NAN));
        (&row.values[..], worth, row.is_base || outcome.best == Some(number))
    });
    let desc = words::verdict(outcome, Circumstances::default());
    let naming = naming("heat", "Elo over two parameters", desc);
    Figure::new(&across(&outcome.axes), map(&outcome.axes, naming, "Elo", rows))
        .with_keys(&[Key::Area("test", "better than base"), Key::Area("base", "worse")])
        .with_note(
            "● the base and the best. Cells of dropped candidates have few pairs; see the table.",
        )
}

/// The effect of each value of an axis, where the points determine it.
fn worth(outcome: &SweepOutcome, number: usize, effects: Option<&Effects>) -> Figure {
    let (axis, base) = (&outcome.axes[number], outcome.base[number]);
    let heading = format!("Effect of {}", axis.tunable.name());
    let Some(effects) = effects else {
        return Figure::nothing(&heading, words::NOT_SEPARABLE);
    };
    let each = effects.axes[number]
        .iter()
        .map(|effect| dot(effect.value == base, effect.value, [effect.elo, effect.error95]));
    let each: Vec<Dot> = each.collect();
    if each.is_empty() {
        return Figure::nothing(&heading, "no pair counts yet");
    }
    let desc = "Elo of each value against the base's value, the other parameters fixed.".to_owned();
    let naming = naming(&format!("effects{number}"), &heading, desc);
    let chart = dots(axis, naming, each);
    let how = words::fitted_as(effects);
    Figure::new(&heading, chart)
        .with_note(&format!("Elo against the base's value, the other parameters fixed; {how}."))
}
