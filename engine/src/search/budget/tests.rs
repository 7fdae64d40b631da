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
        let cases =
            [(1_000_000, 10, 990_000), (100_000, 10, 99_000), (50_000, 10, 49_500), (0, 10, 1_000)];
        for (given, overhead, left) in cases {
            let limits = Limits {
                movetime: Some(Duration::from_micros(given)),
                overhead: Duration::from_millis(overhead),
                ..Limits::default()
            };
            let budget = Budget::new(&limits, limits.clock, &params, 30).expect("a time");
            let left = Duration::from_micros(left);
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
