//! The parameters, in the field's format: `name, int|float, value, min, max, c_end, r_end`.

use engine::Params;

use crate::preflight::TunableSpan;
use crate::tunable::Tunable;
use process::{Context as _, Error};

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
    pub fn read(text: &str) -> Result<SpsaParam, Error> {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let (name, kind, numbers) = match fields[..] {
            [name, kind, ref numbers @ ..] if numbers.len() == 5 => (name, kind, numbers),
            [name, ref numbers @ ..] if numbers.len() == 5 && !KINDS.contains(&numbers[0]) => {
                (name, "int", numbers)
            }
            _ => return Err(form(text)),
        };
        let tunable = Tunable::find(name)?;
        let name = tunable.name();
        let is_whole = match kind {
            "int" => true,
            "float" if tunable.is_group() => false,
            "float" => {
                return Err(Error::usage(format!(
                    "'{name}': expected int, the engine's numbers are whole; only groups, NAME[*] \
                     and names with *, are float"
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

    /// The line of a name: from the value in `params`, within the table's range, in its steps.
    /// `NAME:C_END` and `NAME:C_END:R_END` set more.
    pub fn of_table(text: &str, params: &Params) -> Result<SpsaParam, Error> {
        let (name, numbers) =
            text.split_once(':').map_or((text, None), |(n, rest)| (n, Some(rest)));
        let tunable = Tunable::find(name)?;
        let (min, max) = tunable.range_on(params);
        let [mut c_end, mut r_end] = [f64::from(tunable.step()), R_END];
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
        let start = f64::from(tunable.get(params));
        let [min, max] = [min, max].map(f64::from);
        SpsaParam { is_whole: !tunable.is_group(), start, min, max, c_end, r_end, tunable }
            .checked()
    }

    fn checked(self) -> Result<SpsaParam, Error> {
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
    pub fn turn(&self) -> TunableSpan<'_> {
        let SpsaParam { tunable, start, .. } = self;
        let reach = if self.is_whole { self.c_end.round().max(1.0) } else { self.c_end };
        let ends = [start + reach, start - reach].map(|end| end.clamp(self.min, self.max));
        TunableSpan { tunable, start: *start, ends }
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

/// The lines of a file at `place`; blank lines and text from `#` on are ignored.
pub fn read_lines(place: &str, text: &str, base: &Params) -> Result<Vec<SpsaParam>, Error> {
    let mut lines: Vec<SpsaParam> = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        let line = SpsaParam::read(text).and_then(|line| {
            line.tunable.check_on(base, [line.min, line.max])?;
            line.tunable.check_apart(lines.iter().map(|other| &other.tunable))?;
            Ok(line)
        });
        lines.push(line.context(format!("{place}:{number}"))?);
    }
    if lines.is_empty() {
        let why = "no parameters: expected lines name, int, value, min, max, c_end, r_end";
        return Err(Error::usage(why).context(place));
    }
    Ok(lines)
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
        let lines = read_lines("lines", text, &Params::standard()).expect("lines");
        let names: Vec<&str> = lines.iter().map(|line| line.tunable.name()).collect();
        assert_eq!(names, ["lazy.margin", "king_safety.table[*]", "lmr.min_move"]);
        assert_eq!(lines.iter().map(|l| l.is_whole).collect::<Vec<_>>(), [true, false, true]);
        for line in &lines {
            let again = SpsaParam::read(&line.text()).expect("its own text");
            assert_eq!(again.text(), line.text());
        }
    }

    #[test]
    fn the_engines_own_lines() {
        let params = Params::standard();
        let text = engine::params::spsa(&params);
        let lines = read_lines("lines", &text, &params).expect("all of them");
        assert_eq!(lines.len(), text.lines().count());
        let line = SpsaParam::of_table("lazy.margin:32", &params).expect("a parameter");
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
            let error = read_lines("lines", text, &Params::standard()).expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
