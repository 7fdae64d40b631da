//! Reductions: moves that are searched less deep.

use super::{margins, steady};
use crate::params::field::Squares;
use crate::params::squares;
use crate::types::cp;

rows! {
    /// What all of REBEL's reductions share.
    reductions: Reductions {
        max: i32 = 99, 0..=99, 1, Search, "reductions on one line at most", "RED-14, PAR-04: 99, which is unlimited";
        by_iteration: bool = false, 0..=1, 1, Switch, "limit them by iteration too", "RED-15: untested";
        max_by_iteration: [i32; 32] = steady([0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5]), 0..=99, 1, Search, "that limit", "RED-15: as proposed";
        king_rise: i32 = cp(25), 0..=2560, 8, Search, "a move increases the pressure on the enemy king when the danger to it rises by this, 1/256 pawn", "RED-06, SEL-16, MISS-14: 0.25";
        king_level: i32 = cp(50), 0..=2560, 8, Search, "and reaches this, 1/256 pawn", "MISS-14: 0.50";
        hash_guard: bool = true, 0..=1, 1, Switch, "ask the hash table before reductions 2a and 2d", "RED-08, HSH-02, CLM-19";
        hash_excess: i32 = cp(50), 0..=2560, 8, Search, "no reduction when the hash score is more than this above the evaluation, 1/256 pawn", "RED-08: 0.50";
    }

    /// Reduction 1: far behind by material.
    reduction1: Reduction1 {
        on: bool = false, 0..=1, 1, Switch, "reduce quiet moves of a side that is far behind", "RED-01, CLM-16";
        margin: [i32; 32] = margins([0, 0, 0, 500, 500, 700, 700, 900, 900, 1500]), 0..=7680, 32, Search, "I_SCORE must miss alpha by this, by remaining depth, 1/256 pawn", "RED-02: 0 0 0 500 500 700 700 900 900 1500 …, centipawns";
        once: bool = true, 0..=1, 1, Switch, "once on a line only", "RED-03, AMB-18";
    }

    /// Reduction 2a: not even a quarter of the threat reaches alpha.
    reduction2a: Reduction2a {
        on: bool = false, 0..=1, 1, Switch, "reduce when score and threat reach alpha, score and part of the threat do not", "RED-07, AMB-19, CLM-17, RED-12";
        divisor: i32 = 4, 1..=16, 1, Search, "that part", "RED-07: a quarter";
    }

    /// Reduction 2b: near the horizon, score and threat just miss alpha.
    reduction2b: Reduction2b {
        on: bool = false, 0..=1, 1, Switch, "reduce by a ply when score and threat miss alpha by little", "RED-09, CLM-18";
        margin: [i32; 32] = margins([0, 0, 10, 15, 20, 25]), 0..=2560, 4, Search, "so little, by remaining depth, 1/256 pawn", "RED-09: 0 0 10 15 20 25 …, centipawns";
        last_plies: [i32; 32] = steady([0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8]), 0..=128, 1, Search, "the last plies before the horizon in which 2b and 2c are tried, by iteration", "RED-10: as printed";
        most: [i32; 5] = [8, 6, 4, 3, 2], 0..=128, 1, Search, "at most so many: middle game, early end game, end game, late end game, pawn ending", "RED-10, MISS-10: 8 6 4 3 2";
        early: i32 = 20, 0..=62, 1, Search, "the end game is early while both sides' pieces are worth this (N 3, B 3, R 5, Q 9)", "RED-10, AMB-84: not stated";
    }

    /// Reduction 2c: as 2b, further away.
    reduction2c: Reduction2c {
        on: bool = false, 0..=1, 1, Switch, "reduce by two plies when score and threat miss alpha by a little more", "RED-11, AMB-20, CLM-18";
        margin: [i32; 32] = margins([0, 0, 20, 30, 40, 50]), 0..=2560, 4, Search, "so much, by remaining depth, 1/256 pawn", "RED-11: twice 2b's";
    }

    /// Reduction 2d: a winning capture left alone.
    reduction2d: Reduction2d {
        on: bool = false, 0..=1, 1, Switch, "reduce moves that leave a winning capture alone", "RED-13, RED-17, AMB-21, CLM-18";
        strict: bool = false, 0..=1, 1, Switch, "captures elsewhere are reduced too", "RED-13, AMB-21";
        progress: bool = true, 0..=1, 1, Switch, "not when the move threatens more than there was to win", "RED-13, MISS-27";
        min_depth: i32 = 3, 1..=20, 1, Search, "least remaining depth, plies", "RED-13: more than 2";
    }

    /// Two own men hanging: one will be lost.
    two_hanging: TwoHanging {
        on: bool = false, 0..=1, 1, Switch, "reduce moves that leave two own men hanging, when what they cost drops the score below alpha", "RED-18, RED-19, PRO-13, CLM-75";
        first: i32 = 50, 0..=200, 10, Search, "per cent of what the dearer man loses", "RED-18, AMB-80, MISS-22";
        second: i32 = 50, 0..=200, 10, Search, "per cent of what the other loses", "RED-18, AMB-80, MISS-22";
    }

    /// Late move reductions.
    lmr: LateMoveReduction {
        on: bool = false, 0..=1, 1, Switch, "search late moves less deep first", "LMR-01, LMR-02, LMR-08, CLM-63";
        min_move: i32 = 4, 0..=60, 1, Search, "so many moves are searched in full before", "LMR-02, AMB-71: 4";
        min_depth: i32 = 3, 1..=20, 1, Search, "least remaining depth, plies", "LMR-02: 3";
        amount: i32 = 4, 0..=32, 1, Search, "the reduction, quarter plies", "LMR-01: 1 ply";
        growing: bool = false, 0..=1, 1, Switch, "instead: the deeper and the later, the more", "LMR-07";
        growing_base: i32 = 75, -200..=400, 5, Search, "the growing reduction begins with this, 1/100 ply", "the field's";
        growing_divisor: i32 = 225, 50..=1000, 5, Search, "log depth × log move number over this / 100", "the field's";
        research: bool = true, 0..=1, 1, Switch, "a reduced move that beats alpha is searched again in full", "LMR-01, LMR-07";
        null_window: bool = true, 0..=1, 1, Switch, "a reduced move is searched with a null window first; off: with its node's own", "LMR-01, AMB-69; off: ASP-01";
        spare_checks: bool = true, 0..=1, 1, Switch, "moves that give check are not reduced (clmr)", "LMR-04, LMR-11, CLM-64";
        spare_evasions: bool = false, 0..=1, 1, Switch, "moves out of check are not reduced (plmr)", "LMR-03, LMR-04, LMR-11, CLM-64";
        spare_captures: bool = true, 0..=1, 1, Switch, "captures are not reduced; off: those are that the order calls losing (`order.see`)", "LMR-02, LMR-05, LMR-11";
        spare_killers: bool = false, 0..=1, 1, Switch, "killer moves are not reduced", "the field's";
        spare_raises: bool = false, 0..=1, 1, Switch, "moves that lift the evaluation above alpha are not reduced", "LMR-06, AMB-70";
        spare_threats: bool = false, 0..=1, 1, Switch, "moves that threaten more than before are not reduced", "LMR-06";
        spare_history: bool = false, 0..=1, 1, Switch, "moves with a good history are not reduced", "LMR-06";
        history_least: i32 = 500, -2000..=2000, 50, Search, "such a history", "LMR-06: not stated";
        history_step: i32 = 0, 0..=2000, 50, Search, "history takes off (or adds) a quarter ply for each such step; 0: it does not", "the field's";
        pv_less: i32 = 0, 0..=12, 1, Search, "taken off on the principal variation (`search.pvs`), quarter plies", "the field's";
        worse_more: i32 = 0, 0..=12, 1, Search, "added when the side does not stand better than two plies ago, quarter plies", "the field's";
        cut_more: i32 = 0, 0..=12, 1, Search, "added at expected cut nodes (`search.pvs`), quarter plies", "the field's";
        king: bool = false, 0..=1, 1, Switch, "no reduction when a king's danger is great and has grown", "LMR-09, PRO-24, AMB-79, CLM-43";
        king_level: i32 = cp(50), 0..=2560, 8, Search, "so great, 1/256 pawn", "LMR-09: 0.50";
        king_rise: i32 = cp(25), 0..=2560, 8, Search, "grown so much, 1/256 pawn", "LMR-09: 0.25";
        passed: bool = false, 0..=1, 1, Switch, "no reduction when passed pawns are worth much and have grown", "LMR-10, PRO-24, AMB-79, CLM-43";
        passed_level: i32 = cp(50), 0..=2560, 8, Search, "so much, 1/256 pawn", "LMR-10: 0.50";
        passed_rise: i32 = cp(25), 0..=2560, 8, Search, "grown so much, 1/256 pawn", "LMR-10: 0.25";
    }

    /// What a quiet move's squares say about its depth: tables for pruning and reduction, from games.
    move_squares: MoveSquares {
        reduce: bool = false, 0..=1, 1, Switch, "late moves to worse squares are reduced more, to better ones less", "PRO-21";
        step: i32 = 24, 1..=1024, 4, Search, "by a quarter ply for each such difference of two squares, 1/256 pawn", "PRO-21: not told";
        most: i32 = 4, 0..=16, 1, Search, "quarter plies at most", "PRO-21: not told";
        prune: bool = false, 0..=1, 1, Switch, "late moves to much worse squares are skipped", "PRO-21";
        margin: i32 = 24, 0..=1024, 4, Search, "so much worse for each ply of remaining depth, 1/256 pawn", "PRO-21: not told";
        depth: i32 = 3, 1..=20, 1, Search, "remaining depth up to which it is done, plies", "PRO-21: not told";
        min_move: i32 = 4, 1..=60, 1, Search, "so many moves are searched before", "PRO-21: not told";
        pawn_mg: Squares = squares::PAWN_MG, -1024..=1024, 4, Order, "pawn, middle game, 1/256 pawn", "PRO-21";
        knight_mg: Squares = squares::KNIGHT_MG, -1024..=1024, 4, Order, "knight, middle game, 1/256 pawn", "PRO-21";
        bishop_mg: Squares = squares::BISHOP_MG, -1024..=1024, 4, Order, "bishop, middle game, 1/256 pawn", "PRO-21";
        rook_mg: Squares = squares::ROOK_MG, -1024..=1024, 4, Order, "rook, middle game, 1/256 pawn", "PRO-21";
        queen_mg: Squares = squares::QUEEN_MG, -1024..=1024, 4, Order, "queen, middle game, 1/256 pawn", "PRO-21";
        king_mg: Squares = squares::KING_MG, -1024..=1024, 4, Order, "king, middle game, 1/256 pawn", "PRO-21";
        pawn_eg: Squares = squares::PAWN_EG, -1024..=1024, 4, Order, "pawn, end game, 1/256 pawn", "PRO-21";
        knight_eg: Squares = squares::KNIGHT_EG, -1024..=1024, 4, Order, "knight, end game, 1/256 pawn", "PRO-21";
        bishop_eg: Squares = squares::BISHOP_EG, -1024..=1024, 4, Order, "bishop, end game, 1/256 pawn", "PRO-21";
        rook_eg: Squares = squares::ROOK_EG, -1024..=1024, 4, Order, "rook, end game, 1/256 pawn", "PRO-21";
        queen_eg: Squares = squares::QUEEN_EG, -1024..=1024, 4, Order, "queen, end game, 1/256 pawn", "PRO-21";
        king_eg: Squares = squares::KING_EG, -1024..=1024, 4, Order, "king, end game, 1/256 pawn", "PRO-21";
    }

    /// History reductions.
    history_reduction: HistoryReduction {
        on: bool = false, 0..=1, 1, Switch, "reduce late quiet moves that seldom cut", "RED-16, MISS-02";
        min_move: i32 = 4, 0..=60, 1, Search, "so many moves are searched in full before", "MISS-02: 4";
        min_depth: i32 = 3, 1..=20, 1, Search, "least remaining depth, plies", "MISS-02: 3";
        share: i32 = 55, 0..=100, 5, Search, "per cent of tries in which a move must have cut not to be reduced", "RED-16, MISS-02: 50 to 60";
        every_try: bool = false, 0..=1, 1, Switch, "tries count where no quiet move cut, too", "MISS-02";
        amount: i32 = 4, 0..=32, 1, Search, "the reduction, quarter plies", "MISS-02: 1 ply";
    }
}
