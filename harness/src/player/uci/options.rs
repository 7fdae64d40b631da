//! The options an engine declares (`option name … type …`), and values checked against them.

use std::str::FromStr as _;

/// One declared option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declared {
    /// The name as the engine spells it.
    pub(super) name: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Check,
    Spin { min: i64, max: i64 },
    Combo(Vec<String>),
    Button,
    Text,
}

impl Declared {
    /// Reads what follows the word `option`. `None` when it is no declaration that UCI knows.
    pub(super) fn parse(text: &str) -> Option<Declared> {
        let rest = text.trim().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let mut words = rest.split_whitespace();
        let kind = match words.next()? {
            "check" => Kind::Check,
            "button" => Kind::Button,
            "string" => Kind::Text,
            "spin" => {
                let number = |key| after(rest, key).and_then(|word| i64::from_str(word).ok());
                let (min, max) = (number("min"), number("max"));
                Kind::Spin { min: min.unwrap_or(i64::MIN), max: max.unwrap_or(i64::MAX) }
            }
            "combo" => {
                Kind::Combo(rest.split(" var ").skip(1).map(|v| v.trim().to_owned()).collect())
            }
            _ => return None,
        };
        Some(Declared { name: name.trim().to_owned(), kind })
    }

    /// The `setoption` line (without line end) that gives the option `value`.
    ///
    /// # Errors
    /// The value is not of the option's type or outside its range; the text says what was
    /// expected.
    pub(super) fn set(&self, value: &str) -> Result<String, String> {
        let value = value.trim();
        let refused = |expected: String| {
            Err(format!("option '{}': expected {expected}, found '{value}'", self.name))
        };
        // A line end inside a value would smuggle a second command in.
        if value.contains(['\n', '\r']) {
            return refused("one line".to_owned());
        }
        let value = match &self.kind {
            Kind::Button if value.is_empty() => {
                return Ok(format!("setoption name {}", self.name));
            }
            Kind::Button => return refused("no value, it is a button".to_owned()),
            Kind::Check => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => "true".to_owned(),
                "false" | "off" | "0" => "false".to_owned(),
                _ => return refused("true or false".to_owned()),
            },
            Kind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => number.to_string(),
                _ => return refused(format!("an integer from {min} to {max}")),
            },
            Kind::Combo(values) => match values.iter().find(|v| v.eq_ignore_ascii_case(value)) {
                Some(spelt) => spelt.clone(),
                None => return refused(format!("one of {}", values.join(", "))),
            },
            Kind::Text if value.is_empty() => "<empty>".to_owned(),
            Kind::Text => value.to_owned(),
        };
        Ok(format!("setoption name {} value {value}", self.name))
    }

    /// `wanted` moved into the range of a spin option, as text for [`Declared::set`].
    pub(super) fn nearest(&self, wanted: u64) -> String {
        let wanted = i64::try_from(wanted).unwrap_or(i64::MAX);
        match self.kind {
            Kind::Spin { min, max } if min <= max => wanted.clamp(min, max).to_string(),
            _ => wanted.to_string(),
        }
    }
}

/// Finds an option by name; UCI compares names without regard to case.
pub(super) fn find<'a>(options: &'a [Declared], name: &str) -> Option<&'a Declared> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The declared name most like `name`, if one is like it at all.
pub(super) fn most_like<'a>(options: &'a [Declared], name: &str) -> Option<&'a str> {
    let wanted = name.to_ascii_lowercase();
    let likeness = |option: &Declared| {
        strsim::normalized_damerau_levenshtein(&option.name.to_ascii_lowercase(), &wanted)
    };
    let best = options.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= 0.4).then_some(best.name.as_str())
}

/// The word after `key`.
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
        let cases = [
            ("name Hash type spin default 16 min 1 max 64", "8", Ok("Hash value 8")),
            ("name Hash type spin default 16 min 1 max 64", "65", Err("integer from 1 to 64")),
            ("name Hash type spin default 16 min 1 max 64", "x", Err("found 'x'")),
            ("name Ponder type check default false", "ON", Ok("Ponder value true")),
            ("name Ponder type check", "maybe", Err("true or false")),
            (
                "name Style type combo default a var Solid One var Wild",
                "wild",
                Ok("Style value Wild"),
            ),
            ("name Style type combo default a var Solid One var Wild", "x", Err("Solid One, Wild")),
            ("name Clear Hash type button", "", Ok("Clear Hash")),
            ("name Clear Hash type button", "1", Err("it is a button")),
            ("name Log File type string default <empty>", "a b", Ok("Log File value a b")),
            ("name Log File type string default", "", Ok("Log File value <empty>")),
            ("name Log File type string default", "a\nquit", Err("one line")),
        ];
        for (declaration, value, expected) in cases {
            let set = Declared::parse(declaration).unwrap().set(value);
            match (set, expected) {
                (Ok(line), Ok(rest)) => assert_eq!(line, format!("setoption name {rest}")),
                (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
                (set, _) => panic!("{declaration} = {value:?}: {set:?}"),
            }
        }
    }

    #[test]
    fn odd_declarations() {
        for text in ["", "name", "name X", "name X type", "name X type float", "type spin name X"] {
            assert_eq!(Declared::parse(text), None, "{text}");
        }
        let spin = Declared::parse("name X type spin default 1 min 9 max 2").unwrap();
        assert!(spin.set("5").is_err());
        assert_eq!(spin.nearest(5), "5");
    }

    #[test]
    fn the_nearest_name() {
        let options: Vec<_> = ["Hash", "Threads", "Move Overhead"]
            .map(|name| Declared::parse(&format!("name {name} type string")).unwrap())
            .into();
        assert_eq!(find(&options, "move overhead").unwrap().name, "Move Overhead");
        assert_eq!(most_like(&options, "hahs"), Some("Hash"));
        assert_eq!(most_like(&options, "MoveOverhead"), Some("Move Overhead"));
        assert_eq!(most_like(&options, "zzzz"), None);
    }
}
