//! What sweeps and tuners vary: a number of the parameter table, a cell of one of its tables, or a
//! group of them scaled together.

use engine::Params;
use engine::params::{Kind, ParamError, ParamSpec, SPECS, Shape};

use crate::pattern::matches;
use process::Error;

/// A group's range, in per cent of the cells' own values.
const GROUP_RANGE: (i32, i32) = (0, 400);
/// A group's step, in per cent.
const GROUP_STEP: i32 = 10;
/// In place of an index: all cells, scaled together.
const ALL: &str = "[*]";
/// Units of a value to a pawn.
const PAWN: f64 = 256.0;

#[derive(Debug, Clone)]
pub struct Tunable {
    name: String,
    part: TunablePart,
}

#[derive(Debug, Clone)]
enum TunablePart {
    Cell(&'static ParamSpec, usize),
    /// All cells of these, scaled together in per cent.
    Group(Vec<&'static ParamSpec>),
}

impl Tunable {
    /// Finds a tunable by name: `lmr.min_move`, `king_safety.table[7]`; or a group, in per cent of
    /// its values: `king_safety.table[*]`, or `pst.*_mg` (all matching evaluation weights). The
    /// error suggests the nearest name.
    pub fn find(name: &str) -> Result<Tunable, Error> {
        let name = name.trim();
        let (base, is_group) = match name.strip_suffix(ALL) {
            Some(base) => (base, true),
            None => (name, false),
        };
        let tunable = |part| Tunable { name: name.to_owned(), part };
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
                false => Ok(tunable(TunablePart::Group(group))),
            };
        }
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
            return Ok(tunable(TunablePart::Group(vec![spec])));
        }
        let cell = (0..=last).find(|&cell| !is_group && spec.cell_name(cell) == base);
        if let Some(cell) = cell {
            return Ok(tunable(TunablePart::Cell(spec, cell)));
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

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether several cells are scaled together; values are per cent then.
    pub fn is_group(&self) -> bool {
        matches!(self.part, TunablePart::Group(_))
    }

    /// Whether both change the same cell.
    pub fn overlaps(&self, other: &Tunable) -> bool {
        let same = |a: &ParamSpec, b: &ParamSpec| a.name == b.name;
        match (&self.part, &other.part) {
            (TunablePart::Cell(a, i), TunablePart::Cell(b, j)) => same(a, b) && i == j,
            (TunablePart::Cell(a, _), TunablePart::Group(group))
            | (TunablePart::Group(group), TunablePart::Cell(a, _)) => {
                group.iter().any(|b| same(a, b))
            }
            (TunablePart::Group(a), TunablePart::Group(b)) => {
                a.iter().any(|a| b.iter().any(|b| same(a, b)))
            }
        }
    }

    /// `None` for a group.
    fn spec(&self) -> Option<&'static ParamSpec> {
        match self.part {
            TunablePart::Cell(spec, _) => Some(spec),
            TunablePart::Group(_) => None,
        }
    }

    /// Least and greatest value.
    pub fn range(&self) -> (i32, i32) {
        self.spec().map_or(GROUP_RANGE, |spec| (spec.min, spec.max))
    }

