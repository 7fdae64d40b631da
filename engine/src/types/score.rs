//! A pair of values, middle game and end game, added in one step.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Middle-game and end-game value packed in one integer, each in 1/256 pawn.
///
/// The middle game sits in the upper half; the borrow that a negative lower half takes from it is
/// given back on reading. Halves of 32 bits leave room for boards full of queens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score(i64);

impl Score {
    /// Nothing in either phase.
    pub const ZERO: Score = Score(0);

    /// A pair.
    #[inline]
    #[must_use]
    pub const fn new(mg: i32, eg: i32) -> Score {
        Score(((mg as i64) << 32) + eg as i64)
    }

    /// The same value in both phases.
    #[inline]
    #[must_use]
    pub const fn both(value: i32) -> Score {
        Score::new(value, value)
    }

    /// The middle-game half.
    #[inline]
    #[must_use]
    pub const fn mg(self) -> i32 {
        ((self.0 + 0x8000_0000) >> 32) as i32
    }

    /// The end-game half.
    #[inline]
    #[must_use]
    pub const fn eg(self) -> i32 {
        self.0 as i32
    }
}

impl Add for Score {
    type Output = Score;

    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        self.0 += other.0;
    }
}

impl Sub for Score {
    type Output = Score;

    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Score) {
        self.0 -= other.0;
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    #[inline]
    fn mul(self, factor: i32) -> Score {
        Score(self.0 * i64::from(factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_leak() {
        for mg in [-70_000, -257, -1, 0, 1, 255, 70_000] {
            for eg in [-70_000, -256, -1, 0, 1, 300, 70_000] {
                let score = Score::new(mg, eg);
                assert_eq!((score.mg(), score.eg()), (mg, eg));
                assert_eq!(((-score).mg(), (-score).eg()), (-mg, -eg));
                let zero = score + Score::new(-mg, -eg);
                assert_eq!(zero, Score::ZERO);
            }
        }
    }
}
