//! The root: windows, the clock, the order of moves, draws and openings.

use super::pawns;
use crate::params::OpeningKeys;

rows! {
    /// Root windows.
    aspiration: Aspiration {
        on:            bool = true, 0..=1, 1, Switch, "search the root with a window around the last score", "ASP-01";
        half_window:   i32 = pawns(0, 50), 1..=2560, 8, Search, "half the first window, 1/256 pawn", "ASP-01: 0.50 pawns; ASP-05: 0.10";
        from:          i32 = 2, 2..=32, 1, Search, "the first iteration with a window, plies", "ASP-01: the second, which has a score to go by";
        reopen:        i32 = pawns(2, 0), 1..=5120, 32, Search, "distance of the bound after a first fail, 1/256 pawn; a second fail opens that side", "ASP-02, ROT-09: 2.00 pawns";
        gradual:       bool = false, 0..=1, 1, Switch, "instead of that, widen a failed side step by step", "ASP-06: the usual scheme, for comparison with ASP-02";
        growth:        i32 = 200, 110..=1000, 10, Search, "gradual: the distance after each fail, per cent of the last one", "ASP-06";
        widest:        i32 = pawns(8, 0), 1..=10240, 64, Search, "gradual: a distance beyond this opens that side, 1/256 pawn", "ASP-06";
        narrow:        bool = true, 0..=1, 1, Switch, "narrow beta when a new main variation is found", "ASP-03, ASP-04";
        small_decline: i32 = pawns(0, 20), 0..=1280, 8, Search, "a decline below this is small, 1/256 pawn", "ASP-04, AMB-38: 0.20 pawns";
        narrow_small:  i32 = pawns(0, 10), 1..=1280, 4, Search, "beta above the new score after a rise or small decline, 1/256 pawn", "ASP-03: 0.10 pawns";
        narrow_big:    i32 = pawns(0, 25), 1..=1280, 4, Search, "beta above the last iteration's score after a big decline, 1/256 pawn", "ASP-04: 0.25 pawns";
    }

    /// The moves at the root.
    root: Root {
        by_nodes:       bool = true, 0..=1, 1, Switch, "order the moves behind the best by the nodes they took; off: as they last came to the front", "ROT-02";
        by_score:       bool = false, 0..=1, 1, Switch, "order them by their last scores first", "ROT-02";
        take_fail_high: bool = false, 0..=1, 1, Switch, "play a move that was proved better when the search was stopped, though its score is not known yet", "ROT-04";
    }

    /// The clock.
    time: Time {
        permille:  i32 = 25, 1..=500, 1, Search, "share of the clock for a move, 1/1000", "ROT-03: 2.5 %";
        increment: i32 = 50, 0..=100, 5, Search, "share of the increment for a move, 1/100", "ROT-03: half";
        hard:      i32 = 400, 100..=1000, 50, Search, "hard limit, per cent of the soft one", "MISS-30";
        reserve:   i32 = 40, 5..=100, 5, Search, "most of the clock that one move may take, per cent", "MISS-30";
        begin:     i32 = 50, 10..=100, 5, Search, "no new iteration after this, per cent of the soft limit", "MISS-30: the next one takes longer than all before";
        dynamic:   bool = false, 0..=1, 1, Switch, "the soft limit follows what the iterations find, and overheads to come are kept back", "ROT-04, MISS-30";
        stability: [i32; 5] = [140, 115, 100, 90, 80], 20..=400, 5, Search, "dynamic: by the number of iterations that the best move has held, per cent", "ROT-04, MISS-30";
        drop_gain: i32 = 100, 0..=1000, 20, Search, "dynamic: per cent more for a score a pawn lower than the last iteration's", "ROT-04: more time when the score drops strongly";
        drop_most: i32 = 100, 0..=400, 20, Search, "dynamic: most that a drop adds, per cent", "ROT-04";
        effort_most:  i32 = 150, 50..=400, 10, Search, "dynamic: per cent for a best move that took no nodes", "MISS-30";
        effort_share: i32 = 100, 0..=200, 10, Search, "dynamic: taken off that for a best move that took all nodes, per cent; an obvious recapture takes nearly all", "MISS-30";
        calm:      i32 = 200, 100..=1000, 25, Search, "dynamic: end of an iteration at whose root nothing failed low, per cent of the soft limit", "ROT-04, MISS-30";
        keep_moves: i32 = 30, 0..=200, 5, Search, "dynamic: moves to come whose overhead is kept back where no increment pays for it", "MISS-30";
        last_move: i32 = 90, 10..=100, 5, Search, "dynamic: most of the clock for the last move of a control, per cent", "MISS-30";
        stall_keep: i32 = 95, 0..=99, 1, Search, "of the longest stall met on a busy machine so much is still expected a move later, and kept back from the clock, per cent; 0: none is", "MISS-30";
        first_move: i32 = 100, 20..=500, 10, Search, "soft limit of a game's first search, which follows the book, per cent", "ROT-04: a bit extra when leaving the book";
        nt:        bool = false, 0..=1, 1, Switch, "time by the kind of position: by the number of moves there are", "ROT-05, CLM-53: said to lose";
        nt_base:   i32 = 30, 0..=200, 5, Search, "nt: soft limit of a position without choice, per cent", "ROT-05: a reconstruction";
        nt_move:   i32 = 2, 0..=20, 1, Search, "nt: per cent more for each move there is", "ROT-05: a reconstruction; 35 moves make 100";
        nt_most:   i32 = 150, 50..=400, 10, Search, "nt: most, per cent", "ROT-05: a reconstruction";
    }

    /// Draws.
    contempt: Contempt {
        value: i32 = 0, -256..=256, 4, Search, "what a draw is worth less than nought to the side at the root, 1/256 pawn", "ROT-06, AMB-73: slightly negative";
    }

    /// Early-opening tuning.
    opening: Opening {
        on:    bool = true, 0..=1, 1, Switch, "a bonus for root moves into a position of the opening table; nothing while there is none", "PRO-19, HSH-10, AMB-81";
        table: OpeningKeys = OpeningKeys::None, 0..=1, 1, Choice, "where none is loaded, the table within the program of games from this rating on", "PRO-19";
        whole_tree: bool = false, 0..=1, 1, Switch, "for moves inside of the tree too, of both sides", "PRO-19: an idea the author doubts";
        bonus: i32 = pawns(0, 20), 0..=256, 4, Search, "the bonus, for all of the move's subtree, 1/256 pawn", "PRO-19, AMB-81: 0.10 to 0.30 pawns";
    }
}
