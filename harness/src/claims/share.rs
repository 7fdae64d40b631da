//! Shares that the engine counts while it searches (TST-09): of null moves, say, those that were
//! searched again.

use std::sync::Arc;

use engine::search::SearchEvent;
use engine::{Engine, HashSize, Limits, Params, Position};
use serde::{Deserialize, Serialize};

use super::measurement_file::MeasurementFile;
use super::{Finding, HASH};
use arena::record::Versions;
use stats::{Z95, wilson};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counter {
    /// Null moves that did not cut, so that the node was searched all the same.
    NullMovesSearchedAgain,
    /// The same of those that were tried where the threat reaches alpha.
    GuardedNullMovesSearchedAgain,
    /// Lazy guesses that stood though the evaluation would have come out above alpha.
    LazyErrors,
    /// Cuts by the first move.
    FirstMoveCuts,
    /// Scores outside of the root's window for which the second window was wide enough.
    RootFailsReopened,
}

impl Counter {
    /// What is counted, and of what.
    fn events(self) -> (SearchEvent, SearchEvent) {
        match self {
            Counter::NullMovesSearchedAgain => {
                (SearchEvent::NullMoveResearch, SearchEvent::NullMove)
            }
            Counter::GuardedNullMovesSearchedAgain => {
                (SearchEvent::GuardedNullMoveResearch, SearchEvent::GuardedNullMove)
            }
            Counter::LazyErrors => (SearchEvent::LazyError, SearchEvent::LazyHit),
            Counter::FirstMoveCuts => (SearchEvent::FirstMoveCut, SearchEvent::MoveCut),
            Counter::RootFailsReopened => (SearchEvent::RootReopened, SearchEvent::RootFail),
        }
    }
}

/// A measurement: some positions to a depth, and what was counted in each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub versions: Versions,
    pub player: String,
    pub counter: Counter,
    /// Plies.
    pub depth: u32,
    /// Of each position how often it happened, and of how many.
    pub counts: Vec<[u64; 2]>,
}

impl Share {
    /// Positions in which there was anything to count.
    pub fn positions(&self) -> usize {
        self.counted().count()
    }

    /// The share over all positions, 0 to 1, and its 95 % interval, in which positions and not
    /// single events are independent; `None` where there was too little to count. A share of none
    /// or all has no spread: its interval is Wilson's for as many trials as positions.
    pub fn finding(&self) -> Option<Finding> {
        let sum = |index: usize| self.counted().map(|it| it[index] as f64).sum::<f64>();
        let (part, whole) = (sum(0), sum(1));
        let positions = self.positions();
        if positions < 2 {
            return None;
        }
        let share = part / whole;
        if part == 0.0 || part == whole {
            let (low, high) = wilson(share, positions as u64, Z95)?;
            return Some(Finding { value: share, interval: [low, high] });
        }
        // Of a ratio of sums: how far each position is from its part by that ratio.
        let off = |it: &[u64; 2]| (it[0] as f64 - share * it[1] as f64).powi(2);
        let squares = self.counted().map(off).sum::<f64>();
        let positions = positions as f64;
        let error = Z95 * (squares * positions / (positions - 1.0)).sqrt() / whole;
        let interval = [(share - error).max(0.0), (share + error).min(1.0)];
        Some(Finding { value: share, interval })
    }

    fn counted(&self) -> impl Iterator<Item = &[u64; 2]> {
        self.counts.iter().filter(|it| it[1] > 0)
    }
}

impl MeasurementFile for Share {
    const FILE: &str = "share.json";
    const WHAT: &str = "a counted share";
}

/// Counts in every position, each from a cleared state. `None` when `stop` says so meanwhile.
pub(super) fn measure(
    (player, params): (String, Params),
    counter: Counter,
    depth: u32,
    positions: &[Position],
    stop: &dyn Fn() -> bool,
) -> Option<Share> {
    let params = Arc::new(params);
    let mut engine = Engine::new(&params, HashSize::from_bytes(HASH));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (part, whole) = counter.events();
    let mut counts = Vec::with_capacity(positions.len());
    for position in positions {
        if stop() {
            return None;
        }
        engine.new_game();
        let (_, counted) = engine.search_counted(position, &limits, &());
        counts.push([counted.of(part), counted.of(whole)]);
    }
    Some(Share { versions: Versions::here(), player, counter, depth, counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(counts: &[[u64; 2]]) -> Option<Finding> {
        let counts = counts.to_vec();
        let (versions, counter) = (Versions::here(), Counter::LazyErrors);
        Share { versions, player: String::new(), counter, depth: 1, counts }.finding()
    }

    #[test]
    fn positions_are_independent_and_events_are_not() {
        // Half of everything, in every position: no doubt.
        let sure = share(&[[5, 10], [50, 100], [1, 2]]).unwrap();
        assert_eq!((sure.value, sure.interval), (0.5, [0.5, 0.5]));
        // By hand: 60 of 200; off by 10 - 30 and 50 - 30; 1.96 · √(800 · 2) / 200 = 0.392.
        let unsure = share(&[[10, 100], [50, 100]]).unwrap();
        assert!((unsure.value - 0.3).abs() < 1e-12);
        let [low, high] = unsure.interval;
        assert!(low == 0.0 && (high - 0.692).abs() < 1e-4, "{low} {high}");
        // Where nothing happened nothing is known.
        assert_eq!(share(&[[10, 100], [0, 0], [50, 100], [0, 0]]), Some(unsure));
        assert_eq!(share(&[[0, 0], [0, 0]]), None);
        assert_eq!(share(&[[1, 2], [0, 0]]), None);
    }

    #[test]
    fn none_and_all_are_not_certain() {
        // 1 of 1 in 10 positions: Wilson's lower end is 10 / (10 + 1.96²).
        let all = share(&[[[3, 3]; 10].as_slice(), &[[0, 0]; 90]].concat()).unwrap();
        assert!(all.value == 1.0 && (all.interval[0] - 0.7225).abs() < 1e-4, "{all:?}");
        assert!((all.interval[1] - 1.0).abs() < 1e-12, "{all:?}");
        let none = share(&[[0, 5]; 10]).unwrap();
        assert!(none.value == 0.0 && (none.interval[1] - 0.2775).abs() < 1e-4, "{none:?}");
        assert!(none.interval[0].abs() < 1e-12, "{none:?}");
    }
}
