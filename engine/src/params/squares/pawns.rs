//! The papers' square tables for pawns, in 1/256 pawn, from White's side. a1 comes first, one rank
//! a line: each block stands on its head.

use crate::params::field::Squares;

/// Pawns side by side (PAW-01).
#[rustfmt::skip]
pub(in crate::params) const FORMATION_1: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     0,  0,  0,  0,  0,  0,  0,  0,
     4,  4,  4,  4,  4,  4,  4,  4,
    12, 16, 24, 24, 24, 24, 16, 12,
    20, 24, 32, 32, 32, 32, 24, 20,
    32, 36, 40, 40, 40, 40, 36, 32,
    40, 40, 40, 40, 40, 40, 40, 40,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// Pawns that protect one another (PAW-02, PAW-03).
#[rustfmt::skip]
pub(in crate::params) const FORMATION_2: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     0,  0,  0,  0,  0,  0,  0,  0,
     4,  4,  4,  4,  4,  4,  4,  4,
     8, 12, 16, 16, 16, 16, 12,  8,
    12, 16, 20, 20, 20, 20, 16, 12,
    16, 24, 32, 32, 32, 32, 24, 16,
    24, 32, 40, 40, 40, 40, 32, 24,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// Weak pawns (PAW-05).
#[rustfmt::skip]
pub(in crate::params) const WEAK_1: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     0,  4,  8, 16, 16,  8,  4,  0,
     0,  8, 12, 16, 16, 12,  8,  0,
     4, 12, 12,  8,  8, 12, 12,  4,
     8, 12, 12,  8,  8, 12, 12,  8,
     8,  8,  8,  8,  8,  8,  8,  8,
    12, 12, 12, 12, 12, 12, 12, 12,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// Weak pawns that an enemy rook can see down the file, on top of the other (PAW-06).
#[rustfmt::skip]
pub(in crate::params) const WEAK_2: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     8,  8, 16, 32, 32, 16,  8,  8,
     8,  8, 24, 32, 32, 24,  8,  8,
     8, 12, 24, 24, 24, 24, 12,  8,
     8, 12, 24, 24, 24, 24, 12,  8,
     8, 16, 32, 40, 40, 32, 16,  8,
     8, 12, 12, 12, 12, 12, 12,  8,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// Isolated pawns, middle game: the paper's example of a square table (EVA-02).
#[rustfmt::skip]
pub(in crate::params) const ISOLATED_MG: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     2,  4,  4, 10, 10,  4,  4,  2,
     4,  6,  8, 10, 10,  8,  6,  4,
     6,  8, 10, 16, 16, 10,  8,  6,
    10, 12, 16, 20, 20, 16, 12, 10,
    10, 12, 16, 20, 20, 16, 12, 10,
    10, 12, 16, 20, 20, 16, 12, 10,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// Isolated pawns, end game: not printed, half of the middle game (MISS-26).
#[rustfmt::skip]
pub(in crate::params) const ISOLATED_EG: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     1,  2,  2,  5,  5,  2,  2,  1,
     2,  3,  4,  5,  5,  4,  3,  2,
     3,  4,  5,  8,  8,  5,  4,  3,
     5,  6,  8, 10, 10,  8,  6,  5,
     5,  6,  8, 10, 10,  8,  6,  5,
     5,  6,  8, 10, 10,  8,  6,  5,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// How much attacks on a pawn of this square matter (PAW-11).
#[rustfmt::skip]
pub(in crate::params) const PRESSURE: Squares = Squares([
    0, 0, 0, 0, 0, 0, 0, 0,
    0, 1, 2, 2, 2, 2, 1, 0,
    0, 1, 2, 2, 2, 2, 1, 0,
    0, 0, 0, 2, 2, 0, 0, 0,
    0, 0, 0, 2, 2, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2,
    0, 0, 0, 0, 0, 0, 0, 0,
]);

/// Passed pawns, middle game (PAS-01).
#[rustfmt::skip]
pub(in crate::params) const PASSED_MG: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     7,  7,  7,  7,  7,  7,  7,  7,
     7,  7,  7,  7,  7,  7,  7,  7,
    14, 14, 14, 14, 14, 14, 14, 14,
    27, 27, 27, 27, 27, 27, 27, 27,
    39, 39, 39, 39, 39, 39, 39, 39,
    52, 52, 52, 52, 52, 52, 52, 52,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// Passed pawns, end game (PAS-01); g3 was printed as 12 among 14s (AMB-39).
#[rustfmt::skip]
pub(in crate::params) const PASSED_EG: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
    14, 14, 14, 14, 14, 14, 14, 14,
    14, 14, 14, 14, 14, 14, 14, 14,
    28, 28, 28, 28, 28, 28, 28, 28,
    54, 54, 54, 54, 54, 54, 54, 54,
    78, 78, 78, 78, 78, 78, 78, 78,
    99, 99, 99, 99, 99, 99, 99, 99,
     0,  0,  0,  0,  0,  0,  0,  0,
]);

/// Passed pawns, pawn ending (PAS-01); a3 was printed as 42, h2 and h3 as 0 (AMB-39).
#[rustfmt::skip]
pub(in crate::params) const PASSED_PAWN_ENDING: Squares = Squares([
      0,   0,   0,   0,   0,   0,   0,   0,
     26,  20,  14,  14,  14,  14,  20,  26,
     26,  20,  14,  14,  14,  14,  20,  26,
     42,  34,  28,  28,  28,  28,  34,  42,
     70,  60,  54,  54,  54,  54,  60,  70,
     96,  80,  78,  78,  78,  78,  80,  96,
    124, 110,  99,  99,  99,  99, 110, 124,
      0,   0,   0,   0,   0,   0,   0,   0,
]);

/// A passed pawn beside its king (PAS-05); pawns never stand on the outer ranks.
#[rustfmt::skip]
pub(in crate::params) const KING_SUPPORT: Squares = Squares([
     8,  8,  8,  8,  8,  8,  8,  8,
    16, 16, 16, 16, 16, 16, 16, 16,
    24, 24, 24, 24, 24, 24, 24, 24,
    32, 32, 32, 32, 32, 32, 32, 32,
    48, 48, 48, 48, 48, 48, 48, 48,
    64, 64, 64, 64, 64, 64, 64, 64,
    80, 80, 80, 80, 80, 80, 80, 80,
    99, 99, 99, 99, 99, 99, 99, 99,
]);

/// A passed pawn, for each step that the enemy king is away (PAS-06); h2 and h3 were printed as 0
/// (AMB-39).
#[rustfmt::skip]
pub(in crate::params) const KING_TROPISM: Squares = Squares([
     0,  0,  0,  0,  0,  0,  0,  0,
     2,  2,  2,  2,  2,  2,  2,  2,
     3,  3,  3,  3,  3,  3,  3,  3,
     5,  5,  5,  5,  5,  5,  5,  5,
    10, 10, 10, 10, 10, 10, 10, 10,
    15, 15, 15, 15, 15, 15, 15, 15,
    20, 20, 20, 20, 20, 20, 20, 20,
     0,  0,  0,  0,  0,  0,  0,  0,
]);
