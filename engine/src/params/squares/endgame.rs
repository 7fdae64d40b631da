//! The endgame's tables. Square tables have a1 first: each printed block stands on its
//! head, White's first rank on top.

use crate::params::field::Squares;
use crate::types::cp;

/// The paper's adjustments in 1/100 pawn, White's type by rows and Black's by columns, with the
/// cells that break the mirror set right (AMB-59): three pawns against knight and bishop, rook and
/// pawn against bishop, and the queen's row.
#[rustfmt::skip]
const ADJUST_HUNDREDTHS: [i32; 256] = [
//    K     P    PP   PPP     N    NN     B    BN    BB     R    Rm    NP   BPw    BP    RP     Q
      0,    0,    0,    0,    0,    0,    0,    0, -100, -100,    0, -100, -100, -100, -100, -100, // K
      0,    0,    0,    0,  200,  400,  200,    0,    0,    0,    0,    0,    0,    0,    0,    0, // P
      0,    0,    0,    0,  200,  400,  200,    0,    0,   50,    0,    0,    0,    0,    0,    0, // PP
      0,    0,    0,    0,  150,  300,  100,  100,  100,   50,    0,   50,   50,   50,   50,    0, // PPP
      0, -200, -200, -150,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,  -50,    0, // N
      0, -400, -400, -300,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,  100, // NN
      0, -200, -200, -100,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,  -50,    0, // B
      0,    0,    0, -100,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,  100, // BN
    100,    0,    0, -100,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,  150, // BB
    100,    0,  -50,  -50,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, // R
      0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, // R + N or B
    100,    0,    0,  -50,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, // NP
    100,    0,    0,  -50,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, // BP, wrong
    100,    0,    0,  -50,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0, // BP
    100,    0,    0,  -50,   50,    0,   50,    0,    0,    0,    0,    0,    0,    0,    0,    0, // RP
    100,    0,    0,    0,    0, -100,    0, -100, -150,    0,    0,    0,    0,    0,    0,    0, // Q
];

/// The same in 1/256 pawn.
pub(in crate::params) const ADJUST: [i32; 256] = {
    let mut adjust = [0; 256];
    let mut cell = 0;
    while cell < adjust.len() {
        adjust[cell] = cp(ADJUST_HUNDREDTHS[cell]);
        cell += 1;
    }
    adjust
};

/// King to the centre: not printed in the paper, eight points a ring (MISS-11).
#[rustfmt::skip]
pub(in crate::params) const KING_CENTRE: Squares = Squares([
    0,  0,  0,  0,  0,  0,  0,  0,
    0,  8,  8,  8,  8,  8,  8,  0,
    0,  8, 16, 16, 16, 16,  8,  0,
    0,  8, 16, 24, 24, 16,  8,  0,
    0,  8, 16, 24, 24, 16,  8,  0,
    0,  8, 16, 16, 16, 16,  8,  0,
    0,  8,  8,  8,  8,  8,  8,  0,
    0,  0,  0,  0,  0,  0,  0,  0,
]);

/// The paper's TABLE1: the lone king against a bishop on dark squares.
#[rustfmt::skip]
pub(in crate::params) const KBNK_DARK: Squares = Squares([
      0,  40,  70, 100, 120, 140, 150, 150,
     40,  70, 100, 130, 210, 190, 160, 150,
     70, 100, 130, 160, 230, 210, 190, 140,
    100, 130, 170, 200, 250, 230, 210, 120,
    120, 210, 230, 250, 200, 170, 130, 100,
    140, 190, 210, 230, 160, 130, 100,  70,
    150, 160, 190, 210, 130, 100,  70,  40,
    150, 150, 140, 120, 100,  70,  40,   0,
]);

/// The paper's TABLE2: the lone king against a bishop on light squares.
#[rustfmt::skip]
pub(in crate::params) const KBNK_LIGHT: Squares = Squares([
    150, 150, 140, 120, 100,  70,  40,   0,
    150, 160, 190, 210, 130, 100,  70,  40,
    140, 190, 210, 230, 160, 130, 100,  70,
    120, 210, 230, 250, 200, 170, 130, 100,
    100, 130, 170, 200, 250, 230, 210, 120,
     70, 100, 130, 160, 230, 210, 190, 140,
     40,  70, 100, 130, 210, 190, 160, 150,
      0,  40,  70, 100, 120, 140, 150, 150,
]);
