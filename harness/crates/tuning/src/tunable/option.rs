//! An option of a program as a number.

use arena::player::program::options::{OptionKind, find, unknown};
use arena::session::VariedOption;
use process::Error;

/// Whole numbers beyond it are not exact as `f64`.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// An option whose value is a number, or one of a list.
#[derive(Debug, Clone)]
pub(super) struct ProgramOption {
    pub(super) option: VariedOption,
    /// In the player as it is.
    pub(super) value: f64,
}

impl ProgramOption {
    /// Finds an option by name, without regard to case; the error suggests the nearest name.
    pub(super) fn find(name: &str, options: &[VariedOption]) -> Result<ProgramOption, Error> {
        let usage = |why: String| Err(Error::usage(why));
        let declared: Vec<_> = options.iter().map(|option| option.declared.clone()).collect();
        if declared.is_empty() {
            return usage(format!(
                "'{name}': the engine declares no options: nothing can be varied"
            ));
        }
        let Some(found) = find(&declared, name) else {
            return usage(format!("the engine {}", unknown(&declared, name)));
        };
        let mut of_name =
            options.iter().filter(|it| it.declared.name.eq_ignore_ascii_case(&found.name));
        let (Some(option), None) = (of_name.next(), of_name.next()) else {
            return usage(format!(
                "the engine declares '{name}' twice: nobody knows which is meant"
            ));
        };
        let (name, value) = (&found.name, option.value.trim());
        let number = match &found.kind {
            OptionKind::Button => {
                return usage(format!(
                    "'{name}' is a button: it has no value; expected an option with one"
                ));
            }
            OptionKind::Text => value.parse().ok().filter(|number: &f64| number.is_finite()),
            _ => number_of(&found.kind, value),
        };
        match number {
            Some(value) => Ok(ProgramOption { option: option.clone(), value }),
            None if found.kind == OptionKind::Text => usage(format!(
                "'{name}' is text, '{value}': expected an option whose value is a number"
            )),
            None => usage(format!(
                "'{name}': expected a value to begin with, within ±{MOST_EXACT}, found '{value}'; set it \
                 in --base: uci:PATH,{name}=…"
            )),
        }
    }

    fn kind(&self) -> &OptionKind {
        &self.option.declared.kind
    }

    pub(super) fn name(&self) -> &str {
        &self.option.declared.name
    }

    /// Least and greatest value; a number that is text has none.
    pub(super) fn range(&self) -> (f64, f64) {
        match self.kind() {
            OptionKind::Spin { min, max } => {
                ((*min as f64).max(-MOST_EXACT), (*max as f64).min(MOST_EXACT))
            }
            OptionKind::Combo { choices } => (0.0, choices.len().saturating_sub(1) as f64),
            OptionKind::Check | OptionKind::Button => (0.0, 1.0),
            OptionKind::Text => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    pub(super) fn is_switch(&self) -> bool {
        *self.kind() == OptionKind::Check
    }

    pub(super) fn is_choice(&self) -> bool {
        matches!(self.kind(), OptionKind::Combo { .. })
    }

    /// Whether its value is a decimal number, as text.
    pub(super) fn is_float(&self) -> bool {
        *self.kind() == OptionKind::Text
    }

    /// What is expected of a value, in words.
    pub(super) fn wanted(&self) -> String {
        match self.kind() {
            OptionKind::Combo { choices } => format!("one of {}", choices.join(", ")),
            OptionKind::Check => "true or false".to_owned(),
            OptionKind::Text => "a number".to_owned(),
            OptionKind::Spin { .. } | OptionKind::Button => "a whole number".to_owned(),
        }
    }

    /// Reads a value; its range is not checked.
    pub(super) fn read(&self, text: &str) -> Option<f64> {
        match self.kind() {
            OptionKind::Spin { .. } => {
                let number: f64 = text.parse().ok()?;
                (number.fract() == 0.0 && number.abs() <= MOST_EXACT).then_some(number)
            }
            OptionKind::Text => text.parse().ok().filter(|number: &f64| number.is_finite()),
            kind => number_of(kind, text),
        }
    }

    /// A value as the program is told it.
    pub(super) fn text(&self, value: f64) -> String {
        match self.kind() {
            OptionKind::Check => (value >= 0.5).to_string(),
            OptionKind::Combo { choices } => {
                choices.get(value.round() as usize).cloned().unwrap_or_default()
            }
            OptionKind::Text => value.to_string(),
            OptionKind::Spin { .. } | OptionKind::Button => (value.round() as i64).to_string(),
        }
    }
}

/// The number of a value of a switch, a list or a whole number.
fn number_of(kind: &OptionKind, text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    match kind {
        OptionKind::Check => match lower.as_str() {
            "true" | "on" | "1" => Some(1.0),
            "false" | "off" | "0" => Some(0.0),
            _ => None,
        },
        OptionKind::Combo { choices } => {
            let place = choices.iter().position(|choice| choice.eq_ignore_ascii_case(text))?;
            Some(place as f64)
        }
        OptionKind::Spin { .. } => {
            text.parse::<i64>().ok().map(|number| number as f64).filter(|n| n.abs() <= MOST_EXACT)
        }
        OptionKind::Button | OptionKind::Text => None,
    }
}
