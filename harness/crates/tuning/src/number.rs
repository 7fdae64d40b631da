//! Numbers as JSON: whole ones have no decimal point, as in files of older versions.

use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

/// The largest whole number that is written without a point.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

pub(crate) fn json(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() <= MOST_EXACT {
        Value::from(value as i64)
    } else {
        Number::from_f64(value).map_or(Value::Null, Value::Number)
    }
}

/// For `serialize_with`.
pub(crate) fn list<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    values.iter().map(|&value| json(value)).collect::<Vec<_>>().serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_no_point() {
        let text = |value| json(value).to_string();
        for (value, expected) in
            [(4.0, "4"), (-4.0, "-4"), (0.25, "0.25"), (f64::NAN, "null"), (1e300, "1e+300")]
        {
            assert_eq!(text(value), expected);
        }
    }
}
