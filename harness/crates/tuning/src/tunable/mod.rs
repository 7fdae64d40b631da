//! What sweeps and tuners vary: a number of the engine's parameter table, a cell of one of its
//! tables, a group of them scaled together; or an option of a program.

mod base;
mod option;
mod table;
#[cfg(test)]
mod tests;

pub use base::Base;

use engine::Params;
use engine::params::{PaperName, ParamSpec, Shape};

use self::option::ProgramOption;
use self::table::TableParameter;
use TunablePart::{OfProgram, Parameter};
use arena::session::VariedOption;
use process::Error;

/// Units of a value to a pawn.
const PAWN: f64 = 256.0;
/// Further digits of a sum of steps are rounding.
const DIGITS: usize = 12;

#[derive(Debug, Clone)]
pub struct Tunable {
    name: String,
    part: TunablePart,
}

#[derive(Debug, Clone)]
enum TunablePart {
    Parameter(TableParameter),
    OfProgram(ProgramOption),
}

impl Tunable {
    /// Finds a tunable of `base` by name. Of the embedded engine: `lmr.min_move`,
    /// `king_safety.table[7]`; or a group, in per cent of its values: `king_safety.table[*]`, or
    /// `pst.*_mg` (all matching evaluation weights). Of a program: an option with a number, a
    /// switch or a list. The error suggests the nearest name.
    pub fn find(name: &str, base: &Base) -> Result<Tunable, Error> {
        let name = name.trim();
        match base {
            Base::Embedded(_) => Tunable::of_table(name),
            Base::Program(options) => {
                let option = ProgramOption::find(name, options)?;
                Ok(Tunable { name: option.name().to_owned(), part: OfProgram(option) })
            }
        }
    }

