//! The JSON of weather-factory.

use serde_json::Value;

use super::{Given, json, value_of};
use process::Error;

pub(super) fn read(entries: Vec<(String, Value)>) -> Result<Vec<Given>, Error> {
    let param = |(name, value): (String, Value)| {
        let number = |key: &str| {
            let found = &value[key];
            found.as_f64().ok_or_else(|| {
                Error::usage(format!("'{name}': {key}: expected a number, found {found}"))
            })
        };
        let [value, min, max, step] =
            [number("value")?, number("min_value")?, number("max_value")?, number("step")?];
        Ok(Given::Step { name, value, min, max, step })
    };
    entries.into_iter().map(param).collect()
}

pub(super) fn written(text: &str, values: &[(&str, String)]) -> String {
    let mut file: Value = serde_json::from_str(text).unwrap_or_default();
    for (name, param) in file.as_object_mut().into_iter().flatten() {
        if let Some(value) = value_of(values, name) {
            param["value"] = json(value);
        }
    }
    format!("{file:#}\n")
}
