//! The evaluation: bishops, knights, the centre, pins.

use super::pawns;
use crate::params::field::Squares;
use crate::params::squares::pieces as squares;

rows! {
    /// Bishops that look at their own pawns: factor << importance.
    bad_bishop: BadBishop {
        on: bool = true, 0..=1, 1, Switch, "a penalty for a bishop whose forward diagonal ends at an own pawn", "PCE-01";
        factor: [i32; 13] = [2, 8, 2, 2, 2, 2, 2, 8, 4, 4, 2, 2, 2], 0..=64, 1, Linear, "by what stands before that pawn: empty, own P N B R Q K, enemy P N B R Q K, 1/256 pawn", "PCE-01, AMB-40: the diagram's 13 cells";
        importance: Squares = squares::BAD_BISHOP, 0..=4, 1, NonLinear, "times the factor is doubled, by the pawn's square", "PCE-01, AMB-39: as printed, g2 as b2";
        everywhere: bool = true, 0..=1, 1, Switch, "pawns of importance 0 cost the bare factor; off: nothing", "AMB-41";
    }

    /// Bishops on squares of both colours.
    bishop_pair: BishopPair {
        on: bool = true, 0..=1, 1, Switch, "a bonus for the pair", "PCE-02, PCE-03, EVA-15";
        by_pawns: bool = false, 0..=1, 1, Switch, "count by the opponent's pawns; off: by its pieces", "PCE-03, AMB-56";
        pieces: [i32; 32] = [
            128, 128, 128, 128, 128, 128, 128, 128, 96, 96, 96, 96, 64, 64, 32, 32,
            32, 32, 32, 16, 16, 16, 16, 16, 8, 8, 8, 8, 8, 8, 8, 8,
        ], -256..=512, 8, Linear, "by the opponent's pieces (N 3, B 3, R 5, Q 9), 31 and more in the last cell, 1/256 pawn", "PCE-02: as printed";
        pawns: [i32; 9] = [128, 128, 128, 128, 96, 64, 32, 16, 8], -256..=512, 8, Linear, "by the opponent's pawns, 1/256 pawn", "PCE-03: as printed";
        no_minors: bool = true, 0..=1, 1, Switch, "a further bonus against no knight and no bishop", "PCE-04";
        no_minors_bonus: i32 = pawns(0, 25), -256..=512, 8, Linear, "that bonus, 1/256 pawn", "PCE-04: 64, 0.25";
    }

    /// A bishop that took the pawn on a7 or h7 and cannot come back.
    trapped_bishop: TrappedBishop {
        on: bool = true, 0..=1, 1, Switch, "a penalty for a bishop on a7 or h7 behind a pawn on b6 or g6", "PCE-12, PCE-18";
        penalty: i32 = pawns(1, 25), 0..=1024, 16, Linear, "that penalty, 1/256 pawn", "PCE-12: 1.25";
    }

    /// Bishop against knight.
    bishop_v_knight: BishopVersusKnight {
        on: bool = true, 0..=1, 1, Switch, "a bonus for the bishop against a knight, pawns of both sides on both wings and none in the centre", "PRO-14";
        bonus: i32 = pawns(0, 25), -256..=512, 8, Linear, "that bonus, 1/256 pawn", "PRO-14: 0.25";
    }

    /// Knights that no pawn can drive away.
    strong_square: StrongSquare {
        on: bool = true, 0..=1, 1, Switch, "a bonus for knights that no enemy pawn can ever attack", "PCE-05, AMB-43";
        least_pawns: i32 = 5, 0..=9, 1, NonLinear, "pawns the enemy must have", "PCE-05: 5 or more";
        table: Squares = squares::STRONG_SQUARE, -128..=256, 4, Linear, "by the knight's square, 1/256 pawn", "PCE-05: as printed";
        cover: bool = false, 0..=1, 1, Switch, "only with an own pawn's cover", "PRO-15: better without";
    }

    /// Knights before weak pawns.
    knight_blockade: KnightBlockade {
        on: bool = true, 0..=1, 1, Switch, "a bonus for a knight right before a weak enemy pawn", "PRO-18";
        bonus: i32 = 12, -64..=128, 2, Linear, "that bonus, 1/256 pawn", "PRO-18, MISS-25: a small bonus";
    }

    /// Pairs of knights.
    cooperative_knights: CooperativeKnights {
        on: bool = false, 0..=1, 1, Switch, "a bonus for knights side by side, a penalty for knights that protect each other", "PRO-20: no gain either way";
        beside: i32 = 12, -64..=128, 2, Linear, "bonus for two knights on neighbouring squares of a file or rank, 1/256 pawn", "PRO-20, MISS-25: no figure given";
        protecting: i32 = 12, -64..=128, 2, Linear, "penalty for two knights a knight's move apart, 1/256 pawn", "PRO-20, MISS-25: no figure given";
    }

    /// Control of the 24 squares b3 to g6.
    centre: Centre {
        on: bool = true, 0..=1, 1, Switch, "a bonus for each centre square under control", "PCE-06, AMB-45";
        least_pawns: i32 = 5, 0..=9, 1, NonLinear, "pawns each side must have", "PCE-07, AMB-44: text 4, code 5";
        table: Squares = squares::CENTRE, -128..=256, 4, Linear, "by the square, b3 to g6, 1/256 pawn", "PCE-06: as printed";
    }

    /// Bishops and rooks that look through exactly one man.
    pins: Pins {
        on: bool = true, 0..=1, 1, Switch, "a bonus for pins, discovered attacks and skewers", "PCE-08, PCE-09, PCE-10, PCE-11, AMB-51";
        pin: bool = true, 0..=1, 1, Switch, "pins count", "PCE-08, PCE-09";
        bishop: [i32; 3] = [20, 15, 20], -64..=256, 4, Linear, "a bishop, by the enemy man behind: rook, queen, king, 1/256 pawn", "PCE-08: BR 20, BQ 15, BK 20";
        rook: [i32; 3] = [0, 40, 40], -64..=256, 4, Linear, "a rook, by the enemy man behind: rook, queen, king, 1/256 pawn", "PCE-09: BQ 40, BK 40";
        discovered: bool = true, 0..=1, 1, Switch, "look through own men too: a discovered attack counts as a pin", "PCE-10, AMB-51";
        skewer: bool = true, 0..=1, 1, Switch, "both men in line dearer than the one that looks: the skewer's bonus instead of the pin's", "PCE-11, AMB-52";
        skewer_bonus: i32 = pawns(1, 0), -256..=1024, 16, Linear, "that bonus, 1/256 pawn", "PCE-11: a full pawn";
    }
}