    /// One of the embedded engine's.
    pub(crate) fn of_table(name: &str) -> Result<Tunable, Error> {
        let part = Parameter(TableParameter::find(name)?);
        Ok(Tunable { name: name.to_owned(), part })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The option of a program, with its value in the player as it is.
    pub fn option(&self) -> Option<&VariedOption> {
        match &self.part {
            Parameter(_) => None,
            OfProgram(option) => Some(&option.option),
        }
    }

    /// Whether several cells are scaled together; values are per cent then.
    pub fn is_group(&self) -> bool {
        matches!(&self.part, Parameter(parameter) if parameter.is_group())
    }

    /// Whether both change the same cell or option.
    pub fn overlaps(&self, other: &Tunable) -> bool {
        match (&self.part, &other.part) {
            (Parameter(a), Parameter(b)) => a.overlaps(b),
            (OfProgram(a), OfProgram(b)) => a.name().eq_ignore_ascii_case(b.name()),
            _ => false,
        }
    }

    /// Least and greatest value; infinite where none is declared.
    pub fn range(&self) -> (f64, f64) {
        match &self.part {
            Parameter(parameter) => whole(parameter.range()),
            OfProgram(option) => option.range(),
        }
    }

    /// Least and greatest value at which all cells, set from `base`, are in their own ranges.
    pub fn range_on(&self, base: &Base) -> (f64, f64) {
        match (&self.part, base.params()) {
            (Parameter(parameter), Some(params)) => whole(parameter.range_on(params)),
            _ => self.range(),
        }
    }

    /// Fails when one of the values takes a cell of `base` out of its own range.
    pub fn check_on(
        &self,
        base: &Base,
        values: impl IntoIterator<Item = f64>,
    ) -> Result<(), Error> {
        match (&self.part, base.params()) {
            (Parameter(parameter), Some(params)) => parameter.check_on(&self.name, params, values),
            _ => Ok(()),
        }
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

    /// Fails for a switch and for a list, which have no values between.
    pub fn check_number(&self) -> Result<(), Error> {
        let what = match &self.part {
            _ if self.is_switch() => "is on or off",
            _ if self.is_choice() => "has a list of values",
            _ => return Ok(()),
        };
        Err(Error::usage(format!(
            "'{}' {what}: expected a number; test its values with verdict sweep",
            self.name
        )))
    }

    /// Fails for decimal numbers where it takes none.
    pub fn check_decimals(&self, is_whole: bool) -> Result<(), Error> {
        match is_whole || self.takes_decimals() {
            true => Ok(()),
            false => Err(Error::usage(format!(
                "'{}': expected Integer(LOWER, UPPER), its numbers are whole",
                self.name
            ))),
        }
    }

    /// Fails where a range is empty, goes beyond what it takes, or begins at or below 0 and is to be
    /// even in the logarithm.
    pub fn check_range(&self, [min, max]: [f64; 2], is_log: bool) -> Result<(), Error> {
        let name = &self.name;
        if min >= max {
            return Err(Error::usage(format!(
                "'{name}': expected the lower end first, found {min} and {max}"
            )));
        }
        self.check(min)?;
        self.check(max)?;
        if is_log && min <= 0.0 {
            return Err(Error::usage(format!(
                "'{name}': expected LOWER above 0 with log-uniform, found {min}"
            )));
        }
        Ok(())
    }

    /// The distance between neighbours; `None` where there is none.
    pub fn step(&self) -> Option<f64> {
        match &self.part {
            Parameter(parameter) => Some(f64::from(parameter.step())),
            OfProgram(option) => (!option.is_float()).then_some(1.0),
        }
    }

    pub fn is_switch(&self) -> bool {
        match &self.part {
            Parameter(parameter) => parameter.is_switch(),
            OfProgram(option) => option.is_switch(),
        }
    }

    /// Whether a value between two others may be expected to lie between them in strength.
    pub fn is_ordered(&self) -> bool {
        !self.is_switch() && !self.is_choice()
    }

    /// Whether it is a short name, `mit` or `openings`, which also turns on what it names.
    fn sets_rows(&self) -> bool {
        matches!(self.part, Parameter(_)) && PaperName::of(&self.name).is_some()
    }

    /// Whether its values are names.
    fn is_choice(&self) -> bool {
        match &self.part {
            Parameter(parameter) => parameter.names().is_some(),
            OfProgram(option) => option.is_choice(),
        }
    }

    /// Whether its values are whole numbers.
    pub fn is_whole(&self) -> bool {
        !matches!(&self.part, OfProgram(option) if option.is_float())
    }

    /// Whether tuners may give it decimal numbers.
    pub fn takes_decimals(&self) -> bool {
        self.is_group() || !self.is_whole()
    }

    /// Whether its numbers are 1/256 pawn, so that they may be given in pawns.
    pub fn is_in_pawns(&self) -> bool {
        matches!(&self.part, Parameter(parameter) if parameter.is_in_pawns())
    }

    pub fn unit(&self) -> &'static str {
        match () {
            () if self.is_group() => "per cent",
            () if self.is_in_pawns() => "1/256 pawn",
            () => "",
        }
    }

    /// The value in `base`; 100 for a group.
    pub fn get(&self, base: &Base) -> f64 {
        match (&self.part, base.params()) {
            (Parameter(parameter), Some(params)) => f64::from(parameter.get(params)),
            (Parameter(_), None) => 0.0,
            (OfProgram(option), _) => option.value,
        }
    }

    /// Name and value of each cell that a value of it makes of `base`, in range; of an option, and of a
    /// name that sets several rows, only itself.
    pub fn settings(&self, base: &Base, value: f64) -> Vec<(String, String)> {
        match (&self.part, base.params()) {
            _ if self.sets_rows() => vec![(self.name.clone(), self.text(value))],
            (Parameter(parameter), Some(params)) => {
                let numbers = parameter.numbers(params, value).into_iter();
                numbers
                    .map(|(spec, cell, value)| (spec.cell_name(cell), value_text(spec, value)))
                    .collect()
            }
            (Parameter(_), None) => Vec::new(),
            (OfProgram(option), _) => vec![(self.name.clone(), option.text(value))],
        }
    }

    /// Sets it in `params` to what `value` makes of `base`; an option of a program is in none.
    pub(crate) fn turn(&self, base: &Params, value: f64, params: &mut Params) {
        let Parameter(parameter) = &self.part else { return };
        if self.sets_rows() {
            // It is one of the names.
            let _ = params.set(&self.name, &self.text(value));
        }
        for (spec, cell, value) in parameter.numbers(base, value) {
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

    /// Fails when the value is out of range.
    pub fn check(&self, value: f64) -> Result<f64, Error> {
        let (min, max) = self.range();
        if (min..=max).contains(&value) {
            return Ok(value);
        }
        let [min, max] = [min, max].map(|value| self.text(value));
        let value = if self.is_ordered() { value.to_string() } else { self.text(value) };
        let name = &self.name;
        Err(Error::usage(format!("'{name}': expected {min} to {max}, found {value}")))
    }

    /// Reads a number, in pawns with `in_pawns`. The range is not checked.
    pub fn read(&self, text: &str, in_pawns: bool) -> Result<f64, Error> {
        let text = text.trim();
        if let Parameter(parameter) = &self.part
            && let Some(place) = parameter.place(text)?
        {
            return Ok(place);
        }
        let wanted = match &self.part {
            OfProgram(option) => option.wanted(),
            _ if self.is_switch() => "true or false".to_owned(),
            _ if self.is_in_pawns() => {
                "a whole number (1/256 pawn) or decimal pawns (0.25)".to_owned()
            }
            _ if self.is_group() => "a whole per cent".to_owned(),
            _ => "a whole number".to_owned(),
        };
        let wrong = || Error::usage(format!("'{}': expected {wanted}, found '{text}'", self.name));
        let number = match &self.part {
            OfProgram(option) => return option.read(text).ok_or_else(wrong),
            _ if self.is_switch() && matches!(text, "true" | "on") => 1.0,
            _ if self.is_switch() && matches!(text, "false" | "off") => 0.0,
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

    /// The nearest value that can be played.
    pub fn playable(&self, value: f64) -> f64 {
        if self.is_whole() { value.round() } else { tidy(value) }
    }

    /// Decimals that show a difference of `scale` to a hundredth; one for whole numbers.
    pub fn decimals(&self, scale: f64) -> usize {
        if self.is_whole() { 1 } else { (2.0 - scale.log10().floor()).clamp(1.0, 12.0) as usize }
    }

    /// A value as people and players' specs write it.
    pub fn text(&self, value: f64) -> String {
        match &self.part {
            OfProgram(option) => option.text(value),
            Parameter(parameter) if self.is_choice() => parameter.name(value),
            _ if self.is_switch() => (value != 0.0).to_string(),
            _ if self.is_group() => format!("{value}%"),
            _ => value.to_string(),
        }
    }

    /// A value, also in pawns where it is 1/256 pawn.
    pub fn words(&self, value: f64) -> String {
        if self.is_in_pawns() {
            format!("{} ({:.2})", self.text(value), value / PAWN)
        } else {
            self.text(value)
        }
    }
}

/// A value as a player's spec has it.
fn value_text(spec: &ParamSpec, value: i32) -> String {
    match spec.shape {
        Shape::Choice(_) => spec.cell_text(value),
        _ => value.to_string(),
    }
}

fn whole((min, max): (i32, i32)) -> (f64, f64) {
    (f64::from(min), f64::from(max))
}

/// Without the rounding errors of a few sums.
pub(crate) fn tidy(value: f64) -> f64 {
    format!("{value:.DIGITS$e}").parse().unwrap_or(value)
}
