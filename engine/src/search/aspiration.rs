//! REBEL's root windows (ASP-01..04, ROT-09), and the usual ones for comparison. Pure: scores in,
//! windows out.

use super::statistics::{SearchEvent, Statistics};
use crate::params;
use crate::types::Value;

/// How far a bound has been opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    Narrow,
    Reopened,
    Open,
}

/// One bound's history in this iteration.
#[derive(Debug, Clone, Copy)]
struct Side {
    opening: Opening,
    /// How far from the last score it lies, 1/256 pawn.
    distance: i32,
}

impl Side {
    /// After a fail: the new distance from `centre`, or `None` when the side is opened altogether.
    fn widen(&mut self, params: &params::Aspiration, centre: Value) -> Option<Value> {
        let stays = if params.gradual {
            let grown = self.distance * params.growth / 100;
            self.distance = grown.max(self.distance + 1);
            self.distance <= params.widest && !centre.is_decided()
        } else {
            self.distance = params.reopen;
            self.opening == Opening::Narrow
        };
        self.opening = if stays { Opening::Reopened } else { Opening::Open };
        stays.then(|| Value::new(self.distance))
    }
}

/// The window of one iteration at the root.
#[derive(Debug, Clone)]
pub(super) struct Window<'a> {
    params: &'a params::Aspiration,
    /// The last iteration's score, when there is one to go by.
    previous: Option<Value>,
    low: Side,
    high: Side,
    /// Lower bound; the search raises it as moves improve.
    pub(super) alpha: Value,
    /// Upper bound.
    pub(super) beta: Value,
}

