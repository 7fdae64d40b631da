//! The parameter table: every tunable number, switch and square table, as a plain value.
//!
//! `table/` lists the rows once. From them come the [`Params`] struct, its dotted names
//! (`aspiration.half_window`, `pst.knight_mg[e4]`), UCI options, the exports and the reference.

mod choice;
mod export;
mod field;
mod lines;
mod papers;
mod personality;
mod personality_file;
mod squares;
mod table;

use std::num::IntErrorKind;

pub use choice::{MaterialTable, OpeningKeys};
pub use export::{json, markdown, spsa};
pub(crate) use field::{KING_CELLS, by_role};
pub use field::{Kind, Shape, Squares};
pub use papers::PaperName;
pub(crate) use papers::{NO_LAZY, SELECTIVE_RANGE};
pub use personality::{PERSONALITIES, PersonalityError, UnknownPersonality, is_file};
pub use personality_file::{FileForm, PersonalityFile, json_text};
pub use table::*;

use field::square_name;

/// One row of the table.
#[derive(Debug)]
pub struct ParamSpec {
    /// Dotted and stable, `group.name`.
    pub name: &'static str,
    /// One number, a switch, a name, or a table of cells.
    pub shape: Shape,
    /// What the number is to a tuner.
    pub kind: Kind,
    /// Least allowed value of each cell.
    pub min: i32,
    /// Greatest allowed value of each cell.
    pub max: i32,
    /// A sensible step for sweeps and tuners.
    pub step: i32,
    /// What it means, with the unit.
    pub meaning: &'static str,
    /// Register ids, and the paper's own figure where the unit differs.
    pub source: &'static str,
    get: fn(&Params, usize) -> i32,
    set: fn(&mut Params, usize, i32),
}

/// Why a parameter cannot be read or set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// No such name.
    #[error("unknown parameter '{name}'; did you mean '{nearest}'?")]
    Unknown {
        /// As given.
        name: String,
        /// The nearest name in the table.
        nearest: String,
    },
    /// Not a number, switch or list of numbers as the parameter needs.
    #[error("parameter '{name}': expected {wanted}, found '{value}'")]
    Value {
        /// The parameter.
        name: String,
        /// What it wants.
        wanted: String,
        /// As given.
        value: String,
    },
    /// None of the names that the parameter takes.
    #[error(
        "parameter '{name}': unknown name '{value}'; did you mean '{nearest}'? (there are: {known})"
    )]
    Choice {
        /// The parameter.
        name: String,
        /// As given.
        value: String,
        /// The nearest name.
        nearest: String,
        /// The names there are.
        known: String,
    },
    /// A number outside the range.
    #[error("parameter '{name}': expected {min} to {max}, found {value}")]
    Range {
        /// The parameter.
        name: String,
        /// Least value.
        min: i32,
        /// Greatest value.
        max: i32,
        /// As given.
        value: String,
    },
}

impl ParamSpec {
    /// The number of cells: 1 for numbers, switches and names.
    #[must_use]
    pub fn cells(&self) -> usize {
        match self.shape {
            Shape::Number | Shape::Switch | Shape::Choice(_) => 1,
            Shape::Squares => 64,
            Shape::List(length) => length,
        }
    }

    /// The full name of one cell: `group.name`, `group.name[e4]`, `group.name[7]`.
    #[must_use]
    pub fn cell_name(&self, cell: usize) -> String {
        match self.shape {
            Shape::Number | Shape::Switch | Shape::Choice(_) => self.name.to_owned(),
            Shape::Squares => format!("{}[{}]", self.name, square_name(cell)),
            Shape::List(_) => format!("{}[{cell}]", self.name),
        }
    }

    /// One cell's value.
    #[must_use]
    pub fn get(&self, params: &Params, cell: usize) -> i32 {
        (self.get)(params, cell)
    }

    /// Sets one cell.
    ///
    /// # Errors
    /// When the value is out of range.
    pub fn set(&self, params: &mut Params, cell: usize, value: i32) -> Result<(), ParamError> {
        if !(self.min..=self.max).contains(&value) {
            return Err(self.out_of_range(cell, value.to_string()));
        }
        (self.set)(params, cell, value);
        Ok(())
    }

    fn out_of_range(&self, cell: usize, value: String) -> ParamError {
        ParamError::Range { name: self.cell_name(cell), min: self.min, max: self.max, value }
    }

    /// The whole value as text: a number, `true` or `false`, a name, or numbers parted by commas.
    #[must_use]
    pub fn text(&self, params: &Params) -> String {
        let cell = |cell| self.cell_text(self.get(params, cell));
        (0..self.cells()).map(cell).collect::<Vec<_>>().join(",")
    }

