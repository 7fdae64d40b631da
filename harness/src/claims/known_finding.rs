//! What is known of a measurement, from what lies in its folder.

use std::collections::BTreeMap;
use std::path::Path;

use super::finding::{ClaimOutcome, ClaimRange, Finding, judge};
use super::measurement_file::MeasurementFile;
use super::{Claim, Mates, MeasureKind, Measurement, Micro, Share, Speedup, matches};
use arena::record::RecordError;

/// Measurements of fewer positions are no judges.
pub(super) const LEAST_POSITIONS: usize = 30;

pub(super) enum KnownFinding {
    Found {
        outcome: ClaimOutcome,
        finding: Finding,
        text: String,
    },
    /// There is a result that proves nothing.
    Undefined(String),
    /// Both players search alike.
    Alike,
    /// What is there is of another engine, other parameters or other conditions.
    Stale(Box<KnownFinding>),
    NotYet,
    /// Nothing of its own: more pairs of a match, which tells of them, or which needs none.
    Nothing,
}

impl KnownFinding {
    /// What was found, in words.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            KnownFinding::Found { text, .. } | KnownFinding::Undefined(text) => Some(text),
            KnownFinding::Alike
            | KnownFinding::Stale(_)
            | KnownFinding::NotYet
            | KnownFinding::Nothing => None,
        }
    }

    /// What it says of its claim.
    pub(super) fn outcome(&self) -> Option<ClaimOutcome> {
        match self {
            KnownFinding::Found { outcome, .. } => Some(*outcome),
            KnownFinding::Undefined(_) => Some(ClaimOutcome::Unclear),
            KnownFinding::Alike
            | KnownFinding::Stale(_)
            | KnownFinding::NotYet
            | KnownFinding::Nothing => None,
        }
    }
}

/// What is known of all measurements, by the names of their folders.
pub(super) type KnownFindings = BTreeMap<String, KnownFinding>;

/// What a measurement found, as its folder has it.
pub(super) fn look(measurement: &Measurement<'_>, dir: &Path) -> Result<KnownFinding, RecordError> {
    fn read<T: MeasurementFile>(
        dir: &Path,
        found: impl FnOnce(&T) -> KnownFinding,
    ) -> Result<KnownFinding, RecordError> {
        Ok(T::read(dir)?.as_ref().map_or(KnownFinding::NotYet, found))
    }
    let (dir, claim) = (dir.join(measurement.name()), measurement.claim);
    match measurement.measure {
        MeasureKind::Match | MeasureKind::More => Ok(matches::look(claim, &[&dir])),
        MeasureKind::Speed => read(&dir, |it| of_speed(claim, it)),
        MeasureKind::Share => read(&dir, |it| of_share(claim, it)),
        MeasureKind::Mates => read(&dir, |it| of_mates(claim, it)),
        MeasureKind::Micro => read(&dir, |it| of_micro(claim, it)),
    }
}

fn of_share(claim: &Claim, share: &Share) -> KnownFinding {
    let Some(claimed) = &claim.share else { return KnownFinding::NotYet };
    let (counted, all) = (share.positions(), share.counts.len());
    let of = if counted < all { format!("{counted} of {all}") } else { all.to_string() };
    let how = format!("{of} positions to depth {}", share.depth);
    let Some(found) = share.finding() else {
        return KnownFinding::Undefined(format!("too little to count in {how}"));
    };
    // A share of none would be no effect; that it is some is no news.
    KnownFinding::Found {
        outcome: judge_positions(counted, claimed.of, found, f64::NAN),
        finding: found,
        text: format!("{}, {how}", found.percent()),
    }
}

fn of_speed(claim: &Claim, speedup: &Speedup) -> KnownFinding {
    let Some(claimed) = &claim.speed else { return KnownFinding::NotYet };
    let (time, nodes) = (speedup.faster(), speedup.fewer_nodes());
    KnownFinding::Found {
        outcome: judge_positions(speedup.positions(), claimed.faster, time, 1.0),
        finding: time,
        text: format!(
            "{} [{:.2}], {} positions to depth {}",
            time.times(),
            nodes.value,
            speedup.positions(),
            speedup.depth
        ),
    }
}

fn of_mates(claim: &Claim, mates: &Mates) -> KnownFinding {
    let Some(claimed) = &claim.mates else { return KnownFinding::NotYet };
    let positions = mates.plies.len();
    let Some(found) = mates.within(claimed.moves) else {
        return KnownFinding::Undefined("no positions".to_owned());
    };
    KnownFinding::Found {
        outcome: judge_positions(positions, claimed.of, found, f64::NAN),
        finding: found,
        text: format!(
            "{} within {} moves, {:.1} % at all, {positions} positions at depth {}",
            found.percent(),
            claimed.moves,
            100.0 * mates.mates() as f64 / positions as f64,
            mates.depth
        ),
    }
}

fn of_micro(claim: &Claim, micro: &Micro) -> KnownFinding {
    let Some(claimed) = &claim.micro else { return KnownFinding::NotYet };
    let finding = micro.faster();
    let outcome = judge(claimed.faster, finding, 1.0);
    KnownFinding::Found { outcome, finding, text: finding.times() }
}

/// What so many positions say of a claim.
fn judge_positions(
    positions: usize,
    claimed: ClaimRange,
    finding: Finding,
    nought: f64,
) -> ClaimOutcome {
    match judge(claimed, finding, nought) {
        ClaimOutcome::Confirmed | ClaimOutcome::Contradicted if positions < LEAST_POSITIONS => {
            ClaimOutcome::Unclear
        }
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Counter;
    use super::*;
    use arena::record::Versions;

    /// All of what was counted, and as claimed; but in ten positions only.
    #[test]
    fn positions_with_nothing_to_count_are_no_judges() {
        let claim: Claim = serde_json::from_str(
            r#"{"id": "S", "claim": "", "source": "", "mechanisms": [],
            "share": {"counter": "lazy_errors", "of": [0.1, null]}}"#,
        )
        .unwrap();
        let found = |[with, without]: [usize; 2]| {
            let counts = [vec![[3, 3]; with], vec![[0, 0]; without]].concat();
            let (player, counter) = (String::new(), Counter::LazyErrors);
            let share = Share { versions: Versions::here(), player, counter, depth: 5, counts };
            match of_share(&claim, &share) {
                KnownFinding::Found { outcome, text, .. } => (outcome, text),
                _ => panic!("nothing is found"),
            }
        };
        let text = |of: &str| format!("100.0 % ({of} to 100.0), ");
        let (outcome, words) = found([10, 90]);
        assert_eq!(outcome, ClaimOutcome::Unclear);
        assert_eq!(words, text("72.2") + "10 of 100 positions to depth 5");
        let (outcome, words) = found([40, 0]);
        assert_eq!(outcome, ClaimOutcome::Confirmed);
        assert_eq!(words, text("91.2") + "40 positions to depth 5");
    }
}
