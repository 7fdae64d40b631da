//! Evaluations and search scores.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use super::MAX_PLY;

/// An evaluation or search score in 1/256 pawn ("binary" in the papers).
///
/// Inside `eval/` White minus Black, everywhere else from the side to move. Mates lie beyond
/// ±[`Value::MATE_BOUND`]: `MATE − ply` is mate on that ply of the line. Below them, beyond
/// ±[`Value::TABLE_BOUND`], lie wins that an endgame tablebase knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Value(i32);

impl Value {
    /// A draw.
    pub const ZERO: Value = Value(0);
    /// One pawn.
    pub const PAWN: Value = Value(256);
    /// Mate on the board; fits 16 bits.
    pub const MATE: Value = Value(32_000);
    /// Beyond every value.
    pub const INFINITE: Value = Value(32_001);
    /// The least value that means mate.
    pub const MATE_BOUND: Value = Value(Value::MATE.0 - MAX_PLY as i32 - 1);

    /// The least value that means a win, a mate's or a tablebase's: evaluations lie below.
    pub const TABLE_BOUND: Value = Value(Value::MATE_BOUND.0 - 1 - MAX_PLY as i32);

    /// A value in 1/256 pawn.
    #[inline]
    #[must_use]
    pub const fn new(binary: i32) -> Value {
        Value(binary)
    }

    /// The value in 1/256 pawn.
    #[inline]
    #[must_use]
    pub const fn binary(self) -> i32 {
        self.0
    }

    /// The mover mates on ply `ply` of the line.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> Value {
        Value(Value::MATE.0 - ply as i32)
    }

    /// The side to move is mated on ply `ply` of the line.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> Value {
        Value(-Value::MATE.0 + ply as i32)
    }

    /// The side to move wins by a tablebase that was asked on ply `ply` of the line.
    #[inline]
    #[must_use]
    pub const fn table_win(ply: usize) -> Value {
        Value(Value::MATE_BOUND.0 - 1 - ply as i32)
    }

    /// Whether it announces a mate, for either side.
    #[inline]
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0 >= Value::MATE_BOUND.0 || self.0 <= -Value::MATE_BOUND.0
    }

    /// Whether the game is decided, for either side: a mate, or a win that a tablebase knows.
    #[inline]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0 >= Value::TABLE_BOUND.0 || self.0 <= -Value::TABLE_BOUND.0
    }

    /// Moves to mate (1 = mates with this move), negative when the side to move is mated; `None`
    /// for an ordinary value.
    #[must_use]
    pub fn mate(self) -> Option<i32> {
        let plies = Value::MATE.0 - self.0.abs();
        self.is_mate().then(|| if self.0 > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }

    /// Centipawns, 100 = 1 pawn, rounded towards zero.
    #[must_use]
    pub const fn cp(self) -> i32 {
        self.0 * 100 / Value::PAWN.0
    }

    /// An ordinary evaluation: kept clear of the mates and of what tablebases know.
    #[inline]
    #[must_use]
    pub fn clamp_evaluation(self) -> Value {
        Value(self.0.clamp(1 - Value::TABLE_BOUND.0, Value::TABLE_BOUND.0 - 1))
    }
}

/// Centipawns to 1/256 pawn, rounded to nearest: how the papers' margins enter the parameter table.
#[must_use]
pub const fn cp(centipawns: i32) -> i32 {
    let doubled = centipawns * 2 * Value::PAWN.0;
    (doubled + if doubled >= 0 { 100 } else { -100 }) / 200
}

impl Add for Value {
    type Output = Value;

    #[inline]
    fn add(self, other: Value) -> Value {
        Value(self.0 + other.0)
    }
}

impl AddAssign for Value {
    #[inline]
    fn add_assign(&mut self, other: Value) {
        self.0 += other.0;
    }
}

impl Sub for Value {
    type Output = Value;

    #[inline]
    fn sub(self, other: Value) -> Value {
        Value(self.0 - other.0)
    }
}

impl SubAssign for Value {
    #[inline]
    fn sub_assign(&mut self, other: Value) {
        self.0 -= other.0;
    }
}

impl Mul<i32> for Value {
    type Output = Value;

    #[inline]
    fn mul(self, factor: i32) -> Value {
        Value(self.0 * factor)
    }
}

impl Div<i32> for Value {
    type Output = Value;

    #[inline]
    fn div(self, divisor: i32) -> Value {
        Value(self.0 / divisor)
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// UCI's form: `cp 35` or `mate -3`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.cp()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves() {
        assert_eq!(Value::mate_in(1).mate(), Some(1));
        assert_eq!(Value::mate_in(3).mate(), Some(2));
        assert_eq!(Value::mated_in(0).mate(), Some(0));
        assert_eq!(Value::mated_in(2).mate(), Some(-1));
        assert_eq!(Value::PAWN.mate(), None);
        assert!(!(Value::MATE_BOUND - Value::new(1)).is_mate());
        assert_eq!(Value::mate_in(MAX_PLY).mate(), Some(64));
    }

    #[test]
    fn wins_of_tables_lie_between_evaluations_and_mates() {
        let evaluation = Value::MATE.clamp_evaluation();
        for ply in [0, 1, MAX_PLY] {
            let win = Value::table_win(ply);
            assert!(evaluation < win && win < Value::mate_in(MAX_PLY), "{ply}");
            assert!(win.is_decided() && (-win).is_decided() && !win.is_mate());
        }
        assert!(Value::table_win(1) < Value::table_win(0) && Value::mate_in(1).is_decided());
        assert!(!evaluation.is_decided() && !(-evaluation).is_decided());
    }

    #[test]
    fn centipawns() {
        assert_eq!(cp(100), 256);
        assert_eq!(cp(50), 128);
        assert_eq!(cp(-25), -64);
        assert_eq!(cp(10), 26);
        assert_eq!(Value::new(cp(900)).cp(), 900);
    }
}
