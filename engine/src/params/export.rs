//! The table for other programs and for readers.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::{Kind, ParamSpec, Params, SPECS, Shape};

impl ParamSpec {
    /// The value in `params`: a truth value, a number, a name, or a list of numbers, a1 first.
    pub(super) fn json(&self, params: &Params) -> Json {
        let values: Vec<i32> = (0..self.cells()).map(|cell| self.get(params, cell)).collect();
        match self.shape {
            Shape::Switch => json!(values[0] != 0),
            Shape::Number => json!(values[0]),
            Shape::Choice(_) => json!(self.cell_text(values[0])),
            Shape::Squares | Shape::List(_) => json!(values),
        }
    }
}

/// The table as JSON: one object a row, with the values of `params`.
#[must_use]
pub fn json(params: &Params) -> Json {
    let rows = SPECS.iter().map(|spec| {
        json!({
            "name": spec.name, "value": spec.json(params), "kind": kind_name(spec.kind),
            "min": spec.min, "max": spec.max, "step": spec.step,
            "meaning": spec.meaning, "source": spec.source,
        })
    });
    Json::Array(rows.collect())
}

/// The reference: one Markdown table.
#[must_use]
pub fn markdown(params: &Params) -> String {
    let mut text = String::from(
        "# Parameters of mutineer\n\n\
         Written by `mutineer params markdown`; a test holds this file to it. The column \
         \"default\" is the personality of that name. Values and margins are in 1/256 pawn unless the \
         meaning says otherwise. What the ids in \"source\" name stands in [REBEL.md](REBEL.md).\n\n\
         | name | default | range | step | kind | meaning | source |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for spec in SPECS.iter() {
        let default = match spec.shape {
            Shape::Squares => "64 squares".to_owned(),
            Shape::List(length) if length > 256 => format!("{length} numbers"),
            _ => spec.text(params),
        };
        let range = match spec.shape {
            Shape::Switch => "true, false".to_owned(),
            Shape::Choice(names) => names.join(", "),
            _ => format!("{}..={}", spec.min, spec.max),
        };
        let _ = writeln!(
            text,
            "| `{}` | {default} | {range} | {} | {} | {} | {} |",
            spec.name,
            spec.step,
            kind_name(spec.kind),
            spec.meaning,
            spec.source
        );
    }
    text
}

/// SPSA input lines of every number and table cell: `name, int, value, min, max, c_end, r_end`.
#[must_use]
pub fn spsa(params: &Params) -> String {
    let mut text = String::new();
    let is_number = |spec: &&&ParamSpec| !matches!(spec.shape, Shape::Switch | Shape::Choice(_));
    for spec in SPECS.iter().filter(is_number) {
        for cell in 0..spec.cells() {
            let (name, value) = (spec.cell_name(cell), spec.get(params, cell));
            let _ = writeln!(
                text,
                "{name}, int, {value}, {}, {}, {}, 0.002",
                spec.min, spec.max, spec.step
            );
        }
    }
    text
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Search => "search",
        Kind::Linear => "linear",
        Kind::NonLinear => "non-linear",
        Kind::Order => "order",
        Kind::Switch => "switch",
        Kind::Choice => "choice",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_up_to_date() {
        let written = include_str!("../../PARAMETERS.md");
        let current = markdown(&Params::standard());
        assert!(written == current, "run: mutineer params markdown > engine/PARAMETERS.md");
    }

    #[test]
    fn json_has_every_row() {
        let Json::Array(rows) = json(&Params::default()) else { panic!("expected an array") };
        assert_eq!(rows.len(), SPECS.len());
        let lines = spsa(&Params::default());
        assert!(lines.contains("pst.knight_mg[e4], int, "));
        assert!(!lines.contains("search.pvs") && !lines.contains("imbalance.table"));
    }
}
