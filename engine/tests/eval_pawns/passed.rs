//! Passed pawns.

use std::sync::Arc;

use engine::eval::{Evaluator, LineFacts, NoTrace, Term};
use engine::{Params, Position};

use super::{Judge, Points, equal};

/// So many times a bonus.
fn times(count: i32, (mg, eg): Points) -> Points {
    (count * mg, count * eg)
}

/// d5 in the middle game and in the end game.
const D5: Points = (27, 54);

/// PAS-01, AMB-39: three tables, with the misprints of g3, a3, h2 and h3 put right.
#[test]
fn tables() {
    let passed = |fen| Judge::new().white(fen, Term::PassedPawn);
    assert_eq!(passed("4k2r/8/8/3P4/8/8/8/R3K3 w - - 0 1"), D5);
    assert_eq!(passed("4k2r/1P6/8/8/8/8/8/R3K3 w - - 0 1"), (52, 99));
    assert_eq!(passed("r6k/8/8/8/8/6P1/8/R6K w - - 0 1"), (7, 14));
    assert_eq!(passed("7k/8/8/8/P7/8/8/7K w - - 0 1"), (14, 42));
    assert_eq!(passed("k7/8/8/8/8/P6P/8/7K w - - 0 1"), (14, 52));
    assert_eq!(passed("k7/8/8/8/8/8/7P/7K w - - 0 1"), (7, 26));
    // A pawn ahead on a neighbouring file stops it; one that was passed by does not.
    assert_eq!(passed("4k2r/4p3/8/3P4/8/8/8/R3K3 w - - 0 1"), (0, 0));
    assert_eq!(passed("4k2r/8/8/3Pp3/8/8/8/R3K3 w - - 0 1"), D5);
}

/// PAS-02: beside a pawn or protected by one.
#[test]
fn connected() {
    let connected = |fen| Judge::new().white(fen, Term::ConnectedPasser);
    assert_eq!(connected("4k2r/8/8/3PP3/8/8/8/R3K3 w - - 0 1"), times(2, D5));
    assert_eq!(connected("4k2r/8/8/3P4/4P3/8/8/R3K3 w - - 0 1"), D5, "d5 only");
    assert_eq!(connected("4k2r/8/8/3P4/8/4P3/8/R3K3 w - - 0 1"), (0, 0));
}

/// PAS-03, AMB-46: the first square that is not free ends it; the board's end is as good as three.
#[test]
fn potential() {
    let potential = |fen| Judge::new().white(fen, Term::PasserPotential);
    assert_eq!(potential("7k/8/8/3P4/8/8/8/K7 w - - 0 1"), times(3, D5));
    // Nothing: Ke7 controls d6. Once: Ke8 controls d7. Twice: the bishop controls d8.
    assert_eq!(potential("8/4k3/8/3P4/8/8/8/K7 w - - 0 1"), (0, 0));
    assert_eq!(potential("4k3/8/8/3P4/8/8/8/K7 w - - 0 1"), D5);
    assert_eq!(potential("7k/8/8/b2P4/8/8/8/K7 w - - 0 1"), times(2, D5));
    // With an own bishop's support of d8 it is free again.
    assert_eq!(potential("7k/8/8/b2P2B1/8/8/8/K7 w - - 0 1"), times(3, D5));
    // Occupied squares: d6, d7, d8.
    assert_eq!(potential("7k/8/3n4/3P4/8/8/8/K7 w - - 0 1"), (0, 0));
    assert_eq!(potential("7k/3N4/8/3P4/8/8/8/K7 w - - 0 1"), D5);
    assert_eq!(potential("3N3k/8/8/3P4/8/8/8/K7 w - - 0 1"), times(2, D5));
    // From the 6th and 7th rank: all or what there is before.
    assert_eq!(potential("7k/8/3P4/8/8/8/8/K7 w - - 0 1"), (3 * 39, 3 * 78));
    assert_eq!(potential("7k/8/3P4/b7/8/8/8/K7 w - - 0 1"), (39, 78));
    assert_eq!(potential("7k/3P4/8/8/8/8/8/K7 w - - 0 1"), (3 * 52, 3 * 99));
    assert_eq!(potential("7k/3P4/8/b7/8/8/8/K7 w - - 0 1"), (0, 0));
}

