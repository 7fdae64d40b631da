//! Parameters as other tools' files have them.

use super::line::{R_END, SpsaParam, default_c_end};
use super::state::Gains;
use crate::form::{Given, GivenParam};
use crate::tunable::{Base, Tunable};
use process::{Context as _, Error};

/// Weather-factory's `a` and `c`, which its file asks nobody to change.
const A: f64 = 1.0;
const C: f64 = 1.0;

/// The parameters of a file, for a run of so many pairs. Each is checked against `base` and the
/// others.
pub fn of_file(
    params: &[GivenParam],
    base: &Base,
    pairs: u64,
    gains: &Gains,
) -> Result<Vec<SpsaParam>, Error> {
    let mut found: Vec<SpsaParam> = Vec::new();
    for GivenParam { place, what } in params {
        let param = SpsaParam::given(what, base, pairs, gains).and_then(|param| {
            param.tunable.check_on(base, [param.min, param.max])?;
            param.tunable.check_apart(found.iter().map(|other| &other.tunable))?;
            Ok(param)
        });
        found.push(param.context(place)?);
    }
    Ok(found)
}

impl SpsaParam {
    /// A parameter of a file. The steps of weather-factory shrink as its own do, with the exponents
    /// of `gains`: its perturbation is `step` at the first game, and here `c_end` at the last.
    pub(super) fn given(
        given: &Given,
        base: &Base,
        pairs: u64,
        gains: &Gains,
    ) -> Result<SpsaParam, Error> {
        match given {
            Given::Line(text) => SpsaParam::read(text, base),
            Given::Step { name, value, min, max, step } => {
                let tunable = Tunable::find(name, base)?;
                let games = (2 * pairs.max(1)) as f64;
                let Gains { a_ratio, alpha, gamma } = gains;
                let c_end = C * step / games.powf(*gamma);
                // Its step for a won game, a · step / (A + t)^α / c_t, at the end of the run.
                let stride =
                    A * step * games.powf(*gamma) / (C * (games * (1.0 + a_ratio)).powf(*alpha));
                let is_whole = !tunable.takes_decimals();
                let start = if is_whole { value.round() } else { *value };
                let [min, max] = [*min, *max];
                SpsaParam { is_whole, start, min, max, c_end, r_end: stride / c_end, tunable }
                    .checked()
            }
            Given::Range { name, min, max, is_whole, is_log } => {
                let tunable = Tunable::find(name, base)?;
                tunable.check_number()?;
                tunable.check_decimals(*is_whole)?;
                tunable.check_range([*min, *max], *is_log)?;
                let (start, c_end) = (tunable.get(base), default_c_end(max - min));
                let (is_whole, min, max, r_end) = (*is_whole, *min, *max, R_END);
                SpsaParam { is_whole, start, min, max, c_end, r_end, tunable }.checked()
            }
            Given::Choices { name, .. } => Err(Error::usage(format!(
                "'{name}' is a list of values: expected a range; test its values with verdict sweep"
            ))),
        }
    }
}

#[cfg(test)]
mod tests;
