//! The evaluation: rooks.

use super::pawns;
use crate::params::field::Squares;
use crate::params::squares::pieces as squares;

rows! {
    /// Rooks that protect each other, middle game.
    rook_connection: RookConnection {
        on: bool = true, 0..=1, 1, Switch, "a bonus for each rook that another rook protects, middle game", "PCE-13";
        table: Squares = squares::ROOK_CONNECTION, -128..=256, 4, Linear, "by the rook's square, 1/256 pawn", "PCE-13: as printed";
    }

    /// Doubled rooks on a file without pawns.
    doubled_rooks: DoubledRooks {
        on: bool = true, 0..=1, 1, Switch, "a bonus for rooks doubled on an open file, if file and pawns come to more than 0", "PCE-14";
        file: [i32; 8] = [-12, -10, -4, 0, 0, -4, -10, -12], -64..=64, 2, NonLinear, "by the file, a to h, 1/256 pawn", "PCE-14, AMB-49: as printed";
        pawns: [i32; 9] = [0, 0, 0, 0, 0, 8, 16, 32, 32], -64..=128, 4, NonLinear, "by the enemy's pawns, 1/256 pawn", "PCE-14: as printed";
    }

    /// Rooks on the 7th rank, end game.
    rook_seventh: RookOnSeventh {
        on: bool = true, 0..=1, 1, Switch, "a bonus for each rook on the 7th while the enemy king is on the 8th, end game", "PCE-15";
        pawns: bool = false, 0..=1, 1, Switch, "also while enemy pawns stand on the 7th", "EVA-16: a wish";
        bonus: i32 = 50, -64..=256, 4, Linear, "that bonus, 1/256 pawn", "PCE-15: 50";
        caught: i32 = 50, -64..=256, 4, Linear, "on top when rooks control all squares before the king, 1/256 pawn", "PCE-15: the bonus is doubled";
    }

    /// Rooks on the 8th rank that pin along it.
    rook_pin_eighth: RookPinEighth {
        on: bool = true, 0..=1, 1, Switch, "a bonus for rooks that pin along the 8th rank", "PRO-11: untested";
        lasting: i32 = pawns(0, 50), -64..=512, 8, Linear, "two men tied to the king, or one and the king cannot step off the rank, 1/256 pawn", "PRO-11, MISS-24: 0.50";
        king: i32 = pawns(0, 25), -64..=512, 8, Linear, "one man pinned to the king, 1/256 pawn", "PRO-11, MISS-24: 0.25";
        piece: i32 = pawns(0, 12), -64..=512, 8, Linear, "a man pinned to a rook or queen, 1/256 pawn", "PRO-11, MISS-24: 0.12";
    }

    /// Rooks behind their own blocked pawns.
    rook_ram: RookBehindRam {
        on: bool = true, 0..=1, 1, Switch, "a penalty for a rook behind an own pawn that an enemy pawn blocks", "PRO-16";
        penalty: i32 = 12, -64..=128, 2, Linear, "that penalty, 1/256 pawn", "PRO-16, MISS-25: a small penalty";
    }

    /// Rooks that attack pawns from behind.
    rook_behind_pawn: RookBehindPawn {
        on: bool = true, 0..=1, 1, Switch, "a bonus for a rook that attacks an enemy pawn from behind", "PRO-17";
        middlegame: i32 = 8, -64..=128, 2, Linear, "that bonus in the middle game, 1/256 pawn", "PRO-17, MISS-25: no figure given";
        endgame: i32 = 16, -64..=128, 2, Linear, "that bonus in the end game, 1/256 pawn", "PRO-17, MISS-25: especially in endings";
    }
}
