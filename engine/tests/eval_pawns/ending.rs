//! The rule for pawn endings.

use engine::eval::Term;

use super::{Judge, equal};

/// END-01: one pawn more, one pawn better; AMB-57: a lone pawn gets nothing here.
#[test]
fn a_pawn_up() {
    let ending = |fen| Judge::new().both(fen, Term::PawnEnding);
    assert_eq!(ending("4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1"), [equal(512), equal(256)]);
    assert_eq!(ending("4k3/pppppppp/8/8/8/8/P7/4K3 w - - 0 1"), [equal(0), equal(1792)]);
    assert_eq!(ending("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), [equal(0); 2]);
    // Not with any piece on the board.
    assert_eq!(ending("4k3/pp6/8/8/8/8/PPP5/4K1N1 w - - 0 1"), [equal(0); 2]);
}

/// END-02: isolated doubled pawns are one, tripled ones too; other doubled pawns are two.
#[test]
fn isolated_doubled_pawns_are_one() {
    let ending = |fen| Judge::new().white(fen, Term::PawnEnding);
    assert_eq!(ending("4k3/8/8/8/8/2P5/P1P4P/4K3 w - - 0 1"), equal(512));
    assert_eq!(ending("4k3/8/8/8/2P5/2P5/P1P4P/4K3 w - - 0 1"), equal(512));
    assert_eq!(ending("4k3/8/8/8/8/2P5/1PP4P/4K3 w - - 0 1"), equal(768));
}

#[test]
fn switches() {
    let fen = "4k3/8/8/8/8/2P5/P1P4P/4K3 w - - 0 1";
    let ending = |name| Judge::with(&[(name, "false")]).white(fen, Term::PawnEnding);
    assert_eq!(ending("pawn_ending.on"), equal(0));
    assert_eq!(ending("pawn_ending.isolated_doubled"), equal(768));
}
