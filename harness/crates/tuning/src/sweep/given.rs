//! Axes of parameters as other tools' files have them.

use super::Axis;
use crate::form::Given;
use crate::tunable::{Base, Tunable, tidy};
use crate::tune::spsa::SpsaParam;
use process::Error;

/// Values of a range, at most.
const VALUES: u32 = 9;

impl Axis {
    /// Values of a parameter: those of a list; of a range nine at even distances, even in the
    /// logarithm where the file says so; of a line for SPSA the value, and as far as its range goes
    /// one and two perturbations to either side.
    pub fn given(given: &Given, base: &Base) -> Result<Axis, Error> {
        let text = |name: &str, values: &[String]| format!("{name}={}", values.join(","));
        let (name, values) = match given {
            Given::Choices { name, values } => return Axis::read(&text(name, values), base),
            Given::Line(line) => {
                let SpsaParam { tunable, start, min, max, c_end, .. } =
                    SpsaParam::read(line, base)?;
                (tunable.name().to_owned(), about(start, c_end, [min, max]))
            }
            Given::Step { name, value, min, max, step } => {
                let tunable = Tunable::find(name, base)?;
                tunable.check_range([*min, *max], false)?;
                check_step(&tunable, (*value, *step), [*min, *max])?;
                (name.clone(), about(*value, *step, [*min, *max]))
            }
            Given::Range { name, min, max, is_log, .. } => {
                Tunable::find(name, base)?.check_range([*min, *max], *is_log)?;
                let place = |number: u32| {
                    let share = f64::from(number) / f64::from(VALUES - 1);
                    match is_log {
                        true => min * (max / min).powf(share),
                        false => min + share * (max - min),
                    }
                };
                (name.clone(), (0..VALUES).map(place).collect())
            }
        };
        let tunable = Tunable::find(&name, base)?;
        if let Given::Range { is_whole, .. } = given {
            tunable.check_decimals(*is_whole)?;
        }
        let mut values: Vec<f64> =
            values.into_iter().map(|value| tunable.playable(tidy(value))).collect();
        values.dedup();
        let written: Vec<String> = values.iter().map(|&value| tunable.text(value)).collect();
        let written = text(tunable.name(), &written);
        Axis::read(&written, base)
    }
}

fn check_step(
    tunable: &Tunable,
    (value, step): (f64, f64),
    [min, max]: [f64; 2],
) -> Result<(), Error> {
    let name = tunable.name();
    if !(min..=max).contains(&value) {
        return Err(Error::usage(format!(
            "'{name}': expected min_value {min} ≤ value {value} ≤ max_value {max}"
        )));
    }
    match step > 0.0 {
        true => Ok(()),
        false => Err(Error::usage(format!("'{name}': expected a step above 0, found {step}"))),
    }
}

fn about(start: f64, step: f64, [min, max]: [f64; 2]) -> Vec<f64> {
    let values = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|steps| start + steps * step);
    values.into_iter().filter(|value| (min..=max).contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form;

    fn toy() -> Base {
        Base::declaring(&[
            "name Material type spin default 100 min 0 max 400",
            "name Factor type string default 0.25",
            "name Style type combo default Normal var Solid var Normal var Risky",
        ])
    }

    #[test]
    fn axes_of_every_form() {
        for (text, values) in [
            ("Material, int, 50, 0, 80, 20, 0.002", &[10.0, 30.0, 50.0, 70.0][..]),
            ("Factor, float, 0.5, 0, 1, 0.1, 0.002", &[0.3, 0.4, 0.5, 0.6, 0.7]),
            (
                r#"{"Material": {"value": 50, "min_value": 0, "max_value": 400, "step": 10}}"#,
                &[30.0, 40.0, 50.0, 60.0, 70.0],
            ),
            (r#"{"Material": "Integer(0, 4)"}"#, &[0.0, 1.0, 2.0, 3.0, 4.0]),
            (
                r#"{"Factor": "Real(1, 256, prior=log-uniform)"}"#,
                &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0],
            ),
            (r#"{"Style": "('solid', 'Risky')"}"#, &[0.0, 2.0]),
        ] {
            let given = form::read("file", text).expect(text).params;
            let axis = Axis::given(&given[0].what, &toy()).expect(text);
            assert_eq!(axis.values, values, "{text}");
            assert_eq!(Axis::read(axis.text(), &toy()).expect(text).values, values, "{text}");
        }
    }

    #[test]
    fn ranges_that_cannot_be_are_refused() {
        for (text, told) in [
            (r#"{"Material": "Integer(50, 1)"}"#, "lower end first, found 50 and 1"),
            (r#"{"Factor": "Real(0, 1, prior=log-uniform)"}"#, "LOWER above 0 with log-uniform"),
            (r#"{"Factor": "Real(-2, 1, prior=log-uniform)"}"#, "LOWER above 0 with log-uniform"),
            (r#"{"Material": "Integer(0, 500)"}"#, "expected 0 to 400, found 500"),
            (
                r#"{"Material": {"value": 50, "min_value": 0, "max_value": 900, "step": 10}}"#,
                "expected 0 to 400, found 900",
            ),
            (
                r#"{"Material": {"value": 50, "min_value": 90, "max_value": 10, "step": 10}}"#,
                "lower end first, found 90 and 10",
            ),
            (
                r#"{"Material": {"value": 5, "min_value": 10, "max_value": 90, "step": 10}}"#,
                "min_value 10 ≤ value 5",
            ),
            (
                r#"{"Material": {"value": 50, "min_value": 10, "max_value": 90, "step": 0}}"#,
                "step above 0",
            ),
        ] {
            let given = form::read("file", text).expect(text).params;
            let error = Axis::given(&given[0].what, &toy()).expect_err(text).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
