use std::sync::Arc;

use super::*;
use crate::eval::Evaluator;
use crate::eval::testing::context;
use crate::types::{Square, relative_square};
use crate::{Params, Position};

/// The paper's rules alone, without pawn shield and rams.
fn bare() -> Params {
    let mut params = Params::default();
    params.shelter.shield = false;
    params.shelter.rams = false;
    params
}

/// Steps and danger of the king of `color`.
fn judged(params: Params, fen: &str, color: Color) -> (i32, i32) {
    let evaluator = Evaluator::new(&Arc::new(params));
    let position = Position::from_fen(fen).expect(fen);
    let cx = context(&evaluator, &position);
    let light = cx.minors(color.other()) | cx.men(color.other(), Role::Rook);
    (steps(&cx, color, light), danger(&cx, color))
}

fn black(fen: &str) -> (i32, i32) {
    judged(bare(), fen, Color::Black)
}

fn set(squares: &[Square]) -> Bitboard {
    squares.iter().copied().collect()
}

const KD5: &str = "rnbq1b1r/ppppp1pp/8/3k4/4n1Q1/8/PPPP1PPP/RNB1K1NR w KQ - 4 6";
const KG8: &str = "rnbq1bkr/ppppp1pp/8/7Q/4n3/8/PPPP1PPP/RNB1K1NR w KQ - 3 5";

/// The paper's diagram: black king on g7, prefill 1 (KSF-01).
#[test]
fn rings_are_the_papers() {
    use Square::*;
    let ring = Ring::of(Color::Black, G7);
    assert_eq!(ring.near, set(&[F7, F8, G8, H8, H7]));
    assert_eq!(ring.front, set(&[F6, G6, H6]));
    assert_eq!(ring.outer, set(&[F5, G5, H5]));
    let prefill = |sq| Params::default().king_safety.prefill.of(relative_square(Color::Black, sq));
    assert_eq!([G7, G8, H7, H8, E6, D5, D1].map(prefill), [1, 0, 2, 2, 3, 4, 4]);
    let ring = Ring::of(Color::White, H1);
    assert_eq!((ring.near, ring.front), (set(&[G1]), set(&[G2, H2])));
    // AMB-13: nothing beyond the board, neither ahead nor around it.
    let ring = Ring::of(Color::White, A8);
    assert_eq!((ring.near, ring.front), (set(&[B8, A7, B7]), set(&[])));
    let ring = Ring::of(Color::Black, E2);
    assert_eq!((ring.front, ring.outer), (set(&[D1, E1, F1]), set(&[])));
}

/// KSF-12. After 5.Qg4+ Kd5: king on d5 4; e6 attacked 1, d7 guards it; e4 attacked 1, a knight
/// stands there, the king alone guards it 1; pawns, knight (c3) and queen attack 2. Together 9,
/// the table's 75. After 4...Kg8: f7 attacked, bare, guarded by the king alone 3; h7 attacked 1;
/// the queen alone makes no pattern. Together 4, the table's 12.
#[test]
fn alekhine_line_by_the_papers_steps() {
    assert_eq!(black(KD5), (9, 192));
    assert_eq!(black(KG8), (4, 31));
}

/// KSF-12 with the shield that the paper leaves out: three files without pawns are three steps
/// more on d5, 150 centipawns; one file is one step more on g8, 18 centipawns.
#[test]
fn alekhine_line_is_lost_in_the_centre() {
    assert_eq!(judged(Params::default(), KD5, Color::Black), (12, 384));
    assert_eq!(judged(Params::default(), KG8, Color::Black), (5, 46));
    // A little more pressure and it is worth two pawns: 6.Nc3+ takes part, 6...Kd6 7.d4.
    let more = "rnbq1b1r/ppppp1pp/3k4/8/3Pn1Q1/2N5/PPP2PPP/R1B1K1NR b KQ - 0 7";
    assert!(judged(Params::default(), more, Color::Black).1 > 512);
}

