//! What a flag or a key takes for a number.

use super::limits::movetime;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// From 1.
    Count,
    /// From 0.
    Whole,
    Integer,
    Real,
    /// From 0; fastchess takes a unit behind them.
    Seconds,
}

impl Number {
    /// What is expected, if the text is no such number.
    pub(super) fn refused(self, text: &str) -> Option<&'static str> {
        let real = |text: &str| text.parse().is_ok_and(f64::is_finite);
        let (is_one, expected) = match self {
            Number::Count => (text.parse().is_ok_and(|it: u64| it > 0), "a whole number from 1"),
            Number::Whole => (text.parse::<u64>().is_ok(), "a whole number from 0"),
            Number::Integer => (text.parse::<i64>().is_ok(), "a whole number"),
            Number::Real => (real(text), "a number"),
            Number::Seconds => (
                movetime(text).is_some() || text.parse::<f64>().is_ok_and(|it| it == 0.0),
                "seconds, like 0.5",
            ),
        };
        (!is_one).then_some(expected)
    }

    /// Of the keys of flags that take numbers.
    pub(super) fn of_key(key: &str) -> Option<Number> {
        match key {
            "movenumber" | "movecount" | "score" | "number" | "count" | "srand" => {
                Some(Number::Whole)
            }
            "start" => Some(Number::Count),
            "plies" => Some(Number::Integer),
            "elo0" | "elo1" | "alpha" | "beta" => Some(Number::Real),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number() {
        for (number, right, wrong) in [
            (Number::Count, &["1", "50000"][..], &["0", "-1", "x", "1.5", ""][..]),
            (Number::Whole, &["0", "7"], &["-1", "x", "7 ", ""]),
            (Number::Integer, &["0", "-2"], &["x", "1.5", ""]),
            (Number::Real, &["-0.5", "1e3"], &["nan", "inf", "0,5", ""]),
            (Number::Seconds, &["0.5", "1s", "0"], &["-1", "x", "0,5", "inf", ""]),
        ] {
            for text in right {
                assert_eq!(number.refused(text), None, "{number:?} {text}");
            }
            for text in wrong {
                assert!(number.refused(text).is_some(), "{number:?} {text}");
            }
        }
    }
}
