//! A number of the engine's parameter table, a cell of one of its tables, or a group of them scaled
//! together.

use engine::Params;
use engine::params::{Kind, PaperName, ParamError, ParamSpec, SPECS, Shape};

use crate::pattern::matches;
use process::Error;

/// A group's range, in per cent of the cells' own values.
const GROUP_RANGE: (i32, i32) = (0, 400);
/// A group's step, in per cent.
const GROUP_STEP: i32 = 10;
/// In place of an index: all cells, scaled together.
const ALL: &str = "[*]";

#[derive(Debug, Clone)]
pub(super) enum TableParameter {
    Cell(&'static ParamSpec, usize),
    /// All cells of these, scaled together in per cent.
    Group(Vec<&'static ParamSpec>),
}

impl TableParameter {
    /// Finds a tunable by name: `lmr.min_move`, `king_safety.table[7]`; or a group, in per cent of
    /// its values: `king_safety.table[*]`, or `pst.*_mg` (all matching evaluation weights). The
    /// error suggests the nearest name.
    pub(super) fn find(name: &str) -> Result<TableParameter, Error> {
        let (base, is_group) = match name.strip_suffix(ALL) {
            Some(base) => (base, true),
            None => (name, false),
        };
        if base.contains('*') {
            let specs = SPECS.iter().copied();
            let group: Vec<_> = specs
                .filter(|spec| matches!(spec.kind, Kind::Linear | Kind::NonLinear))
                .filter(|spec| spec.shape != Shape::Switch && matches(base, spec.name))
                .collect();
            return match group.is_empty() {
                true => Err(Error::usage(format!(
                    "'{name}': no evaluation weight matches; * matches any text"
                ))),
                false => Ok(TableParameter::Group(group)),
            };
        }
        // `mit` and `openings` name a row as players' specs do.
        let base = PaperName::of(base).and_then(PaperName::table_row).unwrap_or(base);
        let row = base.split('[').next().unwrap_or(base);
        let spec = SPECS.iter().copied().find(|spec| spec.name == row);
        let Some(spec) = spec else {
            // For its suggestion of the nearest name.
            Params::default().get(base).map_err(Error::usage)?;
            let (name, nearest) = (name.to_owned(), row.to_owned());
            return Err(Error::usage(ParamError::Unknown { name, nearest }));
        };
        let last = spec.cells() - 1;
        if is_group && row == base && last > 0 {
            return Ok(TableParameter::Group(vec![spec]));
        }
        let cell = (0..=last).find(|&cell| !is_group && spec.cell_name(cell) == base);
        if let Some(cell) = cell {
            return Ok(TableParameter::Cell(spec, cell));
        }
        let first = spec.cell_name(0);
        Err(Error::usage(if is_group && row == base {
            format!("'{base}[*]': expected a table, '{base}' is one number")
        } else if row == base {
            format!(
                "'{base}' is a table of {} cells: expected one of them, '{first}', or all scaled \
                 together, '{base}[*]'",
                spec.cells()
            )
        } else {
            format!("'{name}': expected '{first}' to '{}'", spec.cell_name(last))
        }))
    }

    /// Whether several cells are scaled together; values are per cent then.
    pub(super) fn is_group(&self) -> bool {
        matches!(self, TableParameter::Group(_))
    }

    /// Whether both change the same cell.
    pub(super) fn overlaps(&self, other: &TableParameter) -> bool {
        use TableParameter::{Cell, Group};
        let same = |a: &ParamSpec, b: &ParamSpec| a.name == b.name;
        match (self, other) {
            (Cell(a, i), Cell(b, j)) => same(a, b) && i == j,
            (Cell(a, _), Group(group)) | (Group(group), Cell(a, _)) => {
                group.iter().any(|b| same(a, b))
            }
            (Group(a), Group(b)) => a.iter().any(|a| b.iter().any(|b| same(a, b))),
        }
    }

    /// `None` for a group.
    fn spec(&self) -> Option<&'static ParamSpec> {
        match self {
            TableParameter::Cell(spec, _) => Some(spec),
            TableParameter::Group(_) => None,
        }
    }

    /// Least and greatest value.
    pub(super) fn range(&self) -> (i32, i32) {
        self.spec().map_or(GROUP_RANGE, |spec| (spec.min, spec.max))
    }

    /// Least and greatest value at which all cells, set from `base`, are in their own ranges.
    pub(super) fn range_on(&self, base: &Params) -> (i32, i32) {
        let TableParameter::Group(group) = self else { return self.range() };
        let cells = group.iter().flat_map(|spec| (0..spec.cells()).map(move |cell| (spec, cell)));
        cells.fold(GROUP_RANGE, |(least, most), (spec, cell)| {
            let value = f64::from(spec.get(base, cell));
            let mut ends = [spec.min, spec.max].map(|end| 100.0 * f64::from(end) / value);
            ends.sort_unstable_by(f64::total_cmp);
            let [low, high] = ends;
            if value == 0.0 {
                (least, most)
            } else {
                (least.max(low.ceil() as i32), most.min(high.floor() as i32))
            }
        })
    }

    /// Fails when one of the values takes a cell of `base` out of its own range.
    pub(super) fn check_on(
        &self,
        name: &str,
        base: &Params,
        values: impl IntoIterator<Item = f64>,
    ) -> Result<(), Error> {
        let (min, max) = self.range_on(base);
        let within = |value: &f64| (f64::from(min)..=f64::from(max)).contains(value);
        for value in values.into_iter().filter(|value| self.is_group() && !within(value)) {
            let outside = self.scaled(base, value).into_iter().find(|(spec, _, number)| {
                !(f64::from(spec.min)..=f64::from(spec.max)).contains(&number.round())
            });
            if let Some((spec, cell, _)) = outside {
                return Err(Error::usage(format!(
                    "'{}': expected {min}% to {max}%, found {value}%: '{}' would leave {}..={}",
                    name,
                    spec.cell_name(cell),
                    spec.min,
                    spec.max
                )));
            }
        }
        Ok(())
    }

    pub(super) fn step(&self) -> i32 {
        self.spec().map_or(GROUP_STEP, |spec| spec.step)
    }

    pub(super) fn is_switch(&self) -> bool {
        self.spec().is_some_and(|spec| spec.kind == Kind::Switch || spec.shape == Shape::Switch)
    }

    /// The names that are its values.
    pub(super) fn names(&self) -> Option<&'static [&'static str]> {
        match self.spec()?.shape {
            Shape::Choice(names) => Some(names),
            _ => None,
        }
    }

