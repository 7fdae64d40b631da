//! How long a move may take (ROT-03, MISS-30). Pure: a clock and parameters in, limits out.

use std::time::Duration;

use super::limits::{ClockLimit, Limits};
use crate::params;

/// The time budget of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// What the move is meant to take.
    pub(super) soft: Duration,
    /// The search ends at this.
    pub(super) hard: Duration,
    /// Whether the soft limit follows what the iterations find; else only the hard one ends an
    /// iteration.
    pub(super) dynamic: bool,
}

/// The least time a move is given where it can be.
const LEAST: Duration = Duration::from_millis(1);

/// More than any clock shows; sums of it do not overflow.
pub(super) const MOST: Duration = Duration::from_secs(366 * 24 * 3600);

impl Budget {
    pub(super) const NOTHING: Budget =
        Budget { soft: Duration::ZERO, hard: Duration::ZERO, dynamic: false };

    /// The budget of a move, of which the clock gives `share` per cent of the usual; `None` when
    /// time does not matter. `clock` is what may be used of the limits' clock.
    pub(super) fn new(
        limits: &Limits,
        clock: Option<ClockLimit>,
        params: &params::Time,
        share: u32,
    ) -> Option<Budget> {
        let fixed = limits.movetime.map(|time| {
            // A hundredth at most: a time for a move is no clock that must not run out, and nothing is
            // saved for later moves.
            let time = time.saturating_sub(limits.kept_back().min(time / 100)).max(LEAST);
            Budget { soft: time, hard: time, dynamic: false }
        });
        let clock = clock.map(|clock| Budget::of_clock(&clock, limits.kept_back(), params, share));
        match (fixed, clock) {
            (Some(a), Some(b)) => {
                let (soft, hard) = (a.soft.min(b.soft), a.hard.min(b.hard));
                Some(Budget { soft, hard, dynamic: b.dynamic })
            }
            (a, b) => a.or(b),
        }
    }

    /// A share of the clock and of the increment; of a control in so many moves an even share. The
    /// overhead is kept back from the clock as a whole, not from every share of it.
    fn of_clock(
        clock: &ClockLimit,
        overhead: Duration,
        params: &params::Time,
        share: u32,
    ) -> Budget {
        let remaining = clock.remaining.min(MOST);
        let safe = remaining.saturating_sub(overhead);
        let (safe, whole) = if params.dynamic {
            let safe = safe.saturating_sub(to_come(clock, overhead, params).min(safe / 2));
            (safe, safe)
        } else {
            (safe, remaining)
        };
        let even = match clock.moves_to_go {
            Some(moves) if moves > 0 => {
                whole / moves.min(1000 / params.permille.max(1) as u32).max(1)
            }
            _ => whole * params.permille as u32 / 1000,
        };
        let increment = clock.increment.min(MOST);
        let wanted = (even + increment * params.increment as u32 / 100) * share / 100;
        let most = match clock.moves_to_go {
            Some(1) if params.dynamic => safe * params.last_move as u32 / 100,
            Some(1) => safe,
            _ => safe * params.reserve as u32 / 100,
        };
        // The plain rule leaves time for a first iteration, however little there is.
        let least = if params.dynamic { Duration::ZERO } else { LEAST.min(safe) };
        let soft = wanted.min(most).max(least);
        let hard = (soft * params.hard as u32 / 100).min(most).max(least);
        Budget { soft: soft.min(hard), hard, dynamic: params.dynamic }
    }

    /// Past this no new iteration begins; `patience` is per cent of the usual.
    pub(super) fn begin(&self, params: &params::Time, patience: u32) -> Duration {
        if self.dynamic || self.soft < self.hard {
            (self.soft * params.begin as u32 / 100 * patience / 100).min(self.hard)
        } else {
            self.soft
        }
    }

    /// The search ends at this: an iteration in trouble may go on longer than a calm one.
    pub(super) fn end(&self, params: &params::Time, patience: u32, trouble: bool) -> Duration {
        if self.dynamic && !trouble {
            (self.soft * params.calm as u32 / 100 * patience / 100).min(self.hard)
        } else {
            self.hard
        }
    }
}

/// The overheads of the moves to come that no increment pays for.
fn to_come(clock: &ClockLimit, overhead: Duration, params: &params::Time) -> Duration {
    let keep = params.keep_moves as u32;
    let moves = match clock.moves_to_go {
        Some(moves) if moves > 0 => (moves - 1).min(keep),
        _ => keep,
    };
    overhead.saturating_sub(clock.increment) * moves
}

/// The share of the usual budget, in per cent, that a position with so many moves is given: more
/// for a game's first search, which follows the book (ROT-04), and by the kind of position where
/// that is on (ROT-05).
pub(super) fn share(params: &params::Time, first_search: bool, moves: usize) -> u32 {
    let first = if first_search { params.first_move } else { 100 };
    let kind = if params.nt {
        (params.nt_base + params.nt_move * moves as i32).clamp(10, params.nt_most)
    } else {
        100
    };
    (first * kind / 100) as u32
}

#[cfg(test)]
mod tests;
