//! Every table of the papers against the parameter table: corrected in personality `rebel`, as printed in
//! `printed`.
//!
//! `data/papers_tables.json` holds the values as printed, with the corrections of misprints that
//! the register proposes. Each table is either a parameter, cells of several parameters, a constant
//! that its own area tests, or no number to play by.

use std::collections::BTreeSet;

use engine::Params;
use engine::eval::attack_map::{AttackByte, AttackerClass};
use engine::params::{SPECS, Shape};
use engine::types::{Square, cp};
use serde_json::{Map, Value as Json};

/// How the paper's numbers become ours.
#[derive(Debug, Clone, Copy)]
enum Unit {
    /// Taken over: 1/256 pawn, steps, factors, points, pawns where ours are pawns.
    Same,
    /// Pawns that become 1/256 pawn.
    Pawns,
    /// Centipawns that become 1/256 pawn.
    Centipawns,
}
use Unit::{Centipawns, Pawns, Same};

/// Tables that are one parameter each, cell by cell.
const WHOLE: &[(&str, &str, Unit)] = &[
    ("move_order.white_knight", "order.knight", Same),
    ("isolated_pawn.middlegame_example", "isolated.middlegame", Same),
    ("mobility.knight_square", "mobility.knight", Same),
    ("pawn.formation_1", "pawns.formation_1", Same),
    ("pawn.formation_2", "pawns.formation_2", Same),
    ("pawn.weakpawn_1", "pawns.weakpawn_1", Same),
    ("pawn.weakpawn_2", "pawns.weakpawn_2", Same),
    ("pawn.pressure_importance", "pressure.factor", Same),
    ("passed_pawn.middlegame", "passed.middlegame", Same),
    ("passed_pawn.endgame", "passed.endgame", Same),
    ("passed_pawn.pawn_ending", "passed.pawn_ending", Same),
    ("passed_pawn.own_king_support", "passed.king_support_table", Same),
    ("passed_pawn.enemy_king_tropism", "passed.king_tropism_table", Same),
    ("bad_bishop_1_diagram", "bad_bishop.factor", Same),
    ("bad_bishop_2", "bad_bishop.importance", Same),
    ("strong_square.knight", "strong_square.table", Same),
    ("center_control.white", "centre.table", Same),
    ("rook.connection", "rook_connection.table", Same),
    ("kbnk.table1_dark_bishop", "endgame.kbnk_dark", Same),
    ("kbnk.table2_light_bishop", "endgame.kbnk_light", Same),
    ("king_safety_progressive", "king_safety.table", Same),
    ("king_safety.attack_pattern", "king_safety.pattern", Same),
    ("mobility_progressive", "mobility.table", Same),
    ("bishop_pair.by_material", "bishop_pair.pieces", Same),
    ("bishop_pair.by_opponent_pawns", "bishop_pair.pawns", Same),
    ("minimum_mobility.knight", "minimum_mobility.knight", Same),
    ("minimum_mobility.bishop", "minimum_mobility.bishop", Same),
    ("rook.doubled_file_value", "doubled_rooks.file", Same),
    ("rook.doubled_pawn_tab", "doubled_rooks.pawns", Same),
    ("double_attack_bonus", "double_attack.bonus", Same),
    ("pawn_ending.bonus", "pawn_ending.bonus", Same),
    ("endgame.adjust", "endgame.adjust", Pawns),
    ("prodeo.tempo_penalty", "shuffle.penalty", Same),
    ("prodeo.initiative", "initiative.bonus", Same),
    ("prodeo.pst_from_history", "history_pst.table", Same),
];

/// Tables seen from Black: the same with the ranks turned over.
const TURNED: &[(&str, &str)] = &[
    ("king_safety.prefill_black_king", "king_safety.prefill"),
    ("center_control.black", "centre.table"),
];

