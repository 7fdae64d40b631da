//! The range of a parameter: `NAME=FROM..TO`.

use std::str::FromStr;

use engine::Params;

use crate::{
    tunable::{Tunable, TunableError},
    tune::preflight::Turn,
};

#[derive(Debug, Clone)]
pub struct Range {
    pub tunable: Tunable,
    /// Inclusive.
    pub min: i32,
    /// Inclusive, above `min`.
    pub max: i32,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    #[error(
        "expected NAME=FROM..TO, without a step (verdict sweep takes lists and steps), found '{0}'"
    )]
    Form(String),
    #[error(transparent)]
    Tunable(#[from] TunableError),
    #[error("'{0}' is on or off: expected a number; test both values with verdict sweep")]
    Switch(String),
    #[error("'{0}': expected FROM below TO")]
    Ends(String),
}

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Range, RangeError> {
        let form = || RangeError::Form(text.to_owned());
        let (name, values) = text.split_once('=').ok_or_else(form)?;
        let tunable = Tunable::find(name)?;
        if tunable.is_switch() {
            return Err(RangeError::Switch(tunable.name().to_owned()));
        }
        let (from, to) = values.split_once("..").ok_or_else(form)?;
        if to.contains([':', ',']) {
            return Err(form());
        }
        // Values are in pawns if either number has a decimal point.
        let in_pawns = from.contains('.') || to.contains('.');
        let read = |text: &str| tunable.check(tunable.read(text, in_pawns)?.round() as i32);
        let (min, max) = (read(from)?, read(to)?);
        if min >= max {
            return Err(RangeError::Ends(text.to_owned()));
        }
        Ok(Range { tunable, min, max, text: text.to_owned() })
    }
}

impl Range {
    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Fails when a cell of a group leaves its own range.
    pub fn check_on(&self, base: &Params) -> Result<(), RangeError> {
        let ends = [self.min, self.max].map(|end| self.tunable.check_on(base, f64::from(end)));
        Ok(ends.into_iter().collect::<Result<(), TunableError>>()?)
    }

    /// For the preflight the parameter is moved to the range's ends.
    pub fn turn(&self, base: &Params) -> Turn<'_> {
        let start = f64::from(self.tunable.get(base));
        Turn { tunable: &self.tunable, start, ends: [f64::from(self.min), f64::from(self.max)] }
    }

    /// The coordinate of a value: −1 at `min`, 1 at `max`.
    pub fn coordinate(&self, value: f64) -> f64 {
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        (2.0 * value - min - max) / (max - min)
    }

    pub fn value(&self, coordinate: f64) -> f64 {
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        f64::midpoint(min + max, coordinate * (max - min))
    }

    /// The nearest playable value at a coordinate.
    pub(super) fn whole(&self, coordinate: f64) -> i32 {
        (self.value(coordinate).round() as i32).clamp(self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, ends) in [
            ("lazy.margin=0.25..2.0", (64, 512)),
            ("lazy.margin=0..5120", (0, 5120)),
            ("lmr.min_move=2..10", (2, 10)),
            ("king_safety.table[*]=50..200", (50, 200)),
        ] {
            let range: Range = text.parse().expect(text);
            assert_eq!(((range.min, range.max), range.text()), (ends, text));
        }
        for (text, told) in [
            ("lazy.margin", "expected NAME=FROM..TO"),
            ("lazy.margin=64,128,512", "expected NAME=FROM..TO"),
            ("lazy.margin=0.25:2:0.25", "expected NAME=FROM..TO"),
            ("lazy.margin=0..512:16", "expected NAME=FROM..TO"),
            ("lazy.margin=0.25..99", "expected 0 to 5120"),
            ("lazy.margin=9..9", "FROM below TO"),
            ("lazy.on=false..true", "on or off"),
            ("lazy.margn=1..2", "did you mean"),
        ] {
            let error = text.parse::<Range>().expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
