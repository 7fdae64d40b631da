//! The page of a sweep for speed.

use crate::sweep::speed::{Ratio, SpeedRow, Told};
use charts::curve::{Curve, Dot};
use charts::figure::{Figure, Key};
use charts::frame::whole;
use charts::heat::{Field, Grid, Heat};
use charts::html::{Cell, Column, Table, Text};
use charts::numbers::{count, millis};
use charts::svg::Naming;

/// The page: charts for one axis or two, and the table.
pub(crate) fn speed(told: &Told, name: &str) -> String {
    let mut body = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n",
        Text(name),
        Text(&told.conditions)
    );
    let draw = match told.axes.len() {
        1 => Some(chart as Draw),
        2 => Some(heat as Draw),
        _ => None,
    };
    if let Some(draw) = draw {
        let nodes = draw(told, "nodes", |row| row.nodes_ratio);
        let time = draw(told, "time", |row| row.time_ratio);
        body.push_str(&format!(
            "<div class=\"charts\">\n{}{}</div>\n",
            nodes.render(),
            time.render()
        ));
    }
    body.push_str(&table(told));
    body.push_str("</section>\n");
    let intro = "Nodes and time to a depth, as shares of the base's on the geometric mean over the \
                 positions: below 1 is cheaper.";
    whole([name, "Speed"], intro, &body, "sweep.json and speed.jsonl", "")
}

/// Draws a chart of one of the two ratios.
type Draw = fn(&Told, &str, fn(&SpeedRow) -> Ratio) -> Figure;

/// Per cent above the base, and half the interval; it is drawn symmetric, which it nearly is.
fn percent(Ratio { mean, ends }: Ratio) -> [f64; 2] {
    let width = ends.map_or(f64::NAN, |[low, high]| high - low);
    [100.0 * (mean - 1.0), 50.0 * width]
}

fn chart(told: &Told, what: &str, of: fn(&SpeedRow) -> Ratio) -> Figure {
    let name = told.axes[0].tunable.name();
    let dots = told.rows.iter().map(|row| {
        let [y, error] = percent(of(row));
        let class = if row.is_base { "base" } else { "test" };
        Dot { class, x: f64::from(row.values[0]), y, error }
    });
    let heading = format!("{what} beside the base's, in per cent more or less");
    let chart = Curve {
        naming: Naming {
            id: format!("speed-{what}"),
            title: format!("{what} over {name}"),
            desc: heading.clone(),
        },
        x_name: name,
        dots: dots.collect(),
        line: Vec::new(),
        top: None,
    };
    Figure::new(&heading, chart.render())
}

fn heat(told: &Told, what: &str, of: fn(&SpeedRow) -> Ratio) -> Figure {
    let grid = Grid::of(told.rows.iter().map(|row| &row.values[..]));
    let [columns, rows] = grid.names(|axis, value| told.axes[axis].tunable.text(value));
    let fields = told.rows.iter().map(|row| {
        let [more, error] = percent(of(row));
        Field { place: grid.place(&row.values), worth: [-more, error], is_marked: row.is_base }
    });
    let [x_name, y_name] = [0, 1].map(|axis: usize| told.axes[axis].tunable.name());
    let heading = format!("{what} spared beside the base's, in per cent");
    let chart = Heat {
        naming: Naming {
            id: format!("speed-{what}"),
            title: format!("{what} over two parameters"),
            desc: heading.clone(),
        },
        columns,
        rows,
        x_name,
        unit: "%",
        fields: fields.collect(),
    };
    Figure::new(&format!("{heading}: {y_name} (up) and {x_name} (across)"), chart.render())
        .with_keys(&[Key::Area("test", "cheaper than base"), Key::Area("base", "dearer")])
        .with_note("● the base.")
}

fn table(told: &Told) -> String {
    let mut head: Vec<(&str, Column)> =
        told.axes.iter().map(|axis| (axis.tunable.name(), Column::Number)).collect();
    head.extend([
        ("nodes", Column::Number),
        ("× base", Column::Number),
        ("time", Column::Number),
        ("× base", Column::Number),
        ("", Column::Text),
    ]);
    let mut table = Table::new("All candidates", &head);
    for row in &told.rows {
        let values = told.axes.iter().zip(&row.values);
        let values = values.map(|(axis, &value)| Cell::text(&axis.tunable.words(value)));
        let rest = [
            count(row.nodes),
            crate::sweep::speed::words(row.nodes_ratio),
            millis(row.micros as f64 / 1000.0),
            crate::sweep::speed::words(row.time_ratio),
            if row.is_base { "base".to_owned() } else { String::new() },
        ];
        table.row(values.chain(rest.iter().map(|text| Cell::text(text))));
    }
    table.render()
}
