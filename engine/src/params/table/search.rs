//! The main search: its frame, and internal searches for a move to begin with.

rows! {
    /// The main search.
    search: SearchParams {
        alpha_beta: bool = true, 0..=1, 1, Switch, "narrow windows; off: every window is open, minimax (turn off pvs, aspiration and hash_cutoffs too)", "ASP-06";
        pvs: bool = true, 0..=1, 1, Switch, "null windows for all but the first move (principal variation search)", "ASP-06";
        hash_cutoffs: bool = true, 0..=1, 1, Switch, "take scores from the hash table below the root", "HSH-05";
        mate_distance: bool = false, 0..=1, 1, Switch, "give up lines that cannot mate sooner than a line already found", "the field's";
    }

    /// Internal iterative deepening: a shallower search for a move to begin with.
    iid: InternalDeepening {
        on: bool = false, 0..=1, 1, Switch, "where no hash move is known, search with half the depth first", "ORD-19";
        unsorted: bool = false, 0..=1, 1, Switch, "the same where neither hash move nor winning capture is known: an unsorted tree", "ORD-17, AMB-36";
        step: i32 = 0, 0..=16, 2, Search, "go through an unsorted tree in steps of so many plies instead of once with half the depth; 0: no steps", "ORD-18: 2 or 1, untested";
        min_depth: i32 = 2, 2..=20, 1, Search, "least remaining depth for either, plies", "ORD-17, ORD-19: not stated";
        reduce: bool = false, 0..=1, 1, Switch, "where no hash move is known, search one ply less deep instead", "the field's (internal iterative reduction)";
        reduce_depth: i32 = 4, 2..=20, 1, Search, "least remaining depth for that, plies", "the field's";
    }
}
