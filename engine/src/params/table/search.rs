//! The search below the root: extensions, quiescence.

rows! {
    /// The main search.
    search: SearchParams {
        alpha_beta: bool = true, 0..=1, 1, Switch, "narrow windows; off: every window is open, minimax (turn off pvs, aspiration and hash_cutoffs too)", "ASP-06";
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
}
