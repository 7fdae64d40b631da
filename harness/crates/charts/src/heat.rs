//! A map of two parameters: a field for each pair of values, coloured by what they are worth.

use super::svg::{Naming, Svg, TextAnchor};
use crate::numbers::{fixed, signed};

const FIELD: f64 = 34.0;
/// Room below, for two rows of letters.
const BELOW: f64 = 40.0;
/// Fields so many that numbers in them would touch.
const TIGHT: usize = 9;

/// The values that points have on two axes, ascending.
pub struct Grid([Vec<f64>; 2]);

impl Grid {
    pub fn of<'a>(points: impl Iterator<Item = &'a [f64]> + Clone) -> Grid {
        Grid([0, 1].map(|axis| {
            let mut values: Vec<f64> = points.clone().map(|values| values[axis]).collect();
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            values
        }))
    }

    /// The names of the columns and of the rows; `name` names a value of the axis 0 or 1.
    pub fn names(&self, name: impl Fn(usize, f64) -> String) -> [Vec<String>; 2] {
        [0, 1].map(|axis: usize| self.0[axis].iter().map(|&value| name(axis, value)).collect())
    }

    pub fn place(&self, values: &[f64]) -> [usize; 2] {
        [0, 1].map(|axis: usize| {
            let is_less = |value: &f64| *value < values[axis];
            self.0[axis].partition_point(is_less)
        })
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Which column and row, from 0, the lowest row first.
    pub place: [usize; 2],
    /// The number, above 0 where it is better than the base, and half the width of its interval.
    pub worth: [f64; 2],
    /// Whether it is the base or the best.
    pub is_marked: bool,
}

pub struct Heat<'a> {
    pub naming: Naming,
    pub columns: Vec<String>,
    /// The lowest value first.
    pub rows: Vec<String>,
    pub x_name: &'a str,
    /// What the numbers are of: Elo, say.
    pub unit: &'a str,
    /// The fields; those that are missing stay empty.
    pub fields: Vec<Field>,
}

impl Heat<'_> {
    pub fn render(&self) -> String {
        let height = FIELD * self.rows.len() as f64;
        let mut svg = Svg::new(&self.naming, height + BELOW);
        let width = 1.0 / self.columns.len().max(1) as f64;
        let sizes =
            self.fields.iter().map(|field| field.worth[0].abs()).filter(|size| size.is_finite());
        let most = sizes.fold(1.0, f64::max);
        for field in self.fields.iter().filter(|field| field.worth[0].is_finite()) {
            let [column, row] = field.place;
            let (left, top) = (column as f64 * width, FIELD * (self.rows.len() - 1 - row) as f64);
            let [worth, error] = field.worth;
            let class = if worth >= 0.0 { "test" } else { "base" };
            let error =
                if error.is_finite() { format!(" ± {}", fixed(error, 1)) } else { String::new() };
            let hint = format!(
                "{} / {}: {}{error} {}",
                self.columns[column],
                self.rows[row],
                signed(worth, 1),
                self.unit
            );
            let opacity = 0.06 + 0.74 * worth.abs() / most;
            svg.shade(class, [left, left + width], [top, top + FIELD - 1.0], opacity, &hint);
            if self.columns.len() <= TIGHT {
                let mark = if field.is_marked { "●" } else { "" };
                let text = format!("{mark}{}", signed(worth, 0));
                svg.label(
                    "mark",
                    TextAnchor::Middle,
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
            svg.label("tick", TextAnchor::Middle, at, height + 16.0, name);
        }
        svg.label("tick", TextAnchor::End, 1.0, height + 34.0, self.x_name);
        svg.finish()
    }
}
