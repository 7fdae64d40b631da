//! The page of a sweep for speed.

use super::curve::{Curve, Dot};
use super::figure::Figure;
use super::html::{Cell, Column, Table, Text};
use super::page;
use super::svg::Naming;
use super::words::{count, millis};
use crate::sweep::speed::{Ratio, SpeedRow, Told};

/// The page: with one axis its charts, the table.
pub(crate) fn speed(told: &Told, name: &str) -> String {
    let mut body = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n",
        Text(name),
        Text(&told.conditions)
    );
    if let [axis] = &told.axes[..] {
        let name = axis.knob.name();
        let nodes = chart(told, name, "nodes", |row| row.nodes_ratio);
        let time = chart(told, name, "time", |row| row.time_ratio);
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
    page::whole([name, "Speed"], intro, &body, "sweep.json and speed.jsonl", "")
}

fn chart(told: &Told, name: &str, what: &str, of: impl Fn(&SpeedRow) -> Ratio) -> Figure {
    let dots = told.rows.iter().map(|row| {
        let Ratio { mean, ends: [low, high] } = of(row);
        let x = f64::from(row.values[0]);
        // In per cent more than the base; the interval is drawn even, which it nearly is.
        let (y, error) = (100.0 * (mean - 1.0), 50.0 * (high - low));
        Dot { class: if row.is_base { "base" } else { "test" }, x, y, error }
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

fn table(told: &Told) -> String {
    let mut head: Vec<(&str, Column)> =
        told.axes.iter().map(|axis| (axis.knob.name(), Column::Number)).collect();
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
        let values = values.map(|(axis, &value)| Cell::text(&axis.knob.words(value)));
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
