//! Lines of OpenBench and fishtest, with remarks behind `#`.

use super::{Form, Given, GivenFile, GivenParam, value_of};

/// Fields of a line without its kind.
const SHORT: usize = 6;

/// All lines with something in them; whether it is a line of the form is seen when it is read.
pub(super) fn read(place: &str, text: &str) -> GivenFile {
    let param = |(number, line): (usize, &str)| {
        let line = body(line).trim();
        let param = || {
            let place = format!("{place}:{number}");
            GivenParam { place, what: Given::Line(line.to_owned()) }
        };
        (!line.is_empty()).then(param)
    };
    let params = (1..).zip(text.lines()).filter_map(param).collect();
    GivenFile { form: Form::Lines(text.to_owned()), params }
}

fn body(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

pub(super) fn written(text: &str, values: &[(&str, String)]) -> String {
    let line = |line: &str| with_value(line, values).unwrap_or_else(|| line.to_owned()) + "\n";
    text.lines().map(line).collect()
}

/// The line with another value; `None` where it is of no such name.
fn with_value(line: &str, values: &[(&str, String)]) -> Option<String> {
    let body = body(line);
    let mut fields: Vec<&str> = body.split(',').collect();
    let value = value_of(values, fields.first()?)?;
    let place = if fields.len() == SHORT { 1 } else { 2 };
    let field = fields.get(place)?;
    let blank = |blank: &str| field.len() - blank.len();
    let (before, after) = (blank(field.trim_start()), blank(field.trim_end()));
    let field = format!("{}{value}{}", &field[..before], &field[field.len() - after..]);
    fields[place] = &field;
    Some(fields.join(",") + &line[body.len()..])
}
