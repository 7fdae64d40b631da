//! The parameters, in the field's format: `name, int|float, value, min, max, c_end, r_end`.

use engine::Params;
use serde::{Deserialize, Serialize};

use crate::tunable::{Tunable, TunableError};
use crate::tune::preflight::Turn;

/// Default of `r_end`, as in public tuners.
pub const R_END: f64 = 0.002;
/// The kinds in OpenBench's format.
const KINDS: [&str; 2] = ["int", "float"];
/// Smaller perturbations of a whole number would round to equal sides.
pub(super) const LEAST_WHOLE_C: f64 = 0.5;

#[derive(Debug, Clone)]
pub struct Line {
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

/// A line as JSON keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineText(pub String);

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LineError {
    #[error("expected name, int|float, value, min, max, c_end, r_end, found '{0}'")]
    Form(String),
    #[error(transparent)]
    Tunable(#[from] TunableError),
    #[error("'{name}': expected int or float, found '{found}'")]
    Kind { name: String, found: String },
    #[error(
        "'{0}': expected int, the engine's numbers are whole; only groups, NAME[*] and names with *, are float"
    )]
    Float(String),
    #[error("'{name}': {what}: expected a number, found '{found}'")]
    Number { name: String, what: &'static str, found: String },
    #[error("'{name}': {what}")]
    Order { name: String, what: String },
    #[error("'{0}' is on or off: expected a number; test both values with verdict sweep")]
    Switch(String),
    #[error("'{0}' is there twice, or in a group: expected each parameter once")]
    Twice(String),
    #[error("no parameters: expected lines name, int, value, min, max, c_end, r_end")]
    Empty,
}

impl Line {
    /// Reads a line in OpenBench's format or, without the kind, in fishtest's.
    pub fn read(text: &str) -> Result<Line, LineError> {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let (name, kind, numbers) = match fields[..] {
            [name, kind, ref numbers @ ..] if numbers.len() == 5 => (name, kind, numbers),
            [name, ref numbers @ ..] if numbers.len() == 5 && !KINDS.contains(&numbers[0]) => {
                (name, "int", numbers)
            }
            _ => return Err(LineError::Form(text.trim().to_owned())),
        };
        let tunable = Tunable::find(name)?;
        let name = || tunable.name().to_owned();
        let is_whole = match kind {
            "int" => true,
            "float" if tunable.is_group() => false,
            "float" => return Err(LineError::Float(name())),
            found => return Err(LineError::Kind { name: name(), found: found.to_owned() }),
        };
        let mut read = [0.0; 5];
        let names = ["value", "min", "max", "c_end", "r_end"];
        for ((number, text), what) in read.iter_mut().zip(numbers).zip(names) {
            let parsed = text.parse().ok().filter(|number: &f64| number.is_finite());
            let error = || LineError::Number { name: name(), what, found: (*text).to_owned() };
            *number = parsed.ok_or_else(error)?;
        }
        let [start, min, max, c_end, r_end] = read;
        Line { is_whole, start, min, max, c_end, r_end, tunable }.checked()
    }

    /// The line of a name: from the value in `params`, within the table's range, in its steps.
    /// `NAME:C_END` and `NAME:C_END:R_END` set more.
    pub fn of_table(text: &str, params: &Params) -> Result<Line, LineError> {
        let (name, numbers) =
            text.split_once(':').map_or((text, None), |(n, rest)| (n, Some(rest)));
        let tunable = Tunable::find(name)?;
        let (min, max) = tunable.range_on(params);
        let [mut c_end, mut r_end] = [f64::from(tunable.step()), R_END];
        if let Some(numbers) = numbers {
            let mut parts = numbers.split(':');
            for (number, what) in [(&mut c_end, "c_end"), (&mut r_end, "r_end")] {
                let Some(text) = parts.next() else { break };
                *number = text.trim().parse().map_err(|_| LineError::Number {
                    name: tunable.name().to_owned(),
                    what,
                    found: text.to_owned(),
                })?;
            }
            if parts.next().is_some() {
                return Err(LineError::Form(text.to_owned()));
            }
        }
        let start = f64::from(tunable.get(params));
        let [min, max] = [min, max].map(f64::from);
        Line { is_whole: !tunable.is_group(), start, min, max, c_end, r_end, tunable }.checked()
    }

    /// Fails when a cell of a group leaves its own range.
    pub fn check_on(&self, base: &Params) -> Result<(), LineError> {
        self.tunable.check_on(base, self.min)?;
        Ok(self.tunable.check_on(base, self.max)?)
    }