/// A table's name, the keys or indices (or `key[index]`) of its cells with the parameter of each,
/// and the unit.
type Cells = (&'static str, &'static [(&'static str, &'static str)], Unit);

/// Single cells of tables.
const CELLS: &[Cells] = &[
    (
        "move_order.priorities",
        &[
            ("hash_move", "order.hash_move"),
            ("mate_killer", "order.mate_move"),
            ("winning_capture_hanging_1", "order.hanging_values[0]"),
            ("winning_capture_hanging_2", "order.hanging_values[1]"),
            ("winning_capture_hanging_3", "order.hanging_values[2]"),
            ("queen_promotion_phase2_area[0]", "order.covered_promotion"),
            ("queen_promotion_phase2_area[1]", "order.safe_promotion"),
            ("queen_promotion_with_capture", "order.capture_promotion"),
            ("queen_promotion", "order.promotion"),
            ("QxQ", "order.equal_captures[0]"),
            ("RxR", "order.equal_captures[1]"),
            ("NxB", "order.equal_captures[2]"),
            ("BxB", "order.equal_captures[3]"),
            ("BxN", "order.equal_captures[4]"),
            ("pxp", "order.equal_captures[6]"),
            ("killer1_ply", "killers.first"),
            ("historic_mate_killer", "killers.historic_value"),
            ("killer1_ply_minus_2", "killers.first_older"),
            ("killer2_ply", "killers.second"),
            ("killer2_ply_minus_2", "killers.second_older"),
            ("castle_short", "order.castle_king_side"),
            ("castle_long", "order.castle_queen_side"),
            ("minor_promotion", "order.minor_promotion"),
            ("correction_limit_below", "order.correction_below"),
            ("correction_gives_material", "order.give_away_points"),
            ("correction_hanging_piece_moves", "order.escape_points"),
        ],
        Same,
    ),
    (
        "aspiration.windows",
        &[
            ("base", "aspiration.half_window"),
            ("second_try", "aspiration.reopen"),
            ("beta_narrow_small_decline", "aspiration.narrow_small"),
            ("beta_narrow_big_decline_vs_previous_score", "aspiration.narrow_big"),
            ("big_decline_from", "aspiration.small_decline"),
        ],
        Pawns,
    ),
    (
        "pawn.doubled",
        &[
            ("doubled", "pawns.doubled_penalty"),
            ("isolated_extra", "pawns.isolated_doubled_penalty"),
            ("isolated_open_file_extra", "pawns.isolated_doubled_open_penalty"),
        ],
        Same,
    ),
    (
        "passed_pawn.compelling",
        &[
            ("black_rook_in_front", "passed.compelling_rook"),
            ("black_queen_in_front", "passed.compelling_queen"),
            ("rank5_factor", "passed.compelling_ranks[0]"),
            ("rank6_factor", "passed.compelling_ranks[1]"),
            ("rank7_factor", "passed.compelling_ranks[2]"),
        ],
        Same,
    ),
    ("passed_pawn.quadrant_bonus", &[("bonus_pawns", "quadrant.bonus")], Pawns),
    ("bishop_pair.no_minor_extra", &[("bonus", "bishop_pair.no_minors_bonus")], Same),
    (
        "pin.bishop",
        &[("10", "pins.bishop[0]"), ("11", "pins.bishop[1]"), ("12", "pins.bishop[2]")],
        Same,
    ),
    ("pin.rook", &[("10", "pins.rook[0]"), ("11", "pins.rook[1]"), ("12", "pins.rook[2]")], Same),
    ("pin.two_higher_pieces", &[("bonus_pawns", "pins.skewer_bonus")], Pawns),
    ("bishop.trapped", &[("penalty_pawns", "trapped_bishop.penalty")], Pawns),
    (
        "rook.seventh_rank",
        &[("bonus", "rook_seventh.bonus"), ("king_caught_extra", "rook_seventh.caught")],
        Same,
    ),
    ("endgame.king_score", &[("X", "endgame.small"), ("Y", "endgame.large")], Pawns),
    ("kbnk.constants", &[("base", "endgame.kbnk_base")], Same),
    (
        "krpkr.draw_score",
        &[
            ("same_file", "endgame.krpkr_same_file"),
            ("adjacent_file", "endgame.krpkr_adjacent_file"),
        ],
        Pawns,
    ),
    (
        "prodeo.rook_pin_8th",
        &[
            ("0", "rook_pin_eighth.lasting"),
            ("1", "rook_pin_eighth.king"),
            ("2", "rook_pin_eighth.piece"),
        ],
        Pawns,
    ),
    (
        "prodeo.mit_thresholds",
        &[
            ("safe_min_games", "imbalance.min_games"),
            ("reliable_games_more_than", "imbalance.reliable_games"),
            ("reliable_perc_above", "imbalance.reliable_high"),
            ("reliable_perc_below", "imbalance.reliable_low"),
        ],
        Same,
    ),
    ("prodeo.bishop_vs_knight_ending", &[("bonus", "bishop_v_knight.bonus")], Pawns),
    ("lazy_eval.margin_by_chessknowledge", &[("100", "lazy.margin")], Pawns),
    (
        "futility.margins",
        &[
            ("horizon_minus_1", "futility.one"),
            ("horizon_minus_1_endgame", "futility.one_endgame"),
            ("horizon_minus_2", "futility.two"),
        ],
        Pawns,
    ),
    (
        "horizon.trick_margins",
        &[
            ("trick1_base", "horizon.safety"),
            ("trick1_own_king_was_in_check", "horizon.check"),
            ("trick1_opponent_can_promote", "horizon.promotion"),
            ("trick2", "horizon.far"),
        ],
        Pawns,
    ),
    (
        "reduction2b.x_max_by_stage",
        &[
            ("middlegame", "reduction2b.most[0]"),
            ("early_endgame", "reduction2b.most[1]"),
            ("endgame", "reduction2b.most[2]"),
            ("late_endgame", "reduction2b.most[3]"),
            ("pawn_ending", "reduction2b.most[4]"),
        ],
        Same,
    ),
    ("extension.pv", &[("count_default", "pv_ext.count")], Same),
    (
        "null_move.R",
        &[("middlegame", "null_move.r_middlegame"), ("endgame", "null_move.r_endgame")],
        Same,
    ),
    (
        "qs.max_checks",
        &[
            ("one_legal_evasion", "long_checks.one_reply"),
            ("two_legal_evasions", "long_checks.two_replies"),
        ],
        Same,
    ),
    (
        "prodeo.lmr_exception",
        &[
            ("king_safety_min", "lmr.king_level"),
            ("king_safety_rise", "lmr.king_rise"),
            ("passed_pawn_min", "lmr.passed_level"),
            ("passed_pawn_rise", "lmr.passed_rise"),
        ],
        Pawns,
    ),
    ("prodeo.pv_extension", &[("count", "pv_ext.count")], Same),
];

