//! The rows. Each number stands here once, with range, step, meaning and source.
//!
//! Units: values and margins are in 1/256 pawn (the papers' "binary"); `pawns` and `cp` convert the
//! papers' decimal pawns and centipawns here, and the source column repeats their figure.

use super::field::{Field, Kind, Squares};
use super::{ParamSpec, squares};
use crate::types::cp;

/// Decimal hundredths of a pawn, as the papers write margins: `pawns(0, 50)` is 0.50.
const fn pawns(whole: i32, hundredths: i32) -> i32 {
    cp(whole * 100 + hundredths)
}

macro_rules! params {
    ($(
        $(#[doc = $group_doc:literal])+
        $group:ident: $Group:ident {
            $(
                $name:ident: $type:ty = $default:expr, $range:expr, $step:expr, $kind:ident,
                    $meaning:literal, $source:literal;
            )+
        }
    )+) => {
        $(
            $(#[doc = $group_doc])+
            #[derive(Debug, Clone, PartialEq)]
            pub struct $Group {
                $(#[doc = $meaning] pub $name: $type,)+
            }
        )+

        /// Every parameter of the engine, a plain value: two engines in one process may differ in
        /// all of it.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Params {
            $($(#[doc = $group_doc])+ pub $group: $Group,)+
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($group: $Group { $($name: $default,)+ },)+ }
            }
        }

        /// The rows of the parameter table, in order.
        pub const SPECS: &[ParamSpec] = &[$($(
            ParamSpec {
                name: concat!(stringify!($group), ".", stringify!($name)),
                shape: <$type as Field>::SHAPE,
                kind: Kind::$kind,
                min: *$range.start(),
                max: *$range.end(),
                step: $step,
                meaning: $meaning,
                source: $source,
                get: |params, cell| params.$group.$name.cell(cell),
                set: |params, cell, value| params.$group.$name.set_cell(cell, value),
            },
        )+)+];
    };
}

params! {
    /// Material values.
    material: Material {
        pawn:   i32 = cp(100), 64..=640,   8, Linear, "a pawn, 1/256 pawn",   "GEN-07, MISS-17: P1";
        knight: i32 = cp(325), 256..=1600, 8, Linear, "a knight, 1/256 pawn", "GEN-07, MISS-17: N3";
        bishop: i32 = cp(335), 256..=1600, 8, Linear, "a bishop, 1/256 pawn", "GEN-07, MISS-17: B3";
        rook:   i32 = cp(500), 512..=2560, 8, Linear, "a rook, 1/256 pawn",   "GEN-07, MISS-17: R5";
        queen:  i32 = cp(975), 1024..=4096, 16, Linear, "a queen, 1/256 pawn", "GEN-07, MISS-17: Q9";
    }

    /// Piece-square tables of the evaluation, from White's side, added to the material.
    pst: Pst {
        pawn_mg:   Squares = squares::PAWN_MG,   -1024..=1024, 4, Linear, "pawn, middle game, 1/256 pawn",   "MISS-18";
        knight_mg: Squares = squares::KNIGHT_MG, -1024..=1024, 4, Linear, "knight, middle game, 1/256 pawn", "MISS-18";
        bishop_mg: Squares = squares::BISHOP_MG, -1024..=1024, 4, Linear, "bishop, middle game, 1/256 pawn", "MISS-18";
        rook_mg:   Squares = squares::ROOK_MG,   -1024..=1024, 4, Linear, "rook, middle game, 1/256 pawn",   "MISS-18";
        queen_mg:  Squares = squares::QUEEN_MG,  -1024..=1024, 4, Linear, "queen, middle game, 1/256 pawn",  "MISS-18";
        king_mg:   Squares = squares::KING_MG,   -1024..=1024, 4, Linear, "king, middle game, 1/256 pawn",   "MISS-18";
        pawn_eg:   Squares = squares::PAWN_EG,   -1024..=1024, 4, Linear, "pawn, end game, 1/256 pawn",      "MISS-18";
        knight_eg: Squares = squares::KNIGHT_EG, -1024..=1024, 4, Linear, "knight, end game, 1/256 pawn",    "MISS-18";
        bishop_eg: Squares = squares::BISHOP_EG, -1024..=1024, 4, Linear, "bishop, end game, 1/256 pawn",    "MISS-18";
        rook_eg:   Squares = squares::ROOK_EG,   -1024..=1024, 4, Linear, "rook, end game, 1/256 pawn",      "MISS-18";
        queen_eg:  Squares = squares::QUEEN_EG,  -1024..=1024, 4, Linear, "queen, end game, 1/256 pawn",     "MISS-18";
        king_eg:   Squares = squares::KING_EG,   -1024..=1024, 4, Linear, "king, end game, 1/256 pawn",      "MISS-18";
    }

    /// The game's phase: pieces of both sides, N 3, B 3, R 5, Q 9, 62 at the start.
    phase: Phase {
        taper:      bool = true, 0..=1, 1, Switch, "blend middle game and end game by the men left; off: one or the other", "AMB-84";
        middlegame: i32 = 52, 1..=62, 2, NonLinear, "men from which all is middle game", "AMB-84";
        endgame:    i32 = 10, 0..=60, 2, NonLinear, "men below which all is end game; without tapering the border lies half-way", "AMB-84";
    }

    /// Static exchange evaluation.
    see: See {
        pawn:   i32 = cp(100), 64..=640,    8, Search, "a pawn in exchanges, 1/256 pawn",   "SEE-03, SEE-13: 100";
        knight: i32 = cp(300), 256..=1600,  8, Search, "a knight in exchanges, 1/256 pawn", "SEE-03, SEE-13: 300";
        bishop: i32 = cp(300), 256..=1600,  8, Search, "a bishop in exchanges, 1/256 pawn", "SEE-03, SEE-13: 300";
        rook:   i32 = cp(500), 512..=2560,  8, Search, "a rook in exchanges, 1/256 pawn",   "SEE-03, SEE-13: 500";
        queen:  i32 = cp(900), 1024..=4096, 16, Search, "a queen in exchanges, 1/256 pawn", "SEE-03, SEE-13: 900";
        pins:   bool = false, 0..=1, 1, Switch, "captures that expose the own king do not take part", "SEE-10";
    }

    /// Root windows.
    aspiration: Aspiration {
        on:            bool = true, 0..=1, 1, Switch, "search the root with a window around the last score", "ASP-01";
        half_window:   i32 = pawns(0, 50), 1..=2560, 8, Search, "half the first window, 1/256 pawn", "ASP-01: 0.50 pawns";
        reopen:        i32 = pawns(2, 0), 1..=5120, 32, Search, "distance of the bound after a first fail, 1/256 pawn; a second fail opens that side", "ASP-02: 2.00 pawns";
        narrow:        bool = true, 0..=1, 1, Switch, "narrow beta when a new main variation is found", "ASP-03, ASP-04";
        small_decline: i32 = pawns(0, 20), 0..=1280, 8, Search, "a decline below this is small, 1/256 pawn", "ASP-04, AMB-38: 0.20 pawns";
        narrow_small:  i32 = pawns(0, 10), 1..=1280, 4, Search, "beta above the new score after a rise or small decline, 1/256 pawn", "ASP-03: 0.10 pawns";
        narrow_big:    i32 = pawns(0, 25), 1..=1280, 4, Search, "beta above the last iteration's score after a big decline, 1/256 pawn", "ASP-04: 0.25 pawns";
    }

    /// The main search.
    search: SearchParams {
        pvs: bool = true, 0..=1, 1, Switch, "null windows for all but the first move (principal variation search)", "ASP-06";
        hash_cutoffs: bool = true, 0..=1, 1, Switch, "take scores from the hash table below the root", "HSH-05";
    }

    /// Extension of checks.
    check_ext: CheckExtension {
        on:     bool = true, 0..=1, 1, Switch, "extend when the side to move is in check", "EXT-01";
        amount: i32 = 4, 1..=8, 1, Search, "how much, quarter plies", "EXT-01, EXT-16: 1 ply";
    }

    /// Quiescence.
    qsearch: QSearch {
        see_prune: bool = true, 0..=1, 1, Switch, "skip captures that lose material", "QS-02, QS-13";
        see_min:   i32 = 0, -512..=512, 16, Search, "least SEE of a capture worth searching, 1/256 pawn", "SEE-11, AMB-31, AMB-68: 0 takes equal captures, 1 only gains";
        hash:      bool = true, 0..=1, 1, Switch, "probe and store the hash table in quiescence", "HSH-01, QS-04";
    }

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

    /// The clock.
    time: Time {
        permille:  i32 = 25, 1..=500, 1, Search, "share of the clock for a move, 1/1000", "ROT-03: 2.5 %";
        increment: i32 = 50, 0..=100, 5, Search, "share of the increment for a move, 1/100", "ROT-03: half";
        hard:      i32 = 400, 100..=1000, 50, Search, "hard limit, per cent of the soft one", "MISS-30";
        reserve:   i32 = 40, 5..=100, 5, Search, "most of the clock that one move may take, per cent", "MISS-30";
    }
}
