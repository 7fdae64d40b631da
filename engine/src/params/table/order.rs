//! Move ordering: the order itself, killers, histories, and what the search teaches the evaluation.

use crate::params::field::Squares;
use crate::params::squares;

rows! {
    /// Move ordering, in points of the paper's signed byte.
    order: Order {
        staged:           bool = false, 0..=1, 1, Switch, "generate captures, then quiet moves, each when its turn comes; off: all moves at once", "GEN-15, ORD-22, ORD-16; off: GEN-01";
        hash_move:        i32 = 127, 101..=127, 1, Order, "the hash move", "ORD-01: 127";
        mate_move:        i32 = 126, 101..=127, 1, Order, "a move that mated or that threatened mate before the defence", "ORD-02, ORD-21, AMB-35: 126";
        mate_threat:      bool = false, 0..=1, 1, Switch, "after a defence, try the mate that the evaluation saw before it", "ORD-21, AMB-35";
        hanging:          bool = false, 0..=1, 1, Switch, "winning captures are those of the evaluation's hanging men", "ORD-03, AMB-02";
        hanging_values:   [i32; 3] = [124, 123, 122], 101..=126, 1, Order, "captures of the dearest, second and third hanging man", "ORD-03: 124 123 122";
        winning_first:    bool = true, 0..=1, 1, Switch, "winning captures have places of their own, before all other moves; off: those of other captures", "ORD-03, ORD-26";
        cheapest_first:   bool = true, 0..=1, 1, Switch, "of several men that can take a hanging one the cheapest first", "ORD-04";
        winning_capture:  i32 = 122, 101..=127, 1, Order, "winning captures by SEE; the gain adds up to two points", "ORD-03, AMB-34: 122 to 124";
        capture_promotion: i32 = 121, 70..=127, 1, Order, "queen promotion with capture", "ORD-05, GEN-04: 121";
        promotion:        i32 = 120, 70..=127, 1, Order, "queen promotion", "ORD-06, GEN-04: 120";
        safe_promotion:   i32 = 125, 70..=127, 1, Order, "with hanging men: queen promotion on a square out of enemy reach", "ORD-06, AMB-34: 125";
        covered_promotion: i32 = 122, 70..=127, 1, Order, "with hanging men: queen promotion on a square in enemy reach", "ORD-06, AMB-34: 122";
        equal_captures:   [i32; 7] = [119, 118, 117, 116, 115, 116, 114], 70..=127, 1, Order, "QxQ RxR NxB BxB BxN NxN PxP", "ORD-07, AMB-33: 119 118 117 116 115 116 114";
        castle_king_side: i32 = 103, 0..=127, 1, Order, "O-O", "ORD-13: 103";
        castle_queen_side: i32 = 102, 0..=127, 1, Order, "O-O-O", "ORD-13: 102";
        minor_promotion:  i32 = 101, -128..=127, 1, Order, "promotion to rook, bishop or knight", "ORD-13: 101";
        losing_capture:   i32 = -90, -128..=100, 2, Order, "captures that lose material by SEE", "ORD-22: last";
        see:              bool = true, 0..=1, 1, Switch, "without hanging men: order captures of the main search by SEE (ss); off: most valuable victim, least valuable attacker", "ORD-03, ORD-24, ORD-25";
        correction_below: i32 = 70, -128..=100, 1, Order, "moves below this value are corrected", "ORD-14, ORD-15, AMB-85: 70";
        give_away:        bool = false, 0..=1, 1, Switch, "correct moves that give material away", "ORD-14";
        give_away_points: i32 = -30, -100..=0, 2, Order, "correction of a move that gives material away", "ORD-14: -30";
        escape:           bool = false, 0..=1, 1, Switch, "correct moves of men that hang", "ORD-15";
        escape_points:    i32 = 30, 0..=100, 2, Order, "correction of a move of a hanging man", "ORD-15: 30";
        checks:           i32 = 0, 0..=100, 2, Order, "points for a quiet move that gives check; 0 does not look", "usual";
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
        on:           bool = true, 0..=1, 1, Switch, "remember quiet moves that cut", "ORD-08, ORD-09, ORD-10, ORD-11";
        raise:        bool = true, 0..=1, 1, Switch, "remember those that only raise alpha, too", "ORD-09";
        older:        bool = true, 0..=1, 1, Switch, "look at the killers two plies up, too", "ORD-08; off: ORD-22";
        mate:         bool = false, 0..=1, 1, Switch, "a killer that brought a mate score goes behind the hash move", "ORD-02";
        historic:     bool = false, 0..=1, 1, Switch, "a move to where most mates were found, by the same piece", "ORD-12, AMB-37";
        historic_value: i32 = 109, -128..=127, 1, Order, "the historic mate killer", "ORD-12: 109";
        counter:      bool = false, 0..=1, 1, Switch, "remember what answered each move", "usual";
        counter_value: i32 = 105, -128..=127, 1, Order, "the answer to the last move", "usual";
        first:        i32 = 110, -128..=127, 1, Order, "killer 1 of this ply", "ORD-08: 110";
        first_older:  i32 = 108, -128..=127, 1, Order, "killer 1 two plies up", "ORD-08: 108";
        second:       i32 = 106, -128..=127, 1, Order, "killer 2 of this ply", "ORD-08: 106";
        second_older: i32 = 104, -128..=127, 1, Order, "killer 2 two plies up", "ORD-08: 104";
    }

    /// Histories beyond `order.history`, and how all of them learn.
    history: History {
        piece_to:         bool = false, 0..=1, 1, Switch, "success of quiet moves by piece and target", "ORD-23, MISS-29, PRO-09: H[pt][sq]";
        piece_to_weight:  i32 = 64, 0..=100, 4, Order, "points of a full score by piece and target", "ORD-23";
        reply:            bool = false, 0..=1, 1, Switch, "success by the enemy's last move, piece and target; 576 KiB more an engine", "ORD-23, usual";
        reply_weight:     i32 = 64, 0..=100, 4, Order, "points of a full score after the enemy's last move", "ORD-23, usual";
        follow_up:        bool = false, 0..=1, 1, Switch, "success by the own last move, piece and target; 576 KiB more an engine", "ORD-23, usual";
        follow_up_weight: i32 = 64, 0..=100, 4, Order, "points of a full score after the own last move", "ORD-23, usual";
        captures:         bool = false, 0..=1, 1, Switch, "success of captures by piece, target and victim", "ORD-23, usual";
        captures_weight:  i32 = 256, 0..=1024, 16, Order, "gain that a full score of a capture counts for, 1/256 pawn", "ORD-23, usual";
        square:           i32 = 16, 0..=256, 2, Search, "bonus of a cut by depth squared, 1/16", "MISS-29: depth squared";
        linear:           i32 = 0, -1024..=4096, 16, Search, "bonus of a cut by depth, 1/16", "MISS-29";
        most:             i32 = 2000, 1..=2000, 50, Search, "greatest bonus", "MISS-29: 2000";
        malus:            i32 = 100, 0..=400, 10, Search, "what moves lose that were tried in vain, per cent of the bonus", "MISS-29: the same";
        gravity:          bool = true, 0..=1, 1, Switch, "scores move less the nearer they are to the limit; off: they stop at it", "ORD-23; off: MISS-29";
        keep:             i32 = 50, 0..=100, 5, Search, "what histories keep from one search to the next, per cent", "ORD-23";
    }

    /// Histories that teach the evaluation's piece-square tables before a search.
    history_pst: HistoryPst {
        on:             bool = false, 0..=1, 1, Switch, "add the last search's history to the piece-square tables", "PRO-09";
        table:          [i32; 22] = [-20, -18, -16, -14, -12, -10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 20], -256..=256, 2, Search, "by history / 200 + 10, 1/256 pawn", "PRO-09: as printed";
        least_pieces:   i32 = 5, -1..=31, 1, Search, "not when a side's pieces count no more than this (N 3, B 3, R 5, Q 9)", "PRO-09: a rook";
        cumulative:     bool = false, 0..=1, 1, Switch, "add to what earlier searches added", "PRO-09, AMB-78";
        each_iteration: bool = false, 0..=1, 1, Switch, "after each iteration, too: known to fail", "PRO-10";
        clear_hash:     bool = false, 0..=1, 1, Switch, "clear the hash table when the tables change", "HSH-08";
    }

    /// Large unsorted trees.
    unsorted: Unsorted {
        on:    bool = false, 0..=1, 1, Switch, "without hash move and winning capture search half as deep first", "ORD-17, AMB-36";
        least: i32 = 2, 2..=64, 1, Search, "least depth, plies", "ORD-17, AMB-36";
        step:  i32 = 0, 0..=8, 1, Search, "plies less than the full depth; 0: half of it", "ORD-18: 2 or 1";
    }

    /// Internal iterative deepening.
    iid: InternalDeepening {
        on:    bool = false, 0..=1, 1, Switch, "without hash move search half as deep first", "ORD-19";
        least: i32 = 3, 2..=64, 1, Search, "least depth, plies", "ORD-19";
    }
}
