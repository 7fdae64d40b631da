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
            // A tenth at most: a time for a move is no clock that must not run out.
            let time = time.saturating_sub(limits.kept_back().min(time / 10)).max(LEAST);
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
mod tests {
    use super::*;
    use crate::params::{Params, Time};

    /// A clock in milliseconds.
    #[derive(Debug, Clone, Copy)]
    struct Tc {
        remaining: u64,
        increment: u64,
        moves: Option<u32>,
        overhead: u64,
    }

    const fn tc(remaining: u64, increment: u64, moves: Option<u32>, overhead: u64) -> Tc {
        Tc { remaining, increment, moves, overhead }
    }

    fn dynamic() -> Time {
        Time { dynamic: true, ..Params::default().time }
    }

    fn budget(tc: Tc, params: &Time, share: u32) -> Budget {
        let limits = Limits {
            clock: Some(ClockLimit {
                remaining: Duration::from_millis(tc.remaining),
                increment: Duration::from_millis(tc.increment),
                moves_to_go: tc.moves,
            }),
            overhead: Duration::from_millis(tc.overhead),
            ..Limits::default()
        };
        Budget::new(&limits, limits.clock, params, share).expect("a clock")
    }

    /// Parameters as they are and at their most daring.
    fn settings() -> Vec<Time> {
        let plain = Params::default().time;
        let daring = Time {
            permille: 500,
            increment: 100,
            hard: 1000,
            reserve: 100,
            begin: 100,
            stability: [400; 5],
            calm: 1000,
            keep_moves: 0,
            last_move: 100,
            ..plain.clone()
        };
        vec![plain, dynamic(), daring.clone(), Time { dynamic: true, ..daring }]
    }