/// Tables by depth or iteration, whose print ends in dots: table, parameter, unit, and how much
/// each further cell adds to the last one printed.
const BY_DEPTH: &[(&str, &str, Unit, i32)] = &[
    ("reduction1.margin", "reduction1.margin", Centipawns, 0),
    ("reduction2b.x_middlegame", "reduction2b.last_plies", Same, 0),
    ("reduction2b.margin", "reduction2b.margin", Centipawns, 0),
    ("reduction2c.margin", "reduction2c.margin", Centipawns, 0),
    ("reduction.max_by_iteration_proposal", "reductions.max_by_iteration", Same, 0),
    ("recapture.narrow", "recapture_ext.narrow", Centipawns, 0),
    ("s_depth.middlegame", "selective.middlegame", Same, 1),
    ("s_depth.endgame", "selective.endgame", Same, 1),
    ("s_depth.late_endgame", "selective.late_endgame", Same, 1),
    ("static_prune.margin", "selective.margin", Centipawns, 0),
];

/// Constants of the code: the attack bytes below, the others each where they stand.
const CONSTANTS: &[&str] = &[
    "piece_codes",
    "attack_byte_bits",
    "smallest_attacker_values",
    "center_control.range",
    "endgame.index_white",
    "endgame.index_black",
    "endgame.jump",
    "prodeo.mit_dims",
    "extension.fraction",
];

