//! A ledger for programs.

use serde_json::{Value, json};

use super::Ledger;
use arena::record::FinalVerdict;

pub(super) fn of(ledger: &Ledger) -> Value {
    let tests = ledger.tests.iter().map(|test| {
        let estimate = test.estimate.as_ref();
        json!({
            "folder": test.folder, "created": test.created, "test": test.test, "base": test.base,
            "rule": test.rule, "verdict": test.verdict.map(FinalVerdict::as_str),
            "pairs": test.pairs, "elo": test.elo, "elo_error95": test.error95,
            "elo_shrunk": estimate.map(|it| it.elo), "elo_shrunk_sd": estimate.map(|it| it.error),
            "no_gain": estimate.map(|it| it.no_gain), "log_e": test.log_e, "level": test.level,
            "discovery": test.is_discovery, "ledger": test.terms,
        })
    });
    let skipped = ledger.skipped.iter().map(|it| json!({ "folder": it.folder, "why": it.why }));
    let (measured, error95) = ledger.measured();
    let shrunk = ledger.shrunk.as_ref();
    json!({
        "tried": ledger.tests.len(),
        "accepted": ledger.count(Some(FinalVerdict::Accept)),
        "rejected": ledger.count(Some(FinalVerdict::Reject)),
        "undecided": ledger.count(Some(FinalVerdict::Undecided)),
        "open": ledger.count(None),
        "false_accepts": {
            "expected": shrunk.map(|it| it.false_accepts), "by_rules_at_most": ledger.most_false_accepts(),
        },
        "gains": {
            "measured": measured, "measured_error95": error95,
            "shrunk": shrunk.map(|it| it.sum), "shrunk_ci95": shrunk.map(|it| it.sum_ci95),
            "unmeasured": ledger.unmeasured(),
        },
        "effects": shrunk.map(|it| json!({
            "neutral": it.neutral, "mean": it.mean, "deviation": it.deviation,
        })),
        "fdr": {
            "alpha": ledger.fdr.alpha(), "discoveries": ledger.fdr.discoveries(),
            "alpha_left": ledger.fdr.level_for_a_rule(),
        },
        "check": ledger.check.as_ref().map(|it| json!({
            "folder": it.folder, "elo": it.elo, "elo_error95": it.error95,
            "minus_shrunk": ledger.check_difference().map(|(difference, _)| difference),
            "minus_shrunk_error95": ledger.check_difference().map(|(_, error)| error),
        })),
        "tests": tests.collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
    })
}
