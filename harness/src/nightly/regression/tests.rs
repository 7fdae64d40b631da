use super::*;
use arena::record::{Details, SummaryStatistics};
use stats::{Course, Pentanomial, Statistics};

/// What a rule makes of so many lost, drawn and won pairs.
fn judged(rule: &str, [ll, dd_wl, ww]: [u64; 3]) -> RunSummary {
    let rule: Rule = rule.parse().unwrap();
    let pairs = Pentanomial { ll, dd_wl, ww, ..Pentanomial::default() };
    let mut course = Course { counts: pairs, ..Course::default() };
    // In turn, so that no order favours either.
    let most = ll.max(dd_wl).max(ww);
    for number in 0..most {
        for (points, count) in [(0, ll), (2, dd_wl), (4, ww)] {
            if number < count {
                course.bets.add(points);
            }
        }
    }
    let verdict = rule.judge(&course, None, pairs.pairs(), pairs.pairs()).verdict().unwrap();
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
