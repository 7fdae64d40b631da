//! The coefficients: a line for each, `name, value` or `name, value, min, max`; the first has index
//! 0. Blank lines and text from `#` on are ignored.

use process::{Context as _, Error};

/// Indices have two bytes.
const MOST: usize = 1 << 16;

#[derive(Debug, Clone, PartialEq)]
pub struct Coefficient {
    pub name: String,
    /// Before the fit, in the engine's own unit.
    pub start: f64,
    /// The least and the greatest value; infinite where none is given.
    pub ends: [f64; 2],
    /// Digits behind the point in the file.
    pub decimals: usize,
}

/// By index.
#[derive(Debug, Clone, PartialEq)]
pub struct Coefficients(pub Vec<Coefficient>);

impl Coefficients {
    /// Reads the content of a file at `place`.
    pub fn read(place: &str, text: &str) -> Result<Coefficients, Error> {
        let mut all: Vec<Coefficient> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let body = line.split('#').next().unwrap_or_default().trim();
            if body.is_empty() {
                continue;
            }
            let coefficient = coefficient(body).and_then(|coefficient| {
                match all.iter().any(|other| other.name == coefficient.name) {
                    true => Err(Error::usage(format!("'{}' is there twice", coefficient.name))),
                    false => Ok(coefficient),
                }
            });
            all.push(coefficient.context(format!("{place}:{number}"))?);
        }
        match all.len() {
            0 => Err(Error::usage("no coefficients: expected lines name, value").context(place)),
            found if found > MOST => {
                let why = format!("{found} coefficients, expected at most {MOST}");
                Err(Error::usage(why).context(place))
            }
            _ => Ok(Coefficients(all)),
        }
    }

    /// The content of the file with other values, all else as it is.
    pub fn with_values(text: &str, values: &[String]) -> String {
        let mut values = values.iter();
        let line = |line: &str| {
            let (body, remark) = line.split_at(line.find('#').unwrap_or(line.len()));
            let mut fields: Vec<&str> = body.split(',').collect();
            let value = (!body.trim().is_empty()).then(|| values.next()).flatten();
            if let (Some(value), Some(field)) = (value, fields.get_mut(1)) {
                let before = field.len() - field.trim_start().len();
                let after = field.trim_end().len();
                let written = format!("{}{value}{}", &field[..before], &field[after..]);
                *field = &written;
                return fields.join(",") + remark + "\n";
            }
            format!("{line}\n")
        };
        text.lines().map(line).collect()
    }
}

fn coefficient(body: &str) -> Result<Coefficient, Error> {
    let form =
        || Error::usage(format!("expected name, value or name, value, min, max, found '{body}'"));
    let fields: Vec<&str> = body.split(',').map(str::trim).collect();
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let (name, value, ends) = match fields[..] {
        [name, value] => (name, value, [f64::NEG_INFINITY, f64::INFINITY]),
        [name, value, min, max] => {
            (name, value, [number(min).ok_or_else(form)?, number(max).ok_or_else(form)?])
        }
        _ => return Err(form()),
    };
    let start = number(value).filter(|_| !name.is_empty()).ok_or_else(form)?;
    let [min, max] = ends;
    if !(min..=max).contains(&start) {
        return Err(Error::usage(format!(
            "'{name}': expected min {min} ≤ value {start} ≤ max {max}"
        )));
    }
    let decimals = value.split_once('.').map_or(0, |(_, digits)| digits.len());
    Ok(Coefficient { name: name.to_owned(), start, ends, decimals })
}
