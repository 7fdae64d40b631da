//! Personalities are honest: each is what its paper says, by name, number and source, and all of
//! them play.

use std::sync::Arc;

use engine::params::{PERSONALITIES, SPECS, Shape};
use engine::{Engine, HashSize, Limits, Params, Position, bench};

/// A parameter, what it must be, and where that stands.
type Row = (&'static str, &'static str, &'static str);

/// REBEL as the page of 2007 describes it, to the letter.
const REBEL: &[Row] = &[
    ("search.pvs", "false", "ASP-01: no null windows"),
    ("aspiration.half_window", "128", "ASP-01: 0.50"),
    ("aspiration.reopen", "512", "ASP-02: 2.00"),
    ("aspiration.narrow", "true", "ASP-03, ASP-04"),
    ("aspiration.narrow_small", "26", "ASP-03: 0.10"),
    ("aspiration.narrow_big", "64", "ASP-04: 0.25"),
    ("aspiration.gradual", "false", "ASP-02"),
    ("time.dynamic", "false", "ROT-03"),
    ("time.nt", "false", "ROT-05 is Mediocre's"),
    ("contempt.value", "0", "no contempt on the page"),
    ("aspiration.on", "true", "ASP-01"),
    ("search.alpha_beta", "true", "ASP-01"),
    ("search.hash_cutoffs", "true", "HSH-05: below the root"),
    ("search.hash_value", "false", "the field's"),
    ("search.mate_distance", "false", "the field's"),
    ("correction.on", "false", "the field's"),
    ("root.by_nodes", "true", "ROT-02: better ordering"),
    ("root.by_score", "false", "ROT-02"),
    ("root.take_fail_high", "false", "ROT-04 is an idea of Mediocre's"),
    ("opening.on", "false", "PRO-19 is ProDeo's"),
    // Order.
    ("order.staged", "false", "GEN-01: all moves at once"),
    ("order.pst", "true", "GEN-03"),
    ("order.hanging", "true", "ORD-03"),
    ("order.mate_threat", "true", "ORD-21"),
    ("order.give_away", "true", "ORD-14"),
    ("order.escape", "true", "ORD-15"),
    ("order.winning_first", "true", "ORD-03"),
    ("order.cheapest_first", "true", "ORD-04"),
    ("order.see", "true", "ORD-24; nothing where hanging men sort"),
    ("qsearch.see_order", "true", "QS-14; nothing where hanging men sort"),
    ("order.history", "false", "ORD-23 is others'"),
    ("history.piece_to", "false", "ORD-23 is ProDeo's"),
    ("history.reply", "false", "the field's"),
    ("history.follow_up", "false", "the field's"),
    ("history.captures", "false", "the field's"),
    ("history.gravity", "true", "ORD-23; nothing where histories do not sort"),
    ("history_pst.clear_hash", "false", "HSH-08 is ProDeo's"),
    ("killers.raise", "true", "ORD-09"),
    ("killers.older", "true", "ORD-08"),
    ("mate_threat.on", "true", "ORD-20"),
    ("mate_threat.queen", "true", "ORD-20"),
    ("killers.on", "true", "ORD-08"),
    ("killers.mate", "true", "ORD-02"),
    ("killers.historic", "true", "ORD-12"),
    ("unsorted.on", "true", "ORD-17"),
    ("unsorted.step", "0", "ORD-17: half; ORD-18 is an idea"),
    ("iid.on", "false", "ORD-19 is Mediocre's"),
    ("iir.on", "false", "the field's"),
    // Selective search.
    ("selective.full_null", "false", "SEL-02"),
    ("selective.null_part", "true", "SEL-06"),
    ("selective.static_part", "true", "SEL-13"),
    ("selective.follow_extensions", "true", "SEL-05"),
    ("selective.pawn_push", "true", "SEL-15"),
    ("selective.king_pressure", "true", "SEL-16"),
    ("null_move.r_middlegame", "3", "SEL-09"),
    ("null_move.r_endgame", "2", "SEL-09"),
    ("null_move.threat_guard", "true", "SEL-07"),
    ("null_move.check_guard", "true", "SEL-08"),
    ("null_move.eval_guard", "false", "the field's"),
    ("null_move.pieces", "0", "the field's"),
    ("null_move.depth_divisor", "0", "the field's"),
    ("null_move.value_step", "0", "the field's"),
    ("null_move.verify_depth", "0", "the field's"),
    ("null_move.near_plies", "0", "the field's"),
    ("futility.on", "true", "FUT-01"),
    ("futility.depth", "2", "FUT-03: horizon - 2"),
    ("futility.correction", "false", "AMB-16"),
    ("static_cut.reverse", "false", "the field's"),
    ("static_cut.threat", "false", "no rule of the page"),
    ("static_cut.razor", "false", "the field's"),
    ("late_moves.count", "false", "the field's"),
    ("late_moves.see", "false", "the field's"),
    ("late_moves.history", "false", "the field's"),
    // Reductions.
    ("reduction1.on", "true", "RED-01"),
    ("reduction1.once", "true", "RED-03"),
    ("reduction2a.on", "true", "RED-07"),
    ("reduction2b.on", "true", "RED-09"),
    ("reduction2c.on", "true", "RED-11"),
    ("reduction2d.on", "true", "RED-13"),
    ("reduction2d.strict", "false", "AMB-21"),
    ("reduction2d.progress", "true", "RED-13, MISS-27"),
    ("reductions.hash_guard", "true", "RED-08"),
    ("reductions.max", "99", "RED-14"),
    ("reductions.by_iteration", "false", "RED-15 is an idea"),
    ("two_hanging.on", "false", "RED-18 is ProDeo's"),
    ("lmr.on", "false", "LMR is later"),
    ("lmr.null_window", "true", "for history reductions, RED-16: ASP-01's other moves have none"),
    ("history_reduction.on", "true", "RED-16: REBEL had them; MISS-02: how, its page is lost"),
    ("history_reduction.share", "55", "MISS-02: 50 to 60 %"),
    ("history_reduction.every_try", "true", "MISS-02: tries and cuts, by match"),
    // Extensions.
    ("check_ext.on", "true", "EXT-01"),
    ("check_ext.amount", "0,4,4,8,4", "EXT-02, AMB-23"),
    ("check_ext.horizon", "false", "HOR-01"),
    ("recapture_ext.on", "true", "EXT-04"),
    ("recapture_ext.window", "1280", "EXT-05: 5.00"),
    ("pawn_ext.on", "true", "EXT-07"),
    ("endgame_ext.simple", "true", "EXT-08"),
    ("endgame_ext.pawns", "true", "EXT-09"),
    ("endgame_ext.pawns_amount", "12", "EXT-09: 3 plies"),
    ("king_ext.on", "true", "EXT-11"),
    ("king_ext.rise", "128", "EXT-11, MISS-14: seriously; by match"),
    ("pv_ext.on", "true", "EXT-12"),
    ("pv_ext.count", "4", "EXT-12"),
    ("pv_ext.margin_on", "true", "EXT-12"),
    ("pv_ext.margin", "256", "EXT-12: 0x100"),
    ("pv_ext.once", "false", "EXT-14 is ProDeo's"),
    ("singular_ext.on", "false", "the field's"),
    ("extensions.by_iteration", "true", "EXT-15, MISS-16"),
    ("extensions.once", "true", "EXT-10"),
    // Horizon and quiescence.
    ("lazy.on", "true", "LAZ-01"),
    ("lazy.margin", "128", "LAZ-04: 0.50"),
    ("lazy.spare_hash", "false", "LAZ-01: no exception on the page"),
    ("futility.spare_hash", "false", "FUT-01: no exception on the page"),
    ("lazy.correction", "1", "LAZ-05, AMB-15"),
    ("lazy.spare_quadrant", "true", "LAZ-07"),
    ("lazy.spare_endings", "true", "LAZ-08"),
    ("lazy.spare_mates", "true", "LAZ-09"),
    ("horizon.trick_one", "true", "HOR-02"),
    ("horizon.trick_two", "true", "HOR-03"),
    ("long_checks.on", "true", "QS-07"),
    ("long_checks.old", "false", "QS-07: the latest version"),
    ("long_checks.plies", "2", "QS-07"),
    ("qsearch.see_prune", "true", "QS-02"),
    ("qsearch.see_min", "0", "QS-02: equal captures too"),
    ("qsearch.promotions", "true", "QS-02: queen promotions too"),
    ("qsearch.full_width", "false", "QS-03"),
    ("qsearch.hash", "true", "HSH-01, QS-04"),
    // Evaluation.
    ("phase.taper", "false", "DESIGN: phase-switched"),
    ("material.pawn", "230", "MISS-17: fitted"),
    ("material.knight", "803", "MISS-17: fitted"),
    ("material.bishop", "883", "MISS-17: fitted"),
    ("material.rook", "1373", "MISS-17: fitted"),
    ("material.queen", "2706", "MISS-17: fitted"),
    ("mobility.split", "false", "MOB-07"),
    ("initiative.on", "false", "PRO-08 is ProDeo's"),
    ("shuffle.on", "false", "PRO-07 is ProDeo's"),
    ("imbalance.on", "false", "PRO-01 is ProDeo's"),
    ("history_pst.on", "false", "PRO-09 is ProDeo's"),
    ("bishop_v_knight.on", "false", "PRO-14 is ProDeo's"),
    ("knight_blockade.on", "false", "PRO-18 is ProDeo's"),
    ("rook_pin_eighth.on", "false", "PRO-11 is ProDeo's"),
    ("rook_ram.on", "false", "PRO-16 is ProDeo's"),
    ("rook_behind_pawn.on", "false", "PRO-17 is ProDeo's"),
    ("scaling.opposite_bishops", "false", "MISS-33"),
    ("scaling.fifty_moves", "false", "MISS-33"),
    ("castling.castled", "63", "MISS-05: fitted"),
    ("castling.rights", "24", "MISS-05: fitted"),
    ("castling.lost", "17", "MISS-05: fitted"),
    ("opposite_kings.storm", "0,-25,-26,-2,25,31,31,0", "MISS-06: fitted"),
];

/// ProDeo as the blog describes it: where it says nothing, REBEL.
const PRODEO: &[Row] = &[
    ("selective.full_null", "true", "SEL-17: full null move"),
    ("selective.null_part", "true", "SEL-17"),
    ("selective.static_part", "false", "SEL-17"),
    ("reduction1.on", "false", "RED-17: only 2d survived"),
    ("reduction2a.on", "false", "RED-17"),
    ("reduction2b.on", "false", "RED-17"),
    ("reduction2c.on", "false", "RED-17"),
    ("reduction2d.on", "true", "RED-17"),
    ("two_hanging.on", "true", "RED-18"),
    ("lmr.on", "true", "LMR-11"),
    ("lmr.null_window", "true", "LMR-01"),
    ("lmr.spare_checks", "true", "LMR-11"),
    ("lmr.spare_captures", "true", "LMR-11"),
    ("lmr.spare_evasions", "true", "LMR-11: king in check"),
    ("lmr.king", "true", "LMR-09"),
    ("lmr.king_level", "128", "LMR-09: 0.50"),
    ("lmr.king_rise", "64", "LMR-09: 0.25"),
    ("lmr.passed", "true", "LMR-10"),
    ("lmr.passed_level", "128", "LMR-10: 0.50"),
    ("lmr.passed_rise", "64", "LMR-10: 0.25"),
    ("king_ext.rise", "128", "EXT-11, MISS-14: seriously; by match"),
    ("pv_ext.on", "true", "EXT-14"),
    ("pv_ext.margin_on", "false", "EXT-14: no margin"),
    ("pv_ext.once", "true", "EXT-14: move not already extended"),
    ("lazy.spare_hash", "false", "LAZ-01: no exception on the page"),
    ("futility.spare_hash", "false", "FUT-01: no exception on the page"),
    ("mobility.split", "true", "PRO-12, MOB-08"),
    ("initiative.on", "true", "PRO-08"),
    ("shuffle.on", "true", "PRO-07"),
    ("imbalance.on", "true", "PRO-01"),
    ("imbalance.built_in", "true", "PRO-01: unless files are loaded; MISS-23"),
    ("imbalance.symmetric", "true", "PRO-01"),
    ("imbalance.bishop_pair", "true", "PRO-04"),
    ("imbalance.rook_two_minors", "true", "PRO-04"),
    ("imbalance.queen_three_minors", "true", "PRO-04"),
    ("imbalance.rook_bishop_pawn", "true", "PRO-04"),
    ("imbalance.minor_three_pawns", "true", "PRO-04"),
    ("opening.on", "true", "PRO-19: with a table"),
    ("opening.whole_tree", "false", "PRO-19: root moves only"),
    ("history.piece_to", "true", "ORD-23, PRO-09: H[piece][square]"),
    ("history.gravity", "false", "MISS-29: clamped at 2000"),
    ("history_pst.cumulative", "false", "AMB-78"),
    ("history_pst.on", "true", "PRO-09"),
    ("history_pst.each_iteration", "false", "PRO-10: failed"),
    ("order.history", "true", "ORD-23: H[piece][square]"),
    ("strong_square.cover", "false", "PRO-15"),
    ("cooperative_knights.on", "false", "PRO-20: no Elo"),
    ("bishop_v_knight.on", "true", "PRO-14"),
    ("rook_pin_eighth.on", "true", "PRO-11"),
    ("rook_ram.on", "true", "PRO-16"),
    ("rook_behind_pawn.on", "true", "PRO-17"),
    ("knight_blockade.on", "true", "PRO-18"),
    ("search.pvs", "false", "ASP-01"),
    ("check_ext.amount", "0,4,4,8,4", "EXT-02"),
    ("recapture_ext.on", "true", "EXT-04"),
    ("lazy.on", "true", "LAZ-01"),
    ("unsorted.on", "true", "ORD-17"),
    ("long_checks.on", "true", "QS-07"),
    ("history_reduction.on", "false", "LMR-11: late move reductions in their place"),
    ("history_reduction.every_try", "false", "nothing where they are off"),
    ("material.pawn", "233", "MISS-17: fitted"),
    ("material.knight", "816", "MISS-17: fitted"),
    ("material.bishop", "893", "MISS-17: fitted"),
    ("material.rook", "1393", "MISS-17: fitted"),
    ("material.queen", "2693", "MISS-17: fitted"),
    ("castling.castled", "62", "MISS-05: fitted"),
    ("castling.rights", "23", "MISS-05: fitted"),
    ("castling.lost", "15", "MISS-05: fitted"),
    ("opposite_kings.storm", "0,-24,-25,0,25,31,31,0", "MISS-06: fitted"),
];

/// Mediocre v0.3's search.
const MEDIOCRE: &[Row] = &[
    ("search.pvs", "true", "ASP-06, LMR-01"),
    ("aspiration.half_window", "26", "ASP-05: 10 centipawns"),
    ("aspiration.narrow", "false", "ASP-03 is REBEL's"),
    ("aspiration.gradual", "true", "ASP-05 tells no other way: a side that failed"),
    ("aspiration.widest", "1", "is opened at once"),
    ("order.staged", "true", "GEN-15"),
    ("order.see", "true", "ORD-24 (ss)"),
    ("qsearch.see_order", "true", "QS-14 (qs)"),
    ("order.history", "true", "ORD-22"),
    ("killers.on", "true", "ORD-22: two killers"),
    ("iid.on", "true", "ORD-19"),
    ("lmr.on", "true", "LMR-01"),
    ("lmr.min_move", "4", "LMR-02"),
    ("lmr.min_depth", "3", "LMR-02"),
    ("lmr.amount", "4", "LMR-01: one ply"),
    ("lmr.research", "true", "LMR-01"),
    ("lmr.null_window", "true", "AMB-69"),
    ("lmr.king", "false", "LMR-09 is ProDeo's"),
    ("lmr.growing", "false", "LMR-07 is an idea"),
    ("lmr.spare_captures", "true", "LMR-02"),
    ("lmr.spare_raises", "false", "LMR-06 is an idea"),
    ("lmr.spare_threats", "false", "LMR-06 is an idea"),
    ("lmr.spare_history", "false", "LMR-06 is an idea"),
    ("lmr.spare_checks", "true", "LMR-04: clmr"),
    ("lmr.spare_evasions", "false", "LMR-04: not plmr"),
    ("qsearch.see_prune", "true", "QS-13: qsp"),
    ("qsearch.promotions", "false", "QS-02 is REBEL's"),
    ("selective.full_null", "true", "LMR-08: null moves beside LMR"),
    ("selective.null_part", "true", "LMR-08"),
    ("null_move.threat_guard", "false", "SEL-07 is REBEL's"),
    ("null_move.check_guard", "false", "SEL-08 is REBEL's"),
    ("order.pst", "false", "GEN-03 is REBEL's"),
    ("mate_threat.on", "false", "ORD-20 is REBEL's"),
    ("killers.older", "false", "ORD-08 is REBEL's"),
    ("killers.raise", "false", "ORD-09 is REBEL's"),
    ("recapture_ext.on", "false", "EXT-04 is REBEL's"),
    ("pawn_ext.on", "false", "EXT-07 is REBEL's"),
    ("long_checks.on", "false", "QS-06 is REBEL's"),
    ("reduction2d.on", "false", "RED-13 is REBEL's"),
    ("horizon.trick_one", "false", "HOR-02 is REBEL's"),
    ("time.dynamic", "false", "ROT-03"),
    ("time.nt", "false", "ROT-05: nt lost"),
    ("check_ext.on", "true", "LMR-04 names the check extension"),
    ("lazy.on", "false", "LAZ-01 is REBEL's"),
    ("futility.on", "false", "FUT-01 is REBEL's"),
];

/// winglet's chapter 18.
const WINGLET: &[Row] = &[
    ("search.pvs", "true", "ASP-06: step 81"),
    ("qsearch.see_prune", "true", "SEE-11"),
    ("qsearch.see_min", "1", "AMB-31: only captures that gain"),
    ("qsearch.promotions", "false", "QS-02 is REBEL's"),
    ("mate_threat.on", "false", "ORD-20 is REBEL's"),
    ("qsearch.full_width", "true", "QS-09"),
    ("qsearch.hash", "false", "QS-09: step 82 asks no table"),
    ("order.history", "true", "ORD-23: step 80"),
    ("history.piece_to", "false", "ORD-23: by squares"),
    ("history.reply", "false", "the field's"),
    ("history.follow_up", "false", "the field's"),
    ("history.captures", "false", "the field's"),
    ("history.gravity", "true", "ORD-23: not told how it stays in bounds"),
    ("search.alpha_beta", "true", "ASP-06"),
    ("aspiration.gradual", "false", "not in the chapter"),
    ("see.pins", "false", "SEE-10"),
    ("order.see", "true", "SEE-17: step 82"),
    ("qsearch.see_order", "true", "QS-09, SEE-17: step 82"),
    ("lmr.on", "false", "not in the chapter"),
    ("selective.null_part", "false", "not in the chapter"),
    ("aspiration.on", "false", "not in the chapter"),
    ("killers.on", "false", "not in the chapter"),
    ("check_ext.horizon", "true", "QS-12; nothing without check extensions"),
    ("check_ext.on", "false", "not in the chapter"),
    ("order.pst", "false", "GEN-03 is REBEL's"),
    ("recapture_ext.on", "false", "EXT-04 is REBEL's"),
    ("long_checks.on", "false", "QS-06 is REBEL's"),
    ("unsorted.on", "false", "ORD-17 is REBEL's"),
    ("futility.on", "false", "FUT-01 is REBEL's"),
    ("lazy.on", "false", "LAZ-01 is REBEL's"),
];

/// The switches that `default` has otherwise than the table, each by matches.
const DEFAULT: &[Row] = &[
    ("passed.immobility", "false", "results/2026-11-22-immobility-and-pair-by-pawns"),
    ("bishop_pair.by_pawns", "true", "results/2026-11-22-immobility-and-pair-by-pawns"),
    ("search.hash_value", "true", "results/selective-search-steps"),
    ("search.mate_distance", "true", "results/2026-11-22-selective-search"),
    ("correction.on", "true", "results/selective-search-steps"),
    ("iir.on", "true", "results/2026-11-22-selective-search"),
    ("selective.null_part", "true", "results/2026-11-22-selective-search"),
    ("null_move.threat_guard", "false", "results/2026-11-22-selective-search"),
    ("null_move.eval_guard", "true", "results/2026-11-22-selective-search"),
    ("futility.on", "true", "results/selective-search-steps"),
    ("futility.correction", "true", "results/selective-search-steps"),
    ("static_cut.reverse", "true", "results/2026-11-22-selective-search"),
    ("late_moves.count", "true", "results/selective-search-steps"),
    ("late_moves.see", "true", "results/2026-11-22-selective-search"),
    ("lmr.on", "true", "results/2026-11-22-selective-search"),
    ("lmr.growing", "true", "results/2026-11-22-selective-search"),
    ("check_ext.horizon", "false", "results/selective-search-steps"),
    ("lazy.on", "true", "results/selective-search-steps"),
    ("order.staged", "true", "results/2026-11-22-selective-search"),
    ("order.pst", "false", "results/selective-search-steps"),
    ("history.reply", "true", "results/selective-search-steps"),
    ("history.follow_up", "true", "results/selective-search-steps"),
    ("time.dynamic", "true", "results/2026-11-25-dynamic-time"),
];

/// No switch of `default` is turned without a match on record.
#[test]
fn default_differs_by_what_was_accepted() {
    let (table, default) = (Params::default(), Params::personality("default").expect("there"));
    let turned: Vec<(&str, String)> = SPECS
        .iter()
        .filter(|spec| spec.shape == Shape::Switch && spec.text(&table) != spec.text(&default))
        .map(|spec| (spec.name, spec.text(&default)))
        .collect();
    let listed = |name: &str| DEFAULT.iter().find(|row| row.0 == name).map(|row| row.1);
    for (name, is) in &turned {
        assert_eq!(listed(name), Some(is.as_str()), "{name}");
    }
    assert_eq!(turned.len(), DEFAULT.len());
    // Numbers that were taken for zugzwangs, not for Elo: results/zugzwang.
    assert_eq!((default.null_move.near_plies, default.null_move.near_pieces), (3, 9));
    assert_eq!(default.null_move.moves, 1);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, _, folder) in DEFAULT {
        assert!(root.join(folder).is_dir(), "{name}: {folder}");
    }
}

