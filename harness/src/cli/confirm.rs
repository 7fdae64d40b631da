//! The match at the end of a sweep or a tuner's run: flags shared by both.

use std::{num::NonZeroU64, str::FromStr};

use clap::Args;

use crate::{
    stats::{Rule, RuleError},
    sweep::Confirm,
};

/// Pairs of a match with a sequential rule, as of any match.
const SEQUENTIAL: u64 = 20_000;

/// What decides the match at the end.
#[derive(Debug, Clone, Args)]
pub(super) struct ConfirmFlags {
    /// What decides the fresh match of the best against the base at the end: a rule as for --rule, or
    /// none.
    #[arg(
        long,
        value_name = "RULE",
        default_value = "los=95",
        allow_hyphen_values = true,
        help_heading = "Confirmation"
    )]
    confirm: ConfirmRule,

    /// Pairs of that match at most [default: the rule's number, else --pairs, for a tuner a quarter of
    /// them; 20000 with an SPRT].
    #[arg(long, value_name = "N", help_heading = "Confirmation")]
    confirm_pairs: Option<NonZeroU64>,
}

/// A rule, or none.
#[derive(Debug, Clone, Copy)]
struct ConfirmRule(Option<Rule>);

impl FromStr for ConfirmRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<ConfirmRule, RuleError> {
        match text {
            "none" => Ok(ConfirmRule(None)),
            rule => rule.parse().map(|rule| ConfirmRule(Some(rule))),
        }
    }
}

impl ConfirmFlags {
    /// The match, after a run of so many pairs.
    pub(super) fn of(&self, pairs: u64) -> Option<Confirm> {
        let rule = self.confirm.0?;
        let wanted = match &rule {
            Rule::Los(los) => los.pairs,
            Rule::Sprt(_) | Rule::Anytime(_) => None,
        };
        let default = if rule.is_sequential() { SEQUENTIAL } else { pairs };
        let pairs = self.confirm_pairs.map(u64::from).or(wanted).unwrap_or(default);
        Some(Confirm { rule, pairs })
    }
}
