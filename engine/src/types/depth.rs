//! Depth in quarter plies.

use std::ops::{Add, Sub};

/// Remaining depth in quarter plies: 4 is one ply, 6 a ply and a half (EXT-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Depth(i32);

impl Depth {
    /// The horizon.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const PLY: Depth = Depth(4);

    /// Whole plies.
    #[must_use]
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * Depth::PLY.0)
    }

    /// Quarter plies.
    #[must_use]
    pub const fn quarters(quarters: i32) -> Depth {
        Depth(quarters)
    }

    /// The number of quarter plies.
    #[must_use]
    pub const fn to_quarters(self) -> i32 {
        self.0
    }

    /// The number of whole plies, rounded down.
    #[must_use]
    pub const fn to_plies(self) -> i32 {
        self.0.div_euclid(Depth::PLY.0)
    }
}

impl Add for Depth {
    type Output = Depth;

    #[inline]
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;

    #[inline]
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}
