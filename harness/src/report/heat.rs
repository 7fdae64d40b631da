//! A map of two parameters: a field for each pair of values, coloured by Elo.

use super::svg::{Anchor, Naming, Svg};
use super::words::{fixed, signed};

/// Height of a field.
const FIELD: f64 = 34.0;
/// Room below, for two rows of letters.
const BELOW: f64 = 40.0;
/// Fields so many that numbers in them would touch.
const TIGHT: usize = 9;

/// A field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    /// Which column and row, from 0, the lowest row first.
    pub(super) place: [usize; 2],
    /// Elo and half the width of its interval.
    pub(super) elo: [f64; 2],
    /// Whether it is the base or the best.
    pub(super) is_marked: bool,
}

/// A map.
pub(super) struct Heat<'a> {
    /// What it is called.
    pub(super) naming: Naming,
    /// The columns' values.
    pub(super) columns: Vec<String>,
    /// The rows' values, lowest first.
    pub(super) rows: Vec<String>,
    /// What the columns are.
    pub(super) x_name: &'a str,
    /// The fields; those that are missing stay empty.
    pub(super) fields: Vec<Field>,
}

impl Heat<'_> {
    /// The map as SVG.
    pub(super) fn render(&self) -> String {
        let height = FIELD * self.rows.len() as f64;
        let mut svg = Svg::new(&self.naming, height + BELOW);
        let width = 1.0 / self.columns.len().max(1) as f64;
        let sizes =
            self.fields.iter().map(|field| field.elo[0].abs()).filter(|size| size.is_finite());
        let most = sizes.fold(1.0, f64::max);
        for field in self.fields.iter().filter(|field| field.elo[0].is_finite()) {
            let [column, row] = field.place;
            let (left, top) = (column as f64 * width, FIELD * (self.rows.len() - 1 - row) as f64);
            let [elo, error] = field.elo;
            let class = if elo >= 0.0 { "test" } else { "base" };
            let hint = format!(
                "{} / {}: {} ± {} Elo",
                self.columns[column],
                self.rows[row],
                signed(elo, 1),
                fixed(error, 1)
            );
            let opacity = 0.06 + 0.74 * elo.abs() / most;
            svg.shade(class, [left, left + width], [top, top + FIELD - 1.0], opacity, &hint);
            if self.columns.len() <= TIGHT {
                let mark = if field.is_marked { "●" } else { "" };
                let text = format!("{mark}{}", signed(elo, 0));
                svg.label(
                    "mark",
                    Anchor::Middle,
                    left + width / 2.0,
                    top + FIELD / 2.0 + 4.0,
                    &text,
                );
            } else if field.is_marked {
                svg.dot("ink", left + width / 2.0, top + FIELD / 2.0, 3.0);
            }
        }
        for (row, name) in self.rows.iter().enumerate() {
            svg.margin(height - FIELD * (row as f64 + 0.5), name);
        }
        let every = self.columns.len().div_ceil(TIGHT);
        for (column, name) in self.columns.iter().enumerate().step_by(every.max(1)) {
            let at = (column as f64 + 0.5) * width;
            svg.label("tick", Anchor::Middle, at, height + 16.0, name);
        }
        svg.label("tick", Anchor::End, 1.0, height + 34.0, self.x_name);
        svg.finish()
    }
}
