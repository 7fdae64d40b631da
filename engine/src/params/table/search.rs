//! The main search: its frame.

use crate::types::cp;

rows! {
    /// The main search.
    search: SearchParams {
        alpha_beta: bool = true, 0..=1, 1, Switch, "narrow windows; off: every window is open, minimax (turn off pvs, aspiration and hash_cutoffs too)", "ASP-06";
        pvs: bool = true, 0..=1, 1, Switch, "null windows for all but the first move (principal variation search)", "ASP-06";
        hash_cutoffs: bool = true, 0..=1, 1, Switch, "take scores from the hash table below the root", "HSH-05, HSH-07";
        hash_value: bool = false, 0..=1, 1, Switch, "where the hash table bounds the evaluation, prune by what it says", "the field's";
        mate_distance: bool = false, 0..=1, 1, Switch, "give up lines that cannot mate sooner than a line already found", "the field's";
    }

    /// What searches came to corrects the evaluation of positions with the same pawns.
    correction: Correction {
        on: bool = false, 0..=1, 1, Switch, "correct the evaluation that prunes and stands pat by the errors found with these pawns", "the field's (correction history)";
        weight: i32 = cp(50), 0..=512, 8, Search, "the greatest correction, 1/256 pawn", "the field's";
    }

    /// Internal iterative reduction.
    iir: InternalReduction {
        on: bool = false, 0..=1, 1, Switch, "where no hash move is known, search one ply less deep", "the field's";
        least: i32 = 4, 2..=20, 1, Search, "least remaining depth, plies", "the field's";
    }
}
