//! `--pin`: the processors that slots keep to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PinJson", into = "PinJson")]
pub enum Pin {
    /// Wherever the system has them.
    #[default]
    Off,
    /// Each on a processor of its own, of all that this process may use.
    All,
    /// Each on a processor of its own, of these, by the system's numbers.
    These(Vec<usize>),
}

/// As JSON has it: true, false, or a list as it is typed.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PinJson {
    Whether(bool),
    Which(String),
}

impl TryFrom<PinJson> for Pin {
    type Error = String;

    fn try_from(form: PinJson) -> Result<Pin, String> {
        match form {
            PinJson::Whether(false) => Ok(Pin::Off),
            PinJson::Whether(true) => Ok(Pin::All),
            PinJson::Which(text) => text.parse(),
        }
    }
}

impl From<Pin> for PinJson {
    fn from(pin: Pin) -> PinJson {
        match pin {
            Pin::Off => PinJson::Whether(false),
            Pin::All => PinJson::Whether(true),
            these @ Pin::These(_) => PinJson::Which(these.to_string()),
        }
    }
}

impl FromStr for Pin {
    type Err = String;

    fn from_str(text: &str) -> Result<Pin, String> {
        let expected =
            || format!("expected all, off, or processors like 2,3 or 0-3, found '{text}'");
        match text {
            "all" => return Ok(Pin::All),
            "off" => return Ok(Pin::Off),
            _ => {}
        }
        // More than any machine has, so that a slip does not fill the memory.
        const MOST: usize = 4096;
        let number = |text: &str| {
            let number = text.parse::<usize>().ok();
            number.filter(|&it| it < MOST).ok_or_else(expected)
        };
        let mut these = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(expected());
            }
            these.extend(first..=last);
        }
        let mut sorted = these.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|two| two[0] == two[1]) {
            return Err(format!("expected each processor once, found '{text}'"));
        }
        Ok(Pin::These(these))
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pin::Off => f.write_str("off"),
            Pin::All => f.write_str("all"),
            Pin::These(these) => {
                let texts: Vec<String> = these.iter().map(usize::to_string).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        for (text, these) in
            [("2,3", vec![2, 3]), ("0-3", vec![0, 1, 2, 3]), ("5,1-2", vec![5, 1, 2])]
        {
            assert_eq!(text.parse(), Ok(Pin::These(these)), "{text}");
        }
        assert_eq!("all".parse(), Ok(Pin::All));
        assert_eq!("off".parse(), Ok(Pin::Off));
        for text in ["", "a", "3-1", "1,", "-1", "1,1", "0-2,2", "99999"] {
            assert!(text.parse::<Pin>().is_err(), "{text}");
        }
    }

    #[test]
    fn in_json_true_is_what_it_was() {
        for (pin, text) in
            [(Pin::Off, "false"), (Pin::All, "true"), (Pin::These(vec![4, 0]), "\"4,0\"")]
        {
            assert_eq!(serde_json::to_string(&pin).unwrap(), text);
            assert_eq!(serde_json::from_str::<Pin>(text).unwrap(), pin);
        }
    }
}
