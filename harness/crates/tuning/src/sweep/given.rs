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
                (name.clone(), about(*value, *step, [*min, *max]))
            }
            Given::Range { name, min, max, is_log, .. } => {
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
}
