//! What a match says of its claim: in one part or, where the first left it unclear, in two.

use std::path::Path;

use stats::{Pentanomial, Statistics, percent_clamped};

use super::finding::{ClaimOutcome, ClaimRange, Finding, judge};
use super::known_finding::KnownFinding;
use super::{Claim, Conditions, MeasureKind};
use arena::record::Summary;

/// Matches of fewer pairs are no judges.
pub(super) const LEAST_PAIRS: u64 = 100;
/// Where so many pairs would be needed, no number is told.
const MOST_NEEDED: f64 = 1e6;

impl Conditions {
    /// Pairs and seed of a match, or of more of it: the second part has openings of its own.
    pub(super) fn part(&self, measure: MeasureKind) -> (u64, u64) {
        match measure {
            MeasureKind::More => {
                let most = self.most_pairs.unwrap_or(self.pairs);
                (most.saturating_sub(self.pairs), self.seed.wrapping_add(1))
            }
            _ => (self.pairs, self.seed),
        }
    }
}

/// What a match found whose parts lie in these folders; an undecided part does not count.
pub(super) fn look(claim: &Claim, dirs: &[&Path]) -> KnownFinding {
    let parts: Vec<Summary> = dirs.iter().filter_map(|dir| Summary::read_decided(dir)).collect();
    let Some(claimed) = claim.elo.as_ref().filter(|_| !parts.is_empty()) else {
        return KnownFinding::NotYet;
    };
    let counts =
        parts.iter().map(Summary::counted_pairs).fold(Pentanomial::default(), |a, b| a + b);
    let found = Statistics::of_pairs(&counts, None, None);
    let (Ok(elo), Ok(error)) = (found.elo.elo, found.elo.error95) else {
        let lines: Vec<String> = parts.iter().map(Summary::one_line).collect();
        return KnownFinding::Undefined(lines.join("; "));
    };
    let finding = Finding { value: elo, interval: [elo - error, elo + error] };
    let los = found.los.map_or(String::new(), |los| format!(" (LOS {})", percent_clamped(los)));
    let games: u64 = parts.iter().map(|part| part.games).sum();
    let few = counts.pairs() < LEAST_PAIRS;
    let outcome = if few { ClaimOutcome::Unclear } else { judge(claimed.elo, finding, 0.0) };
    let needed = match outcome {
        ClaimOutcome::Unclear if !few => needed(claimed.elo, finding, counts.pairs()),
        _ => String::new(),
    };
    let text = format!("{elo:+.1} ± {error:.1} Elo{los}, {games} games{needed}");
    KnownFinding::Found { outcome, finding, text }
}

/// In words: after how many pairs an unclear claim would be judged, if the match went on as it was.
fn needed(claimed: ClaimRange, finding: Finding, pairs: u64) -> String {
    let low = claimed[0].unwrap_or(f64::NEG_INFINITY);
    let high = claimed[1].unwrap_or(f64::INFINITY);
    let (elo, [from, to]) = (finding.value, finding.interval);
    // The interval has to lie inside the range, outside, or on the range's side of nought.
    let border = (low - elo).max(elo - high).abs();
    let nought = match (low >= 0.0, high <= 0.0) {
        (true, _) => elo,
        (_, true) => -elo,
        _ => 0.0,
    };
    let pairs = pairs as f64 * ((to - from) / 2.0 / border.max(nought)).powi(2);
    if pairs < MOST_NEEDED {
        // Two digits: the result is no better known.
        let unit = 10_f64.powf(pairs.log10().floor() - 1.0);
        format!("; some {:.0} pairs would decide", (pairs / unit).ceil() * unit)
    } else {
        "; more than a million pairs would be needed".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half the way to what decides takes four times the pairs.
    #[test]
    fn pairs_that_are_needed() {
        let of = |claimed, elo: f64| {
            let interval = [elo - 16.0, elo + 16.0];
            needed(claimed, Finding { value: elo, interval }, 500)
        };
        let at_least = [Some(0.0), None];
        for (claimed, elo, pairs) in [
            (at_least, 8.0, "2000"),
            (at_least, -4.0, "8000"),
            ([Some(10.0), Some(30.0)], 4.0, "3600"),
            ([Some(10.0), Some(30.0)], 12.0, "890"),
            ([None, Some(-20.0)], -16.0, "500"),
            ([Some(-10.0), Some(10.0)], 8.0, "32000"),
            ([Some(-10.0), Some(10.0)], 2.0, "2000"),
        ] {
            let said = of(claimed, elo);
            assert_eq!(said, format!("; some {pairs} pairs would decide"), "{claimed:?} {elo}");
        }
        assert_eq!(of(at_least, 0.1), "; more than a million pairs would be needed");
    }
}