    fn checked(self) -> Result<Line, LineError> {
        let Line { start, min, max, c_end, r_end, .. } = self;
        let name = || self.tunable.name().to_owned();
        let order = |what: String| Err(LineError::Order { name: name(), what });
        if self.tunable.is_switch() {
            return Err(LineError::Switch(name()));
        }
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
        if min < f64::from(least) || max > f64::from(most) {
            return order(format!(
                "expected min and max within the table's {least}..={most}, found {min} and {max}"
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
    pub fn turn(&self) -> Turn<'_> {
        let Line { tunable, start, .. } = self;
        let reach = if self.is_whole { self.c_end.round().max(1.0) } else { self.c_end };
        let ends = [start + reach, start - reach].map(|end| end.clamp(self.min, self.max));
        Turn { tunable, start: *start, ends }
    }

    /// As [`Line::read`] reads it.
    pub fn text(&self) -> LineText {
        let Line { start, min, max, c_end, r_end, .. } = self;
        let kind = if self.is_whole { "int" } else { "float" };
        LineText(format!(
            "{}, {kind}, {start}, {min}, {max}, {c_end}, {r_end}",
            self.tunable.name()
        ))
    }
}

/// The engine's parameters with these values, one a line.
pub(super) fn at(lines: &[Line], base: &Params, values: &[f64]) -> Params {
    Tunable::turned(base, lines.iter().map(|line| &line.tunable).zip(values.iter().copied()))
}

/// The lines of a file; blank lines and text from `#` on are ignored. The error has the number of
/// the first bad line, from 1; 0 if there are no lines.
pub fn read_lines(text: &str, base: &Params) -> Result<Vec<Line>, (usize, LineError)> {
    let mut lines: Vec<Line> = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        let read = Line::read(text).and_then(|line| line.check_on(base).map(|()| line));
        let line = read.map_err(|error| (number, error))?;
        if lines.iter().any(|other| other.tunable.overlaps(&line.tunable)) {
            return Err((number, LineError::Twice(line.tunable.name().to_owned())));
        }
        lines.push(line);
    }
    if lines.is_empty() { Err((0, LineError::Empty)) } else { Ok(lines) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back() {
        let text = "lazy.margin, int, 128, 0, 5120, 16, 0.002\n\
                    # a remark\n\n\
                    king_safety.table[*], float, 100, 50, 200, 5, 0.002 # all of it\n\
                    lmr.min_move, 4, 2, 20, 1, 0.002\n";
        let lines = read_lines(text, &Params::standard()).expect("lines");
        let names: Vec<&str> = lines.iter().map(|line| line.tunable.name()).collect();
        assert_eq!(names, ["lazy.margin", "king_safety.table[*]", "lmr.min_move"]);
        assert_eq!(lines.iter().map(|l| l.is_whole).collect::<Vec<_>>(), [true, false, true]);
        for line in &lines {
            let again = Line::read(&line.text().0).expect("its own text");
            assert_eq!(again.text(), line.text());
        }
    }

    #[test]
    fn the_engines_own_lines() {
        let params = Params::standard();
        let text = engine::params::spsa(&params);
        let lines = read_lines(&text, &params).expect("all of them");
        assert_eq!(lines.len(), text.lines().count());
        let line = Line::of_table("lazy.margin:32", &params).expect("a parameter");
        assert_eq!((line.c_end, line.r_end, line.min, line.max), (32.0, R_END, 0.0, 5120.0));
    }

    #[test]
    fn wrong_lines_say_why() {
        for (text, told) in [
            ("", "no parameters"),
            ("lazy.margin", "expected name, int|float"),
            ("lazy.margn, int, 1, 0, 9, 1, 0.002", "did you mean 'lazy.margin'"),
            ("lazy.margin, float, 128, 0, 5120, 16, 0.002", "only groups"),
            ("lazy.margin, real, 128, 0, 5120, 16, 0.002", "expected int or float"),
            ("lazy.margin, int, x, 0, 5120, 16, 0.002", "value: expected a number"),
            ("lazy.margin, int, 6000, 0, 5120, 16, 0.002", "min 0 ≤ value 6000"),
            ("lazy.margin, int, 128, 0, 9999, 16, 0.002", "within the table's 0..=5120"),
            ("lazy.margin, int, 128, 0, 5120, 0, 0.002", "c_end above 0"),
            ("lazy.margin, int, 128, 120, 140, 16, 0.002", "at most half the range"),
            ("lazy.margin, int, 84, 0, 1024, 32", "expected name, int|float"),
            ("lazy.margin, int, 84, 84, 84, 1, 0.002", "min below max"),
            ("lazy.margin, int, 84.5, 0, 1024, 32, 0.002", "whole number"),
            ("pst.*, int, 100, 50, 200, 9, 0.002\npst.king_mg[a1], int, 0, -9, 9, 1, 1", "twice"),
            ("lazy.on, int, 1, 0, 1, 0.5, 0.002", "on or off"),
            ("lmr.min_move,4,2,20,1,0.002\nlmr.min_move,4,2,20,1,0.002", "twice"),
        ] {
            let error = read_lines(text, &Params::standard()).expect_err(text).1.to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
