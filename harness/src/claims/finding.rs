//! What a claim states, what a measurement found, and how the two compare.

use serde::Deserialize;
use tuning::sweep::speed::Ratio;

/// A stated amount: both ends inside, an absent one open. Without both nothing is stated.
pub type ClaimRange = [Option<f64>; 2];

/// How a finding relates to its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ClaimOutcome {
    Confirmed,
    Contradicted,
    /// Too little is known to say.
    Unclear,
    /// No amount was stated.
    #[serde(rename = "measured")]
    #[strum(to_string = "measured")]
    Open,
}

/// A measured amount with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    pub value: f64,
    pub interval: [f64; 2],
}

impl From<Ratio> for Finding {
    /// Of one position nothing is known of the interval: it may be anywhere.
    fn from(Ratio { mean, ends }: Ratio) -> Finding {
        Finding { value: mean, interval: ends.unwrap_or([0.0, f64::INFINITY]) }
    }
}

impl Finding {
    /// A share in per cent with its interval.
    pub fn percent(self) -> String {
        let [low, high] = self.interval;
        let [value, low, high] = [self.value, low, high].map(|share| 100.0 * share);
        format!("{value:.1} % ({low:.1} to {high:.1})")
    }

    /// A ratio of times with its interval.
    pub fn times(self) -> String {
        let [low, high] = self.interval;
        let known = high.is_finite();
        let interval = if known { format!(" ({low:.2} to {high:.2})") } else { String::new() };
        format!("{:.2} times as fast{interval}", self.value)
    }
}

/// Whether a measured interval bears out a claimed range; `nought` is the amount of no effect.
///
/// Confirmed: the whole interval lies in the range; or it reaches into a range on one side of
/// nought, and the effect's sign is shown. Contradicted: the two have nothing in common. Else
/// unclear. Where no amount is stated there is nothing to judge.
pub fn judge(claimed: ClaimRange, finding: Finding, nought: f64) -> ClaimOutcome {
    if claimed == [None, None] {
        return ClaimOutcome::Open;
    }
    let low = claimed[0].unwrap_or(f64::NEG_INFINITY);
    let high = claimed[1].unwrap_or(f64::INFINITY);
    let [from, to] = finding.interval;
    if to < low || from > high {
        return ClaimOutcome::Contradicted;
    }
    let inside = low <= from && to <= high;
    let sign_shown = (low >= nought && from > nought) || (high <= nought && to < nought);
    if inside || sign_shown { ClaimOutcome::Confirmed } else { ClaimOutcome::Unclear }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClaimOutcome::{Confirmed, Contradicted, Open, Unclear};

    #[test]
    fn ranges_and_intervals() {
        for (claimed, interval, nought, expected) in [
            ([Some(30.0), Some(40.0)], [20.0, 60.0], 0.0, Confirmed),
            ([Some(30.0), Some(40.0)], [-5.0, 60.0], 0.0, Unclear),
            ([Some(30.0), Some(40.0)], [-5.0, 20.0], 0.0, Contradicted),
            ([Some(30.0), Some(40.0)], [50.0, 60.0], 0.0, Contradicted),
            ([Some(-10.0), Some(10.0)], [-9.0, 8.0], 0.0, Confirmed),
            ([Some(-10.0), Some(10.0)], [-15.0, 8.0], 0.0, Unclear),
            ([Some(-10.0), Some(10.0)], [12.0, 30.0], 0.0, Contradicted),
            ([Some(0.0), None], [1.0, 30.0], 0.0, Confirmed),
            ([Some(0.0), None], [-1.0, 30.0], 0.0, Unclear),
            ([None, Some(0.0)], [-9.0, -1.0], 0.0, Confirmed),
            ([None, Some(-20.0)], [-30.0, -10.0], 0.0, Confirmed),
            ([Some(1.1), Some(1.2)], [1.05, 1.15], 1.0, Confirmed),
            ([Some(1.1), Some(1.2)], [0.99, 1.15], 1.0, Unclear),
            ([Some(0.4), Some(0.45)], [0.9, 1.0], 1.0, Contradicted),
            ([None, None], [5.0, 9.0], 0.0, Open),
        ] {
            let finding = Finding { value: 0.0, interval };
            assert_eq!(judge(claimed, finding, nought), expected, "{claimed:?} {interval:?}");
        }
    }
}
