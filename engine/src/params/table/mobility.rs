//! The evaluation: the pieces' mobility.

use crate::params::field::Squares;

/// Steps for a square that a knight controls, from White's side, a1 first.
#[rustfmt::skip]
const KNIGHT: Squares = Squares([
    0, 0, 0, 0, 0, 0, 0, 0,
    0, 2, 2, 2, 2, 2, 2, 0,
    0, 2, 4, 4, 4, 4, 2, 0,
    0, 2, 4, 4, 4, 4, 2, 0,
    0, 2, 4, 4, 4, 4, 2, 0,
    0, 2, 4, 4, 4, 4, 2, 0,
    0, 2, 2, 2, 2, 2, 2, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
]);

/// Points by steps; the last entry stands for all beyond.
#[rustfmt::skip]
const TABLE: [i32; 170] = [
    0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
    20, 22, 26, 30, 34, 38, 44, 50, 56, 62,
    70, 78, 86, 94, 102, 110, 118, 126, 136, 144,
    152, 160, 168, 176, 184, 192, 200, 208, 216, 224,
    232, 240, 248, 256, 264, 272, 280, 288, 296, 304,
    312, 320, 328, 336, 344, 352, 360, 368, 376, 384,
    392, 400, 408, 416, 424, 432, 440, 448, 456, 464,
    472, 480, 488, 496, 504, 512, 520, 528, 536, 544,
    552, 560, 568, 576, 584, 592, 600, 608, 616, 624,
    632, 640, 648, 656, 664, 672, 680, 688, 696, 704,
    712, 720, 728, 736, 744, 752, 760, 768, 776, 784,
    792, 800, 808, 816, 824, 832, 840, 848, 856, 864,
    872, 880, 888, 896, 904, 912, 920, 928, 936, 944,
    952, 960, 968, 976, 984, 985, 986, 987, 988, 989,
    990, 991, 992, 993, 994, 995, 996, 997, 998, 999,
    999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
    999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
];

/// Penalty by the number of squares a knight can go to.
#[rustfmt::skip]
const KNIGHT_MINIMUM: [i32; 21] = [
    64, 25, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];

/// Penalty by the number of squares a bishop can go to.
#[rustfmt::skip]
const BISHOP_MINIMUM: [i32; 21] = [
    60, 60, 50, 40, 30, 20, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];

rows! {
    /// Progressive mobility: steps of all knights, bishops and rooks, a table turns them into points.
    mobility: Mobility {
        on: bool = true, 0..=1, 1, Switch, "mobility of knights, bishops and rooks", "MOB-01, MOB-07";
        knight: Squares = KNIGHT, -8..=16, 1, NonLinear, "steps for a square that a knight controls", "MOB-02, AMB-54: as printed";
        bishop: i32 = 1, -4..=8, 1, NonLinear, "steps for a square that a bishop controls", "MOB-03: 1";
        rook_file: i32 = 2, -4..=8, 1, NonLinear, "steps for a square that a rook controls on its file", "MOB-04: 2";
        rook_rank: i32 = 1, -4..=8, 1, NonLinear, "steps for a square that a rook controls on its rank", "MOB-04: 1";
        rook_xray: i32 = 1, -4..=8, 1, NonLinear, "steps for a square that a rook controls behind own pieces", "MOB-04: 1";
        xray: bool = true, 0..=1, 1, Switch, "bishops and rooks look through own pieces, not through own pawns", "MOB-03, MOB-04, PCE-17";
        half_open_file: bool = true, 0..=1, 1, Switch, "a rook without own pawns on its file: half their number and 1 more steps", "MOB-05, AMB-53";
        open_file: bool = true, 0..=1, 1, Switch, "a rook on a file without pawns: the number of own pawns and 1 more steps", "MOB-06, AMB-53";
        table: [i32; 170] = TABLE, -256..=2048, 4, NonLinear, "points by steps, 1/256 pawn; the last entry for all beyond", "MOB-07: as printed";
        split: bool = false, 0..=1, 1, Switch, "each side's steps looked up by themselves; off: their difference", "MOB-08, PRO-12";
        split_scale: i32 = 50, 0..=200, 5, NonLinear, "part of the table that counts when split, per cent", "MOB-08, MISS-21, AMB-83: lower values, none given";
    }

    /// Pieces with hardly a square to go to.
    minimum_mobility: MinimumMobility {
        knights: bool = true, 0..=1, 1, Switch, "penalise knights with too few squares", "MOB-09";
        knight: [i32; 21] = KNIGHT_MINIMUM, -256..=512, 4, Linear, "penalty by the number of safe squares, 1/256 pawn", "MOB-09, AMB-55: as printed";
        bishops: bool = true, 0..=1, 1, Switch, "penalise bishops with too few squares", "MOB-10";
        bishop: [i32; 21] = BISHOP_MINIMUM, -256..=512, 4, Linear, "penalty by the number of safe squares, 1/256 pawn", "MOB-10, AMB-55: as printed";
    }

    /// The queen's mobility, which the papers leave out.
    queen_mobility: QueenMobility {
        on: bool = false, 0..=1, 1, Switch, "mobility of queens", "MISS-20";
        square: i32 = 1, -16..=32, 1, Linear, "a safe square that queens control, 1/256 pawn", "MISS-20: 1";
    }
}