/// PAS-04.
#[test]
fn blocked() {
    let blocked = |fen| Judge::new().white(fen, Term::BlockedPasser);
    assert_eq!(blocked("6k1/8/3n4/3P4/8/8/8/K7 w - - 0 1"), (0, 0));
    // An own blocker; two protectors of d5 besides; control of d6 besides.
    assert_eq!(blocked("6k1/8/3N4/3P4/8/8/8/K7 w - - 0 1"), D5);
    assert_eq!(blocked("6k1/8/3N4/3P4/3K4/5B2/8/8 w - - 0 1"), times(2, D5));
    assert_eq!(blocked("6k1/8/3N4/3PK3/8/5B2/8/8 w - - 0 1"), times(3, D5));
    // An enemy blocker, under control of the king, which alone protects d5.
    assert_eq!(blocked("6k1/8/3n4/3PK3/8/8/8/8 w - - 0 1"), D5);
    assert_eq!(blocked("6k1/8/8/3PK3/8/8/8/8 w - - 0 1"), (0, 0), "not blocked");
}

/// PAS-05, AMB-47: the paper's list for d5, and three squares more by its code.
#[test]
fn king_support() {
    let listed = ["c4", "c5", "c6", "d4", "d6", "e4", "e5", "e6"];
    let by_code = ["c7", "d7", "e7"];
    let by_list_only = Judge::with(&[("passed.king_support_next", "false")]);
    for (file, rank) in (b'a'..=b'h').flat_map(|f| (b'1'..=b'8').map(move |r| (f, r))) {
        let king = String::from_utf8(vec![file, rank]).expect("ASCII");
        if king == "d5" || ["g1", "g2", "h1", "h2"].contains(&king.as_str()) {
            continue;
        }
        let mut board = [b'1'; 64];
        let mut put = |square: &str, man| {
            let [file, rank] = square.as_bytes() else { panic!("{square}") };
            board[usize::from(b'8' - rank) * 8 + usize::from(file - b'a')] = man;
        };
        put("d5", b'P');
        put("h1", b'k');
        put(&king, b'K');
        let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
        let fen = format!("{} w - - 0 1", ranks.join("/"));
        let wanted = |supported| if supported { (0, 48) } else { (0, 0) };
        let is_listed = listed.contains(&king.as_str());
        let any = is_listed || by_code.contains(&king.as_str());
        assert_eq!(Judge::new().white(&fen, Term::PasserKingSupport), wanted(any), "{king}");
        let points = by_list_only.white(&fen, Term::PasserKingSupport);
        assert_eq!(points, wanted(is_listed), "{king}");
    }
}

/// PAS-06, AMB-48, AMB-84: the greater distance counts, in pawn, minor piece and rook endings;
/// AMB-39: h2 and h3 like the rest of their ranks.
#[test]
fn king_tropism() {
    let tropism = |fen| Judge::new().white(fen, Term::PasserKingTropism);
    assert_eq!(tropism("7k/8/8/3P4/8/8/8/K7 w - - 0 1"), equal(4 * 10));
    assert_eq!(tropism("2k5/8/8/3P4/8/8/8/K7 w - - 0 1"), equal(3 * 10));
    assert_eq!(tropism("r1k2n2/8/8/3P4/8/8/8/KR4B1 w - - 0 1"), equal(3 * 10));
    assert_eq!(tropism("2k2q2/8/8/3P4/8/8/8/K5Q1 w - - 0 1"), (0, 0));
    let rooks = "2k2rr1/8/8/3P4/8/8/8/K5R1 w - - 0 1";
    assert_eq!(tropism(rooks), (0, 0));
    let by_kind = Judge::with(&[("phase.by_kind", "true")]);
    assert_eq!(by_kind.white(rooks, Term::PasserKingTropism), equal(3 * 10));
    assert_eq!(tropism("k7/8/8/8/8/7P/8/K7 w - - 0 1"), equal(7 * 3));
    assert_eq!(tropism("k7/8/8/8/8/8/7P/K7 w - - 0 1"), equal(7 * 2));
}

