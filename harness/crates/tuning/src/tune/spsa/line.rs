//! The parameters, in the field's format: `name, int|float, value, min, max, c_end, r_end`.

use crate::preflight::TunableSpan;
use crate::tunable::{Base, Tunable};
use process::Error;

/// Default of `c_end` where there is no step to go by: a part of the range, as fishtest proposes.
pub(super) const C_END_SHARE: f64 = 0.05;
/// Default of `r_end`, as in public tuners.
pub const R_END: f64 = 0.002;
/// The kinds in OpenBench's format.
const KINDS: [&str; 2] = ["int", "float"];
/// Smaller perturbations of a whole number would round to equal sides.
pub(super) const LEAST_WHOLE_C: f64 = 0.5;

#[derive(Debug, Clone)]
pub struct SpsaParam {
    pub tunable: Tunable,
    /// Whether its values are rounded; a group may be scaled by any number.
    pub is_whole: bool,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// The perturbation to either side at the end of the run.
    pub c_end: f64,
    /// The step for a won pair at the end of the run, as a share of `c_end`.
    pub r_end: f64,
}

impl SpsaParam {
    /// Reads a line in OpenBench's format or, without the kind, in fishtest's.
    pub fn read(text: &str, base: &Base) -> Result<SpsaParam, Error> {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let (name, kind, numbers) = match fields[..] {
            [name, kind, ref numbers @ ..] if numbers.len() == 5 => (name, kind, numbers),
            [name, ref numbers @ ..] if numbers.len() == 5 && !KINDS.contains(&numbers[0]) => {
                (name, "int", numbers)
            }
            _ => return Err(form(text)),
        };
        let tunable = Tunable::find(name, base)?;
        let name = tunable.name();
        let is_whole = match kind {
            "int" => true,
            "float" if tunable.takes_decimals() => false,
            "float" => {
                return Err(Error::usage(format!(
                    "'{name}': expected int, its numbers are whole; {} are float",
                    match base {
                        Base::Embedded(_) => "only groups, NAME[*] and names with *,",
                        Base::Program(_) => "only options of text that hold a number",
                    }
                )));
            }
            found => {
                let why = format!("'{name}': expected int or float, found '{found}'");
                return Err(Error::usage(why));
            }
        };
        let mut read = [0.0; 5];
        let names = ["value", "min", "max", "c_end", "r_end"];
        for ((number, text), what) in read.iter_mut().zip(numbers).zip(names) {
            let parsed = text.parse().ok().filter(|number: &f64| number.is_finite());
            *number = parsed.ok_or_else(|| no_number(&tunable, what, text))?;
        }
        let [start, min, max, c_end, r_end] = read;
        SpsaParam { is_whole, start, min, max, c_end, r_end, tunable }.checked()
    }

    /// The line of a name: from the value in `base`, within the declared range, in the steps of the
    /// parameter table, or a twentieth of a program's range. `NAME:C_END` and `NAME:C_END:R_END`
    /// set more.
    pub fn of_name(text: &str, base: &Base) -> Result<SpsaParam, Error> {
        let (name, numbers) =
            text.split_once(':').map_or((text, None), |(n, rest)| (n, Some(rest)));
        let tunable = Tunable::find(name, base)?;
        let (min, max) = tunable.range_on(base);
        if !(max - min).is_finite() {
            let name = tunable.name();
            return Err(Error::usage(format!(
                "'{name}' declares no range: expected --params with a line {name}, float, value, min, max, \
                 c_end, r_end"
            )));
        }
        let step = match base {
            Base::Embedded(_) => tunable.step().unwrap_or(1.0),
            Base::Program(_) => default_c_end(max - min),
        };
        let [mut c_end, mut r_end] = [step, R_END];
        if let Some(numbers) = numbers {
            let mut parts = numbers.split(':');
            for (number, what) in [(&mut c_end, "c_end"), (&mut r_end, "r_end")] {
                let Some(text) = parts.next() else { break };
                *number = text.trim().parse().map_err(|_| no_number(&tunable, what, text))?;
            }
            if parts.next().is_some() {
                return Err(form(text));
            }
        }
        let start = tunable.get(base);
        SpsaParam { is_whole: !tunable.takes_decimals(), start, min, max, c_end, r_end, tunable }
            .checked()
    }

    pub(super) fn checked(self) -> Result<SpsaParam, Error> {
        let SpsaParam { start, min, max, c_end, r_end, .. } = self;
        let order = |what: String| Err(Error::usage(format!("'{}': {what}", self.tunable.name())));
        self.tunable.check_number()?;
        if min >= max {
            return order(format!("expected min below max, found {min} and {max}"));
        }
        if !(min..=max).contains(&start) {
            return order(format!("expected min {min} ≤ value {start} ≤ max {max}"));
        }
        if self.is_whole && start.fract() != 0.0 {
            return order(format!("expected a whole number of an int, found {start}"));
        }
        let (least, most) = self.tunable.range();
        if min < least || max > most {
            let whose = if self.tunable.option().is_some() { "declared" } else { "table's" };
            return order(format!(
                "expected min and max within the {whose} {least}..={most}, found {min} and {max}"
            ));
        }
        let sound = c_end > 0.0 && c_end.is_finite() && r_end > 0.0 && r_end.is_finite();
        if !sound || 2.0 * c_end > max - min {
            return order(format!(
                "expected c_end above 0 and at most half the range, and r_end above 0, found {c_end} and {r_end}"
            ));
        }
        Ok(self)
    }

    /// For the preflight it is moved to either side by `c_end`, a whole number at least by 1.
    pub fn turn(&self) -> TunableSpan<'_> {
        let SpsaParam { tunable, start, .. } = self;
        let reach = if self.is_whole { self.c_end.round().max(1.0) } else { self.c_end };
        let ends = [start + reach, start - reach].map(|end| end.clamp(self.min, self.max));
        TunableSpan { tunable, start: *start, ends }
    }

    /// Decimals that tell its values apart.
    pub fn decimals(&self) -> usize {
        self.tunable.decimals(self.c_end)
    }

    /// A value that can be played, with no more decimals than tell anything.
    pub fn playable(&self, value: f64) -> f64 {
        match self.is_whole {
            true => value.round(),
            false if self.tunable.is_group() => value,
            false => format!("{value:.*}", self.decimals()).parse().unwrap_or(value),
        }
    }

    /// As [`SpsaParam::read`] reads it.
    pub fn text(&self) -> String {
        let SpsaParam { start, min, max, c_end, r_end, .. } = self;
        let kind = if self.is_whole { "int" } else { "float" };
        format!("{}, {kind}, {start}, {min}, {max}, {c_end}, {r_end}", self.tunable.name())
    }
}

fn form(found: &str) -> Error {
    let found = found.trim();
    Error::usage(format!(
        "expected name, int|float, value, min, max, c_end, r_end, found '{found}'"
    ))
}

fn no_number(tunable: &Tunable, what: &str, found: &str) -> Error {
    Error::usage(format!("'{}': {what}: expected a number, found '{found}'", tunable.name()))
}

/// The perturbation where none is given, of so wide a range.
pub(super) fn default_c_end(range: f64) -> f64 {
    (C_END_SHARE * range).max(f64::MIN_POSITIVE)
}
