//! Move ordering.

use crate::params::field::Squares;
use crate::params::squares;

rows! {
    /// Move ordering, in points of the paper's signed byte.
    order: Order {
        hash_move:        i32 = 127, 101..=127, 1, Order, "the hash move", "ORD-01: 127";
        winning_capture:  i32 = 122, 101..=127, 1, Order, "winning captures; the gain adds up to two points", "ORD-03, AMB-34: 122 to 124";
        capture_promotion: i32 = 121, 70..=127, 1, Order, "queen promotion with capture", "ORD-05, GEN-04: 121";
        promotion:        i32 = 120, 70..=127, 1, Order, "queen promotion", "ORD-06, GEN-04: 120";
        equal_captures:   [i32; 7] = [119, 118, 117, 116, 115, 116, 114], 70..=127, 1, Order, "QxQ RxR NxB BxB BxN NxN PxP", "ORD-07, AMB-33: 119 118 117 116 115 116 114";
        castle_king_side: i32 = 103, 0..=127, 1, Order, "O-O", "ORD-13: 103";
        castle_queen_side: i32 = 102, 0..=127, 1, Order, "O-O-O", "ORD-13: 102";
        minor_promotion:  i32 = 101, -128..=127, 1, Order, "promotion to rook, bishop or knight", "ORD-13: 101";
        losing_capture:   i32 = -90, -128..=100, 2, Order, "captures that lose material by SEE", "ORD-22: last";
        see:              bool = true, 0..=1, 1, Switch, "order captures by SEE; off: most valuable victim, least valuable attacker", "ORD-03, ORD-24, ORD-25";
        pst:              bool = true, 0..=1, 1, Switch, "order quiet moves by the ordering tables", "GEN-03";
        history:          bool = true, 0..=1, 1, Switch, "order quiet moves by history", "ORD-23";
        history_weight:   i32 = 64, 0..=100, 4, Order, "points of a full history score", "ORD-23";
        pawn:   Squares = squares::ORDER_PAWN,   -64..=63, 1, Order, "pawn's ordering table, points",   "GEN-03, MISS-08";
        knight: Squares = squares::ORDER_KNIGHT, -64..=63, 1, Order, "knight's ordering table, points", "GEN-03: as printed";
        bishop: Squares = squares::ORDER_BISHOP, -64..=63, 1, Order, "bishop's ordering table, points", "GEN-03, MISS-08";
        rook:   Squares = squares::ORDER_ROOK,   -64..=63, 1, Order, "rook's ordering table, points",   "GEN-03, MISS-08";
        queen:  Squares = squares::ORDER_QUEEN,  -64..=63, 1, Order, "queen's ordering table, points",  "GEN-03, MISS-08";
        king:   Squares = squares::ORDER_KING,   -64..=63, 1, Order, "king's ordering table, points",   "GEN-03, MISS-08";
    }

    /// Killer moves.
    killers: Killers {
        on:           bool = true, 0..=1, 1, Switch, "remember quiet moves that cut", "ORD-08, ORD-09";
        first:        i32 = 110, -128..=127, 1, Order, "killer 1 of this ply", "ORD-08: 110";
        first_older:  i32 = 108, -128..=127, 1, Order, "killer 1 two plies up", "ORD-08: 108";
        second:       i32 = 106, -128..=127, 1, Order, "killer 2 of this ply", "ORD-08: 106";
        second_older: i32 = 104, -128..=127, 1, Order, "killer 2 two plies up", "ORD-08: 104";
    }
}
