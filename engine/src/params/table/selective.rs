//! Selective search: null moves, static pruning, futility, and what the field prunes besides.

use super::{margins, pawns, rising};
use crate::types::cp;

rows! {
    /// REBEL's selective search: null moves in the first plies of an iteration, static pruning in
    /// the others.
    selective: Selective {
        full_null: bool = true, 0..=1, 1, Switch, "null moves on all plies, static pruning on none ([Selective Search = 0])", "SEL-12, SEL-17, PAR-02";
        null_part: bool = false, 0..=1, 1, Switch, "null moves are tried in the null-move part", "SEL-02, SEL-06";
        static_part: bool = false, 0..=1, 1, Switch, "subtrees are pruned in the static part", "SEL-02, SEL-13, CLM-32";
        middlegame: [i32; 32] = rising([0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13]), 0..=128, 1, Search, "S_DEPTH by iteration in the middle game: plies of the null-move part", "SEL-03, SEL-04: as printed, then one more each";
        endgame: [i32; 32] = rising([0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]), 0..=128, 1, Search, "S_DEPTH in the end game", "SEL-03, SEL-04: as printed";
        late_endgame: [i32; 32] = rising([0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]), 0..=128, 1, Search, "S_DEPTH in the late end game", "SEL-03, SEL-04: as printed";
        follow_extensions: bool = true, 0..=1, 1, Switch, "S_DEPTH grows with each extension on the line", "SEL-05, EXT-18";
        margin: [i32; 32] = margins([0, 0, 10, 15, 20, 25]), 0..=2560, 4, Search, "static part: score and threat must miss alpha by this, by remaining depth, 1/256 pawn", "SEL-14: 0 0 10 15 20 25 …, centipawns";
        pawn_push: bool = true, 0..=1, 1, Switch, "static part: pawns that reach the 6th or 7th rank are searched", "SEL-15";
        in_check: bool = false, 0..=1, 1, Switch, "every node of the main search is evaluated, those in check too", "SEL-01, LAZ-11: as printed";
        king_pressure: bool = true, 0..=1, 1, Switch, "static part: moves that increase the pressure on the king are searched", "SEL-16, MISS-14";
    }

    /// The null move.
    null_move: NullMove {
        r_middlegame: i32 = 3, 1..=6, 1, Search, "R, the plies saved besides the move itself, middle game", "SEL-09, AMB-29: 3";
        r_endgame: i32 = 2, 1..=6, 1, Search, "R in the end game", "SEL-09: 2";
        min_depth: i32 = 2, 1..=10, 1, Search, "least remaining depth, plies", "SEL-06: more than 1";
        threat_guard: bool = true, 0..=1, 1, Switch, "not tried when score and threat reach alpha", "SEL-07, SEL-11, CLM-30, CLM-31";
        check_guard: bool = true, 0..=1, 1, Switch, "not tried behind a move out of check", "SEL-08";
        eval_guard: bool = false, 0..=1, 1, Switch, "not tried when the evaluation is below beta", "the field's";
        pieces: i32 = 1, 0..=31, 1, Search, "the side that passes needs pieces worth this (N 3, B 3, R 5, Q 9)", "the field's: zugzwang";
        moves: i32 = 0, 0..=32, 1, Search, "and so many moves of theirs, pins apart", "the field's: zugzwang";
        depth_divisor: i32 = 0, 0..=16, 1, Search, "R grows by a ply for so many plies of remaining depth; 0: it does not", "the field's";
        value_step: i32 = 0, 0..=1024, 16, Search, "R grows by a ply for each such step of evaluation above beta, three at most, 1/256 pawn; 0: it does not", "the field's";
        verify_depth: i32 = 0, 0..=64, 1, Search, "from this depth on a null-move cut is verified by a search without a null move at its own node, plies; 0: never", "the field's";
        verify_pieces: i32 = 31, 0..=31, 1, Search, "but only where the side that passes has pieces worth no more than this", "the field's: zugzwang";
        near_plies: i32 = 0, 0..=64, 1, Search, "no null move so near the root, plies", "the field's: zugzwang";
        near_pieces: i32 = 31, 0..=31, 1, Search, "but only where the side that passes has pieces worth no more than this", "the field's: zugzwang";
    }

    /// Futility pruning.
    futility: Futility {
        on: bool = false, 0..=1, 1, Switch, "prune quiet moves near the horizon that cannot reach alpha", "FUT-01, FUT-04";
        one: i32 = pawns(3, 0), 0..=5120, 16, Search, "margin at horizon - 1, 1/256 pawn", "FUT-01: 3.00";
        one_endgame: i32 = pawns(5, 0), 0..=5120, 16, Search, "the same in the end game, 1/256 pawn", "FUT-02: 5.00";
        two: i32 = pawns(5, 0), 0..=5120, 16, Search, "margin at horizon - 2, 1/256 pawn", "FUT-03: 5.00";
        correction: bool = false, 0..=1, 1, Switch, "add what the last evaluation said beyond I_SCORE", "AMB-16, LAZ-05";
        depth: i32 = 2, 1..=12, 1, Search, "remaining depth up to which it is tried, plies", "FUT-01, FUT-03: horizon - 2; more is the field's";
        spare_hash: bool = true, 0..=1, 1, Switch, "the hash move is searched all the same", "the field's; the page has no such exception";
        further: i32 = pawns(1, 50), 0..=2560, 16, Search, "margin added for each ply beyond horizon - 2, 1/256 pawn", "the field's";
    }

    /// Once a quiet move is given up, the node's others are not even looked at, but for checks.
    skip_quiets: SkipQuiets {
        count: bool = false, 0..=1, 1, Switch, "behind late move pruning", "the field's";
        futile: bool = false, 0..=1, 1, Switch, "behind lazy evaluation and futility pruning", "the field's";
        excess: i32 = cp(20), 0..=1280, 8, Search, "by how much more a quiet move must miss alpha for that, 1/256 pawn", "the field's";
    }

    /// Nodes whose evaluation is far above beta or below alpha.
    static_cut: StaticCut {
        reverse: bool = false, 0..=1, 1, Switch, "return when the evaluation is a margin above beta (reverse futility)", "the field's";
        reverse_margin: i32 = cp(80), 0..=1280, 8, Search, "that margin for each ply of remaining depth, 1/256 pawn", "the field's";
        reverse_depth: i32 = 8, 1..=20, 1, Search, "remaining depth up to which it is tried, plies", "the field's";
        improving: i32 = cp(60), 0..=1280, 8, Search, "taken off the margin when the side stands better than two plies ago, 1/256 pawn", "the field's";
        threat: bool = false, 0..=1, 1, Switch, "what the side stands to lose is added to the margin", "SEL-07's threat, untested by the paper";
        razor: bool = false, 0..=1, 1, Switch, "go to quiescence when the evaluation is a margin below alpha (razoring)", "the field's";
        razor_margin: i32 = pawns(2, 50), 0..=5120, 16, Search, "that margin for each ply of remaining depth, 1/256 pawn", "the field's";
        razor_depth: i32 = 3, 1..=10, 1, Search, "remaining depth up to which it is tried, plies", "the field's";
    }

    /// Nodes in which a capture is far above beta in a shallower search.
    probcut: ProbCut {
        on: bool = false, 0..=1, 1, Switch, "cut off where a capture is above beta by a margin in quiescence and in a shallower search (ProbCut)", "the field's";
        margin: i32 = cp(100), 0..=1280, 8, Search, "that margin, 1/256 pawn", "the field's";
        min_depth: i32 = 5, 2..=20, 1, Search, "least remaining depth, plies", "the field's";
        less: i32 = 4, 1..=12, 1, Search, "by how much shallower that search is, plies", "the field's";
    }

    /// Late and losing moves that are not searched at all.
    late_moves: LateMoves {
        count: bool = false, 0..=1, 1, Switch, "skip quiet moves after so many", "the field's (late move pruning)";
        count_base: i32 = 3, 0..=60, 1, Search, "so many: this and the remaining depth in plies squared, half of it when the side does not stand better than two plies ago", "the field's";
        count_depth: i32 = 8, 1..=20, 1, Search, "remaining depth up to which it is done, plies", "the field's";
        see: bool = false, 0..=1, 1, Switch, "skip moves that lose material by SEE", "the field's";
        see_quiet: i32 = cp(50), 0..=1280, 8, Search, "a quiet move may lose this for each ply of remaining depth, 1/256 pawn", "the field's";
        see_capture: i32 = cp(100), 0..=1280, 8, Search, "a capture may lose this for each ply, 1/256 pawn", "the field's";
        see_depth: i32 = 8, 1..=20, 1, Search, "remaining depth up to which it is done, plies", "the field's";
        history: bool = false, 0..=1, 1, Switch, "skip quiet moves that always failed", "the field's";
        history_limit: i32 = -400, -2000..=0, 50, Search, "history score for each ply of remaining depth below which it is done", "the field's";
        history_depth: i32 = 5, 1..=20, 1, Search, "remaining depth up to which it is done, plies", "the field's";
    }
}