    /// A value of a cell as text.
    #[must_use]
    pub fn cell_text(&self, value: i32) -> String {
        match self.shape {
            Shape::Switch => (value != 0).to_string(),
            Shape::Choice(names) => {
                let name = usize::try_from(value).ok().and_then(|place| names.get(place));
                name.copied().unwrap_or_default().to_owned()
            }
            _ => value.to_string(),
        }
    }

    fn parse_cell(&self, cell: usize, text: &str) -> Result<i32, ParamError> {
        if let Shape::Choice(names) = self.shape {
            return place_of(self.name, names, text).map(|place| place as i32);
        }
        let parsed = match (self.shape, text.to_ascii_lowercase().as_str()) {
            (Shape::Switch, "true" | "on" | "1") => Some(1),
            (Shape::Switch, "false" | "off" | "0") => Some(0),
            (Shape::Switch, _) => None,
            (_, text) => match text.parse::<i32>() {
                Ok(number) => Some(number),
                Err(error) => match error.kind() {
                    IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
                        return Err(self.out_of_range(cell, text.to_owned()));
                    }
                    _ => None,
                },
            },
        };
        parsed.ok_or_else(|| ParamError::Value {
            name: self.name.to_owned(),
            wanted: match self.shape {
                Shape::Switch => "true or false".to_owned(),
                Shape::Number => "a whole number".to_owned(),
                _ => format!("{} whole numbers separated by commas", self.cells()),
            },
            value: text.to_owned(),
        })
    }
}

impl Params {
    /// Sets one parameter, or one cell of a table, by name; a table's name takes all its cells,
    /// parted by commas, a1 first. A [`PaperName`] sets the rows that it stands for.
    ///
    /// # Errors
    /// An unknown name (with the nearest real one), a value that is not of the parameter's form, or
    /// one out of range. Nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        if let Some(paper) = PaperName::of(name) {
            return paper.rows(value)?.iter().try_for_each(|(row, value)| self.set(row, value));
        }
        let papers = PaperName::ALL.map(PaperName::name);
        let (spec, cell) = find(name).map_err(|_| unknown(name, &papers))?;
        let value = value.trim();
        if let Some(cell) = cell {
            let number = spec.parse_cell(cell, value)?;
            return spec.set(self, cell, number);
        }
        let texts: Vec<&str> = value.split(',').map(str::trim).collect();
        if texts.len() != spec.cells() {
            let wanted = format!("{} numbers separated by commas", spec.cells());
            let name = spec.name.to_owned();
            return Err(ParamError::Value { name, wanted, value: value.to_owned() });
        }
        let mut changed = self.clone();
        for (cell, text) in texts.into_iter().enumerate() {
            let number = spec.parse_cell(cell, text)?;
            spec.set(&mut changed, cell, number)?;
        }
        *self = changed;
        Ok(())
    }

    /// Reads one parameter, or one cell of a table, as text.
    ///
    /// # Errors
    /// An unknown name, with the nearest real one.
    pub fn get(&self, name: &str) -> Result<String, ParamError> {
        let (spec, cell) = find(name)?;
        Ok(match cell {
            Some(cell) => spec.cell_text(spec.get(self, cell)),
            None => spec.text(self),
        })
    }

    /// Every cell in which `self` differs from `other`: name and own value.
    #[must_use]
    pub fn differences(&self, other: &Params) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for spec in SPECS.iter() {
            for cell in 0..spec.cells() {
                let value = spec.get(self, cell);
                if value != spec.get(other, cell) {
                    found.push((spec.cell_name(cell), spec.cell_text(value)));
                }
            }
        }
        found
    }
}

/// The place of a name among those that `parameter` takes; capitals do not matter.
fn place_of(parameter: &str, names: &[&str], value: &str) -> Result<usize, ParamError> {
    let value = value.trim();
    names.iter().position(|name| name.eq_ignore_ascii_case(value)).ok_or_else(|| {
        let likeness = |name: &str| strsim::jaro_winkler(&head(value).to_ascii_lowercase(), name);
        let nearest = names.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        ParamError::Choice {
            name: parameter.to_owned(),
            value: value.to_owned(),
            nearest: nearest.copied().unwrap_or_default().to_owned(),
            known: names.join(", "),
        }
    })
}

/// The beginning of a name, as much as is compared: no name is as long, and comparing takes the square
/// of the time.
fn head(name: &str) -> &str {
    const LONGEST: usize = 40;
    name.char_indices().nth(LONGEST).map_or(name, |(end, _)| &name[..end])
}

