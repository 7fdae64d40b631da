//! Numbers on the command line that have bounds.

use std::num::NonZeroU64;

/// Reads a whole number from 1 to `MOST`.
pub(super) fn at_most<const MOST: u64>(text: &str) -> Result<NonZeroU64, String> {
    let number = text.parse().ok().filter(|number: &NonZeroU64| number.get() <= MOST);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
}

/// Reads a number that is `good`, which `wanted` says in words.
pub(super) fn number(text: &str, good: impl Fn(f64) -> bool, wanted: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number| good(number)).ok_or_else(|| format!("expected {wanted}"))
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "a number above 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_the_bound_are_refused() {
        assert_eq!(at_most::<5>("5").map(NonZeroU64::get), Ok(5));
        for text in ["0", "6", "-1", "18446744073709551616", "1e3", ""] {
            assert!(at_most::<5>(text).unwrap_err().contains("from 1 to 5"), "{text}");
        }
    }
}
