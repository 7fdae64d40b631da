//! The match at the end of a sweep or a tuner's run: its flags.

use std::num::NonZeroU64;

use clap::Args;

use super::ledger::{self, AskedRule};
use process::Error;
use stats::Rule;
use tuning::confirm::Confirm;

/// Pairs of a match with a sequential rule, as of any match.
const SEQUENTIAL: u64 = 20_000;

/// What decides the match at the end.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Confirmation")]
pub(super) struct ConfirmFlags {
    /// Stopping rule of the confirmation match (the best against the base, new games), like los=95,
    /// sprt=0,5 or anytime=ledger; or none for no such match [default: los=95].
    #[arg(long, value_name = "RULE", value_parser = confirm_rule, allow_hyphen_values = true)]
    confirm: Option<ConfirmRule>,

    /// Largest number of pairs of the confirmation match [default: the rule's pairs=N, else 20000 with sprt
    /// or anytime, else --pairs, or a quarter of it after a tuner].
    ///
    /// A sweep by nodes or depth confirms in openings that it has not used. The default is lowered
    /// to their number; a number given here or in the rule must not exceed it.
    #[arg(long, value_name = "N")]
    confirm_pairs: Option<NonZeroU64>,
}

#[derive(Debug, Clone, Copy)]
struct ConfirmRule(Option<AskedRule>);

fn confirm_rule(text: &str) -> Result<ConfirmRule, String> {
    Ok(ConfirmRule(if text == "none" { None } else { Some(ledger::rule(text)?) }))
}

impl ConfirmFlags {
    pub(super) fn is_given(&self) -> bool {
        self.confirm.is_some() || self.confirm_pairs.is_some()
    }

    /// The match, after a race that leaves so many openings unused. Players that repeat themselves
    /// would play the race's games again in used ones.
    pub(super) fn in_unused(&self, pairs: u64, unused: u64) -> Result<Option<Confirm>, Error> {
        let Some(confirm) = self.of(pairs) else { return Ok(None) };
        let asked = self.requested_pairs(&confirm.rule);
        if unused == 0 || asked.is_some_and(|asked| asked > unused) {
            return Err(Error::usage(format!(
                "--confirm: the race uses {pairs} openings, and the book has only {unused} more for {} \
                 pairs; with node or depth limits used openings would repeat the games of the race: \
                 expected a larger --book, fewer --pairs or --confirm-pairs, or --confirm none",
                confirm.pairs
            )));
        }
        Ok(Some(Confirm { pairs: confirm.pairs.min(unused), ..confirm }))
    }

    /// The match, after a run of so many pairs.
    pub(super) fn of(&self, pairs: u64) -> Option<Confirm> {
        let rule = self.confirm.map_or_else(|| Some(AskedRule::default()), |confirm| confirm.0)?;
        let AskedRule { rule, ledger } = rule;
        let default = if rule.is_sequential() { SEQUENTIAL } else { pairs };
        let pairs = self.requested_pairs(&rule).unwrap_or(default);
        Some(Confirm { rule, ledger, pairs })
    }

    /// The number of pairs that a flag or the rule gives.
    fn requested_pairs(&self, rule: &Rule) -> Option<u64> {
        let of_rule = match rule {
            Rule::Los(los) => los.pairs,
            Rule::Sprt(_) | Rule::Anytime(_) => None,
        };
        self.confirm_pairs.map(u64::from).or(of_rule)
    }
}
