//! The root: windows and the clock.

use super::pawns;

rows! {
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

    /// The clock.
    time: Time {
        permille:  i32 = 25, 1..=500, 1, Search, "share of the clock for a move, 1/1000", "ROT-03: 2.5 %";
        increment: i32 = 50, 0..=100, 5, Search, "share of the increment for a move, 1/100", "ROT-03: half";
        hard:      i32 = 400, 100..=1000, 50, Search, "hard limit, per cent of the soft one", "MISS-30";
        reserve:   i32 = 40, 5..=100, 5, Search, "most of the clock that one move may take, per cent", "MISS-30";
    }
}
