//! Rules and tests from text: `los=95,pairs=200`, `sprt=0,5,alpha=0.05,beta=0.05,model=normalized`,
//! `anytime=5%`, `anytime=5%,bets=effects`.

use std::str::FromStr;

use super::anytime::{Anytime, Bets};
use super::rule::{LosRule, Rule};
use super::sprt::{Model, Sprt};

const LOS_KEYS: &str = "pairs";
const SPRT_KEYS: &str = "elo0, elo1, alpha, beta, model";
const ANYTIME_KEYS: &str = "bets";
const BETS: &str = "effects or shares";
const MODELS: &str = "normalized, logistic or bayeselo";
/// The default of alpha and beta.
const DEFAULT_ERROR: f64 = 0.05;

fn wrong_value(key: &str, found: &str, expected: &str) -> String {
    format!("{key}={found:?}: expected {expected}")
}

/// A field of a rule that is none of its keys with a value.
fn unknown_field(rule: &str, field: (Option<&str>, &str), expected: &str) -> String {
    match field {
        (Some(key), _) => {
            format!("unknown key {key:?} in a rule of {rule}: expected one of {expected}")
        }
        (None, value) => format!(
            "stray value {value:?} in a rule of {rule}: expected key=value with one of {expected}"
        ),
    }
}

/// A setting that may be given once.
struct Setting<T> {
    key: &'static str,
    value: Option<T>,
}

impl<T: FromStr> Setting<T> {
    fn new(key: &'static str) -> Setting<T> {
        Setting { key, value: None }
    }

    fn read(&mut self, text: &str, expected: &str) -> Result<(), String> {
        if self.value.is_some() {
            return Err(format!("{} is given twice", self.key));
        }
        let value = text.parse().map_err(|_| wrong_value(self.key, text, expected))?;
        self.value = Some(value);
        Ok(())
    }

    fn required(self) -> Result<T, String> {
        let key = self.key;
        self.value.ok_or_else(|| {
            format!("{key} is missing: expected sprt=ELO0,ELO1 or elo0=ELO0,elo1=ELO1")
        })
    }
}

/// Splits `key=value` and trims both; a bare value has no key.
fn key_and_value(field: &str) -> (Option<&str>, &str) {
    match field.split_once('=') {
        Some((key, value)) => (Some(key.trim()), value.trim()),
        None => (None, field.trim()),
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        match text.split_once('=').map(|(name, rest)| (name.trim(), rest)) {
            Some(("los", rest)) => rest.parse().map(Rule::Los),
            Some(("sprt", rest)) => rest.parse().map(Rule::Sprt),
            Some(("anytime", rest)) => anytime(rest, Bets::default()).map(Rule::Anytime),
            _ => Err(format!(
                "unknown rule {text:?}: expected los=PERCENT[,pairs=N], \
                 sprt=ELO0,ELO1[,alpha=,beta=,model=] or anytime=PERCENT[,bets=]"
            )),
        }
    }
}

/// What follows `los=`: `95` or `95,pairs=200`.
impl FromStr for LosRule {
    type Err = String;

    fn from_str(text: &str) -> Result<LosRule, String> {
        const PERCENT: &str = "a percentage above 50 and below 100";
        const PAIRS: &str = "a whole number of pairs from 1";
        let mut fields = text.split(',');
        let first = fields.next().unwrap_or_default().trim();
        let percent_text = first.strip_suffix('%').unwrap_or(first);
        let mut percent = Setting::<f64>::new("los");
        percent.read(percent_text, PERCENT)?;
        let percent = percent.required()?;
        if !(percent > 50.0 && percent < 100.0) {
            return Err(wrong_value("los", first, PERCENT));
        }
        let mut pairs = Setting::<u64>::new("pairs");
        for field in fields {
            match key_and_value(field) {
                (Some("pairs"), value) => pairs.read(value, PAIRS)?,
                field => return Err(unknown_field("los", field, LOS_KEYS)),
            }
        }
        if pairs.value == Some(0) {
            return Err(wrong_value("pairs", "0", PAIRS));
        }
        Ok(LosRule { percent, pairs: pairs.value })
    }
}

/// What follows `anytime=`: the probability of error in per cent, and how it bets, unless as
/// `by_default`: `5%,bets=effects`.
fn anytime(text: &str, by_default: Bets) -> Result<Anytime, String> {
    let mut fields = text.split(',');
    let first = fields.next().unwrap_or_default().trim();
    let mut percent = Setting::<f64>::new("anytime");
    percent.read(first.strip_suffix('%').unwrap_or(first), "a probability of error in per cent")?;
    let mut bets = Setting::<Bets>::new("bets");
    for field in fields {
        match key_and_value(field) {
            (Some("bets"), value) => bets.read(value, BETS)?,
            field => return Err(unknown_field("anytime", field, ANYTIME_KEYS)),
        }
    }
    let bets = bets.value.unwrap_or(by_default);
    Anytime::new(percent.required()? / 100.0, bets).map_err(|why| format!("anytime: {why}"))
}

impl FromStr for Bets {
    type Err = ();

    fn from_str(text: &str) -> Result<Bets, ()> {
        match text {
            "effects" => Ok(Bets::Effects),
            "shares" => Ok(Bets::Shares),
            _ => Err(()),
        }
    }
}

/// What follows `sprt=`: `0,5` or `elo0=0,elo1=5`, and any of `alpha=`, `beta=` (0.05 each) and
/// `model=` (normalized).
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        const ELO: &str = "an Elo difference";
        const PROBABILITY: &str = "a probability of error";
        let mut elo0 = Setting::<f64>::new("elo0");
        let mut elo1 = Setting::<f64>::new("elo1");
        let mut alpha = Setting::<f64>::new("alpha");
        let mut beta = Setting::<f64>::new("beta");
        let mut model = Setting::<Model>::new("model");
        for (index, field) in text.split(',').enumerate() {
            match key_and_value(field) {
                (Some("elo0"), value) => elo0.read(value, ELO)?,
                (Some("elo1"), value) => elo1.read(value, ELO)?,
                (Some("alpha"), value) => alpha.read(value, PROBABILITY)?,
                (Some("beta"), value) => beta.read(value, PROBABILITY)?,
                (Some("model"), value) => model.read(value, MODELS)?,
                (None, value) if index == 0 => elo0.read(value, ELO)?,
                (None, value) if index == 1 => elo1.read(value, ELO)?,
                field => return Err(unknown_field("sprt", field, SPRT_KEYS)),
            }
        }
        let alpha = alpha.value.unwrap_or(DEFAULT_ERROR);
        let beta = beta.value.unwrap_or(DEFAULT_ERROR);
        let model = model.value.unwrap_or_default();
        Sprt::new(elo0.required()?, elo1.required()?, alpha, beta, model)
    }
}

/// From a record.
impl TryFrom<String> for Rule {
    type Error = String;

    fn try_from(text: String) -> Result<Rule, String> {
        match text.split_once('=').map(|(name, rest)| (name.trim(), rest)) {
            // Older runs knew no other bets, and their verdicts must not change.
            Some(("anytime", rest)) => anytime(rest, Bets::Shares).map(Rule::Anytime),
            _ => text.parse(),
        }
    }
}

/// For a record.
impl From<Rule> for String {
    fn from(rule: Rule) -> String {
        rule.recorded()
    }
}
