//! Time that a busy machine takes away: a search that is not let on, an answer that waits (MISS-30).
//!
//! Nothing can be done about the stall that comes first. But who has met one of a tenth of a second
//! does well not to let the clock run down to less.

use std::time::Duration;

use super::budget::MOST;
use super::limits::ClockLimit;
use crate::params;

/// No longer stall is believed: more is another game's clock, or nothing that one can live with.
const LONGEST: Duration = Duration::from_millis(500);

/// The stalls of a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stalls {
    /// How long a stall is to be expected in the next search.
    expected: Duration,
    /// What the own clock should show next, if nobody but the search takes time.
    next: Option<Duration>,
}

impl Stalls {
    /// A search begins; what is left of its clock when a stall as expected is kept back, half of it
    /// at least. Where not even two such stalls are left, increments are saved up. While pondering the
    /// clock may be a guess: the search after it is compared as well.
    pub(super) fn begin(
        &mut self,
        clock: &ClockLimit,
        pondering: bool,
        params: &params::Time,
    ) -> ClockLimit {
        let next = if pondering { self.next } else { self.next.take() };
        if let Some(next) = next {
            self.meet(next.saturating_sub(clock.remaining), params);
        }
        let kept_back = self.expected.min(clock.remaining / 2);
        let wanted = (2 * self.expected).max(clock.remaining).as_secs_f64();
        let share = if wanted > 0.0 { clock.remaining.as_secs_f64() / wanted } else { 1.0 };
        ClockLimit {
            remaining: clock.remaining - kept_back,
            increment: clock.increment.min(MOST).mul_f64(share),
            ..*clock
        }
    }

    /// The search has ended: it took so long by its clock, and was not let on for `longest` at once.
    pub(super) fn end(
        &mut self,
        clock: &ClockLimit,
        taken: Duration,
        longest: Duration,
        params: &params::Time,
    ) {
        self.meet(longest, params);
        self.expected = self.expected * params.stall_keep as u32 / 100;
        self.next = clock.remaining.saturating_add(clock.increment).checked_sub(taken);
    }

    fn meet(&mut self, stall: Duration, params: &params::Time) {
        if params.stall_keep > 0 {
            self.expected = self.expected.max(stall.min(LONGEST));
        }
    }
}

#[cfg(test)]
mod tests {
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
        assert!(stalls.expected <= LONGEST);
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
}
