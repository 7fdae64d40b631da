//! Personalities are honest: each is what its paper says, by name, number and source, and all of
//! them play.

mod rows;

use std::sync::Arc;

use engine::params::{PERSONALITIES, SPECS, Shape};
use engine::{Engine, HashSize, Limits, Params, Position, bench};

use rows::{
    DEFAULT, MEDIOCRE, PAPERS, PRINTED, PRINTED_TABLES, PRODEO, Paper, REBEL, Row, WINGLET,
};

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
    for (name, rows) in [
        ("rebel", REBEL),
        ("printed", PRINTED),
        ("prodeo", PRODEO),
        ("mediocre", MEDIOCRE),
        ("winglet", WINGLET),
    ] {
        let params = Params::personality(name).expect(name);
        for (parameter, wanted, source) in rows {
            let is = params.get(parameter).expect(parameter);
            assert_eq!(is, *wanted, "{name}: {parameter} ({source})");
        }
    }
}

/// ProDeo is REBEL where the blog says nothing, and so is the page as printed where it has no row.
#[test]
fn prodeo_and_the_print_are_rebel_where_they_say_nothing() {
    for (name, rows) in [("prodeo", PRODEO), ("printed", PRINTED)] {
        let params = Params::personality(name).expect(name);
        let said = |parameter: &str| rows.iter().any(|row: &Row| row.0 == parameter);
        for (parameter, wanted, source) in REBEL.iter().filter(|row| !said(row.0)) {
            let is = params.get(parameter).expect(parameter);
            assert_eq!(is, *wanted, "{name}: {parameter} ({source})");
        }
    }
}

/// The page as printed differs from `rebel` by its rows and tables alone, and by the piece-square
/// tables: `rebel`'s are fitted, its own the table's, made by hand (MISS-18).
#[test]
fn the_print_is_rebel_otherwise() {
    let [printed, rebel] = ["printed", "rebel"].map(|name| Params::personality(name).expect(name));
    let table = Params::default();
    for spec in SPECS.iter() {
        let listed = PRINTED.iter().any(|row| row.0 == spec.name);
        if spec.name.starts_with("pst.") {
            assert_eq!(spec.text(&printed), spec.text(&table), "{}", spec.name);
        } else if PRINTED_TABLES.contains(&spec.name) {
            assert_ne!(spec.text(&printed), spec.text(&rebel), "{}", spec.name);
        } else if !listed {
            assert_eq!(spec.text(&printed), spec.text(&rebel), "{}", spec.name);
        }
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
            .filter(|name| personality != "printed" || !PRINTED_TABLES.contains(name))
            .collect();
        assert!(unlisted.is_empty(), "{personality}: {unlisted:?}");
    }
}

/// What the field has found since is in none of the five.
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

/// A switch that has no row cannot be found wrong: all that a paper is the source of are there.
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
        ("ChessKnowledge", "200"),
        ("ChessKnowledge", "500"),
        ("Selective Search", "0"),
        ("Pruning", "MISC_37"),
        ("M37_VAL", "0"),
        ("M37_COUNT", "3"),
        ("reductions.max", "1"),
    ] {
        let mut params = rebel.clone();
        params.set(ours, value).expect(ours);
        assert_ne!(nodes(&params), usual, "{ours} = {value}");
    }
}

/// The six; each searches every bench position, the same twice.
#[test]
fn all_six_play() {
    let names: Vec<&str> = PERSONALITIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["default", "rebel", "printed", "prodeo", "mediocre", "winglet"]);
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
