//! What the text of a sweep's report and its page both say.

use super::{Effects, SweepOutcome, SweepRow};
use crate::report::Circumstances;

/// Elo with its interval, `–` where undefined.
pub(super) fn elo(row: &SweepRow) -> String {
    match (row.elo.elo, row.elo.error95) {
        _ if row.is_base => "0".to_owned(),
        (Ok(elo), Ok(error)) => format!("{elo:+.1} ± {error:.1}"),
        (Ok(elo), Err(_)) => format!("{elo:+.1}"),
        (Err(_), _) => "–".to_owned(),
    }
}

pub(super) fn parabola(outcome: &SweepOutcome) -> Option<String> {
    let (parabola, axis) = (outcome.parabola.as_ref()?, outcome.axes.first()?);
    let (chi, freedom) = parabola.chi_squared;
    let fit = format!("(χ² {chi:.1} for {freedom} degrees of freedom)");
    let name = axis.tunable.name();
    let first = *axis.values.first()?;
    let last = *axis.values.last()?;
    Some(match parabola.top() {
        None => format!(
            "Parabola {fit}: no significant maximum; more pairs or a wider range are needed."
        ),
        Some(top) if top.x < first || top.x > last => format!(
            "Parabola {fit}: its maximum, {:.1} ({:.1} to {:.1}), is outside the tested range; extend the \
             range.",
            top.x, top.low, top.high
        ),
        Some(top) => format!(
            "Parabola {fit}: the maximum is at {name} = {:.1} ({:.1} to {:.1}), {:+.1} Elo.",
            top.x, top.low, top.high, top.y
        ),
    })
}

/// Replaces the table of effects.
pub(super) const NOT_SEPARABLE: &str = "these points cannot tell the effects apart";

/// How the effects were fitted.
pub(super) fn fitted_as(effects: &Effects) -> &'static str {
    if effects.is_smooth {
        "fitted as a sum of one parabola per parameter, since the points cannot tell single values apart"
    } else {
        "fitted as a sum of one effect per parameter"
    }
}

pub(super) fn verdict(outcome: &SweepOutcome, circumstances: Circumstances<'_>) -> String {
    let Some(best) = outcome.best.map(|best| &outcome.rows[best]) else {
        return if outcome.is_over {
            "No candidate scored more than the base.".to_owned()
        } else {
            "Not finished: no candidate has scored more than the base yet.".to_owned()
        };
    };
    let begun = if outcome.is_over { "Best" } else { "Not finished; best so far" };
    let name = &best.name;
    let alias = circumstances.confirmation.and_then(|it| it.test.identity.alias.as_deref());
    let what = format!("Confirmation of {}", alias.unwrap_or("it"));
    let confirmed = circumstances.confirmed(&what, "pairs of fresh openings");
    format!("{begun}: {name}, {} Elo in the race.{confirmed}", elo(best))
}
