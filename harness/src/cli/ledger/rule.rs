//! Stopping rules that ask a ledger how sure they must be.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{fdr, tests};
use crate::ledger::{Ledger, LedgerOptions, TESTS_A_YEAR, alpha_text};
use arena::plan::LedgerTerms;
use stats::Rule;

/// Where runs are kept unless `--out` says where.
const BY_DEFAULT: &str = "results";
const EXPECTED: &str = "anytime=ledger or anytime=ledger:DIR, and any of ,fdr=PERCENT ,tests=N \
                        ,bets=effects|shares behind it";

/// A rule, and the terms of the ledger that gave its percentage.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct AskedRule {
    pub(crate) rule: Rule,
    pub(crate) ledger: Option<LedgerTerms>,
}

impl fmt::Display for AskedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

/// A rule as typed, where `anytime=ledger` and `anytime=ledger:DIR` stand for what the ledger of
/// `results/` or of a folder leaves to the next test, of the false-discovery rate `fdr=` (5%) over
/// `tests=` (100) tests. Where there is no `results/`, nothing was tested yet.
pub(crate) fn rule(text: &str) -> Result<AskedRule, String> {
    let Some(rest) = text.trim().strip_prefix("anytime=ledger") else {
        return Ok(AskedRule { rule: text.parse()?, ledger: None });
    };
    let Asked { dir, fdr, tests, bets } =
        asked(rest).map_err(|why| format!("{why}, in {text:?}"))?;
    let folder = dir.as_deref().unwrap_or(Path::new(BY_DEFAULT));
    let dirs = match std::fs::read_dir(folder) {
        Ok(_) => vec![folder.to_owned()],
        Err(error) if dir.is_none() && error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            let folder = folder.display();
            return Err(format!(
                "{folder}: {error}; anytime=ledger:DIR names another folder of runs"
            ));
        }
    };
    let options = LedgerOptions { check: None, without: Vec::new(), fdr, tests_a_year: tests };
    let ledger = Ledger::read(&dirs, &options).map_err(|error| error.to_string())?;
    let rule = format!("anytime={}{bets}", alpha_text(ledger.fdr.level_for_a_rule())).parse()?;
    Ok(AskedRule { rule, ledger: Some(LedgerTerms { fdr, tests }) })
}

#[derive(Debug, PartialEq)]
struct Asked {
    /// `None`: the one of all runs, which may not be there yet.
    dir: Option<PathBuf>,
    fdr: f64,
    tests: u64,
    /// As it is written behind `anytime=PERCENT`.
    bets: String,
}

/// What follows `anytime=ledger`. A folder may have commas in its name: settings are taken from the end.
fn asked(mut rest: &str) -> Result<Asked, String> {
    let (mut rate, mut count, mut bets) = (None, None, None);
    while let Some((before, field)) = rest.rsplit_once(',') {
        let Some((key, value)) = field.split_once('=') else { break };
        let (key, value) = (key.trim(), value.trim());
        let told = |why| format!("{key}={value}: {why}");
        let is_first = match key {
            "fdr" => rate.replace(fdr(value).map_err(told)?).is_none(),
            "tests" => count.replace(tests(value).map_err(told)?).is_none(),
            "bets" => bets.replace(format!(",bets={value}")).is_none(),
            _ => break,
        };
        if !is_first {
            return Err(format!("{key} is given twice"));
        }
        rest = before;
    }
    let dir = match rest.strip_prefix(':') {
        Some(dir) if !dir.is_empty() => Some(PathBuf::from(dir)),
        None if rest.is_empty() => None,
        _ => return Err(format!("expected {EXPECTED}")),
    };
    Ok(Asked {
        dir,
        fdr: rate.unwrap_or(0.05),
        tests: count.unwrap_or(TESTS_A_YEAR),
        bets: bets.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_behind_the_folder() {
        let found = |text: &str| {
            let Asked { dir, fdr, tests, bets } = asked(text)?;
            Ok::<_, String>((dir.map(|dir| dir.display().to_string()), fdr, tests, bets))
        };
        for (text, dir, fdr, tests, bets) in [
            ("", None, 0.05, 100, ""),
            (",fdr=10%", None, 0.1, 100, ""),
            (":results", Some("results"), 0.05, 100, ""),
            (":a,b", Some("a,b"), 0.05, 100, ""),
            (":a,b=2,tests=7,bets=shares,fdr=1%", Some("a,b=2"), 0.01, 7, ",bets=shares"),
        ] {
            let dir = dir.map(str::to_owned);
            assert_eq!(found(text), Ok((dir, fdr, tests, bets.to_owned())), "{text}");
        }
        for wrong in
            ["s", ":", ",", ",5", ",fdrs=5%", ",fdr=0%", ",fdr=50%", ",tests=0", ",tests=1,tests=1"]
        {
            assert!(found(wrong).is_err(), "{wrong}");
        }
    }
}
