//! Whether a match shows test to be the weaker one.
//!
//! A REJECT by a rule that tests for "worse" is a regression. Where the verdict does not tell, the
//! confidence interval of Elo decides.

use arena::record::{FinalVerdict, Summary as RunSummary};
use stats::{LEAST_PAIRS, Rule, percent_clamped};

/// At most this likelihood of superiority shows that test is the weaker one.
const WEAKER: f64 = 0.05;

/// Why a finished match shows test to be the weaker one; `None` when it does not.
///
/// - `los`, `anytime`: REJECT is a regression.
/// - `sprt` with `elo0 + elo1` below 0 asks whether test is no worse: REJECT is a regression.
/// - Other `sprt` tests ask whether test is better; REJECT says only that it is not better by
///   `elo1`. There, and for any UNDECIDED `sprt`, it is a regression if the 95 % interval of Elo,
///   corrected for the early stop, lies below 0. Without an interval: below [`LEAST_PAIRS`] pairs a
///   sign test at 2.5 % decides, else LOS of 5 % or less.
/// - If the rule cannot be read: LOS of 5 % or less.
///
/// ACCEPT and VOID are never regressions.
pub fn regression(summary: &RunSummary) -> Option<String> {
    let judged = &summary.judged;
    let verdict = judged.verdict?;
    if matches!(verdict, FinalVerdict::Accept | FinalVerdict::Void) {
        return None;
    }
    let rejected = verdict == FinalVerdict::Reject;
    match summary.details.rule.parse() {
        Ok(Rule::Los(_)) => rejected
            .then(|| format!("LOS {}", judged.los.map_or("undefined".to_owned(), percent_clamped))),
        Ok(Rule::Anytime(_)) => rejected.then(|| "e-value for worse".to_owned()),
        Ok(Rule::Sprt(sprt)) if rejected && sprt.elo0() + sprt.elo1() < 0.0 => {
            Some("REJECT of a non-regression test".to_owned())
        }
        Ok(Rule::Sprt(_)) if judged.elo_unbiased_ci95.is_some() => judged
            .elo_unbiased_ci95
            .filter(|[_, high]| *high < 0.0)
            .map(|[low, high]| format!("95% of Elo from {low:+.1} to {high:+.1}")),
        Ok(Rule::Sprt(_)) if !shows_enough(summary) => lost_by_sign(summary),
        Ok(Rule::Sprt(_)) | Err(_) => judged
            .los
            .filter(|los| *los <= WEAKER && shows_enough(summary))
            .map(|los| format!("LOS {}", percent_clamped(los))),
    }
}

/// A sign test: of the pairs won or lost, so many are lost that equal players would lose as many in
/// at most 2.5 % of such matches.
fn lost_by_sign(summary: &RunSummary) -> Option<String> {
    const CHANCE: f64 = 0.025;
    let [ll, ld, _, wd, ww] = summary.details.effective_ptnml;
    let (lost, won) = (ll + ld, wd + ww);
    let all = i32::try_from(lost + won).ok()?;
    let (mut ways, mut as_many) = (1.0, 0.0);
    for more in 0..=won {
        as_many += ways;
        ways *= (lost + won - more) as f64 / (more + 1) as f64;
    }
    let chance = as_many / 2.0_f64.powi(all);
    (lost > won && chance <= CHANCE).then(|| format!("{lost} pairs lost, {won} won"))
}

/// Whether there are enough pairs for LOS.
fn shows_enough(summary: &RunSummary) -> bool {
    summary.details.effective_ptnml.iter().sum::<u64>() >= LEAST_PAIRS
}

#[cfg(test)]
mod tests;
