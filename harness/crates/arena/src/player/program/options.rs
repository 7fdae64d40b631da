//! The options an engine declares, in either protocol's form, and values checked against them.

use std::str::FromStr as _;

use serde::{Deserialize, Serialize};

use super::spec::{ProgramSpec, Protocol};
use super::start::HandshakeError;

/// An option that an engine declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// The name as the engine spells it.
    pub name: String,
    #[serde(flatten)]
    pub kind: OptionKind,
    /// The default, as text for [`Declared::accept`]; `None` where the engine gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OptionKind {
    Check,
    /// Bounds are inclusive; the widest where the engine gives none.
    Spin {
        min: i64,
        max: i64,
    },
    Combo {
        choices: Vec<String>,
    },
    Button,
    #[serde(rename = "string")]
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValue {
    Pressed,
    Check(bool),
    /// Everything else, as the engine spells it.
    Text(String),
}

/// More declared options than any engine has; further ones are not kept.
pub(crate) const MOST_OPTIONS: usize = 4096;

/// How UCI writes an empty text.
const EMPTY: &str = "<empty>";

impl OptionValue {
    /// The line, with its end, that sets an option.
    pub(super) fn line(&self, protocol: Protocol, name: &str) -> String {
        match protocol {
            Protocol::Uci => {
                let value = match self {
                    OptionValue::Pressed => String::new(),
                    OptionValue::Check(on) => format!(" value {on}"),
                    OptionValue::Text(text) if text.is_empty() => format!(" value {EMPTY}"),
                    OptionValue::Text(text) => format!(" value {text}"),
                };
                format!("setoption name {name}{value}\n")
            }
            Protocol::Xboard => match self {
                OptionValue::Pressed => format!("option {name}\n"),
                OptionValue::Check(on) => format!("option {name}={}\n", u8::from(*on)),
                OptionValue::Text(text) => format!("option {name}={text}\n"),
            },
        }
    }
}

impl Declared {
    /// Reads what follows UCI's word `option`: `name … type …`. `None` when it is no declaration
    /// that UCI knows.
    pub fn uci(text: &str) -> Option<Declared> {
        let rest = text.trim().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let mut words = rest.split_whitespace();
        let kind = match words.next()? {
            "check" => OptionKind::Check,
            "button" => OptionKind::Button,
            "string" => OptionKind::Text,
            "spin" => {
                let number = |key| after(rest, key).and_then(|word| i64::from_str(word).ok());
                let (min, max) = (number("min"), number("max"));
                OptionKind::Spin { min: min.unwrap_or(i64::MIN), max: max.unwrap_or(i64::MAX) }
            }
            "combo" => OptionKind::Combo {
                choices: rest.split(" var ").skip(1).map(|v| v.trim().to_owned()).collect(),
            },
            _ => return None,
        };
        let default = match kind {
            OptionKind::Button => None,
            OptionKind::Check | OptionKind::Spin { .. } => {
                after(rest, "default").map(str::to_owned)
            }
            OptionKind::Combo { .. } | OptionKind::Text => rest
                .split_once("default")
                .map(|(_, text)| text.split(" var ").next().unwrap_or(text).trim())
                .map(|text| if text == EMPTY { String::new() } else { text.to_owned() }),
        };
        Some(Declared { name: name.trim().to_owned(), kind, default })
    }

    /// Reads the value of xboard's `feature option`: `NAME -type …`. `None` when it is no
    /// declaration that xboard knows.
    pub(crate) fn xboard(text: &str) -> Option<Declared> {
        let (name, rest) = text.split_once(" -")?;
        let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let first = || rest.split_whitespace().next().map(str::to_owned);
        let (kind, default) = match word.trim() {
            "check" => (OptionKind::Check, first()),
            "button" | "save" | "reset" => (OptionKind::Button, None),
            "string" | "file" | "path" => (OptionKind::Text, Some(rest.trim().to_owned())),
            "spin" | "slider" => {
                let mut numbers = rest.split_whitespace().skip(1).map(i64::from_str);
                let (min, max) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
                (OptionKind::Spin { min, max }, first())
            }
            "combo" => {
                let chosen = rest.split("///").find_map(|text| text.trim().strip_prefix('*'));
                let choice = |text: &str| text.trim().trim_start_matches('*').to_owned();
                let choices = rest.split("///").map(choice).collect();
                (OptionKind::Combo { choices }, chosen.map(|text| text.trim().to_owned()))
            }
            _ => return None,
        };
        let name = name.trim();
        (!name.is_empty()).then(|| Declared { name: name.to_owned(), kind, default })
    }

    /// The line, with its end, that turns it on or off.
    pub(crate) fn switch(&self, protocol: Protocol, on: bool) -> String {
        OptionValue::Check(on).line(protocol, &self.name)
    }

