//! The range of a parameter: `NAME=FROM..TO`, or `NAME=FROM..TO:log`.

use crate::form::Given;
use crate::preflight::TunableSpan;
use crate::tunable::{Base, Tunable};
use crate::tune::spsa::SpsaParam;
use process::Error;

/// Behind a range: places are even in the logarithm.
const LOG: &str = ":log";
/// Decimal numbers are tried in steps of so small a part of the range, or of the value.
const FINE: f64 = 1e-4;

#[derive(Debug, Clone)]
pub struct ClopParam {
    pub tunable: Tunable,
    /// Inclusive.
    pub min: f64,
    /// Inclusive, above `min`.
    pub max: f64,
    /// Whether coordinates are even in the logarithm; both ends are above 0 then.
    pub is_log: bool,
    text: String,
}

impl ClopParam {
    /// Reads a range of a tunable of `base`.
    pub fn read(text: &str, base: &Base) -> Result<ClopParam, Error> {
        let form = || {
            Error::usage(format!(
                "expected NAME=FROM..TO or NAME=FROM..TO:log, without a step (verdict sweep takes lists \
                 and steps), found '{text}'"
            ))
        };
        let (name, values) = text.split_once('=').ok_or_else(form)?;
        let tunable = Tunable::find(name, base)?;
        let (values, is_log) = match values.trim_end().strip_suffix(LOG) {
            Some(values) => (values, true),
            None => (values, false),
        };
        tunable.check_number()?;
        let (from, to) = values.split_once("..").ok_or_else(form)?;
        if to.contains([':', ',']) {
            return Err(form());
        }
        // Values are in pawns if either number has a decimal point.
        let in_pawns = from.contains('.') || to.contains('.');
        let read = |text: &str| tunable.check(tunable.playable(tunable.read(text, in_pawns)?));
        let (min, max) = (read(from)?, read(to)?);
        if min >= max {
            return Err(Error::usage(format!("'{text}': expected FROM below TO")));
        }
        if is_log && min <= 0.0 {
            return Err(Error::usage(format!("'{text}': expected FROM above 0 with :log")));
        }
        Ok(ClopParam { tunable, min, max, is_log, text: text.to_owned() })
    }

    /// The range of a parameter of another tool's file, at its least and greatest value.
    pub fn given(given: &Given, base: &Base) -> Result<ClopParam, Error> {
        let text = match given {
            Given::Line(text) => {
                let SpsaParam { tunable, min, max, .. } = SpsaParam::read(text, base)?;
                format!("{}={min}..{max}", tunable.name())
            }
            Given::Step { name, min, max, .. } => format!("{name}={min}..{max}"),
            Given::Range { name, min, max, is_whole, is_log } => {
                let tunable = Tunable::find(name, base)?;
                tunable.check_number()?;
                tunable.check_decimals(*is_whole)?;
                tunable.check_range([*min, *max], *is_log)?;
                format!("{name}={min}..{max}{}", if *is_log { LOG } else { "" })
            }
            Given::Choices { name, .. } => {
                return Err(Error::usage(format!(
                    "'{name}' is a list of values: expected a range; test its values with verdict sweep"
                )));
            }
        };
        ClopParam::read(&text, base)
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The least and the greatest value.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.min, self.max]
    }

    /// For the preflight the parameter is moved to the range's ends.
    pub fn turn(&self, base: &Base) -> TunableSpan<'_> {
        let start = self.tunable.get(base);
        TunableSpan { tunable: &self.tunable, start, ends: self.ends() }
    }

    /// The coordinate of a value: −1 at `min`, 1 at `max`.
    pub fn coordinate(&self, value: f64) -> f64 {
        let [min, max, value] = [self.min, self.max, value].map(|value| self.scale(value));
        (2.0 * value - min - max) / (max - min)
    }

    pub fn value(&self, coordinate: f64) -> f64 {
        let [min, max] = self.ends().map(|end| self.scale(end));
        let place = f64::midpoint(min + max, coordinate * (max - min));
        if self.is_log { place.exp() } else { place }
    }

    fn scale(&self, value: f64) -> f64 {
        if self.is_log { value.max(f64::MIN_POSITIVE).ln() } else { value }
    }

    /// The nearest playable value at a coordinate.
    pub(super) fn playable(&self, coordinate: f64) -> f64 {
        let value = self.value(coordinate);
        let value = if self.tunable.is_whole() {
            value.round()
        } else {
            let whole = if self.is_log { value } else { self.max - self.min };
            let step = 10.0_f64.powf(whole.abs().log10().floor()) * FINE;
            self.tunable.playable((value / step).round() * step)
        };
        value.clamp(self.min, self.max)
    }

    /// Decimals that tell its values apart.
    pub(super) fn decimals(&self) -> usize {
        self.tunable.decimals((self.max - self.min) / 10.0)
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, ends) in [
            ("lazy.margin=0.25..2.0", (64.0, 512.0)),
            ("lazy.margin=0..5120", (0.0, 5120.0)),
            ("lmr.min_move=2..10", (2.0, 10.0)),
            ("lmr.min_move=2..10:log", (2.0, 10.0)),
            ("king_safety.table[*]=50..200", (50.0, 200.0)),
        ] {
            let range = ClopParam::read(text, &Base::standard()).expect(text);
            assert_eq!(((range.min, range.max), range.text()), (ends, text));
            assert_eq!(range.is_log, text.ends_with("log"));
        }
        for (text, told) in [
            ("lazy.margin", "expected NAME=FROM..TO"),
            ("lazy.margin=64,128,512", "expected NAME=FROM..TO"),
            ("lazy.margin=0.25:2:0.25", "expected NAME=FROM..TO"),
            ("lazy.margin=0..512:16", "expected NAME=FROM..TO"),
            ("lazy.margin=0..512:log", "above 0"),
            ("lazy.margin=0.25..99", "expected 0 to 5120"),
            ("lazy.margin=9..9", "FROM below TO"),
            ("lazy.on=false..true", "on or off"),
            ("lazy.margn=1..2", "did you mean"),
        ] {
            let error = ClopParam::read(text, &Base::standard()).expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn ranges_of_files_that_cannot_be_are_refused() {
        let base = Base::declaring(&[
            "name Material type spin default 100 min 0 max 400",
            "name Factor type string default 0.25",
        ]);
        for (text, told) in [
            (r#"{"Material": "Integer(50, 1)"}"#, "lower end first, found 50 and 1"),
            (r#"{"Material": "Integer(0, 500)"}"#, "expected 0 to 400, found 500"),
            (r#"{"Factor": "Real(0, 1, prior=log-uniform)"}"#, "LOWER above 0 with log-uniform"),
        ] {
            let given = crate::form::read("file", text).expect(text).params;
            let error = ClopParam::given(&given[0].what, &base).expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn places_are_even_in_the_value_or_its_logarithm() {
        for (text, middle) in [("lazy.margin=16..1024", 520.0), ("lazy.margin=16..1024:log", 128.0)]
        {
            let range = ClopParam::read(text, &Base::standard()).expect(text);
            assert_eq!(
                [-1.0, 0.0, 1.0].map(|u| range.playable(u)),
                [16.0, middle, 1024.0],
                "{text}"
            );
            for value in [16.0, 100.0, 1024.0] {
                assert!((range.value(range.coordinate(value)) - value).abs() < 1e-9, "{text}");
            }
        }
    }
}