    /// Least and greatest value at which all cells, set from `base`, are in their own ranges.
    pub fn range_on(&self, base: &Params) -> (i32, i32) {
        let TunablePart::Group(group) = &self.part else { return self.range() };
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
    pub fn check_on(
        &self,
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
                    self.name,
                    spec.cell_name(cell),
                    spec.min,
                    spec.max
                )));
            }
        }
        Ok(())
    }

    /// Fails when one of the others changes a cell of it, too.
    pub fn check_apart<'a>(
        &self,
        mut others: impl Iterator<Item = &'a Tunable>,
    ) -> Result<(), Error> {
        match others.any(|other| other.overlaps(self)) {
            true => Err(Error::usage(format!(
                "'{}' is there twice, or in a group: expected each parameter once",
                self.name
            ))),
            false => Ok(()),
        }
    }

    /// Fails for a switch, which has no values between.
    pub fn check_number(&self) -> Result<(), Error> {
        match self.is_switch() {
            true => Err(Error::usage(format!(
                "'{}' is on or off: expected a number; test both values with verdict sweep",
                self.name
            ))),
            false => Ok(()),
        }
    }

    pub fn step(&self) -> i32 {
        self.spec().map_or(GROUP_STEP, |spec| spec.step)
    }

    pub fn is_switch(&self) -> bool {
        self.spec().is_some_and(|spec| spec.kind == Kind::Switch || spec.shape == Shape::Switch)
    }

    /// Whether its numbers are 1/256 pawn, so that they may be given in pawns.
    pub fn is_in_pawns(&self) -> bool {
        self.spec().is_some_and(|spec| spec.meaning.contains("1/256 pawn"))
    }

    pub fn unit(&self) -> &'static str {
        match () {
            () if self.is_group() => "per cent",
            () if self.is_in_pawns() => "1/256 pawn",
            () => "",
        }
    }

    /// The value in `params`; 100 for a group.
    pub fn get(&self, params: &Params) -> i32 {
        match self.part {
            TunablePart::Cell(spec, cell) => spec.get(params, cell),
            TunablePart::Group(_) => 100,
        }
    }

    /// Name and value of each cell that a value of it makes of `base`, in range.
    pub fn cells(&self, base: &Params, value: f64) -> Vec<(String, i32)> {
        let numbers = self.numbers(base, value).into_iter();
        numbers.map(|(spec, cell, value)| (spec.cell_name(cell), value)).collect()
    }

    /// Sets it in `params` to what `value` makes of `base`.
    pub fn turn(&self, base: &Params, value: f64, params: &mut Params) {
        for (spec, cell, value) in self.numbers(base, value) {
            // In range, so it cannot be refused.
            let _ = spec.set(params, cell, value);
        }
    }

    /// `base` with these tunables set.
    pub fn turned<'a>(
        base: &Params,
        tunables: impl IntoIterator<Item = (&'a Tunable, f64)>,
    ) -> Params {
        let mut params = base.clone();
        for (tunable, value) in tunables {
            tunable.turn(base, value, &mut params);
        }
        params
    }

    /// Cells and their values, clamped to their ranges.
    fn numbers(&self, base: &Params, value: f64) -> Vec<(&'static ParamSpec, usize, i32)> {
        let in_range = |(spec, cell, number): (&'static ParamSpec, usize, f64)| {
            (spec, cell, (number.round() as i32).clamp(spec.min, spec.max))
        };
        self.scaled(base, value).into_iter().map(in_range).collect()
    }

    /// Cells and their values, in range or not.
    fn scaled(&self, base: &Params, value: f64) -> Vec<(&'static ParamSpec, usize, f64)> {
        match &self.part {
            &TunablePart::Cell(spec, cell) => vec![(spec, cell, value)],
            TunablePart::Group(group) => {
                let cells =
                    group.iter().flat_map(|&spec| (0..spec.cells()).map(move |i| (spec, i)));
                let scaled = |spec: &ParamSpec, i| f64::from(spec.get(base, i)) * value / 100.0;
                cells.map(|(spec, i)| (spec, i, scaled(spec, i))).collect()
            }
        }
    }

    /// Fails when the value is out of range.
    pub fn check(&self, value: i32) -> Result<i32, Error> {
        let (min, max) = self.range();
        if (min..=max).contains(&value) {
            return Ok(value);
        }
        let [min, max, value] = [min, max, value].map(|value| self.text(value));
        let name = &self.name;
        Err(Error::usage(format!("'{name}': expected {min} to {max}, found {value}")))
    }

    /// Reads a number, in pawns with `in_pawns`. The range is not checked.
    pub fn read(&self, text: &str, in_pawns: bool) -> Result<f64, Error> {
        let text = text.trim();
        let wanted = match () {
            () if self.is_switch() => "true or false",
            () if self.is_in_pawns() => "a whole number (1/256 pawn) or decimal pawns (0.25)",
            () if self.is_group() => "a whole per cent",
            () => "a whole number",
        };
        let wrong = || Error::usage(format!("'{}': expected {wanted}, found '{text}'", self.name));
        let number = match text {
            "true" | "on" if self.is_switch() => 1.0,
            "false" | "off" if self.is_switch() => 0.0,
            _ if self.is_group() => {
                text.strip_suffix('%').unwrap_or(text).parse().map_err(|_| wrong())?
            }
            _ => text.parse::<f64>().map_err(|_| wrong())?,
        };
        let number = if in_pawns && self.is_in_pawns() { number * PAWN } else { number };
        let fits = number.is_finite()
            && number.abs() <= f64::from(i32::MAX)
            && (number.fract() == 0.0 || in_pawns && self.is_in_pawns());
        if fits { Ok(number) } else { Err(wrong()) }
    }

    /// A value as people and players' specs write it.
    pub fn text(&self, value: i32) -> String {
        match () {
            () if self.is_switch() => (value != 0).to_string(),
            () if self.is_group() => format!("{value}%"),
            () => value.to_string(),
        }
    }

    /// A value, also in pawns where it is 1/256 pawn.
    pub fn words(&self, value: i32) -> String {
        if self.is_in_pawns() {
            format!("{} ({:.2})", self.text(value), f64::from(value) / PAWN)
        } else {
            self.text(value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, group, switch, unit) in [
            ("lmr.min_move", false, false, ""),
            ("lazy.margin", false, false, "1/256 pawn"),
            ("lazy.on", false, true, ""),
            ("king_safety.table[7]", false, false, ""),
            ("pst.knight_mg[e4]", false, false, ""),
            ("king_safety.table[*]", true, false, "per cent"),
        ] {
            let tunable = Tunable::find(name).expect(name);
            assert_eq!((tunable.is_group(), tunable.is_switch()), (group, switch), "{name}");
            assert!(unit.is_empty() || tunable.unit() == unit, "{name}: {}", tunable.unit());
        }
        for (name, told) in [
            ("lazy.margn", "did you mean 'lazy.margin'"),
            ("king_safety.table", "king_safety.table[*]"),
            ("king_safety.table[99]", "'king_safety.table[0]' to 'king_safety.table[34]'"),
            ("spoons.*", "no evaluation weight"),
            ("lazy.margin[*]", "is one number"),
            ("", "unknown parameter"),
        ] {
            let error = Tunable::find(name).expect_err(name).to_string();
            assert!(error.contains(told), "{name}: {error}");
        }
    }

    #[test]
    fn values() {
        let tunable = |name: &str| Tunable::find(name).expect(name);
        for (name, text, pawns, expected) in [
            ("lazy.margin", "0.25", true, 64.0),
            ("lazy.margin", "64", false, 64.0),
            ("lazy.on", "off", false, 0.0),
            ("king_safety.table[*]", "110%", false, 110.0),
        ] {
            assert_eq!(tunable(name).read(text, pawns).ok(), Some(expected), "{name} {text}");
        }
        for (name, text, pawns) in [
            ("lazy.margin", "0.25", false),
            ("lmr.min_move", "2.5", true),
            ("lmr.min_move", "two", false),
            ("lmr.min_move", "nan", false),
            ("lazy.margin", "1e300", false),
        ] {
            assert!(tunable(name).read(text, pawns).is_err(), "{name} {text}");
        }
        assert!(tunable("lazy.margin").check(100_000).is_err());
        assert_eq!(tunable("lazy.margin").words(64), "64 (0.25)");
    }

    #[test]
    fn groups_scale_what_is_there() {
        let base = Params::standard();
        let tunable = Tunable::find("king_safety.table[*]").expect("a table");
        let cells = tunable.cells(&base, 50.0);
        let mut params = base.clone();
        tunable.turn(&base, 50.0, &mut params);
        assert_eq!(params.get(&cells[7].0), Ok(cells[7].1.to_string()));
        let total = |params: &Params| -> i32 {
            tunable.cells(params, 100.0).iter().map(|(_, value)| value).sum()
        };
        assert!((total(&params) * 2 - total(&base)).abs() <= 35, "{cells:?}");
        assert_eq!(tunable.get(&base), 100);
    }

    /// A cell that stops at the end of its range is no longer scaled with the others.
    #[test]
    fn groups_stop_where_a_cell_does() {
        let base = Params::standard();
        let tunable = Tunable::find("pawn_ending.bonus[*]").expect("a table");
        let (min, max) = tunable.range_on(&base);
        assert!(min == 0 && (100..400).contains(&max), "{max}");
        assert!(tunable.check_on(&base, [f64::from(max)]).is_ok());
        let beyond = |value: f64| {
            tunable
                .scaled(&base, value)
                .iter()
                .any(|(spec, _, number)| *number > f64::from(spec.max))
        };
        assert!(!beyond(f64::from(max)) && beyond(f64::from(max + 1)));
        let error = tunable.check_on(&base, [400.0]).expect_err("beyond").to_string();
        let told = format!("expected 0% to {max}%, found 400%: 'pawn_ending.bonus[");
        assert!(error.contains(&told), "{error}");
        let number = Tunable::find("lazy.margin").expect("a number");
        assert_eq!(number.range_on(&base), number.range());
        assert!(number.check_on(&base, [1e9]).is_ok());
    }

    /// Several tables and numbers scaled together; a cell is turned by one tunable only.
    #[test]
    fn groups_of_many() {
        let base = Params::standard();
        let tunable = |name: &str| Tunable::find(name).expect(name);
        let material = tunable("material.*");
        let mut params = base.clone();
        material.turn(&base, 110.0, &mut params);
        let pawn = |params: &Params| params.get("material.pawn").expect("there").parse::<f64>();
        assert_eq!(pawn(&params), pawn(&base).map(|pawn| (1.1 * pawn).round()));
        assert_eq!(material.cells(&base, 100.0).len(), 5);
        assert_eq!(tunable("pst.*_mg").cells(&base, 100.0).len(), 6 * 64);
        for (a, b, expected) in [
            ("material.*", "material.rook", true),
            ("king_safety.table[*]", "king_safety.table[3]", true),
            ("king_safety.table[2]", "king_safety.table[3]", false),
            ("pst.*", "pst.knight_*", true),
            ("pst.*_eg", "pst.*_mg", false),
            ("lazy.margin", "lazy.margin", true),
        ] {
            assert_eq!(tunable(a).overlaps(&tunable(b)), expected, "{a} {b}");
            assert_eq!(tunable(b).overlaps(&tunable(a)), expected, "{b} {a}");
        }
    }
}
