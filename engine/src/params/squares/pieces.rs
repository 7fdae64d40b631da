//! The square tables of the piece terms, as the paper prints them. a1 comes first: the first line
//! of each is White's first rank.

use crate::params::field::Squares;

/// Importance of a pawn that stands before its own bishop; g2 read as b2 (AMB-39).
#[rustfmt::skip]
pub(in crate::params) const BAD_BISHOP: Squares = Squares([
    0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 2, 2, 2, 2, 0, 0,
    0, 1, 2, 2, 2, 2, 1, 0,
    0, 0, 1, 2, 2, 1, 0, 0,
    0, 0, 0, 1, 1, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
]);

/// A knight that no pawn can drive away.
#[rustfmt::skip]
pub(in crate::params) const STRONG_SQUARE: Squares = Squares([
    0,  0,  0,  0,  0,  0,  0, 0,
    0,  0,  0,  0,  0,  0,  0, 0,
    0,  0,  0,  0,  0,  0,  0, 0,
    0, 10, 16, 20, 20, 16, 10, 0,
    0, 16, 24, 30, 30, 24, 16, 0,
    0, 20, 32, 40, 40, 32, 20, 0,
    0,  0,  0,  0,  0,  0,  0, 0,
    0,  0,  0,  0,  0,  0,  0, 0,
]);

/// White's table of centre control; Black's is its mirror.
#[rustfmt::skip]
pub(in crate::params) const CENTRE: Squares = Squares([
    0, 0,  0,  0,  0,  0, 0, 0,
    0, 0,  0,  0,  0,  0, 0, 0,
    0, 0,  0,  0,  0,  0, 0, 0,
    0, 0,  8, 12, 12,  8, 0, 0,
    0, 8, 12, 16, 16, 12, 8, 0,
    0, 8, 12, 16, 16, 12, 8, 0,
    0, 0,  0,  0,  0,  0, 0, 0,
    0, 0,  0,  0,  0,  0, 0, 0,
]);

/// A rook that another rook protects.
#[rustfmt::skip]
pub(in crate::params) const ROOK_CONNECTION: Squares = Squares([
     0,  0,  4,  6,  6,  4,  0,  0,
     0,  0,  4,  6,  6,  4,  0,  0,
     0,  0,  4,  6,  6,  4,  0,  0,
     0,  0,  4,  6,  6,  4,  0,  0,
     0,  0,  4,  6,  6,  4,  0,  0,
     8,  8, 12, 20, 20, 12,  8,  8,
    50, 50, 50, 50, 50, 50, 50, 50,
    30, 30, 30, 30, 30, 30, 30, 30,
]);
