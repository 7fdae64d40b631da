use std::sync::Arc;

use crate::eval::{Breakdown, Evaluator};
use crate::{Params, Position};

fn breakdown(fen: &str, change: impl FnOnce(&mut Params)) -> Breakdown {
    let mut params = Params::default();
    change(&mut params);
    Evaluator::new(&Arc::new(params)).breakdown(&Position::from_fen(fen).expect(fen))
}

fn total(fen: &str, fifty: bool, bishops: bool) -> i32 {
    let set = |params: &mut Params| {
        params.scaling.fifty_moves = fifty;
        params.scaling.opposite_bishops = bishops;
    };
    breakdown(fen, set).total.binary()
}

#[test]
fn opposite_bishops_halve() {
    for (fen, opposite) in [
        ("8/3b4/4k3/8/1P1K4/2P1B3/8/8 w - - 0 1", true),
        ("8/4b3/4k3/8/1P1K4/2P1B3/8/8 w - - 0 1", false),
        ("8/3b4/4k3/8/1P1K4/2P1B2R/7r/8 w - - 0 1", false),
        ("8/3n4/4k3/8/1P1K4/2P1B3/8/8 w - - 0 1", false),
    ] {
        let (plain, scaled) = (total(fen, false, false), total(fen, false, true));
        assert!(plain.abs() > 100, "{fen}: {plain}");
        assert_eq!(scaled, if opposite { plain / 2 } else { plain }, "MISS-33 {fen}");
    }
}

#[test]
fn fifty_moves_fade() {
    let at = |halfmoves: u32, on: bool| {
        total(&format!("4k3/8/8/8/8/8/PP2K3/3R4 w - - {halfmoves} 90"), on, false)
    };
    for (halfmoves, percent) in
        [(0, 100), (59, 100), (60, 100), (70, 75), (90, 25), (99, 2), (100, 0)]
    {
        assert_eq!(at(halfmoves, true), at(halfmoves, false) * percent / 100, "{halfmoves}");
    }
}

#[test]
fn rebel_has_neither() {
    let rebel = Params::personality("rebel").expect("known");
    assert!(!rebel.scaling.fifty_moves && !rebel.scaling.opposite_bishops);
}
