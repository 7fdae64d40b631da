//! Tuned values as files: JSON, lines for the engine, a table to paste, and the form of the file
//! that the parameters came from.

use serde_json::{Map, Value};

use super::personality::personality;
use crate::base::with_values;
use crate::form::Form;
use crate::number;
use crate::tunable::{Base, Tunable};
use arena::player::program::Protocol;
use arena::player::spec::PlayerSpec;
use arena::record::output_files::{SETOPTION_FILE, TUNED_FILE, TUNED_MD_FILE};

/// A tuned value of a parameter.
#[derive(Debug, Clone)]
pub(super) struct TunedValue<'a> {
    pub(super) tunable: &'a Tunable,
    /// One that can be played.
    pub(super) tuned: f64,
    /// Decimals to write where it is no whole number.
    pub(super) decimals: usize,
    /// The range in which it was tuned.
    pub(super) range: [f64; 2],
}

impl TunedValue<'_> {
    /// The value with all its decimals.
    fn text(&self) -> String {
        match self.tunable.takes_decimals() {
            true => format!("{:.*}", self.decimals, self.tuned),
            false => self.tunable.text(self.tuned),
        }
    }
}

pub(super) struct Outputs<'a> {
    pub(super) base: &'a Base,
    /// The player of `base`.
    pub(super) spec: &'a PlayerSpec,
    pub(super) form: Option<&'a Form>,
}

impl Outputs<'_> {
    /// Names and contents.
    pub(super) fn files(&self, values: &[TunedValue<'_>]) -> Vec<(&'static str, String)> {
        let settings: Vec<(String, String)> = values
            .iter()
            .flat_map(|value| value.tunable.settings(self.base, value.tuned))
            .collect();
        let mut files = vec![
            (TUNED_FILE, self.json(values)),
            (SETOPTION_FILE, self.setoption(&settings)),
            (TUNED_MD_FILE, self.table(values)),
        ];
        if let Some(form) = self.form {
            let texts: Vec<(&str, String)> =
                values.iter().map(|value| (value.tunable.name(), value.text())).collect();
            files.push((form.file(), form.written(&texts)));
        }
        files
    }

    /// The personality of an embedded engine; of a program an object of names and values.
    fn json(&self, values: &[TunedValue<'_>]) -> String {
        let each = values.iter().map(|value| (value.tunable, value.tuned));
        if let Some(params) = self.base.params() {
            return personality(&Tunable::turned(params, each), params);
        }
        let entry = |(tunable, value): (&Tunable, f64)| {
            let value = match () {
                () if tunable.is_switch() => Value::from(value != 0.0),
                () if tunable.is_ordered() => number::json(value),
                () => Value::from(tunable.text(value)),
            };
            (tunable.name().to_owned(), value)
        };
        format!("{:#}\n", Value::Object(each.map(entry).collect::<Map<_, _>>()))
    }

    fn setoption(&self, settings: &[(String, String)]) -> String {
        let is_xboard = matches!(self.spec, PlayerSpec::Program { protocol: Protocol::Xboard, .. });
        let line = |(name, value): &(String, String)| match is_xboard {
            true => format!("option {name}={value}\n"),
            false => format!("setoption name {name} value {value}\n"),
        };
        settings.iter().map(line).collect()
    }

    fn table(&self, values: &[TunedValue<'_>]) -> String {
        let mut text =
            String::from("| parameter | before | tuned | range |\n|---|---:|---:|---|\n");
        for value in values {
            let TunedValue { tunable, range, .. } = value;
            let [low, high] = range.map(|end| tunable.text(end));
            let before = tunable.text(tunable.get(self.base));
            let name = tunable.name().replace('|', "\\|");
            text += &format!("| `{name}` | {before} | {} | {low} to {high} |\n", value.text());
        }
        let each = values.iter().map(|value| (value.tunable, value.tuned));
        let player = with_values(self.spec, self.base, each);
        // The text of a group's cells is long, and in tuned.json.
        if self.base.params().is_none() {
            text += &format!("\nAs a player: `{player}`\n");
        }
        text
    }
}
