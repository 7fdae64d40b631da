//! REBEL's root windows (ASP-01..04). Pure: scores in, windows out.

use crate::params;
use crate::types::Value;

/// How far a bound has been opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    Narrow,
    Reopened,
    Open,
}

/// The window of one iteration at the root.
#[derive(Debug, Clone)]
pub(super) struct Window<'a> {
    params: &'a params::Aspiration,
    /// The last iteration's score, when there is one to go by.
    previous: Option<Value>,
    low: Opening,
    high: Opening,
    /// Lower bound; the search raises it as moves improve.
    pub(super) alpha: Value,
    /// Upper bound.
    pub(super) beta: Value,
}

impl<'a> Window<'a> {
    /// The first window: half a pawn around the last score (ASP-01), or everything.
    pub(super) fn new(params: &'a params::Aspiration, previous: Option<Value>) -> Window<'a> {
        let previous = previous.filter(|score| params.on && !score.is_mate());
        let mut window = Window {
            params,
            previous,
            low: Opening::Open,
            high: Opening::Open,
            alpha: -Value::INFINITE,
            beta: Value::INFINITE,
        };
        if let Some(score) = previous {
            let half = Value::new(params.half_window);
            (window.alpha, window.beta) = (score - half, score + half);
            (window.low, window.high) = (Opening::Narrow, Opening::Narrow);
        }
        window
    }

    /// After a score at or below alpha: reopens to 2.00 below, then completely (ASP-02). False when
    /// it was open already.
    pub(super) fn open_low(&mut self) -> bool {
        (self.low, self.alpha) = match (self.low, self.previous) {
            (Opening::Open, _) => return false,
            (Opening::Narrow, Some(score)) => {
                (Opening::Reopened, (score - Value::new(self.params.reopen)).min(self.alpha))
            }
            _ => (Opening::Open, -Value::INFINITE),
        };
        true
    }

    /// After a score at or above beta: the same upwards.
    pub(super) fn open_high(&mut self) -> bool {
        (self.high, self.beta) = match (self.high, self.previous) {
            (Opening::Open, _) => return false,
            (Opening::Narrow, Some(score)) => {
                (Opening::Reopened, (score + Value::new(self.params.reopen)).max(self.beta))
            }
            _ => (Opening::Open, Value::INFINITE),
        };
        true
    }

    /// A new main variation with a score inside the window: alpha is that score, and beta comes
    /// down after a rise or small decline (ASP-03) or a big one (ASP-04), if it has not failed.
    pub(super) fn new_best(&mut self, score: Value) {
        self.alpha = score;
        let Some(previous) = self.previous else { return };
        if !self.params.narrow || self.high != Opening::Narrow {
            return;
        }
        let beta = if previous - score < Value::new(self.params.small_decline) {
            score + Value::new(self.params.narrow_small)
        } else {
            previous + Value::new(self.params.narrow_big)
        };
        self.beta = self.beta.min(beta);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
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
        assert!(window.open_low());
        assert_eq!(bounds(&window), (cp(20) - 512, cp(20) + 128));
        assert!(window.open_low() && !window.open_low());
        assert_eq!(window.alpha, -Value::INFINITE);
        assert!(window.open_high());
        assert_eq!(window.beta.binary(), cp(20) + 512);
        assert!(window.open_high() && !window.open_high());
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
        window.open_high();
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
