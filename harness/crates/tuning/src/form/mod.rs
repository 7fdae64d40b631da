//! Parameter files of other tools, read as they are, with the tuned values written back into them.
//!
//! - [OpenBench](https://github.com/AndyGrant/OpenBench): lines `name, int|float, value, min, max,
//!   c_end, r_end`; fishtest: the same without the kind.
//! - weather-factory: JSON, `{"P": {"value": …, "min_value": …, "max_value": …, "step": …}}`.
//! - chess-tuning-tools: JSON, `{"parameter_ranges": {"P": "Integer(1, 50)"}}`, alone or inside a
//!   whole configuration.

mod entries;
mod lines;
mod ranges;
mod steps;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use process::{Context as _, Error};

/// A file's form, with its content as it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", content = "text", rename_all = "kebab-case")]
pub enum Form {
    /// Lines of OpenBench or fishtest.
    Lines(String),
    /// JSON of weather-factory.
    Steps(String),
    /// JSON of chess-tuning-tools.
    Ranges(String),
}

/// A parameter as a file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenParam {
    /// Where, for messages: `FILE:7`, or the file for JSON.
    pub place: String,
    pub what: Given,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// A line of OpenBench or fishtest.
    Line(String),
    /// Of weather-factory.
    Step { name: String, value: f64, min: f64, max: f64, step: f64 },
    /// Of chess-tuning-tools.
    Range { name: String, min: f64, max: f64, is_whole: bool, is_log: bool },
    /// A list of values, of chess-tuning-tools.
    Choices { name: String, values: Vec<String> },
}

#[derive(Debug, Clone, PartialEq)]
pub struct GivenFile {
    pub form: Form,
    pub params: Vec<GivenParam>,
}

/// Reads the content of a file at `place`. Fails where it has none of the forms, nothing in it, or
/// a name twice in JSON.
pub fn read(place: &str, text: &str) -> Result<GivenFile, Error> {
    let is_json = text.trim_start().starts_with('{');
    let file = if is_json { read_json(place, text) } else { Ok(lines::read(place, text)) };
    let file = file.context(place)?;
    if file.params.is_empty() {
        let why = "no parameters: expected lines name, int, value, min, max, c_end, r_end, or the JSON \
                   of weather-factory or chess-tuning-tools";
        return Err(Error::usage(why).context(place));
    }
    Ok(file)
}

fn read_json(place: &str, text: &str) -> Result<GivenFile, Error> {
    let entries = entries::read(text)?;
    let has = |name: &str| entries.iter().any(|(own, _)| own == name);
    let are = |what: fn(&Value) -> bool| entries.iter().all(|(_, value)| what(value));
    let (form, params) = if has(ranges::KEY) || are(|value| value.is_string() || value.is_array()) {
        (Form::Ranges(text.to_owned()), ranges::read(text, entries)?)
    } else if are(Value::is_object) {
        (Form::Steps(text.to_owned()), steps::read(entries)?)
    } else {
        return Err(Error::usage(format!(
            "expected {{\"P\": {{\"value\": …, \"min_value\": …, \"max_value\": …, \"step\": …}}}} \
             (weather-factory) or {{\"{}\": {{\"P\": \"Integer(1, 50)\"}}}} (chess-tuning-tools)",
            ranges::KEY
        )));
    };
    let params = params.into_iter().map(|what| GivenParam { place: place.to_owned(), what });
    Ok(GivenFile { form, params: params.collect() })
}

impl Form {
    /// The name of the file for the tuned values.
    pub(crate) fn file(&self) -> &'static str {
        match self {
            Form::Lines(_) => arena::record::output_files::PARAMS_FILE,
            Form::Steps(_) | Form::Ranges(_) => arena::record::output_files::PARAMS_JSON_FILE,
        }
    }

    /// The file with these values, name and text of each, in place of its own; all else as it came.
    pub(crate) fn written(&self, values: &[(&str, String)]) -> String {
        match self {
            Form::Lines(text) => lines::written(text, values),
            Form::Steps(text) => steps::written(text, values),
            Form::Ranges(text) => ranges::written(text, values),
        }
    }
}

/// The value of a name, without regard to case.
fn value_of<'a>(values: &'a [(&str, String)], name: &str) -> Option<&'a str> {
    let found = values.iter().find(|(own, _)| own.eq_ignore_ascii_case(name.trim()));
    found.map(|(_, value)| value.as_str())
}