    /// Checks a value given as text; the error says what was expected.
    pub fn accept(&self, value: &str) -> Result<OptionValue, String> {
        let value = value.trim();
        let refused = |expected: String| {
            Err(format!("option '{}': expected {expected}, found '{value}'", self.name))
        };
        // A line end inside a value would smuggle a second command in.
        if value.contains(['\n', '\r']) {
            return refused("one line".to_owned());
        }
        Ok(match &self.kind {
            OptionKind::Button if value.is_empty() => OptionValue::Pressed,
            OptionKind::Button => return refused("no value, it is a button".to_owned()),
            OptionKind::Check => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => OptionValue::Check(true),
                "false" | "off" | "0" => OptionValue::Check(false),
                _ => return refused("true or false".to_owned()),
            },
            OptionKind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => {
                    OptionValue::Text(number.to_string())
                }
                _ => return refused(format!("an integer from {min} to {max}")),
            },
            OptionKind::Combo { choices: values } => {
                match values.iter().find(|v| v.eq_ignore_ascii_case(value)) {
                    Some(spelt) => OptionValue::Text(spelt.clone()),
                    None => return refused(format!("one of {}", values.join(", "))),
                }
            }
            OptionKind::Text => OptionValue::Text(value.to_owned()),
        })
    }

    /// `wanted` moved into the range of a spin option, as text for [`Declared::accept`].
    pub(crate) fn nearest(&self, wanted: u64) -> String {
        let wanted = i64::try_from(wanted).unwrap_or(i64::MAX);
        match self.kind {
            OptionKind::Spin { min, max } if min <= max => wanted.clamp(min, max).to_string(),
            _ => wanted.to_string(),
        }
    }
}

/// The option that makes an engine declare all its options when it is introduced again. Mutineer
/// has more parameters than user interfaces bear.
const LONG_LIST: &str = "List Parameters";

/// That option, where `all` are wanted or the spec names options that are not among the `declared`.
pub(crate) fn long_list<'a>(
    spec: &ProgramSpec,
    declared: &'a [Declared],
    all: bool,
) -> Option<&'a Declared> {
    let is_wanted = all || spec.options.iter().any(|(name, _)| find(declared, name).is_none());
    find(declared, LONG_LIST).filter(|option| is_wanted && option.kind == OptionKind::Check)
}

/// Adds to `setup` the lines that set the options, and to `set` what they are: first the run's own
/// (`common`, where the engine has them and the spec does not), but the number of threads before
/// all, since a hash table is best allocated once it is known.
pub(crate) fn choose(
    spec: &ProgramSpec,
    declared: &[Declared],
    common: &[(&str, Option<u64>)],
    setup: &mut String,
    set: &mut Vec<(String, String)>,
) -> Result<(), HandshakeError> {
    let choose = |option: &Declared, given: String| {
        let value = option.accept(&given).map_err(HandshakeError::Options)?;
        Ok::<_, HandshakeError>((
            value.line(spec.protocol, &option.name),
            option.name.clone(),
            given,
        ))
    };
    let mut chosen = Vec::new();
    for (name, value) in common {
        let given = spec.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        if let (Some(value), Some(option), false) = (value, find(declared, name), given) {
            chosen.push(choose(option, option.nearest(*value))?);
        }
    }
    for (name, value) in &spec.options {
        let unknown = || HandshakeError::Options(unknown(declared, name));
        let option = find(declared, name).ok_or_else(unknown)?;
        chosen.push(choose(option, value.clone())?);
    }
    chosen.sort_by_key(|(_, name, _)| !name.eq_ignore_ascii_case("Threads"));
    for (line, name, given) in chosen {
        setup.push_str(&line);
        set.push((name, given));
    }
    Ok(())
}

/// That there is no such option, with the nearest name.
pub fn unknown(declared: &[Declared], name: &str) -> String {
    match most_like(declared, name) {
        Some(like) => format!("has no option '{name}'; did you mean '{like}'?"),
        None if declared.is_empty() => format!("has no option '{name}': it has none at all"),
        None => {
            let names: Vec<_> = declared.iter().map(|option| option.name.as_str()).collect();
            format!("has no option '{name}'; it has: {}", names.join(", "))
        }
    }
}

/// Finds an option by name, without regard to case.
pub fn find<'a>(options: &'a [Declared], name: &str) -> Option<&'a Declared> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The declared name most like `name`, if one is like it at all.
fn most_like<'a>(options: &'a [Declared], name: &str) -> Option<&'a str> {
    let wanted = name.to_ascii_lowercase();
    let similarity = |option: &Declared| {
        strsim::normalized_damerau_levenshtein(&option.name.to_ascii_lowercase(), &wanted)
    };
    let best = options.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    (similarity(best) >= 0.4).then_some(best.name.as_str())
}