/// Misprints that another table replaces, and statistics that are no parameters.
const NO_PARAMETERS: &[&str] =
    &["bad_bishop_1", "prodeo.mit_statistics", "prodeo.reduction_conditions_old_static_types"];

fn tables() -> Map<String, Json> {
    let json: Json = serde_json::from_str(include_str!("data/papers_tables.json")).expect("JSON");
    json["tables"].as_object().expect("tables").clone()
}

fn rebel() -> Params {
    Params::personality("rebel").expect("known")
}

impl Unit {
    fn ours(self, number: f64) -> i32 {
        match self {
            Same => number as i32,
            Pawns => cp((number * 100.0).round() as i32),
            Centipawns => cp(number as i32),
        }
    }
}

/// A table's numbers as printed.
fn as_printed(table: &Json) -> Vec<f64> {
    let rows = table.get("values").or(table.get("rows")).and_then(Json::as_array).expect("values");
    let flat = rows.iter().flat_map(|row| match row {
        Json::Array(cells) => cells.clone(),
        cell => vec![cell.clone()],
    });
    flat.map(|cell| cell.as_f64().expect("a number")).collect()
}

/// A table's numbers with the proposed corrections.
fn corrected(table: &Json) -> Vec<f64> {
    let mut numbers = as_printed(table);
    for (square, value) in table.get("proposed").and_then(Json::as_object).into_iter().flatten() {
        let square: Square = square.parse().expect("a square");
        numbers[square as usize] = value.as_f64().expect("a number");
    }
    for cell in table.get("proposed_cells").and_then(Json::as_array).into_iter().flatten() {
        let of = |index: usize| cell[index].as_f64().expect("a number");
        numbers[of(0) as usize * 16 + of(1) as usize] = of(2);
    }
    numbers
}

/// All cells of a parameter.
fn parameter(params: &Params, name: &str) -> Vec<i32> {
    let spec = SPECS.iter().find(|spec| spec.name == name).unwrap_or_else(|| panic!("{name}"));
    (0..spec.cells()).map(|cell| spec.get(params, cell)).collect()
}

#[test]
fn whole_tables() {
    compare("rebel", corrected);
}

/// What `printed` is for: no cell of a table is corrected, and the bad bishop's factors are those of the
/// list, not of the diagram. Its last entry is behind the last piece code.
#[test]
fn whole_tables_as_printed() {
    compare("printed", as_printed);
}

/// The tables as `read`, cell by cell, in a personality.
fn compare(personality: &str, read: fn(&Json) -> Vec<f64>) {
    let (tables, params) = (tables(), Params::personality(personality).expect("known"));
    for &(mut table, name, unit) in WHOLE {
        if (personality, table) == ("printed", "bad_bishop_1_diagram") {
            table = "bad_bishop_1";
        }
        let papers: Vec<i32> = read(&tables[table]).into_iter().map(|n| unit.ours(n)).collect();
        let ours = parameter(&params, name);
        // These lists go on in print behind what can ever be looked up.
        let longer = ["bishop_pair.by_material", "rook.doubled_pawn_tab", "bad_bishop_1"];
        assert!(
            ours.len() == papers.len() || longer.contains(&table),
            "{table}: {} cells, we have {}",
            papers.len(),
            ours.len()
        );
        assert_eq!(ours, papers[..ours.len()], "{personality}: {table} is not {name}");
    }
}

