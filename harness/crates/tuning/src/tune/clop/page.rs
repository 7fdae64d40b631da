//! The page of a run of CLOP: the fitted landscape and the data.

use super::landscape::{Height, Landscape};
use super::{Clop, Maximum};
use charts::curve::{self, Curve, Dot};
use charts::figure::{Figure, Key};
use charts::heat::{Field, Heat};
use charts::svg::Naming;
use stats::{Z95, elo_of_score};

/// Groups of results along a parameter.
const GROUPS: usize = 12;
/// A group of fewer results has no dot.
const LEAST_RESULTS: usize = 8;
/// Fields of a map along each parameter.
const FIELDS: usize = 9;
/// More maps are left out.
const MOST_MAPS: usize = 6;

/// A slice through the best along each parameter, and a map of each two.
pub(super) fn figures(landscape: &Landscape) -> Vec<Figure> {
    let axes = 0..landscape.clop.ranges().len();
    let pairs =
        axes.clone().flat_map(|x| axes.clone().filter(move |y| x < *y).map(move |y| [x, y]));
    let maps = pairs.take(MOST_MAPS).map(|pair| map(landscape, pair));
    axes.clone().map(|axis| slice(landscape, axis)).chain(maps).collect()
}

/// The best values, with some axes at other values.
fn values_at<const N: usize>(best: &Maximum, moved: [(usize, f64); N]) -> Vec<f64> {
    let mut values = best.values.clone();
    for (axis, value) in moved {
        values[axis] = value;
    }
    values
}

fn slice(landscape: &Landscape, axis: usize) -> Figure {
    let Landscape { clop, best } = landscape;
    let range = &clop.ranges()[axis];
    let name = range.tunable.name();
    let line = curve::line(range.ends(), |value| {
        let Height { elo, error95 } = landscape.height(&values_at(best, [(axis, value)]));
        [elo, error95]
    });
    let heading = format!("Elo over {name}");
    let ([low, high], value) = (best.intervals[axis], best.values[axis]);
    let digits = range.decimals();
    let desc =
        format!("Best at {}, from {low:.digits$} to {high:.digits$}.", range.tunable.words(value));
    let chart = Curve {
        naming: Naming { id: format!("slice{axis}"), title: heading.clone(), desc },
        x_name: name,
        dots: dots(clop, axis),
        line,
        top: Some([value, low, high]),
    };
    let keys = [Key::Line("test", "results with 95% intervals"), Key::Band("the fit there, 95%")];
    let note = if clop.ranges().len() == 1 {
        "Each dot is a group of pairs. The upright line is the best value, with its interval."
    } else {
        "The fit with the other parameters at their best; each dot is a group of pairs whose other \
         parameters were wherever they were tried. The upright line is the best value, with its interval."
    };
    Figure::new(&heading, chart.render()).with_keys(&keys).with_note(note)
}

/// Results in groups by the value of one parameter.
fn dots(clop: &Clop, axis: usize) -> Vec<Dot> {
    let [min, max] = clop.ranges()[axis].ends();
    let mut groups = vec![(0_usize, 0.0, 0.0, 0.0); GROUPS];
    for (values, score) in clop.results() {
        let value = values[axis];
        let share = (value - min) / (max - min);
        let group = &mut groups[((share * GROUPS as f64) as usize).min(GROUPS - 1)];
        group.0 += 1;
        group.1 += value;
        group.2 += score;
        group.3 += score * score;
    }
    let known = groups.into_iter().filter(|group| group.0 >= LEAST_RESULTS);
    let dot = |(count, values, scores, squares): (usize, f64, f64, f64)| {
        let count = count as f64;
        let mean = scores / count;
        let error = ((squares / count - mean * mean).max(0.0) / count).sqrt();
        let elo = |score| elo_of_score(score).unwrap_or(f64::NAN);
        let [y, high] = [mean, mean + Z95 * error].map(elo);
        Dot { class: "test", x: values / count, y, error: high - y }
    };
    known.map(dot).collect()
}

fn map(landscape: &Landscape, [x, y]: [usize; 2]) -> Figure {
    let Landscape { clop, best } = landscape;
    let ranges = [x, y].map(|axis| &clop.ranges()[axis]);
    let steps = ranges.map(|range| {
        let at = |i: usize| range.playable(2.0 * i as f64 / (FIELDS - 1) as f64 - 1.0);
        let mut values: Vec<f64> = (0..FIELDS).map(at).collect();
        values.dedup();
        values
    });
    let nearest = [0, 1].map(|side: usize| {
        let value = best.values[[x, y][side]];
        let away = |i: &usize| (steps[side][*i] - value).abs();
        (0..steps[side].len()).min_by(|a, b| away(a).total_cmp(&away(b)))
    });
    let places =
        (0..steps[0].len()).flat_map(|column| (0..steps[1].len()).map(move |row| [column, row]));
    let field = |[column, row]: [usize; 2]| {
        let moved = [(x, steps[0][column]), (y, steps[1][row])];
        let height = landscape.height(&values_at(best, moved));
        let is_marked = nearest == [Some(column), Some(row)];
        Field { place: [column, row], worth: [height.elo, height.error95], is_marked }
    };
    let [columns, rows] = [0, 1].map(|side: usize| {
        steps[side].iter().map(|&value| ranges[side].tunable.text(value)).collect::<Vec<_>>()
    });
    let [x_name, y_name] = ranges.map(|range| range.tunable.name());
    let desc = format!("The fitted Elo over {x_name} and {y_name}, the others at their best.");
    let naming = Naming { id: format!("map{x}-{y}"), title: "A map".to_owned(), desc };
    let chart =
        Heat { naming, columns, rows, x_name, unit: "Elo", fields: places.map(field).collect() };
    Figure::new(&format!("{y_name} (up) and {x_name} (across)"), chart.render())
        .with_keys(&[Key::Area("test", "better than base"), Key::Area("base", "worse")])
        .with_note(
            "● the best. The fit is of results near it; far away it only shows the direction.",
        )
}
