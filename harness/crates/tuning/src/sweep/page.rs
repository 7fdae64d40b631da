//! The page of a sweep.

use crate::simulated_engine::{Peak, made_of};
use crate::sweep::{Effects, Outcome, Row, words};
use arena::record::Summary;
use charts::curve::{Curve, Dot};
use charts::figure::{Figure, Key};
use charts::frame::whole;
use charts::heat::{Field, Grid, Heat};
use charts::html::{Cell, Column, Table, Text};
use charts::numbers::{count, fixed, signed};
use charts::svg::Naming;
use stats::{honest_los, sure};

const LINE_POINTS: u32 = 60;

/// `truth` is what was simulated, if anything.
pub(super) fn sweep(
    outcome: &Outcome,
    [name, conditions]: [&str; 2],
    truth: &[Peak],
    confirmation: Option<&Summary>,
) -> String {
    let verdict = words::verdict(outcome, confirmation);
    let mut body = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n<p>{}</p>\n<div class=\"charts\">\n",
        Text(name),
        Text(conditions),
        Text(&verdict)
    );
    for figure in figures(outcome) {
        body.push_str(&figure.render());
    }
    body.push_str("</div>\n");
    body.push_str(&table(outcome));
    body.push_str(&format!("<p class=\"note\">{}</p>\n</section>\n", Text(&words::race(outcome))));
    let intro = "All Elo is <strong>candidate minus base</strong>. Two games from one opening, \
                 colours swapped, are a pair; all candidates play the same openings.";
    let source = made_of(truth, "sweep.json and the candidates' journals");
    whole([name, "Sweep"], intro, &body, source, "")
}

fn figures(outcome: &Outcome) -> Vec<Figure> {
    let effects = outcome.effects();
    let each = (0..outcome.axes.len()).map(|axis| worth(outcome, axis, effects.as_ref()));
    match outcome.axes.len() {
        1 => vec![curve(outcome)],
        2 => std::iter::once(heat(outcome)).chain(each).collect(),
        _ => each.collect(),
    }
}

fn naming(id: &str, title: &str, desc: String) -> Naming {
    Naming { id: id.to_owned(), title: title.to_owned(), desc }
}

fn curve(outcome: &Outcome) -> Figure {
    let axis = &outcome.axes[0];
    let dots = outcome.rows.iter().enumerate().map(|(number, row)| Dot {
        class: if row.is_base { "base" } else { "test" },
        x: f64::from(row.values[0]),
        y: row.elo.elo.unwrap_or(f64::NAN),
        error: if number + 1 == outcome.rows.len() {
            0.0
        } else {
            row.elo.error95.unwrap_or(f64::NAN)
        },
    });
    let dots: Vec<Dot> = dots.collect();
    let ends = dots.iter().map(|dot| dot.x);
    let (first, last) = (ends.clone().fold(f64::MAX, f64::min), ends.fold(f64::MIN, f64::max));
    let line = outcome.parabola.as_ref().map_or_else(Vec::new, |parabola| {
        let at = |i| first + (last - first) * f64::from(i) / f64::from(LINE_POINTS);
        let point = |x| [x, parabola.at(x), stats::Z95 * parabola.error_at(x)];
        (0..=LINE_POINTS).map(at).map(point).collect()
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

fn heat(outcome: &Outcome) -> Figure {
    let grid = Grid::of(outcome.rows.iter().map(|row| &row.values[..]));
    let [columns, rows] = grid.names(|axis, value| outcome.axes[axis].tunable.text(value));
    let fields = outcome.rows.iter().enumerate().map(|(number, row)| {
        let worth = [row.elo.elo, row.elo.error95].map(|number| number.unwrap_or(f64::NAN));
        let is_marked = row.is_base || outcome.best == Some(number);
        Field { place: grid.place(&row.values), worth, is_marked }
    });
    let fields: Vec<Field> = fields.collect();
    let [x_name, y_name] = [0, 1].map(|axis: usize| outcome.axes[axis].tunable.name());
    let desc = words::verdict(outcome, None);
    let chart = Heat {
        naming: naming("heat", "Elo over two parameters", desc),
        columns,
        rows,
        x_name,
        unit: "Elo",
        fields,
    };
    Figure::new(&format!("{y_name} (up) and {x_name} (across)"), chart.render())
        .with_keys(&[Key::Area("test", "better than base"), Key::Area("base", "worse")])
        .with_note(
            "● the base and the best. Cells of dropped candidates have few pairs; see the table.",
        )
}

/// The effect of each value of an axis, where the points determine it.
fn worth(outcome: &Outcome, number: usize, effects: Option<&Effects>) -> Figure {
    let (name, base) = (outcome.axes[number].tunable.name(), outcome.base[number]);
    let heading = format!("Effect of {name}");
    let Some(effects) = effects else {
        return Figure::nothing(&heading, words::NOT_TOLD_APART);
    };
    let dots = effects.axes[number].iter().map(|effect| Dot {
        class: if effect.value == base { "base" } else { "test" },
        x: f64::from(effect.value),
        y: effect.elo,
        error: effect.error95,
    });
    let dots: Vec<Dot> = dots.collect();
    if dots.is_empty() {
        return Figure::nothing(&heading, "no pair counts yet");
    }
    let desc = "Elo of each value against the base's value, the other parameters fixed.".to_owned();
    let id = format!("effects{number}");
    let chart = Curve {
        naming: naming(&id, &heading, desc),
        x_name: name,
        dots,
        line: Vec::new(),
        top: None,
    };
    let how = words::fitted_as(effects);
    Figure::new(&heading, chart.render())
        .with_note(&format!("Elo against the base's value, the other parameters fixed; {how}."))
}

fn table(outcome: &Outcome) -> String {
    let mut head: Vec<(&str, Column)> =
        outcome.axes.iter().map(|axis| (axis.tunable.name(), Column::Number)).collect();
    head.extend([
        ("Elo ± 95%", Column::Number),
        ("LOS", Column::Number),
        ("pairs", Column::Number),
        ("LL, LD, DD+WL, WD, WW", Column::Number),
        ("", Column::Text),
    ]);
    let mut table = Table::new("All candidates; Elo is candidate minus base", &head);
    for number in outcome.ranked() {
        let row = &outcome.rows[number];
        let values = outcome.axes.iter().zip(&row.values);
        let values = values.map(|(axis, &value)| Cell::text(&axis.tunable.words(value)));
        let rest = if row.is_base {
            ["0", "", "", "base"].map(Cell::text)
        } else {
            [
                Cell::text(&elo(row)),
                Cell::text(&honest_los(&row.counts).map_or("–".to_owned(), sure)),
                Cell::text(&count(row.pairs)),
                Cell::text(&row.counts.to_string().replace(',', ", ")),
            ]
        };
        table.row(values.chain(rest).chain([Cell::text(&outcome.fate(number))]));
    }
    table.render()
}

fn elo(row: &Row) -> String {
    match (row.elo.elo, row.elo.error95) {
        (Ok(elo), Ok(error)) => format!("{} ± {}", signed(elo, 1), fixed(error, 1)),
        (Ok(elo), Err(_)) => signed(elo, 1),
        (Err(_), _) => "–".to_owned(),
    }
}