    /// The place of a name among its values; `None` where these are numbers.
    pub(super) fn place(&self, name: &str) -> Result<Option<f64>, Error> {
        let (Some(spec), Some(_)) = (self.spec(), self.names()) else { return Ok(None) };
        let mut params = Params::default();
        params.set(spec.name, name).map_err(Error::usage)?;
        Ok(Some(f64::from(spec.get(&params, 0))))
    }

    /// The name at a place.
    pub(super) fn name(&self, place: f64) -> String {
        self.spec().map(|spec| spec.cell_text(place.round() as i32)).unwrap_or_default()
    }

    /// Whether its numbers are 1/256 pawn, so that they may be given in pawns.
    pub(super) fn is_in_pawns(&self) -> bool {
        self.spec().is_some_and(|spec| spec.meaning.contains("1/256 pawn"))
    }

    /// The value in `params`; 100 for a group.
    pub(super) fn get(&self, params: &Params) -> i32 {
        match self {
            TableParameter::Cell(spec, cell) => spec.get(params, *cell),
            TableParameter::Group(_) => 100,
        }
    }

    /// Cells and their values, clamped to their ranges.
    pub(super) fn numbers(
        &self,
        base: &Params,
        value: f64,
    ) -> Vec<(&'static ParamSpec, usize, i32)> {
        let in_range = |(spec, cell, number): (&'static ParamSpec, usize, f64)| {
            (spec, cell, (number.round() as i32).clamp(spec.min, spec.max))
        };
        self.scaled(base, value).into_iter().map(in_range).collect()
    }

    /// Cells and their values, in range or not.
    fn scaled(&self, base: &Params, value: f64) -> Vec<(&'static ParamSpec, usize, f64)> {
        match self {
            &TableParameter::Cell(spec, cell) => vec![(spec, cell, value)],
            TableParameter::Group(group) => {
                let cells =
                    group.iter().flat_map(|&spec| (0..spec.cells()).map(move |i| (spec, i)));
                let scaled = |spec: &ParamSpec, i| f64::from(spec.get(base, i)) * value / 100.0;
                cells.map(|(spec, i)| (spec, i, scaled(spec, i))).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell that stops at the end of its range is no longer scaled with the others.
    #[test]
    fn groups_stop_where_a_cell_does() {
        let base = Params::standard();
        let tunable = TableParameter::find("pawn_ending.bonus[*]").expect("a table");
        let (min, max) = tunable.range_on(&base);
        assert!(min == 0 && (100..400).contains(&max), "{max}");
        assert!(tunable.check_on("x", &base, [f64::from(max)]).is_ok());
        let beyond = |value: f64| {
            tunable
                .scaled(&base, value)
                .iter()
                .any(|(spec, _, number)| *number > f64::from(spec.max))
        };
        assert!(!beyond(f64::from(max)) && beyond(f64::from(max + 1)));
        let error = tunable.check_on("x", &base, [400.0]).expect_err("beyond").to_string();
        let told = format!("expected 0% to {max}%, found 400%: 'pawn_ending.bonus[");
        assert!(error.contains(&told), "{error}");
        let number = TableParameter::find("lazy.margin").expect("a number");
        assert_eq!(number.range_on(&base), number.range());
        assert!(number.check_on("x", &base, [1e9]).is_ok());
    }
}
