//! A sweep's outcome for people: `summary.md`.

use std::fmt::Write as _;

use super::{Axis, Effects, Outcome, Row};
use crate::record::{Summary, markdown_text};
use crate::stats::{honest_los, sure};

/// Elo with its interval, `–` where undefined.
fn elo(row: &Row) -> String {
    match (row.elo.elo, row.elo.error95) {
        _ if row.is_base => "0".to_owned(),
        (Ok(elo), Ok(error)) => format!("{elo:+.1} ± {error:.1}"),
        (Ok(elo), Err(_)) => format!("{elo:+.1}"),
        (Err(_), _) => "–".to_owned(),
    }
}

/// The table, the top of the parabola and what the race is worth; `conditions` in one line.
#[must_use]
pub fn markdown(
    outcome: &Outcome,
    title: &str,
    conditions: &str,
    confirmation: Option<&Summary>,
) -> String {
    let mut text = format!("# {}\n\n{}\n\n", markdown_text(title), markdown_text(conditions));
    let mut line = |words: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{words}");
    };
    line("All Elo is candidate minus base, ± half the width of its 95 % interval.\n");
    let names: Vec<String> = outcome.axes.iter().map(Axis::title).collect();
    line(&format!("| {} | Elo | LOS | pairs | Ptnml | |", names.join(" | ")));
    line(&format!("|{}---:|---:|---:|---|---|", "---:|".repeat(names.len())));
    for number in outcome.ranked() {
        let row = &outcome.rows[number];
        let values = outcome.axes.iter().zip(&row.values);
        let values: Vec<String> = values.map(|(axis, &value)| axis.knob.words(value)).collect();
        let (los, pairs, counts) = if row.is_base {
            (String::new(), String::new(), "base".to_owned())
        } else {
            let los = honest_los(&row.counts).map_or("–".to_owned(), sure);
            (los, row.pairs.to_string(), row.counts.to_string().replace(',', ", "))
        };
        let fate = markdown_text(&outcome.fate(number));
        let elo = elo(row);
        line(&format!("| {} | {elo} | {los} | {pairs} | {counts} | {fate} |", values.join(" | ")));
    }
    line("");
    line(&race(outcome));
    if let Some(words) = parabola(outcome) {
        line("");
        line(&words);
    }
    if outcome.axes.len() > 1 {
        effects(outcome, &mut line);
    }
    line("");
    line(&verdict(outcome, confirmation));
    text
}

/// What the race is worth.
pub(crate) fn race(outcome: &Outcome) -> String {
    let candidates = outcome.rows.len() - 1;
    format!(
        "Race: a candidate was dropped once a bettor on the leader's being better, pair by pair in \
         the same openings, had made {:.0} times its stake: {candidates} comparisons a candidate, so \
         that with at most {:.4} % the strongest of all, base included, is dropped, however often one \
         looks (Ville, Bonferroni). A candidate dropped when it was behind looks a little worse than it \
         is, the best of many a little better: the confirmation is free of that.",
        outcome.bound.exp(),
        100.0 * outcome.alpha
    )
    .replace(".0000 %", " %")
}

/// Where the top of the fitted parabola is.
pub(crate) fn parabola(outcome: &Outcome) -> Option<String> {
    let (parabola, axis) = (outcome.parabola.as_ref()?, outcome.axes.first()?);
    let (chi, freedom) = parabola.chi_squared;
    let fit = format!("(χ² {chi:.1} for {freedom} degrees of freedom)");
    let name = axis.knob.name();
    let first = f64::from(*axis.values.first()?);
    let last = f64::from(*axis.values.last()?);
    Some(match parabola.top() {
        None => format!("Parabola {fit}: no top is shown; more pairs or a wider range are needed."),
        Some(top) if top.x < first || top.x > last => format!(
            "Parabola {fit}: its top, {:.1} ({:.1} to {:.1}), is outside of what was tried: look further \
             there.",
            top.x, top.low, top.high
        ),
        Some(top) => format!(
            "Parabola {fit}: the top is at {name} = {:.1} ({:.1} to {:.1}), {:+.1} Elo.",
            top.x, top.low, top.high, top.y
        ),
    })
}

/// In place of what each value is worth.
pub(crate) const NOT_TOLD_APART: &str = "not told apart by these points";

/// How what each value is worth was fitted.
pub(crate) fn fitted_as(effects: &Effects) -> &'static str {
    if effects.is_smooth {
        "fitted as a sum of one parabola for each parameter: the points do not tell single values apart"
    } else {
        "fitted as a sum of one part for each parameter"
    }
}

fn effects(outcome: &Outcome, line: &mut impl FnMut(&str)) {
    let begun = "\nWhat each value is worth beside the base's, the others equal";
    let Some(all) = outcome.effects() else {
        line(&format!("{begun}: {NOT_TOLD_APART}."));
        return;
    };
    line(&format!("{begun} ({}):\n", fitted_as(&all)));
    line("| parameter | value | Elo |\n|---|---:|---:|");
    for ((axis, effects), base) in outcome.axes.iter().zip(&all.axes).zip(&outcome.base) {
        for effect in effects {
            let (name, value) = (axis.knob.name(), axis.knob.words(effect.value));
            let elo = if effect.value == *base {
                "0".to_owned()
            } else {
                format!("{:+.1} ± {:.1}", effect.elo, effect.error95)
            };
            line(&format!("| `{name}` | {value} | {elo} |"));
        }
    }
}

/// What it comes to.
pub(crate) fn verdict(outcome: &Outcome, confirmation: Option<&Summary>) -> String {
    let Some(best) = outcome.best.map(|best| &outcome.rows[best]) else {
        return if outcome.is_over {
            "No candidate scored more than the base.".to_owned()
        } else {
            "Not finished: no candidate has scored more than the base yet.".to_owned()
        };
    };
    let begun = if outcome.is_over { "Best" } else { "Not finished; best so far" };
    let name = &best.name;
    let mut words = format!("{begun}: {name}, {} Elo in the race.", elo(best));
    if let Some(summary) = confirmation {
        words.push_str(&format!(
            " Confirmation of {}, {} pairs of fresh openings: {}.",
            summary.test.identity.alias.as_deref().unwrap_or("it"),
            summary.pairs,
            summary.judged.words()
        ));
    }
    words
}
