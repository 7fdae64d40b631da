//! Pawn structure and pressure.

use engine::eval::Term;

use super::{Judge, equal};

/// PAW-01, PAW-07: d4 and e4 get 24 each; PAW-02: d4 on c3 gets 16, two thirds of it.
#[test]
fn formation() {
    let formation = |fen| Judge::new().white(fen, Term::PawnFormation);
    assert_eq!(formation("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1"), equal(48));
    assert_eq!(formation("4k3/8/8/8/3P4/2P5/8/4K3 w - - 0 1"), equal(16));
    // Two protectors are no better than one; the protectors themselves are not connected.
    assert_eq!(formation("4k3/8/8/8/3P4/2P1P3/8/4K3 w - - 0 1"), equal(16));
    // On its neighbour's rank a pawn needs no protection: 32 each, and 12 for b4 on a3.
    assert_eq!(formation("4k3/8/8/3PP3/8/8/8/4K3 w - - 0 1"), equal(64));
    assert_eq!(formation("4k3/8/8/8/1P6/P7/8/4K3 w - - 0 1"), equal(12));
}

/// PAW-03: a pawn on d5 leans on c3 or e3. PAW-04: c2 and e2 are too far, but keep it from being
/// weak. PAW-05: with c2 and d6 both are weak.
#[test]
fn loose_formation() {
    let judge = Judge::new();
    let terms = |fen| [Term::PawnFormation, Term::WeakPawn].map(|term| judge.white(fen, term));
    let [formation, weak] = terms("4k3/8/8/3P4/8/2P5/8/4K3 w - - 0 1");
    assert_eq!((formation, weak), (equal(20), equal(-12)), "c3 itself is weak");
    let [formation, weak] = terms("4k3/8/8/3P4/8/8/4P3/4K3 w - - 0 1");
    assert_eq!((formation, weak), (equal(0), equal(-16)), "e2 itself is weak");
    let [formation, weak] = terms("4k3/8/3P4/8/8/8/2P5/4K3 w - - 0 1");
    assert_eq!((formation, weak), (equal(0), equal(-16)), "8 for d6 and 8 for c2");
}

/// PAW-05, PAW-06: d3 costs 16, on an open file 32 more, the triple in all. MISS-34: a backward
/// pawn is weak too.
#[test]
fn weak() {
    let judge = Judge::new();
    let both = |fen, term| judge.both(fen, term);
    let closed = "4k3/3p4/8/8/8/3P4/8/4K3 w - - 0 1";
    assert_eq!(both(closed, Term::WeakPawn), [equal(-16); 2]);
    assert_eq!(both(closed, Term::WeakPawnOpenFile), [equal(0); 2]);
    let open = "4k3/p7/8/8/8/3P4/8/4K3 w - - 0 1";
    assert_eq!(both(open, Term::WeakPawn), [equal(-16), equal(0)]);
    assert_eq!(both(open, Term::WeakPawnOpenFile), [equal(-32), equal(-8)]);
    // b2 stays behind a4 and c4: they lean on it, but nothing protects it or the squares behind it.
    let backward = "4k3/1p6/8/8/P1P5/8/1P6/4K3 w - - 0 1";
    assert_eq!(both(backward, Term::WeakPawn)[0], equal(-4));
}

/// PAW-08, PAW-09, AMB-50: 20 for each doubled pawn; isolated, 40 or on an open file 60 more for
/// the pair.
#[test]
fn doubled() {
    let judge = Judge::new();
    let terms = |fen| [Term::DoubledPawn, Term::IsolatedDoubled].map(|term| judge.white(fen, term));
    assert_eq!(terms("4k3/8/8/8/8/2P5/1PP5/4K3 w - - 0 1"), [equal(-40), equal(0)]);
    assert_eq!(terms("4k3/2p5/8/8/2P5/2P5/8/4K3 w - - 0 1"), [equal(-40), equal(-40)]);
    assert_eq!(terms("4k3/8/8/8/2P5/2P5/8/4K3 w - - 0 1"), [equal(-40), equal(-60)]);
    // A pawn on the next file, however far away, and none on the one beyond.
    assert_eq!(terms("4k3/1P6/8/8/2P5/2P5/8/4K3 w - - 0 1"), [equal(-40), equal(0)]);
    assert_eq!(terms("4k3/8/8/8/2P5/2P5/P7/4K3 w - - 0 1"), [equal(-40), equal(-60)]);
}

