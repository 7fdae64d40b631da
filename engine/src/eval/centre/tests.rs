use std::sync::Arc;

use super::*;
use crate::Position;
use crate::eval::Evaluator;
use crate::eval::testing::{context, points, white_with};
use crate::types::Square;

fn owner(fen: &str, sq: Square) -> Option<Color> {
    let evaluator = Evaluator::new(&Arc::default());
    let position = Position::from_fen(fen).expect(fen);
    let owned = owned(&context(&evaluator, &position));
    assert!((owned.white & owned.black).is_empty(), "{fen}");
    owned.find(|squares| squares.contains(sq))
}

#[test]
fn range_is_b3_to_g6() {
    assert_eq!(RANGE.count(), 24);
    assert!(RANGE.contains(Square::B3) && RANGE.contains(Square::G6));
    assert!(!RANGE.contains(Square::A3) && !RANGE.contains(Square::E7));
}

/// PCE-06, AMB-45: who owns e4.
#[test]
fn owners() {
    let cases = [
        ("4k3/8/8/8/8/3P4/8/4K3 w - - 0 1", Some(Color::White), "White alone"),
        ("4k3/8/8/8/8/4K3/8/8 w - - 0 1", Some(Color::White), "a king alone"),
        ("4k3/8/8/8/4N3/3n4/5n2/K7 w - - 0 1", Some(Color::Black), "a man, but under control"),
        ("4k3/4r3/8/8/8/2N5/8/4K3 w - - 0 1", Some(Color::White), "knight against rook"),
        ("4k3/8/8/3p4/8/2N2N2/8/4K3 w - - 0 1", Some(Color::Black), "a pawn against two"),
        ("4k3/8/8/3p4/8/3P4/8/4K3 w - - 0 1", None, "pawns, empty"),
        ("4k3/8/8/3p4/4n3/3P4/8/4K3 w - - 0 1", Some(Color::Black), "pawns, Black's knight"),
        ("k7/8/8/3p4/8/3P4/4Q3/4K3 w - - 0 1", None, "pawns, the queen adds nothing"),
        ("4k3/8/6b1/8/8/2N5/8/4K3 w - - 0 1", None, "knight and bishop are equal"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None, "nobody, empty"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", Some(Color::White), "nobody, a man"),
    ];
    for (fen, expected, why) in cases {
        assert_eq!(owner(fen, Square::E4), expected, "{why}: {fen}");
    }
}

/// PCE-06: White has b5, d5, f5 by control and c4, e4 by standing there; Black d4, f4, e5.
#[test]
fn points_are_the_tables() {
    let fen = "4k3/pp4pp/8/4p3/2P1P3/8/1P4PP/4K3 w - - 0 1";
    let sums = points(fen, Term::CentreControl);
    let (white, black) = (8 + 16 + 12 + 8 + 12, 16 + 12 + 12);
    assert_eq!((sums.white, sums.black), ((white, white), (black, black)));
    assert_eq!(white_with(|p| p.centre.on = false, fen, Term::CentreControl), (0, 0));
}

/// PCE-07, AMB-44: four pawns are too few, as in the code; the text's reading is a parameter.
#[test]
fn pawns_enough() {
    let fen = "4k3/p5pp/8/4p3/2P1P3/8/1P4PP/4K3 w - - 0 1";
    let sums = points(fen, Term::CentreControl);
    assert_eq!((sums.white, sums.black), ((0, 0), (0, 0)));
    let text = white_with(|p| p.centre.least_pawns = 4, fen, Term::CentreControl);
    assert_eq!(text, (56, 56));
}