impl<'a> Window<'a> {
    /// The first window: half a pawn around the last score (ASP-01; Mediocre 10 centipawns:
    /// ASP-05), or everything.
    pub(super) fn new(params: &'a params::Aspiration, previous: Option<Value>) -> Window<'a> {
        let previous = previous.filter(|score| params.on && !score.is_decided());
        let opening = if previous.is_some() { Opening::Narrow } else { Opening::Open };
        let side = Side { opening, distance: params.half_window };
        let half = Value::new(params.half_window);
        let (alpha, beta) = previous
            .map_or((-Value::INFINITE, Value::INFINITE), |score| (score - half, score + half));
        Window { params, previous, low: side, high: side, alpha, beta }
    }

    /// After `score` at or below alpha: reopens to 2.00 below, then completely (ASP-02), or step by
    /// step. False when it was open already.
    pub(super) fn open_low(&mut self, score: Value) -> bool {
        let Some(previous) = self.previous else { return false };
        if self.low.opening == Opening::Open {
            return false;
        }
        let centre = if self.params.gradual { previous.min(score) } else { previous };
        let distance = self.low.widen(self.params, centre);
        let bound = distance.map_or(-Value::INFINITE, |distance| centre - distance);
        self.alpha = bound.min(self.alpha);
        true
    }

    /// After `score` at or above beta: the same upwards.
    pub(super) fn open_high(&mut self, score: Value) -> bool {
        let Some(previous) = self.previous else { return false };
        if self.high.opening == Opening::Open {
            return false;
        }
        let centre = if self.params.gradual { previous.max(score) } else { previous };
        let distance = self.high.widen(self.params, centre);
        let bound = distance.map_or(Value::INFINITE, |distance| centre + distance);
        self.beta = bound.max(self.beta);
        true
    }

    /// A new main variation with a score inside the window: alpha is that score, and beta comes
    /// down after a rise or small decline (ASP-03) or a big one (ASP-04), if it has not failed.
    pub(super) fn new_best(&mut self, score: Value) {
        self.alpha = score;
        let Some(previous) = self.previous else { return };
        if !self.params.narrow || self.high.opening != Opening::Narrow {
            return;
        }
        let beta = if previous - score < Value::new(self.params.small_decline) {
            score + Value::new(self.params.narrow_small)
        } else {
            previous + Value::new(self.params.narrow_big)
        };
        self.beta = self.beta.min(beta);
    }

    /// Counts the sides that failed, and those for which the reopened window was enough (CLM-07).
    pub(super) fn count(&self, stats: &mut impl Statistics) {
        if self.previous.is_none() {
            return;
        }
        for side in [self.low, self.high] {
            if side.opening != Opening::Narrow {
                stats.count(SearchEvent::RootFail);
            }
            if side.opening == Opening::Reopened {
                stats.count(SearchEvent::RootReopened);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::search::SearchStatistics;
    use crate::types::cp;

    fn window(params: &Params, previous: i32) -> Window<'_> {
        Window::new(&params.aspiration, Some(Value::new(cp(previous))))
    }

    fn bounds(window: &Window<'_>) -> (i32, i32) {
        (window.alpha.binary(), window.beta.binary())
    }

    #[test]
    fn half_a_pawn_then_two_then_open() {
        let params = Params::default();
        let mut window = window(&params, 20);
        assert_eq!(bounds(&window), (cp(20) - 128, cp(20) + 128));
        let (low, high) = (Value::new(cp(-700)), Value::new(cp(700)));
        assert!(window.open_low(low));
        assert_eq!(bounds(&window), (cp(20) - 512, cp(20) + 128));
        assert!(window.open_low(low) && !window.open_low(low));
        assert_eq!(window.alpha, -Value::INFINITE);
        assert!(window.open_high(high));
        assert_eq!(window.beta.binary(), cp(20) + 512);
        assert!(window.open_high(high) && !window.open_high(high));
    }

    /// ASP-05: another half window moves only the first bounds.
    #[test]
    fn mediocres_ten_centipawns() {
        let mut params = Params::default();
        params.set("aspiration.half_window", "26").expect("a number");
        let mut window = window(&params, 0);
        assert_eq!(bounds(&window), (-cp(10), cp(10)));
        window.open_high(Value::new(40));
        assert_eq!(bounds(&window), (-cp(10), 512));
    }

    #[test]
    fn gradual_windows_grow_from_the_score_that_failed() {
        let mut params = Params::default();
        params.aspiration.gradual = true;
        (params.aspiration.half_window, params.aspiration.growth) = (100, 200);
        params.aspiration.widest = 400;
        let mut window = window(&params, 0);
        for (score, alpha) in [(-100, -300), (-350, -750), (-760, -Value::INFINITE.binary())] {
            assert!(window.open_low(Value::new(score)));
            assert_eq!(bounds(&window), (alpha, 100));
        }
        assert!(!window.open_low(Value::new(-900)));
        // A mate is behind every bound that is not open.
        assert!(window.open_high(Value::mate_in(5)));
        assert_eq!(window.beta, Value::INFINITE);
    }

    /// However small the steps, a window opens after so many fails.
    #[test]
    fn the_smallest_growth_comes_to_an_end() {
        let mut params = Params::default();
        params.aspiration.gradual = true;
        (params.aspiration.half_window, params.aspiration.growth) = (1, 110);
        let mut window = window(&params, 0);
        let mut fails = 0;
        while window.open_low(window.alpha) {
            fails += 1;
            assert!(fails < 200);
        }
        assert_eq!(window.alpha, -Value::INFINITE);
    }

    /// CLM-07: of the fails, those that 2.00 was enough for.
    #[test]
    fn fails_are_counted() {
        let params = Params::default();
        let mut statistics = SearchStatistics::default();
        let mut counts = |fails_low, fails_high| {
            let mut window = window(&params, 0);
            (0..fails_low).for_each(|_| _ = window.open_low(Value::new(-9_000)));
            (0..fails_high).for_each(|_| _ = window.open_high(Value::new(9_000)));
            window.count(&mut statistics);
            [SearchEvent::RootFail, SearchEvent::RootReopened].map(|event| statistics.of(event))
        };
        assert_eq!(counts(0, 0), [0, 0]);
        assert_eq!(counts(1, 0), [1, 1]);
        assert_eq!(counts(2, 0), [2, 1]);
        assert_eq!(counts(1, 1), [4, 3]);
        Window::new(&params.aspiration, None).count(&mut statistics);
        assert_eq!(statistics.of(SearchEvent::RootFail), 4, "an open window cannot fail");
    }

    #[test]
    fn the_papers_examples() {
        // ASP-03: 0.20 → 0.15 gives 0.15..0.25.
        let params = Params::default();
        let mut small = window(&params, 20);
        small.new_best(Value::new(cp(15)));
        assert_eq!(bounds(&small), (cp(15), cp(15) + cp(10)));
        // ASP-04: a decline of 0.20 and more leaves beta at the last score + 0.25 (0.45).
        let mut big = window(&params, 20);
        big.new_best(Value::new(cp(-5)));
        assert_eq!(bounds(&big), (cp(-5), cp(20) + cp(25)));
    }

    #[test]
    fn beta_that_failed_is_not_narrowed() {
        let params = Params::default();
        let mut window = window(&params, 0);
        window.open_high(Value::new(150));
        window.new_best(Value::new(200));
        assert_eq!(bounds(&window), (200, 512));
    }

    #[test]
    fn mates_and_first_iterations_search_everything() {
        let params = Params::default();
        for previous in [None, Some(Value::mate_in(5)), Some(Value::mated_in(4))] {
            let window = Window::new(&params.aspiration, previous);
            assert_eq!((window.alpha, window.beta), (-Value::INFINITE, Value::INFINITE));
        }
    }
}
