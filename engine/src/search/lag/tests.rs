use super::*;
use crate::params::Params;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn clock(remaining: u64) -> ClockLimit {
    ClockLimit { remaining: ms(remaining), increment: ms(10), moves_to_go: None }
}

/// A stall in the search, and one between what the search took and what the clock lost.
#[test]
fn a_stall_is_kept_back_and_fades() {
    let params = Params::default().time;
    let fade = |time: Duration| time * params.stall_keep as u32 / 100;
    let mut stalls = Stalls::default();
    assert_eq!(stalls.begin(&clock(1000), false, &params), clock(1000));
    stalls.end(&clock(1000), ms(110), ms(80), &params);
    // 1000 + 10 − 110, and 60 more were lost.
    let left = stalls.begin(&clock(840), false, &params);
    assert_eq!(left.remaining, ms(840) - fade(ms(80)));
    stalls.end(&clock(840), ms(20), ms(1), &params);
    let left = stalls.begin(&clock(630), false, &params);
    assert_eq!(left.remaining, ms(630 - 200));
    stalls.end(&clock(630), ms(10), ms(1), &params);
    let left = stalls.begin(&clock(630), false, &params);
    assert_eq!(left.remaining, ms(630) - fade(ms(200)));
}

#[test]
fn half_of_the_clock_stays_whatever_is_expected() {
    let params = Params::default().time;
    let mut stalls = Stalls::default();
    // Another game's clock.
    stalls.end(&clock(60_000), ms(10), ms(3000), &params);
    let left = stalls.begin(&clock(100), false, &params);
    // 500 ms are expected, and 100 are not twice as much.
    assert_eq!((left.remaining, left.increment.as_micros()), (ms(50), 1000));
    assert_eq!(
        stalls.begin(&clock(10_000), false, &params).remaining,
        ms(10_000) - stalls.expected
    );
    assert!(stalls.expected <= MAX_STALL);
    // A new control has more time than was left of the last.
    let mut stalls = Stalls::default();
    stalls.end(&clock(100), ms(10), ms(0), &params);
    assert_eq!(stalls.begin(&clock(9000), false, &params), clock(9000));
}

/// A program that ponders may not have been told its clock yet.
#[test]
fn what_a_guessed_clock_hides_the_next_one_shows() {
    let params = Params::default().time;
    let mut stalls = Stalls::default();
    stalls.end(&clock(1000), ms(110), ms(0), &params);
    assert_eq!(stalls.begin(&clock(900), true, &params), clock(900));
    assert_eq!(stalls.begin(&clock(840), false, &params).remaining, ms(840 - 60));
}

#[test]
fn absurd_clocks_do_not_overflow() {
    let params = Params::default().time;
    let most = Duration::MAX;
    let absurd = ClockLimit { remaining: most, increment: most, moves_to_go: None };
    let mut stalls = Stalls::default();
    assert_eq!(stalls.begin(&absurd, false, &params).remaining, most);
    stalls.end(&absurd, ms(10), ms(0), &params);
    assert_eq!(stalls.begin(&absurd, false, &params).remaining, most - stalls.expected);
}

#[test]
fn none_is_expected_where_it_is_off() {
    let params = params::Time { stall_keep: 0, ..Params::default().time };
    let mut stalls = Stalls::default();
    stalls.end(&clock(1000), ms(10), ms(80), &params);
    assert_eq!(stalls.begin(&clock(500), false, &params), clock(500));
}