    #[test]
    fn never_more_than_the_clock_has() {
        for params in settings() {
            for remaining in [0, 1, 2, 5, 9, 10, 11, 50, 100, 1_000, 60_000, 7_200_000] {
                for increment in [0, 1, 10, 1_000, 60_000] {
                    for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(10_000)] {
                        for overhead in [0, 1, 10, 500] {
                            let tc = tc(remaining, increment, moves, overhead);
                            within_the_clock(tc, &params);
                        }
                    }
                }
            }
        }
    }

    fn within_the_clock(tc: Tc, params: &Time) {
        let safe = Duration::from_millis(tc.remaining.saturating_sub(tc.overhead));
        for share in [10, 100, 2_000] {
            let budget = budget(tc, params, share);
            assert!(budget.soft <= budget.hard && budget.hard <= safe, "{tc:?} {budget:?}");
            for patience in [1, 100, 5_000] {
                let begin = budget.begin(params, patience);
                let ends = [false, true].map(|trouble| budget.end(params, patience, trouble));
                assert!(begin <= budget.hard && ends[0] <= ends[1], "{tc:?} {budget:?}");
                assert_eq!(ends[1], budget.hard, "{tc:?}");
            }
        }
    }

    #[test]
    fn absurd_clocks_do_not_overflow() {
        let limits = Limits {
            clock: Some(ClockLimit {
                remaining: Duration::MAX,
                increment: Duration::MAX,
                moves_to_go: None,
            }),
            overhead: Duration::from_secs(5),
            ..Limits::default()
        };
        for params in settings() {
            let budget = Budget::new(&limits, limits.clock, &params, 1_000).expect("a clock");
            assert!(budget.begin(&params, 5_000) <= budget.end(&params, 5_000, true));
        }
    }

    #[test]
    fn the_papers_share() {
        // ROT-03: 2.5 % of the clock and half the increment.
        let params = Params::default().time;
        let soft = |tc| budget(tc, &params, 100).soft;
        assert_eq!(soft(tc(60_000, 1_000, None, 0)), Duration::from_millis(2_000));
        assert_eq!(soft(tc(60_000, 0, Some(10), 0)), Duration::from_secs(6));
        let budget = budget(tc(60_000, 1_000, None, 0), &params, 100);
        assert_eq!(budget.begin(&params, 100), Duration::from_secs(1));
        assert_eq!(budget.end(&params, 100, false), Duration::from_secs(8));
    }

    #[test]
    fn a_time_for_a_move_is_used_up() {
        for params in settings() {
            for (given, overhead, left) in [(1_000, 10, 990), (50, 10, 45), (1, 10, 1), (0, 10, 1)]
            {
                let limits = Limits {
                    movetime: Some(Duration::from_millis(given)),
                    overhead: Duration::from_millis(overhead),
                    ..Limits::default()
                };
                let budget = Budget::new(&limits, limits.clock, &params, 30).expect("a time");
                let left = Duration::from_millis(left);
                assert_eq!(budget.begin(&params, 20), left, "{given}");
                assert_eq!(budget.end(&params, 20, false), left, "{given}");
            }
        }
    }

    /// ROT-04: what the iterations found moves both ends of the dynamic budget, and only of that.
    #[test]
    fn patience_moves_the_dynamic_budget() {
        let clock = tc(60_000, 0, None, 0);
        let (fixed, dynamic) = (Params::default().time, dynamic());
        let ends = |params: &Time, patience, trouble| {
            let budget = budget(clock, params, 100);
            [budget.begin(params, patience), budget.end(params, patience, trouble)]
                .map(|time| time.as_millis())
        };
        assert_eq!(ends(&fixed, 100, false), [750, 6_000]);
        assert_eq!(ends(&dynamic, 100, false), [750, 3_000]);
        assert_eq!(ends(&dynamic, 60, false), [450, 1_800]);
        assert_eq!(ends(&dynamic, 60, true), [450, 6_000], "a fail low is looked into");
        assert_eq!(ends(&dynamic, 1_000, false), [6_000, 6_000]);
    }

    #[test]
    fn overheads_to_come_are_kept_back() {
        let params = dynamic();
        let most = |tc| budget(tc, &Time { permille: 500, ..params.clone() }, 10_000).hard;
        // 40 % of what is left when 30 more moves of 10 ms are paid.
        assert_eq!(most(tc(1_310, 0, None, 10)), Duration::from_millis(400));
        assert_eq!(most(tc(1_310, 10, None, 10)), Duration::from_millis(520));
        assert_eq!(most(tc(1_030, 0, Some(3), 10)), Duration::from_millis(400));
        assert_eq!(most(tc(1_010, 0, Some(1), 10)), Duration::from_millis(900));
    }

    /// The shares of a game's first search (ROT-04) and of the kind of position (ROT-05).
    #[test]
    fn shares() {
        let plain = Params::default().time;
        assert_eq!([share(&plain, true, 3), share(&plain, false, 200)], [100, 100]);
        let first = Time { first_move: 130, ..plain.clone() };
        assert_eq!([share(&first, true, 20), share(&first, false, 20)], [130, 100]);
        let nt = Time { nt: true, ..plain };
        assert_eq!([1, 20, 35, 80].map(|moves| share(&nt, false, moves)), [32, 70, 100, 150]);
        let clock = tc(60_000, 0, None, 0);
        assert_eq!(budget(clock, &nt, 70).soft, Duration::from_millis(1_050));
    }

    /// Moves of a long game, one side's.
    const GAME: usize = 200;

    /// The moves a clock lasts when every move takes the soft limit and one in `each` the hard one,
    /// then looks at the clock late, then has its way to go.
    fn moves_survived(start: Tc, latency: Duration, params: &Time, each: usize) -> usize {
        const LATE_LOOK: Duration = Duration::from_micros(200);
        let (base, increment) = (start.remaining, Duration::from_millis(start.increment));
        let mut left = Duration::from_millis(base);
        let mut to_go = start.moves;
        for played in 0..GAME {
            let clock = ClockLimit { remaining: left, increment, moves_to_go: to_go };
            let overhead = Duration::from_millis(start.overhead);
            let limits = Limits { clock: Some(clock), overhead, ..Limits::default() };
            let budget = Budget::new(&limits, limits.clock, params, 100).expect("a clock");
            let used = if played % each == 0 { budget.hard } else { budget.soft };
            let Some(rest) = left.checked_sub(used + LATE_LOOK + latency) else { return played };
            left = rest + increment;
            to_go = to_go.map(|moves| moves - 1);
            if to_go == Some(0) {
                (to_go, left) = (start.moves, left + Duration::from_millis(base));
            }
        }
        GAME
    }

    #[test]
    fn no_game_is_lost_on_time() {
        let micros = Duration::from_micros;
        let (fixed, dynamic) = (Params::default().time, dynamic());
        // An increment pays for everything, were every move to take the hard limit.
        for (start, latency) in [
            (tc(1_000, 10, None, 10), micros(9_000)),
            (tc(100, 1, None, 1), micros(700)),
            (tc(10_000, 100, None, 10), micros(9_000)),
            (tc(60_000, 600, None, 10), micros(9_000)),
            (tc(1, 10, None, 10), micros(700)),
        ] {
            for params in [&fixed, &dynamic] {
                let survived = moves_survived(start, latency, params, 1);
                assert_eq!(survived, GAME, "{start:?} {}", params.dynamic);
            }
        }
        // Without one, shares of a clock shrink: one move in so many may take the hard limit.
        for (start, latency) in [
            (tc(1_000, 0, Some(40), 10), micros(2_000)),
            (tc(60_000, 0, Some(40), 10), micros(9_000)),
            (tc(60_000, 0, Some(1), 10), micros(9_000)),
            (tc(100, 0, Some(10), 1), micros(500)),
            (tc(60_000, 0, None, 10), micros(100)),
            (tc(10_000, 0, None, 10), micros(0)),
        ] {
            for (params, each) in [(&fixed, 10), (&dynamic, 3)] {
                let survived = moves_survived(start, latency, params, each);
                assert_eq!(survived, GAME, "{start:?} {}", params.dynamic);
            }
        }
    }
}