#[test]
fn tables_seen_by_black() {
    let (tables, params) = (tables(), rebel());
    for &(table, name) in TURNED {
        let papers = corrected(&tables[table]);
        let ours = parameter(&params, name);
        for square in Square::ALL {
            let turned = square.flip_vertical() as usize;
            assert_eq!(ours[square as usize], papers[turned] as i32, "{table} {square}");
        }
    }
}

#[test]
fn tables_by_depth() {
    let (tables, params) = (tables(), rebel());
    for &(table, name, unit, growth) in BY_DEPTH {
        let mut papers: Vec<i32> =
            corrected(&tables[table]).into_iter().map(|n| unit.ours(n)).collect();
        let ours = parameter(&params, name);
        assert!(papers.len() <= ours.len(), "{table}: all that is printed has its cell");
        while papers.len() < ours.len() {
            papers.push(papers[papers.len() - 1] + growth);
        }
        assert_eq!(ours, papers, "{table} is not {name}");
    }
}

#[test]
fn single_cells() {
    let (tables, params) = (tables(), rebel());
    for &(table, cells, unit) in CELLS {
        for &(key, name) in cells {
            let values = &tables[table]["values"];
            let cell = match key.trim_end_matches(']').split_once('[') {
                Some((key, index)) => &values[key][index.parse::<usize>().expect("an index")],
                None if values.is_array() => &values[key.parse::<usize>().expect("an index")],
                None => &values[key],
            };
            let papers = cell.as_f64().unwrap_or_else(|| panic!("{table}: {key} in {values}"));
            let ours = params.get(name).expect(name).parse::<i32>().expect("a number");
            assert_eq!(ours, unit.ours(papers), "{table}: {key} is not {name}");
        }
    }
}

/// END-09: `distance << 3` of the print is a factor here.
#[test]
fn shifts_are_factors() {
    let shift = tables()["kbnk.constants"]["values"]["distance_shift"].as_u64().expect("a shift");
    assert_eq!(rebel().endgame.kbnk_distance, 1 << shift);
}

/// EVA-04, EVA-10: the attack byte's bits and its cheapest man.
#[test]
fn attack_bytes() {
    let tables = tables();
    let bits = &tables["attack_byte_bits"]["values"];
    let values = &tables["smallest_attacker_values"]["values"];
    let names = ["pawn", "knight_bishop", "rook", "queen", "king"];
    for (class, name) in AttackerClass::ALL.into_iter().zip(names) {
        assert_eq!(bits[name].as_i64(), Some(1 << class as i64), "{name}");
        let byte = AttackByte(1 << class as u8 | 1);
        assert!(byte.has(class));
        assert_eq!(values[name].as_i64(), Some(i64::from(byte.smallest())), "{name}");
    }
    assert_eq!(bits["count_mask"], AttackByte(0xff).count());
    assert_eq!(values["none"], AttackByte(0).smallest());
}

/// No table of the papers is forgotten, and none is listed twice.
#[test]
fn every_table_has_its_place() {
    let listed: Vec<&str> = (WHOLE.iter().map(|(table, ..)| *table))
        .chain(TURNED.iter().map(|(table, _)| *table))
        .chain(CELLS.iter().map(|(table, ..)| *table))
        .chain(BY_DEPTH.iter().map(|(table, ..)| *table))
        .chain([CONSTANTS, NO_PARAMETERS].into_iter().flatten().copied())
        .collect();
    let places: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(places.len(), listed.len(), "a table is listed twice");
    let tables = tables();
    let papers: BTreeSet<&str> = tables.keys().map(String::as_str).collect();
    assert_eq!(places, papers);
}

/// Tables by square are parameters by square.
#[test]
fn squares_are_squares() {
    for (table, name, _) in WHOLE {
        let is_board = tables()[*table]["kind"] == "square64";
        let spec = SPECS.iter().find(|spec| spec.name == *name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(spec.shape == Shape::Squares, is_board, "{name}");
    }
}
