//! `feature NAME=VALUE …`: what an engine says it can do.

use crate::player::program::options::{Declared, MOST_OPTIONS};
use crate::player::program::plain_name;

/// What an engine can do.
#[derive(Debug, Clone, Default)]
pub(super) struct Features {
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) usermove: bool,
    pub(super) san: bool,
    pub(super) time: bool,
    pub(super) colors: bool,
    pub(super) reuse: bool,
    pub(super) nps: bool,
    pub(super) memory: bool,
    pub(super) smp: bool,
    pub(super) name: Option<String>,
    /// The variants it names; `None`: it names none.
    variants: Option<String>,
    pub(super) options: Vec<Declared>,
    /// It has said all (`done=1`), or needs longer than usual (`done=0`).
    pub(super) done: Option<bool>,
    announced: bool,
}

/// Features that the protocol has and that change nothing here: we never use what they allow.
const IDLE: &str =
    "playother draw sigint sigterm analyze ics pause debug egt exclude setscore highlight name";

impl Features {
    /// What the first version of the protocol can, before the engine says anything.
    pub(super) fn of_version_1() -> Features {
        Features { time: true, colors: true, reuse: true, ..Features::default() }
    }

    /// Takes in what follows the word `feature`; adds the answers, a line each, to `answers`.
    pub(super) fn take(&mut self, text: &str, answers: &mut String) {
        self.announced = true;
        for (name, value) in FeaturePairs(text) {
            let answer = if self.set(name, value) { "accepted" } else { "rejected" };
            *answers += &format!("{answer} {name}\n");
        }
    }

    fn set(&mut self, name: &str, value: &str) -> bool {
        let on = value != "0";
        match name {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "san" => self.san = on,
            "time" => self.time = on,
            "colors" => self.colors = on,
            "reuse" => self.reuse = on,
            "nps" => self.nps = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "done" => self.done = Some(on),
            "myname" => {
                let name = plain_name(value);
                self.name = (!name.is_empty()).then_some(name);
            }
            "variants" => self.variants = Some(value.to_owned()),
            "option" => {
                let Some(option) = Declared::xboard(value) else { return false };
                if self.options.len() < MOST_OPTIONS {
                    self.options.push(option);
                }
            }
            _ => return IDLE.split_whitespace().any(|idle| idle == name),
        }
        true
    }

    /// Whether it has said what it can do: programs of other protocols do not.
    pub(super) fn is_announced(&self) -> bool {
        self.announced
    }

    pub(super) fn plays_chess960(&self) -> bool {
        let variants = self.variants.as_deref().unwrap_or_default();
        variants.split(',').any(|variant| variant.trim() == "fischerandom")
    }
}

/// Names and values of a text; a value with blanks stands in double quotes.
struct FeaturePairs<'a>(&'a str);

impl<'a> Iterator for FeaturePairs<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let (name, rest) = self.0.trim_start().split_once('=')?;
        // Words without a value before it are none of its name.
        let name = name.rsplit(char::is_whitespace).next().unwrap_or(name);
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        self.0 = rest;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_taken_and_answered() {
        let mut features = Features::of_version_1();
        let mut answers = String::new();
        assert!(!features.ping && features.time && features.colors && features.reuse);
        features.take(" ping=1 setboard=1  myname=\"Phalanx XXV\" sigint=1 time=0", &mut answers);
        features.take("colors=0 teleport=1 variants=\"normal, fischerandom\"", &mut answers);
        features.take("option=\"Randomizer (0-50) -slider 0 0 50\" done=0", &mut answers);
        features.take("option=\"nonsense\" done=1", &mut answers);
        assert!(features.ping && features.setboard && !features.time && !features.colors);
        assert_eq!(features.name.as_deref(), Some("Phalanx XXV"));
        assert!(features.plays_chess960() && features.done == Some(true));
        assert_eq!(features.options.len(), 1);
        let expected = "accepted ping\naccepted setboard\naccepted myname\naccepted sigint\n\
                        accepted time\naccepted colors\nrejected teleport\naccepted variants\n\
                        accepted option\naccepted done\nrejected option\naccepted done\n";
        assert_eq!(answers, expected);
    }

    #[test]
    fn odd_texts() {
        for text in ["", " ", "ping", "=", "=1", "myname=\"no end", "a b c=1", "\"=\""] {
            let mut features = Features::of_version_1();
            features.take(text, &mut String::new());
            assert!(!features.ping && features.options.is_empty(), "{text}");
        }
        let mut features = Features::of_version_1();
        features.take("myname=\"\" variants=\"chess960\"", &mut String::new());
        assert!(features.name.is_none() && !features.plays_chess960());
    }
}
