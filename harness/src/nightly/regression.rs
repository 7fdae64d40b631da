//! Whether a match shows test to be the weaker one.
//!
//! A match's own rule decides where it says something of "worse"; where it says only "not better",
//! the games decide.

use arena::record::{FinalVerdict, Summary as RunSummary};
use stats::{LEAST_PAIRS, Rule, percent_clamped};

/// At most this likelihood of superiority shows that test is the weaker one.
const WEAKER: f64 = 0.05;

/// Why a finished match shows test to be the weaker one; `None` when it does not.
///
/// - `los`, `anytime`: a REJECT says so. Any other verdict is no regression.
/// - `sprt` whose middle, between `elo0` and `elo1`, is below 0 asks whether test is no worse: a
///   REJECT says that it is.
/// - Any other `sprt` asks whether test is better. A REJECT says only that it is not better by
///   `elo1`; then, as when all pairs are played without a verdict, it is a regression if the 95 %
///   interval of Elo that allows for the early stop lies below 0, or, of so few pairs that there is
///   none, if so many of them are lost that equals would hardly (2.5 %). An ACCEPT is none.
/// - Without a rule that can be read, a LOS of 5 % or less.
///
/// Games that faults have made void show nothing.
pub(super) fn regression(summary: &RunSummary) -> Option<String> {
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

/// A test of signs: whether of the pairs won or lost so many are lost that equal players lose as
/// many in 2.5 % of such matches at most.
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

/// Whether there are pairs enough for LOS to mean something.
fn shows_enough(summary: &RunSummary) -> bool {
    summary.details.effective_ptnml.iter().sum::<u64>() >= LEAST_PAIRS
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{Details, SummaryStatistics};
    use stats::{Pentanomial, Statistics};

    /// What a rule makes of so many lost, drawn and won pairs.
    fn judged(rule: &str, [ll, dd_wl, ww]: [u64; 3]) -> RunSummary {
        let rule: Rule = rule.parse().unwrap();
        let pairs = Pentanomial { ll, dd_wl, ww, ..Pentanomial::default() };
        let verdict = rule.judge(&pairs, None, pairs.pairs(), pairs.pairs()).verdict().unwrap();
        let statistics = Statistics::of_pairs(&pairs, None, rule.sprt());
        let judged = SummaryStatistics {
            los: statistics.los.ok(),
            elo: statistics.elo.elo.ok(),
            elo_unbiased_ci95: statistics.unbiased.and_then(|it| it.interval()).ok(),
            verdict: Some(verdict.into()),
            ..SummaryStatistics::default()
        };
        let effective_ptnml = [ll, 0, dd_wl, 0, ww];
        let details = Details { rule: rule.to_string(), effective_ptnml, ..Details::default() };
        RunSummary { judged, details, ..RunSummary::default() }
    }

    #[test]
    fn each_rule_answers_its_own_question() {
        for (rule, pairs, verdict, expected) in [
            ("los=95", [60, 100, 30], "REJECT", true),
            ("los=95", [30, 100, 60], "ACCEPT", false),
            ("los=95", [32, 100, 30], "UNDECIDED", false),
            // LOS of 2 %, and the rule asks for 1 %.
            ("los=99", [50, 100, 31], "UNDECIDED", false),
            ("anytime=5%", [90, 100, 30], "REJECT", true),
            // LOS of 2 %, which may be looked at once only.
            ("anytime=5%", [50, 100, 31], "UNDECIDED", false),
            // "Better by 20?" No, and equal.
            ("sprt=0,20", [200, 600, 200], "REJECT", false),
            ("sprt=0,20", [260, 900, 270], "REJECT", false),
            // No, and worse.
            ("sprt=0,20", [120, 300, 40], "REJECT", true),
            ("sprt=0,5", [60, 100, 30], "UNDECIDED", true),
            ("sprt=0,5", [52, 100, 50], "UNDECIDED", false),
            // "No worse than 20 below?" It is worse.
            // Too few pairs for an interval: six lost and none won are 1.6 %, five 3.1 %.
            ("sprt=0,200", [6, 3, 0], "REJECT", true),
            ("sprt=0,200", [5, 4, 0], "REJECT", false),
            ("sprt=-20,0", [300, 600, 190], "REJECT", true),
            ("sprt=-20,5", [300, 600, 190], "REJECT", true),
            // Some 20 below, which was to be accepted.
            ("sprt=-80,-40", [120, 600, 60], "ACCEPT", false),
        ] {
            let summary = judged(rule, pairs);
            assert_eq!(summary.judged.verdict.unwrap().as_str(), verdict, "{rule} {pairs:?}");
            let found = regression(&summary);
            let numbers = (&summary.judged.los, &summary.judged.elo_unbiased_ci95);
            assert_eq!(found.is_some(), expected, "{rule} {pairs:?}: {found:?}, {numbers:?}");
        }
    }

    #[test]
    fn what_faults_have_made_void_shows_nothing() {
        let mut summary = judged("sprt=0,5", [60, 100, 30]);
        assert!(regression(&summary).is_some());
        summary.judged.verdict = Some(FinalVerdict::Void);
        assert_eq!(regression(&summary), None);
    }

    #[test]
    fn without_a_rule_los_decides() {
        let mut summary = judged("los=99", [50, 100, 31]);
        summary.details.rule.clear();
        assert!(regression(&summary).is_some_and(|why| why.starts_with("LOS")));
        summary.details.effective_ptnml = [5, 0, 4, 0, 0];
        assert_eq!(regression(&summary), None);
    }
}
