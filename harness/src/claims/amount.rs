//! What a claim says, as an amount in words.

use super::{Claim, MeasureKind};

/// All amounts that a claim is judged by.
pub(super) fn taken(claim: &Claim) -> String {
    MeasureKind::ways().filter_map(|it| taken_as(claim, it)).collect::<Vec<_>>().join("; ")
}

/// The amount that a claim is judged by when it is measured so, and the conditions of its own.
pub(super) fn taken_as(claim: &Claim, measure: MeasureKind) -> Option<String> {
    let text = amount(claim, measure)?;
    Some(match measure {
        MeasureKind::Match | MeasureKind::More => {
            let elo = claim.elo.as_ref()?;
            let own = [
                elo.tc.clone(),
                elo.nodes.map(|nodes| format!("{nodes} nodes")),
                elo.depth.map(|depth| format!("depth {depth}")),
                elo.odds.map(|odds| format!("{odds} times the nodes")),
                elo.openings.as_ref().map(|book| format!("openings {}", book.display())),
            ];
            let own: Vec<String> = own.into_iter().flatten().collect();
            if own.is_empty() { text } else { format!("{text} at {}", own.join(", ")) }
        }
        MeasureKind::Speed => match claim.speed.as_ref()?.deeper {
            0 => text,
            plies => format!("{text}, {plies} plies deeper"),
        },
        MeasureKind::Share | MeasureKind::Mates | MeasureKind::Micro => text,
    })
}

/// The same without conditions.
pub(super) fn amount(claim: &Claim, measure: MeasureKind) -> Option<String> {
    let words = |unit: &str, show: &dyn Fn(f64) -> String| {
        Some(match claim.range(measure)? {
            [None, None] => "no amount".to_owned(),
            [Some(low), None] => format!("{} {unit} or more", show(low)),
            [None, Some(high)] => format!("{} {unit} or less", show(high)),
            [Some(low), Some(high)] => format!("{} to {} {unit}", show(low), show(high)),
        })
    };
    match measure {
        MeasureKind::Match | MeasureKind::More => words("Elo", &elo),
        MeasureKind::Speed | MeasureKind::Micro => words("times as fast", &|by| by.to_string()),
        MeasureKind::Share => words("%", &percent),
        MeasureKind::Mates => {
            let moves = claim.mates.as_ref()?.moves;
            Some(format!("mate within {moves} moves in {} of the positions", words("%", &percent)?))
        }
    }
}

fn elo(elo: f64) -> String {
    if elo == 0.0 { "0".to_owned() } else { format!("{elo:+}") }
}

fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}