/// A value in JSON: a number where it is one.
fn json(text: &str) -> Value {
    let number = serde_json::from_str(text).ok().filter(|value: &Value| !value.is_object());
    number.unwrap_or_else(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Vec<Given> {
        let file = read("file", text).expect(text);
        file.params.into_iter().map(|param| param.what).collect()
    }

    #[test]
    fn every_form_is_told_from_the_others() {
        let line = "Material, int, 50, 0, 400, 20, 0.002";
        assert_eq!(given(&format!("# all\n\n{line} # one\n")), [Given::Line(line.to_owned())]);
        let name = || "P".to_owned();
        let step = Given::Step { name: name(), value: 10.5, min: 0.0, max: 20.0, step: 2.0 };
        let text = r#"{"P": {"value": 10.5, "min_value": 0, "max_value": 20, "step": 2}}"#;
        assert_eq!(given(text), [step]);
        for (text, min, max, is_whole, is_log) in [
            ("Integer(1, 50)", 1.0, 50.0, true, false),
            ("Real(0.0, 1.0)", 0.0, 1.0, false, false),
            ("(0.0, 1.0)", 0.0, 1.0, false, false),
            ("(1, 50)", 1.0, 50.0, true, false),
            ("[1, 50]", 1.0, 50.0, true, false),
            ("Real(1e-3, 10, prior=log-uniform)", 0.001, 10.0, false, true),
            ("Real(0.5, 2, prior='log-uniform')", 0.5, 2.0, false, true),
            ("(1, 64, 'log-uniform')", 1.0, 64.0, true, true),
            ("(1.5, 64, \\\"uniform\\\")", 1.5, 64.0, false, false),
        ] {
            let range = Given::Range { name: name(), min, max, is_whole, is_log };
            let bare = format!("{{\"P\": \"{text}\"}}");
            assert_eq!(given(&bare), std::slice::from_ref(&range), "{text}");
            let inside =
                format!("{{\"engines\": [], \"parameter_ranges\": {bare}, \"rounds\": 5}}");
            assert_eq!(given(&inside), [range], "{text}");
        }
        for (text, values) in [
            ("('a', 'b')", &["a", "b"][..]),
            ("(42, 'foo', 'bar')", &["42", "foo", "bar"]),
            ("Categorical([True, False])", &["true", "false"]),
            ("(1, 2, 4, 8)", &["1", "2", "4", "8"]),
            ("[7]", &["7"]),
        ] {
            let values = values.iter().map(|&value| value.to_owned()).collect();
            let choices = Given::Choices { name: name(), values };
            assert_eq!(given(&format!("{{\"P\": \"{text}\"}}")), [choices], "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, told) in [
            ("", "no parameters"),
            ("{}", "no parameters"),
            ("{", "expected JSON"),
            (r#"{"P": 3}"#, "weather-factory"),
            (r#"{"P": {"value": 1}}"#, "'P': min_value: expected a number"),
            (r#"{"P": {"value": 1}, "P": {"value": 2}}"#, "'P' is there twice"),
            (r#"{"parameter_ranges": {"P": "(1, 2)", "P": "(1, 3)"}}"#, "'P' is there twice"),
            (r#"{"parameter_ranges": 3}"#, "parameter_ranges"),
            (r#"{"P": "Integer(1)"}"#, "'P': expected"),
            (r#"{"P": "Normal(1, 2)"}"#, "'P': expected"),
            (r#"{"P": "(1, 2"}"#, "'P': expected"),
            (r#"{"P=legacy(steepness)": "Real(5.0, 10.0)"}"#, "nested"),
        ] {
            let error = read("file", text).expect_err(text).to_string();
            assert!(error.contains(told) && error.contains("file"), "{text}: {error}");
        }
    }

    #[test]
    fn values_go_back_into_the_file_as_it_came() {
        let values = [("Material", "57".to_owned()), ("Factor", "0.2500".to_owned())];
        for (came, expected) in [
            (
                "# lines\nmaterial, int, 50, 0, 400, 20.0, 0.0020  # one\n\nOther, int, 1, 0, 2, 1, 0.002\n\
                 Factor , float ,0.5,0, 1,0.05,0.002\n",
                "# lines\nmaterial, int, 57, 0, 400, 20.0, 0.0020  # one\n\nOther, int, 1, 0, 2, 1, 0.002\n\
                 Factor , float ,0.2500,0, 1,0.05,0.002\n",
            ),
            ("Material,50,0,400,20,0.0020", "Material,57,0,400,20,0.0020\n"),
        ] {
            let file = read("file", came).expect("lines");
            assert_eq!(file.form.written(&values), expected);
        }
        let steps = r#"{"Material": {"value": 50, "min_value": 0, "max_value": 400, "step": 20}}"#;
        let written = read("file", steps).expect("steps").form.written(&values);
        let written: Value = serde_json::from_str(&written).expect("JSON");
        assert_eq!(
            written["Material"],
            serde_json::json!({ "value": 57, "min_value": 0, "max_value": 400, "step": 20 })
        );
        let config = r#"{"engines": [{"command": "x", "fixed_parameters": {"Threads": 2}}, {"command": "y"}],
                         "parameter_ranges": {"Factor": "Real(0.0, 1.0)"}, "rounds": 5}"#;
        let written = read("file", config).expect("ranges").form.written(&values[1..]);
        let written: Value = serde_json::from_str(&written).expect("JSON");
        assert_eq!(
            written["engines"][0]["fixed_parameters"],
            serde_json::json!({ "Threads": 2, "Factor": 0.25 })
        );
        assert_eq!(
            (&written["rounds"], &written["parameter_ranges"]["Factor"]),
            (&5.into(), &"Real(0.0, 1.0)".into())
        );
        let bare =
            read("file", r#"{"Factor": "(0.0, 1.0)"}"#).expect("ranges").form.written(&values[1..]);
        let written: Value = serde_json::from_str(&bare).expect("JSON");
        assert_eq!(written["fixed_parameters"]["Factor"], 0.25);
        assert_eq!(written["parameter_ranges"]["Factor"], "(0.0, 1.0)");
    }
}