/// PAW-10: an isolated tripled pawn costs more than a pawn, without a rule of its own.
#[test]
fn tripled() {
    let fen = "4k3/8/8/8/3P4/3P4/3P4/4K3 w - - 0 1";
    let terms = [Term::WeakPawn, Term::WeakPawnOpenFile, Term::DoubledPawn, Term::IsolatedDoubled];
    let points = terms.map(|term| Judge::new().white(fen, term));
    assert_eq!(points, [equal(-16 - 16 - 8), equal(-32 - 32 - 24), equal(-60), equal(-90)]);
    assert!(points.iter().map(|(mg, _)| mg).sum::<i32>() < -256);
}

/// EVA-02, AMB-82: off unless asked for; MISS-26: half in the end game.
#[test]
fn isolated() {
    let fen = "4k3/8/8/8/P3P3/8/7P/4K3 w - - 0 1";
    assert_eq!(Judge::new().white(fen, Term::IsolatedPawn), equal(0));
    let judge = Judge::with(&[("isolated.on", "true")]);
    assert_eq!(judge.white(fen, Term::IsolatedPawn), (-6 - 16 - 2, -3 - 8 - 1));
    let chain = "4k3/8/8/8/3P4/4P3/8/4K3 w - - 0 1";
    assert_eq!(judge.white(chain, Term::IsolatedPawn), equal(0));
}

/// PAW-11.
#[test]
fn pressure() {
    let pressure = |fen| Judge::new().both(fen, Term::PawnPressure);
    // One attacker, 2 << 1; two, 2 << 2, where a rook's defence against rooks is no excuse.
    assert_eq!(pressure("3rk3/8/8/8/3P4/8/8/4K3 w - - 0 1"), [(-4, -8), (0, 0)]);
    assert_eq!(pressure("3rk3/8/8/8/r2P4/8/8/3RK3 w - - 0 1"), [(-8, -16), (0, 0)]);
    // The paper's case: d4 covered by Be3 and just attacked by Rd8.
    assert_eq!(pressure("3rk3/8/8/8/3P4/4B3/8/4K3 w - - 0 1"), [(0, 0); 2]);
    // Covered by a pawn; able to take a pawn.
    assert_eq!(pressure("3rk3/8/8/8/3P4/2P5/8/4K3 w - - 0 1"), [(0, 0); 2]);
    assert_eq!(pressure("3rk3/8/8/4p3/3P4/8/8/4K3 w - - 0 1"), [(0, 0); 2]);
    // King against king.
    assert_eq!(pressure("8/8/8/3k4/3P4/3K4/8/8 w - - 0 1"), [(-4, -8), (0, 0)]);
    // Squares without importance.
    assert_eq!(pressure("r3k3/8/8/8/P7/8/8/4K3 w - - 0 1"), [(0, 0); 2]);
}

/// AMB-42: without attackers there is no pressure, although the printed formula gives the factor;
/// a pawn without defenders is not spared, although none, 0, is less than any attacker.
#[test]
fn pressure_needs_attackers_only() {
    let pressure = |fen| Judge::new().white(fen, Term::PawnPressure);
    assert_eq!(pressure("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1"), (0, 0));
    assert_eq!(pressure("4k3/8/8/6b1/8/8/3P4/7K w - - 0 1"), (-4, -8));
}

#[test]
fn switches() {
    let fen = "3rk3/8/P7/8/3PP3/8/P2P4/4K3 w - - 0 1";
    for (name, terms) in [
        ("pawns.formation", &[Term::PawnFormation][..]),
        ("pawns.weak", &[Term::WeakPawn, Term::WeakPawnOpenFile]),
        ("pawns.weak_open", &[Term::WeakPawnOpenFile]),
        ("pawns.doubled", &[Term::DoubledPawn]),
        ("pawns.isolated_doubled", &[Term::IsolatedDoubled]),
        ("pawns.on", &[Term::PawnFormation, Term::WeakPawn, Term::DoubledPawn]),
        ("pressure.on", &[Term::PawnPressure]),
    ] {
        for &term in terms {
            assert_ne!(Judge::new().white(fen, term), (0, 0), "{term:?} on");
            assert_eq!(Judge::with(&[(name, "false")]).white(fen, term), (0, 0), "{name} off");
        }
    }
}