/// PAS-07, MISS-13: a rook in front of its own pawn; half when nothing attacks the pawn, and
/// nothing else is counted.
#[test]
fn immobility() {
    let attacked = "R7/6k1/8/P7/8/8/r7/6K1 w - - 0 1";
    let safe = "R7/6k1/8/P7/8/8/1r6/6K1 w - - 0 1";
    let judge = Judge::new();
    assert_eq!(judge.white(attacked, Term::ImmobilePasser), equal(-320));
    assert_eq!(judge.white(safe, Term::ImmobilePasser), equal(-160));
    let others = [
        Term::PassedPawn,
        Term::PasserPotential,
        Term::PasserKingTropism,
        Term::BlockedPasser,
        Term::CompellingPasser,
    ];
    for term in others {
        assert_eq!(judge.white(attacked, term), (0, 0), "{term:?}");
    }
    // A rook behind the pawn, an enemy rook before it: nothing of the kind.
    for fen in ["8/6k1/8/P7/8/R7/r7/6K1 w - - 0 1", "r7/6k1/8/P7/8/8/R7/6K1 w - - 0 1"] {
        assert_eq!(judge.white(fen, Term::ImmobilePasser), (0, 0));
        assert_ne!(judge.white(fen, Term::PassedPawn), (0, 0));
    }
}

/// PAS-08: the paper's 1.5 pawns for a queen bound by a pawn on the 7th rank.
#[test]
fn compelling() {
    let compelling = |fen| Judge::new().white(fen, Term::CompellingPasser);
    assert_eq!(compelling("3q2k1/3P4/8/8/8/8/8/K7 w - - 0 1"), equal(384));
    assert_eq!(compelling("3q2k1/8/3P4/8/8/8/8/K7 w - - 0 1"), equal(256));
    assert_eq!(compelling("3q2k1/8/8/3P4/8/8/8/K7 w - - 0 1"), equal(128));
    assert_eq!(compelling("3q2k1/8/8/8/3P4/8/8/K7 w - - 0 1"), (0, 0));
    assert_eq!(compelling("3r2k1/3P4/8/8/8/8/8/K7 w - - 0 1"), equal(96));
    assert_eq!(compelling("6k1/3r4/3P4/8/8/8/8/K7 w - - 0 1"), equal(64));
    assert_eq!(compelling("6k1/3r4/8/3P4/8/8/8/K7 w - - 0 1"), equal(32));
    // The queen counts, not the rook before it; a knight is a good blocker.
    assert_eq!(compelling("3q2k1/8/3r4/3P4/8/8/8/K7 w - - 0 1"), equal(128));
    assert_eq!(compelling("3n2k1/3P4/8/8/8/8/8/K7 w - - 0 1"), (0, 0));
}

/// What the search hears: everything together, in the position's phase, from the pawn's side.
#[test]
fn worth() {
    let passed = |fen: &str| {
        let evaluator = Evaluator::new(&Arc::new(Params::default()));
        let mut position = Position::from_fen(fen).expect(fen);
        position.set_table(&evaluator.table);
        evaluator.evaluate(&position, LineFacts::default(), None, &mut NoTrace).passed
    };
    let worth = passed("7k/8/8/3P4/8/8/8/K7 w - - 0 1");
    assert_eq!((worth.white, worth.black), (54 + 3 * 54 + 4 * 10, 0));
    let worth = passed("6k1/R7/8/8/p7/8/r7/6K1 w - - 0 1");
    assert_eq!((worth.white, worth.black), (0, -320), "the rook on a7 attacks the pawn");
}

#[test]
fn switches() {
    let free = "7k/8/8/3PP3/3K4/8/8/8 w - - 0 1";
    let blocked = "3q2k1/8/3N4/3P4/8/8/8/K7 w - - 0 1";
    for (name, term, fen) in [
        ("passed.on", Term::PassedPawn, free),
        ("passed.connected", Term::ConnectedPasser, free),
        ("passed.potential", Term::PasserPotential, free),
        ("passed.king_support", Term::PasserKingSupport, free),
        ("passed.king_tropism", Term::PasserKingTropism, free),
        ("passed.blocked", Term::BlockedPasser, blocked),
        ("passed.compelling", Term::CompellingPasser, blocked),
        ("passed.immobility", Term::ImmobilePasser, "R7/6k1/8/P7/8/8/r7/6K1 w - - 0 1"),
    ] {
        assert_ne!(Judge::new().white(fen, term), (0, 0), "{term:?} on");
        assert_eq!(Judge::with(&[(name, "false")]).white(fen, term), (0, 0), "{name} off");
    }
}
