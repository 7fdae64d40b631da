//! The ranges of chess-tuning-tools, as its documentation has them: `Real(LOWER, UPPER)`,
//! `Integer(LOWER, UPPER)`, both with `prior=log-uniform` or without; `(LOWER, UPPER)`, whole if
//! both numbers are; `Categorical([…])` and other lists of values.

use serde_json::{Map, Value};

use super::entries::Entries;
use super::{Given, json, value_of};
use process::Error;

/// Where they stand in a configuration.
pub(super) const KEY: &str = "parameter_ranges";
const FIXED: &str = "fixed_parameters";

pub(super) fn read(text: &str, entries: Vec<(String, Value)>) -> Result<Vec<Given>, Error> {
    #[derive(serde::Deserialize)]
    struct Config {
        parameter_ranges: Entries,
    }

    let is_config = entries.iter().any(|(name, _)| name == KEY);
    let entries = match is_config {
        false => entries,
        true => {
            let config: Result<Config, _> = serde_json::from_str(text);
            let expected = |error| Error::usage(format!("{KEY}: expected an object: {error}"));
            config.map_err(expected)?.parameter_ranges.0
        }
    };
    entries.into_iter().map(|(name, value)| param(name, &value)).collect()
}

fn param(name: String, value: &Value) -> Result<Given, Error> {
    if name.contains('=') {
        return Err(Error::usage(format!(
            "'{name}': nested parameters cannot be tuned here: expected the name of an option"
        )));
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    range(&name, &text).ok_or_else(|| {
        Error::usage(format!(
            "'{name}': expected Real(LOWER, UPPER), Integer(LOWER, UPPER), (LOWER, UPPER) or a list of \
             values, found '{text}'"
        ))
    })
}

/// The kinds of ranges that have a name.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Real,
    Integer,
    Categorical,
}

fn range(name: &str, text: &str) -> Option<Given> {
    let text = text.trim();
    let (kind, inside) = match text.find(['(', '[']) {
        Some(0) => (None, bracketed(text)?),
        Some(at) => {
            let kind = match text[..at].trim() {
                "Real" => Kind::Real,
                "Integer" => Kind::Integer,
                "Categorical" => Kind::Categorical,
                _ => return None,
            };
            (Some(kind), bracketed(&text[at..])?)
        }
        None => return None,
    };
    let inside = match kind {
        Some(Kind::Categorical) => bracketed(inside)?,
        _ => inside,
    };
    let items: Vec<Item> = inside
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(Item::read)
        .collect::<Option<_>>()?;
    of_items(name, kind, &items)
}

/// What stands between the first bracket and the last.
fn bracketed(text: &str) -> Option<&str> {
    let text = text.trim();
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inside.or_else(|| text.strip_prefix('[').and_then(|text| text.strip_suffix(']')))
}

/// One of the words between brackets.
#[derive(Debug, Clone)]
struct Item {
    text: String,
    is_quoted: bool,
    number: Option<f64>,
    /// The name before `=`.
    key: Option<String>,
}

impl Item {
    fn read(text: &str) -> Option<Item> {
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (Some(key.trim().to_owned()), value.trim()),
            None => (None, text),
        };
        let unquoted = ['\'', '"'].iter().find_map(|&quote| {
            value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote))
        });
        let number = value.parse().ok().filter(|number: &f64| number.is_finite());
        let text = match (unquoted, value) {
            (Some(text), _) => text.to_owned(),
            (None, "True") => "true".to_owned(),
            (None, "False") => "false".to_owned(),
            (None, text) => text.to_owned(),
        };
        (!text.contains(['(', '[', ')', ']'])).then(|| Item {
            text,
            is_quoted: unquoted.is_some(),
            number: number.filter(|_| unquoted.is_none()),
            key,
        })
    }

    fn is_whole(&self) -> bool {
        self.number.is_some() && self.text.parse::<i64>().is_ok()
    }

    /// Whether the range is sampled evenly in the logarithm; `None` where it is no prior.
    fn prior(&self) -> Option<bool> {
        match self.text.as_str() {
            "uniform" => Some(false),
            "log-uniform" => Some(true),
            _ => None,
        }
    }
}

fn of_items(name: &str, kind: Option<Kind>, items: &[Item]) -> Option<Given> {
    let name = name.to_owned();
    let ends = |items: &[Item]| match items {
        [min, max, ..] => Some((min.number?, max.number?)),
        _ => None,
    };
    let range = match (kind, items) {
        (Some(Kind::Categorical), _) => None,
        (Some(kind), [_, _, rest @ ..]) => {
            // Words of other meaning, such as base=10, change nothing of the range.
            let prior = rest.iter().find_map(|item| {
                let is_prior = item.key.as_deref().is_none_or(|key| key == "prior");
                is_prior.then(|| item.prior())?
            });
            let is_known = rest.iter().all(|item| item.key.is_some() || item.prior().is_some());
            if !is_known {
                return None;
            }
            let is_whole = kind == Kind::Integer;
            Some((ends(items)?, is_whole, prior.unwrap_or(false)))
        }
        (Some(_), _) => return None,
        (None, [min, max]) if !min.is_quoted && !max.is_quoted => {
            ends(items).map(|ends| (ends, min.is_whole() && max.is_whole(), false))
        }
        (None, [min, max, prior]) => match prior.prior() {
            Some(is_log) => Some((ends(items)?, min.is_whole() && max.is_whole(), is_log)),
            None => None,
        },
        (None, _) => None,
    };
    match range {
        Some(((min, max), is_whole, is_log)) => {
            Some(Given::Range { name, min, max, is_whole, is_log })
        }
        None if items.is_empty() || items.iter().any(|item| item.key.is_some()) => None,
        None => {
            let values = items.iter().map(|item| item.text.clone()).collect();
            Some(Given::Choices { name, values })
        }
    }
}

/// The configuration with the values among its first engine's fixed parameters; ranges alone get
/// these beside them.
pub(super) fn written(text: &str, values: &[(&str, String)]) -> String {
    let mut file: Value = serde_json::from_str(text).unwrap_or_default();
    if file.get(KEY).is_none() {
        file = Value::Object(Map::from_iter([(KEY.to_owned(), file)]));
    }
    let names: Vec<String> =
        file[KEY].as_object().map(|ranges| ranges.keys().cloned().collect()).unwrap_or_default();
    let tuned = names.iter().filter_map(|name| Some((name.clone(), json(value_of(values, name)?))));
    let tuned: Map<String, Value> = tuned.collect();
    let first = file.pointer_mut("/engines/0").filter(|engine| engine.is_object());
    let fixed = match first {
        Some(engine) => &mut engine[FIXED],
        None => &mut file[FIXED],
    };
    match fixed.as_object_mut() {
        Some(fixed) => fixed.extend(tuned),
        None => *fixed = Value::Object(tuned),
    }
    format!("{file:#}\n")
}