/// The row of a name, and the cell when the name has an index.
fn find(name: &str) -> Result<(&'static ParamSpec, Option<usize>), ParamError> {
    let unknown = || unknown(name, &[]);
    let (base, index) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((base, index)) => (base, Some(index)),
        None => (name, None),
    };
    let spec = *SPECS.iter().find(|spec| spec.name == base).ok_or_else(unknown)?;
    let Some(index) = index else {
        return Ok((spec, (spec.cells() == 1).then_some(0)));
    };
    let cell = match spec.shape {
        Shape::Squares => index.parse::<shakmaty::Square>().ok().map(|sq| sq as usize),
        Shape::List(length) => index.parse().ok().filter(|&cell| cell < length),
        Shape::Number | Shape::Switch | Shape::Choice(_) => None,
    };
    cell.map(|cell| (spec, Some(cell))).ok_or_else(unknown)
}

/// There is no such name, neither of a row nor among `others`.
fn unknown(name: &str, others: &[&'static str]) -> ParamError {
    ParamError::Unknown { name: name.to_owned(), nearest: nearest(name, others) }
}

/// The name in the table, or among `others`, that is most like `name`.
fn nearest(name: &str, others: &[&'static str]) -> String {
    let lower = head(name.split('[').next().unwrap_or(name)).to_ascii_lowercase();
    let likeness = |known: &str| {
        let known = known.to_ascii_lowercase();
        let tail = known.rsplit('.').next().unwrap_or(&known);
        strsim::jaro_winkler(&lower, &known).max(strsim::jaro_winkler(&lower, tail))
    };
    let names = SPECS.iter().map(|spec| spec.name).chain(others.iter().copied());
    let best = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_itself() {
        let params = Params::default();
        let names: BTreeSet<&str> = SPECS.iter().map(|spec| spec.name).collect();
        assert_eq!(names.len(), SPECS.len(), "names are unique");
        for spec in SPECS.iter() {
            assert!(spec.step > 0, "{}: step", spec.name);
            assert!(spec.min < spec.max, "{}: range", spec.name);
            assert!(!spec.meaning.is_empty() && !spec.source.is_empty(), "{}: words", spec.name);
            for cell in 0..spec.cells() {
                let value = spec.get(&params, cell);
                assert!((spec.min..=spec.max).contains(&value), "{}", spec.cell_name(cell));
            }
        }
    }

    #[test]
    fn setting_changes_one_cell() {
        for spec in SPECS.iter() {
            for cell in [0, spec.cells() / 2, spec.cells() - 1] {
                let mut params = Params::default();
                let old = spec.get(&params, cell);
                let new = if old == spec.max { old - 1 } else { old + 1 };
                let name = spec.cell_name(cell);
                params.set(&name, &spec.cell_text(new)).expect(&name);
                let differences = params.differences(&Params::default());
                assert_eq!(differences, [(name.clone(), spec.cell_text(new))]);
                assert_eq!(params.get(&name), Ok(spec.cell_text(new)));
            }
        }
    }

    #[test]
    fn text_of_everything_sets_everything() {
        let rebel = Params::personality("rebel").expect("known");
        let mut params = Params::default();
        for spec in SPECS.iter() {
            params.set(spec.name, &spec.text(&rebel)).expect(spec.name);
        }
        assert_eq!(params, rebel);
    }

    #[test]
    fn errors_help() {
        let mut params = Params::default();
        let error = |params: &mut Params, name: &str, value: &str| {
            params.set(name, value).expect_err(name).to_string()
        };
        let text = error(&mut params, "search.psv", "true");
        assert_eq!(text, "unknown parameter 'search.psv'; did you mean 'search.pvs'?");
        assert!(error(&mut params, "half_windov", "1").contains("'aspiration.half_window'"));
        assert!(error(&mut params, "search.pvs", "maybe").contains("true or false"));
        for value in ["-1", "999999999999", "-999999999999"] {
            let text = error(&mut params, "aspiration.half_window", value);
            assert!(text.contains("expected") && text.contains(value), "{text}");
        }
        assert!(
            error(&mut params, "pst.knight_mg[e4]", "9999999999").contains("_mg[e4]': expected")
        );
        assert!(error(&mut params, "pst.knight_mg[e9]", "1").contains("unknown"));
        assert!(error(&mut params, "pst.knight_mg", "1,2,3").contains("64 numbers"));
        assert_eq!(params, Params::default(), "nothing changed");
        for (text, wanted) in [("False", "false"), ("TRUE", "true"), ("Off", "false")] {
            params.set("search.pvs", text).expect(text);
            assert_eq!(params.get("search.pvs").as_deref(), Ok(wanted));
        }
    }
}
