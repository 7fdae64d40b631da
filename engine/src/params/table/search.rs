//! The search: windows, extensions, quiescence, the clock.

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

    /// The clock.
    time: Time {
        permille:  i32 = 25, 1..=500, 1, Search, "share of the clock for a move, 1/1000", "ROT-03: 2.5 %";
        increment: i32 = 50, 0..=100, 5, Search, "share of the increment for a move, 1/100", "ROT-03: half";
        hard:      i32 = 400, 100..=1000, 50, Search, "hard limit, per cent of the soft one", "MISS-30";
        reserve:   i32 = 40, 5..=100, 5, Search, "most of the clock that one move may take, per cent", "MISS-30";
    }
}