/// KSF-03, KSF-06, AMB-08. The paper's king attack: Kg8, Rf8, pawns f7, g7, h6. Rook h1 and queen both
/// bear on h6, the outer ring: no step by itself, 2 by the pattern; the rook alone brings none.
#[test]
fn pattern_of_rook_and_queen() {
    let rook = "5rk1/5pp1/7p/8/8/8/1N6/Q5KR w - - 0 1";
    let both = "5rk1/5pp1/7p/8/8/8/1N1Q4/6KR w - - 0 1";
    assert_eq!((black(rook).0, black(both).0), (0, 2));
    let mut params = bare();
    params.king_safety.outer = false;
    assert_eq!(judged(params, both, Color::Black).0, 0, "KSF-03 off");
    let mut params = bare();
    params.king_safety.attack_pattern = false;
    assert_eq!(judged(params, both, Color::Black).0, 0, "KSF-06 off");
}

/// KSF-04, KSF-05, AMB-07, AMB-11: an own man before the king spares a step, the enemy's does not.
#[test]
fn squares_before_and_beside() {
    // King e6: 3 by its square. Rook d1: d7, guarded by the king alone, 2; d6, guarded by a
    // pawn, 1. Rook and queen: d5, bare and guarded by the king alone, 3. Pattern of both 2.
    assert_eq!(black("Q7/4ppp1/4k3/8/8/8/8/3RK1N1 w - - 0 1").0, 3 + 2 + 1 + 3 + 2);
    // Bishop c3 bears on g7, where a pawn stands and the king alone guards: 2. The pattern of
    // rook and bishop is 1. Rook f1: f8 and the bare f7, both guarded by the king alone: 2 + 3.
    assert_eq!(black("6k1/6p1/8/8/8/2B5/8/Q4R1K w - - 0 1").0, 2 + 1 + 2 + 3);
    // A black pawn on f7 shields f8 and spares the step for a bare square.
    assert_eq!(black("6k1/5pp1/8/8/8/2B5/8/Q4R1K w - - 0 1").0, 2 + 1 + 2);
    // A white knight there shields f8, too, but spares no step, and attacks h8: 2.
    assert_eq!(black("6k1/5Np1/8/8/8/2B5/8/Q4R1K w - - 0 1").0, 2 + 1 + 3 + 2);
}

/// KSF-08, KSF-09, each king by itself; KSF-02. Rooks are light pieces here (AMB-12).
#[test]
fn when_it_is_skipped() {
    let with = "6k1/5ppp/8/6Q1/8/3B4/8/4R1K1 w - - 0 1";
    assert!(black(with).1 > 0);
    assert_eq!(judged(bare(), with, Color::White).1, 0, "Black has no queen");
    let without = "6k1/5ppp/8/6R1/8/3B4/8/4R1K1 w - - 0 1";
    assert_eq!(black(without).1, 0);
    let mut params = bare();
    params.king_safety.needs_queen = false;
    assert!(judged(params, without, Color::Black).1 > 0);
    let lone = "8/5ppp/4k3/6Q1/8/8/8/6K1 w - - 0 1";
    assert_eq!(black(lone).1, 0);
    let mut params = bare();
    params.king_safety.not_lone_queen = false;
    assert!(judged(params, lone, Color::Black).1 > 0);
    // Nothing bears on the king on e6: 3 steps against two light pieces, none against one.
    assert_eq!(black("8/8/4k3/8/8/8/PP6/QN4KR w - - 0 1").0, 3);
    assert_eq!(black("8/8/4k3/8/8/8/PP6/QK5R w - - 0 1").0, 0);
    let mut params = bare();
    params.king_safety.king_square = false;
    assert_eq!(judged(params, "8/8/4k3/8/8/8/PP6/QN4KR w - - 0 1", Color::Black).0, 0);
}

/// KSF-07, EVA-11, AMB-09, AMB-10: centipawns become 1/256 pawn, a quarter of a pawn a step, 600 at the end.
#[test]
fn table_is_in_centipawns() {
    let mut params = Params::default().king_safety;
    let at = |params: &KingSafety, steps| value(params, steps);
    assert_eq!([9, 10, 11].map(|steps| at(&params, steps)), [192, 256, 320]);
    assert_eq!([28, 29, 30, 34, 99].map(|s| at(&params, s)), [1408, 1472, 1536, 1536, 1536]);
    assert_eq!([-3, 0, 1].map(|steps| at(&params, steps)), [0, 0, 5]);
    params.scale = 50;
    assert_eq!(at(&params, 10), 128);
}
