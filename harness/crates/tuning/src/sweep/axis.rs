//! What a sweep varies: a tunable and its values, `NAME=0.25:2.0:0.25`, `NAME=2..6` or
//! `NAME=1,2,4`.

use crate::tunable::{Base, Tunable, tidy};
use process::Error;

/// More values on one axis are taken for a typing error.
const MOST_VALUES: u64 = 1000;

/// A parameter and its values, ascending and distinct.
#[derive(Debug, Clone)]
pub struct Axis {
    pub tunable: Tunable,
    pub values: Vec<f64>,
    text: String,
}

impl Axis {
    /// The head of a column: the parameter and its unit.
    pub fn title(&self) -> String {
        match self.tunable.unit() {
            "" => self.tunable.name().to_owned(),
            unit => format!("{}, {unit}", self.tunable.name()),
        }
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads an axis of `base`.
    pub fn read(text: &str, base: &Base) -> Result<Axis, Error> {
        let form = || {
            Error::usage(format!(
                "expected NAME=FROM:TO:STEP, NAME=FROM..TO or NAME=VALUE,VALUE,…, found '{text}'"
            ))
        };
        let (name, values) = text.split_once('=').ok_or_else(form)?;
        let tunable = Tunable::find(name, base)?;
        let values = values.trim();
        // Values are in pawns if any of the numbers has a decimal point.
        let in_pawns = values.replace("..", " ").contains('.');
        let read = |text: &str| tunable.read(text, in_pawns);
        let numbers: Vec<f64> = if !tunable.is_ordered() {
            let list = values.split(',').map(read).collect::<Result<_, _>>();
            list.map_err(|error| if values.contains("..") { no_range(&tunable) } else { error })?
        } else if let Some((from, to)) = values.split_once("..") {
            let (to, step) = match to.split_once(':') {
                Some((to, step)) => (to, read(step)?),
                None => (to, own_step(&tunable)?),
            };
            steps(text, read(from)?, read(to)?, step)?
        } else if values.contains(':') {
            let parts: Vec<&str> = values.split(':').collect();
            let [from, to, step] = parts[..] else { return Err(form()) };
            steps(text, read(from)?, read(to)?, read(step)?)?
        } else {
            values.split(',').map(read).collect::<Result<_, _>>()?
        };
        Axis::new(tunable, numbers, text)
    }

    /// An axis of these values; `text` is how it is written.
    pub fn new(tunable: Tunable, values: Vec<f64>, text: &str) -> Result<Axis, Error> {
        let checked = values.into_iter().map(|number| tunable.check(tunable.playable(number)));
        let mut values = checked.collect::<Result<Vec<f64>, _>>()?;
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        Ok(Axis { tunable, values, text: text.to_owned() })
    }
}

/// Why a switch or a list has no `FROM..TO`.
fn no_range(tunable: &Tunable) -> Error {
    let name = tunable.name();
    let (what, list) = match tunable.is_switch() {
        true => ("is on or off", "true,false".to_owned()),
        false => {
            let (_, last) = tunable.range();
            let all = (0..=last as u64).map(|number| tunable.text(number as f64));
            ("has a list of values", all.collect::<Vec<_>>().join(","))
        }
    };
    Error::usage(format!("'{name}' {what}, which has no range: expected values, {name}={list}"))
}

/// The step of `FROM..TO`.
fn own_step(tunable: &Tunable) -> Result<f64, Error> {
    tunable.step().ok_or_else(|| {
        let name = tunable.name();
        Error::usage(format!("'{name}': expected {name}=FROM..TO:STEP, it has no step of its own"))
    })
}

/// From `from` in steps up to `to`.
fn steps(text: &str, from: f64, to: f64, step: f64) -> Result<Vec<f64>, Error> {
    // Rounding must not cost the last value.
    let count = (((to - from) / step + 1e-9).floor() as u64).saturating_add(1);
    let wrong = if step <= 0.0 {
        "expected a step above 0".to_owned()
    } else if from > to {
        "expected the lower end first".to_owned()
    } else if count == 1 && from < to {
        format!(
            "the step, {step}, skips all but the first value; expected FROM..TO:STEP with a smaller one"
        )
    } else if count > MOST_VALUES {
        format!("{count} values, expected at most {MOST_VALUES}")
    } else {
        return Ok((0..count).map(|number| tidy(from + number as f64 * step)).collect());
    };
    Err(Error::usage(format!("'{text}': {wrong}")))
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn ranges_lists_and_pawns() {
        for (text, values) in [
            ("lazy.margin=0.25:2.0:0.25", vec![64, 128, 192, 256, 320, 384, 448, 512]),
            ("lazy.margin=64:130:32", vec![64, 96, 128]),
            ("lazy.margin=96..128", vec![96, 112, 128]),
            ("lazy.margin=0.25..0.5", vec![64, 80, 96, 112, 128]),
            ("lmr.min_move=2..6", vec![2, 3, 4, 5, 6]),
            ("lmr.min_move=2..6:2", vec![2, 4, 6]),
            ("lmr.min_move=6,2,4,2", vec![2, 4, 6]),
            ("lazy.on=true,false", vec![0, 1]),
            ("king_safety.table[*]=80:120:20", vec![80, 100, 120]),
            ("king_safety.table[3]=5", vec![5]),
        ] {
            let axis = Axis::read(text, &Base::standard()).expect(text);
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            assert_eq!(axis.values, values, "{text}");
        }
    }

    #[test]
    fn wrong_ones_say_why() {
        for (text, told) in [
            ("lazy.margin", "expected NAME=FROM:TO:STEP"),
            ("lazy.margin=1:2", "expected NAME=FROM:TO:STEP"),
            ("lazy.margn=1..2", "did you mean 'lazy.margin'"),
            ("lmr.min_move=2.5:4:0.5", "expected a whole number, found '2.5'"),
            ("lmr.min_move=6..2", "lower end first"),
            ("lmr.min_move=2:6:0", "step above 0"),
            ("lmr.min_move=2..6:9", "the step, 9, skips"),
            ("lmr.min_move=2..=6", "expected a whole number, found '=6'"),
            ("lmr.min_move=2..600", "expected 0 to 60"),
            ("lazy.margin=0:5120:1", "at most 1000"),
            ("lazy.margin=0:1.0:1e-20", "at most 1000"),
            ("lmr.min_move=", "expected a whole number"),
            ("lazy.on=maybe", "true or false"),
            ("lazy.on=false..true", "expected values, lazy.on=true,false"),
        ] {
            let error = Axis::read(text, &Base::standard()).expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn lists_have_no_ranges() {
        let base = Base::declaring(&[
            "name Style type combo default b var a var b var c..d",
            "name Guard type check default false",
        ]);
        for (text, told) in [
            ("Style=a..b", "expected values, Style=a,b,c..d"),
            ("Style=b..a", "expected values, Style=a,b,c..d"),
            ("Guard=false..true", "expected values, Guard=true,false"),
        ] {
            let error = Axis::read(text, &base).expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
        assert_eq!(Axis::read("Style=a,c..d", &base).expect("a list").values, [0.0, 2.0]);
    }
}