#[test]
fn they_are_what_their_papers_say() {
    for (name, rows) in
        [("rebel", REBEL), ("prodeo", PRODEO), ("mediocre", MEDIOCRE), ("winglet", WINGLET)]
    {
        let params = Params::personality(name).expect(name);
        for (parameter, wanted, source) in rows {
            let is = params.get(parameter).expect(parameter);
            assert_eq!(is, *wanted, "{name}: {parameter} ({source})");
        }
    }
}

/// ProDeo is REBEL where the blog says nothing.
#[test]
fn prodeo_is_rebel_where_it_says_nothing() {
    let prodeo = Params::personality("prodeo").expect("there");
    let said = |parameter: &str| PRODEO.iter().any(|row| row.0 == parameter);
    for (parameter, wanted, source) in REBEL.iter().filter(|row| !said(row.0)) {
        let is = prodeo.get(parameter).expect(parameter);
        assert_eq!(is, *wanted, "{parameter} ({source})");
    }
}

/// A number nobody listed cannot be found wrong: all that a personality's file sets has a row, but for the
/// piece-square tables, which are fitted (MISS-17).
#[test]
fn nothing_is_set_without_a_row() {
    let table = Params::default();
    for Paper { personality, rows, .. } in PAPERS {
        let params = Params::personality(personality).expect(personality);
        let listed = |name: &str| rows.iter().any(|rows| rows.iter().any(|row| row.0 == name));
        let unlisted: Vec<&str> = SPECS
            .iter()
            .filter(|spec| spec.text(&params) != spec.text(&table))
            .map(|spec| spec.name)
            .filter(|name| !name.starts_with("pst.") && !listed(name))
            .collect();
        assert!(unlisted.is_empty(), "{personality}: {unlisted:?}");
    }
}

