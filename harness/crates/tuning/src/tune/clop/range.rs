//! The range of a parameter: `NAME=FROM..TO`.

use std::str::FromStr;

use engine::Params;

use crate::preflight::TunableSpan;
use crate::tunable::Tunable;
use process::Error;

#[derive(Debug, Clone)]
pub struct ClopParam {
    pub tunable: Tunable,
    /// Inclusive.
    pub min: i32,
    /// Inclusive, above `min`.
    pub max: i32,
    text: String,
}

impl FromStr for ClopParam {
    type Err = Error;

    fn from_str(text: &str) -> Result<ClopParam, Error> {
        let form = || {
            Error::usage(format!(
                "expected NAME=FROM..TO, without a step (verdict sweep takes lists and steps), \
                 found '{text}'"
            ))
        };
        let (name, values) = text.split_once('=').ok_or_else(form)?;
        let tunable = Tunable::find(name)?;
        tunable.check_number()?;
        let (from, to) = values.split_once("..").ok_or_else(form)?;
        if to.contains([':', ',']) {
            return Err(form());
        }
        // Values are in pawns if either number has a decimal point.
        let in_pawns = from.contains('.') || to.contains('.');
        let read = |text: &str| tunable.check(tunable.read(text, in_pawns)?.round() as i32);
        let (min, max) = (read(from)?, read(to)?);
        if min >= max {
            return Err(Error::usage(format!("'{text}': expected FROM below TO")));
        }
        Ok(ClopParam { tunable, min, max, text: text.to_owned() })
    }
}

impl ClopParam {
    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The least and the greatest value.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.min, self.max].map(f64::from)
    }

    /// For the preflight the parameter is moved to the range's ends.
    pub fn turn(&self, base: &Params) -> TunableSpan<'_> {
        let start = f64::from(self.tunable.get(base));
        TunableSpan { tunable: &self.tunable, start, ends: self.ends() }
    }

    /// The coordinate of a value: −1 at `min`, 1 at `max`.
    pub fn coordinate(&self, value: f64) -> f64 {
        let [min, max] = self.ends();
        (2.0 * value - min - max) / (max - min)
    }

    pub fn value(&self, coordinate: f64) -> f64 {
        let [min, max] = self.ends();
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
            let range: ClopParam = text.parse().expect(text);
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
            let error = text.parse::<ClopParam>().expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