fn after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut words = text.split_whitespace().skip_while(|word| *word != key);
    words.next()?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_declaration() {
        let text = |text: &str| Ok(OptionValue::Text(text.to_owned()));
        let cases = [
            ("name Hash type spin default 16 min 1 max 64", "8", text("8")),
            ("name Hash type spin default 16 min 1 max 64", "65", Err("integer from 1 to 64")),
            ("name Hash type spin default 16 min 1 max 64", "x", Err("found 'x'")),
            ("name Ponder type check default false", "ON", Ok(OptionValue::Check(true))),
            ("name Ponder type check", "maybe", Err("true or false")),
            ("name Style type combo default a var Solid One var Wild", "wild", text("Wild")),
            ("name Style type combo default a var Solid One var Wild", "x", Err("Solid One, Wild")),
            ("name Clear Hash type button", "", Ok(OptionValue::Pressed)),
            ("name Clear Hash type button", "1", Err("it is a button")),
            ("name Log File type string default <empty>", "a b", text("a b")),
            ("name Log File type string default", "", text("")),
            ("name Log File type string default", "a\nquit", Err("one line")),
            ("Hash -spin 16 1 64", "64", text("64")),
            ("Hash -slider 16 1 64", "0", Err("integer from 1 to 64")),
            ("Resign -check 0", "off", Ok(OptionValue::Check(false))),
            ("Playing Style -combo Solid /// *Very Wild", "very wild", text("Very Wild")),
            ("Playing Style -combo Solid /// *Very Wild", "x", Err("one of Solid, Very Wild")),
            ("Book-file -file /a - b", "c", text("c")),
            ("Learn -save", "", Ok(OptionValue::Pressed)),
        ];
        for (declaration, value, expected) in cases {
            let declared = Declared::uci(declaration).or(Declared::xboard(declaration)).unwrap();
            match (declared.accept(value), expected) {
                (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
                (Ok(accepted), Ok(expected)) => assert_eq!(accepted, expected, "{declaration}"),
                (accepted, _) => panic!("{declaration} = {value:?}: {accepted:?}"),
            }
        }
    }

    #[test]
    fn defaults_are_values_that_the_option_takes() {
        for (declaration, default) in [
            ("name Hash type spin default 16 min 1 max 64", Some("16")),
            ("name Ponder type check default false", Some("false")),
            ("name Ponder type check", None),
            ("name Style type combo default Solid One var Solid One var Wild", Some("Solid One")),
            ("name Log File type string default <empty>", Some("")),
            ("name Log File type string default", Some("")),
            ("name C type string default 0.25", Some("0.25")),
            ("name Clear Hash type button", None),
            ("Hash -spin 16 1 64", Some("16")),
            ("Hash -slider 16 1 64", Some("16")),
            ("Resign -check 1", Some("1")),
            ("Playing Style -combo Solid /// *Very Wild", Some("Very Wild")),
            ("C -string 0.25", Some("0.25")),
        ] {
            let declared = Declared::uci(declaration).or(Declared::xboard(declaration)).unwrap();
            assert_eq!(declared.default.as_deref(), default, "{declaration}");
            assert!(default.is_none_or(|text| declared.accept(text).is_ok()), "{declaration}");
            let text = serde_json::to_string(&declared).unwrap();
            assert_eq!(serde_json::from_str::<Declared>(&text).unwrap(), declared, "{text}");
        }
    }

    #[test]
    fn odd_declarations() {
        for text in ["", "name", "name X", "name X type", "name X type float", "type spin name X"] {
            assert_eq!(Declared::uci(text), None, "{text}");
        }
        for text in ["", "X", "X -", "X -float 1", "X -spin", "X -spin 1 2", " -check 1"] {
            assert_eq!(Declared::xboard(text), None, "{text}");
        }
        let spin = Declared::uci("name X type spin default 1 min 9 max 2").unwrap();
        assert!(spin.accept("5").is_err());
        assert_eq!(spin.nearest(5), "5");
    }

    #[test]
    fn the_long_list_is_asked_for_where_it_is_needed_and_known() {
        let declared = |kind: &str| {
            ["name Hash type spin", &format!("name List Parameters type {kind}")]
                .map(|text| Declared::uci(text).unwrap())
        };
        let spec = |option: &str| ProgramSpec {
            protocol: Protocol::Uci,
            path: "engine".into(),
            args: Vec::new(),
            options: vec![(option.to_owned(), "1".to_owned())],
            dir: None,
        };
        for (option, kind, is_asked) in [
            ("lmr.min_move", "check default false", true),
            ("hash", "check default false", false),
            ("list parameters", "check default false", false),
            ("lmr.min_move", "string default", false),
        ] {
            let declared = declared(kind);
            assert_eq!(
                long_list(&spec(option), &declared, false).is_some(),
                is_asked,
                "{option} {kind}"
            );
            let other = long_list(&spec(option), &declared[..1], true);
            assert!(other.is_none(), "other engines");
            let wanted = long_list(&spec("Hash"), &declared, true);
            assert_eq!(wanted.is_some(), kind.starts_with("check"));
        }
    }

    #[test]
    fn the_nearest_name() {
        let options: Vec<_> = ["Hash", "Threads", "Move Overhead"]
            .map(|name| Declared::uci(&format!("name {name} type string")).unwrap())
            .into();
        assert_eq!(find(&options, "move overhead").unwrap().name, "Move Overhead");
        assert_eq!(most_like(&options, "hahs"), Some("Hash"));
        assert_eq!(most_like(&options, "MoveOverhead"), Some("Move Overhead"));
        assert_eq!(most_like(&options, "zzzz"), None);
    }
}