/// What the field has found since is in none of the four.
#[test]
fn nothing_of_the_fields_is_on() {
    for Paper { personality, .. } in PAPERS {
        let params = Params::personality(personality).expect(personality);
        let is_on = |name: &str| params.get(name).expect(name) == "true";
        let on: Vec<&str> = SPECS
            .iter()
            .filter(|spec| spec.shape == Shape::Switch && spec.source.starts_with("the field's"))
            .map(|spec| spec.name)
            .filter(|name| is_on(name))
            // An exception from what is off.
            .filter(|name| {
                name.strip_suffix(".spare_hash").is_none_or(|area| is_on(&format!("{area}.on")))
            })
            .collect();
        assert!(on.is_empty(), "{personality}: {on:?}");
    }
}

/// A personality, the rows above that hold it, and the prefixes of the ids that its paper is the
/// source of.
struct Paper {
    personality: &'static str,
    rows: &'static [&'static [Row]],
    ids: &'static [&'static str],
}

const PAPERS: [Paper; 4] = [
    Paper {
        personality: "rebel",
        rows: &[REBEL],
        ids: &[
            "ORD-", "ASP-", "LAZ-", "FUT-", "HOR-", "QS-", "RED-", "EXT-", "SEL-", "HSH-", "ROT-",
        ],
    },
    Paper {
        personality: "prodeo",
        rows: &[PRODEO, REBEL],
        ids: &[
            "PRO-", "LMR-09", "LMR-1", "EXT-14", "RED-17", "RED-18", "RED-19", "SEL-17", "MOB-08",
        ],
    },
    Paper {
        personality: "mediocre",
        rows: &[MEDIOCRE],
        ids: &[
            "GEN-15", "ORD-19", "ORD-22", "ORD-24", "LMR-0", "QS-13", "QS-14", "ASP-05", "ROT-05",
        ],
    },
    Paper {
        personality: "winglet",
        rows: &[WINGLET],
        ids: &["SEE-1", "QS-09", "QS-1", "ORD-23", "ASP-06", "AMB-31"],
    },
];

/// A switch that is missing above cannot be found wrong: all that a paper is the source of are there.
#[test]
fn no_switch_of_a_paper_is_left_out() {
    for Paper { personality, rows, ids } in PAPERS {
        let listed = |switch: &str| rows.iter().any(|rows| rows.iter().any(|row| row.0 == switch));
        let missing: Vec<&str> = SPECS
            .iter()
            .filter(|spec| spec.shape == Shape::Switch)
            .filter(|spec| ids.iter().any(|id| spec.source.contains(id)) && !listed(spec.name))
            .map(|spec| spec.name)
            .collect();
        assert!(missing.is_empty(), "{personality}: {missing:?}");
    }
}

/// PAR-01, PAR-02, PAR-03, PAR-04: the papers' own personality parameters, as ours: each is there,
/// differs from what REBEL plays with, and changes the search. Two of them go further than the paper
/// does, to show within a short search.
#[test]
fn the_papers_personality_parameters() {
    let rebel = Params::personality("rebel").expect("known");
    let nodes = |params: &Params| {
        let mut engine = Engine::new(&Arc::new(params.clone()), HashSize::from_mib(1));
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let positions = bench::POSITIONS.iter().take(4);
        positions
            .map(|fen| engine.search(&Position::from_fen(fen).expect(fen), &limits, &()).nodes)
            .sum::<u64>()
    };
    let usual = nodes(&rebel);
    for (ours, value) in [
        ("lazy.margin", "256"),
        ("lazy.on", "false"),
        ("selective.full_null", "true"),
        ("pv_ext.on", "false"),
        ("pv_ext.margin", "0"),
        ("pv_ext.count", "3"),
        ("reductions.max", "1"),
    ] {
        let mut params = rebel.clone();
        params.set(ours, value).expect(ours);
        assert_ne!(nodes(&params), usual, "{ours} = {value}");
    }
}

/// DESIGN §2: the five; each searches every bench position, the same twice.
#[test]
fn all_five_play() {
    let names: Vec<&str> = PERSONALITIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["default", "rebel", "prodeo", "mediocre", "winglet"]);
    for name in names {
        let params = Arc::new(Params::personality(name).expect(name));
        let mut engine = Engine::new(&params, HashSize::from_mib(1));
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        for fen in engine::bench::POSITIONS {
            let position = Position::from_fen(fen).expect(fen);
            let mut once = || {
                engine.new_game();
                let report = engine.search(&position, &limits, &());
                (report.best, report.score, report.nodes)
            };
            let first = once();
            assert!(first.0.is_some(), "{name} {fen}");
            assert_eq!(first, once(), "{name} {fen}");
        }
    }
}
