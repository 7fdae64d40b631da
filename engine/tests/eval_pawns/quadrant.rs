//! The quadrant rule and its exceptions.

use std::sync::Arc;

use engine::Position;
use engine::eval::{Evaluator, LineFacts, NoTrace, Term};

use super::{Judge, Points, equal};

const NONE: Points = (0, 0);
const EIGHT: Points = (2048, 2048);

fn quadrant(fen: &str) -> [Points; 2] {
    Judge::new().both(fen, Term::Quadrant)
}

/// PAS-09: 1.a4 and the king is outside; with Black to move 1...Kf7 steps in. Pawn endings only.
#[test]
fn side_to_move() {
    assert_eq!(quadrant("6k1/8/8/8/8/8/P7/6K1 w - - 0 1"), [EIGHT, NONE]);
    assert_eq!(quadrant("6k1/8/8/8/8/8/P7/6K1 b - - 0 1"), [NONE, NONE]);
    assert_eq!(quadrant("6k1/8/8/8/8/P7/8/6K1 w - - 0 1"), [EIGHT, NONE]);
    assert_eq!(quadrant("5k2/8/8/8/8/8/P7/6K1 w - - 0 1"), [NONE, NONE]);
    assert_eq!(quadrant("6kn/8/8/8/8/8/P7/6K1 w - - 0 1"), [NONE, NONE]);
    // The king catches what it can take at once, even from behind.
    assert_eq!(quadrant("8/8/8/8/8/8/P7/1k4K1 b - - 0 1"), [NONE, NONE]);
    assert_eq!(quadrant("8/8/8/8/8/8/P7/1k4K1 w - - 0 1"), [EIGHT, NONE]);
}

/// PAS-13: the search hears of it.
#[test]
fn use_is_reported() {
    let used = |fen: &str| {
        let evaluator = Evaluator::new(&Arc::default());
        let mut position = Position::from_fen(fen).expect(fen);
        position.set_table(&evaluator.table);
        evaluator.evaluate(&position, LineFacts::default(), None, &mut NoTrace).quadrant
    };
    assert!(used("6k1/8/8/8/8/8/P7/6K1 w - - 0 1"));
    assert!(!used("6k1/8/8/8/8/8/P7/6K1 b - - 0 1"));
}

/// PAS-10: on a3, or anywhere else before it, the king keeps its pawn from moving.
#[test]
fn own_king_in_the_way() {
    let in_the_way = "6k1/8/8/8/8/K7/P7/8 w - - 0 1";
    assert_eq!(quadrant(in_the_way), [NONE, NONE]);
    assert_eq!(quadrant("6k1/8/8/K7/8/8/P7/8 w - - 0 1"), [NONE, NONE]);
    assert_eq!(quadrant("6k1/8/8/8/8/1K6/P7/8 w - - 0 1"), [EIGHT, NONE]);
    assert_eq!(quadrant("7k/8/8/8/8/K7/P7/8 w - - 0 1"), [EIGHT, NONE], "one step wider only");
    let judge = Judge::with(&[("quadrant.own_king", "false")]);
    assert_eq!(judge.white(in_the_way, Term::Quadrant), EIGHT);
}

/// A king in check costs the pawn a step as well.
#[test]
fn in_check() {
    let check = "4k3/8/8/P7/5p2/6K1/8/8 w - - 0 1";
    assert_eq!(quadrant(check), [NONE, NONE]);
    assert_eq!(quadrant("4k3/8/8/P7/5p2/8/6K1/8 w - - 0 1"), [EIGHT, NONE]);
    let judge = Judge::with(&[("quadrant.in_check", "false")]);
    assert_eq!(judge.white(check, Term::Quadrant), EIGHT);
}

/// PAS-11; and a pawn behind its own pawn does not run at all.
#[test]
fn one_pawn_only() {
    let two = "6k1/8/8/PP6/8/8/8/6K1 w - - 0 1";
    assert_eq!(quadrant(two), [EIGHT, NONE]);
    let judge = Judge::with(&[("quadrant.one_pawn", "false")]);
    assert_eq!(judge.white(two, Term::Quadrant), equal(4096));
    assert_eq!(judge.white("7k/8/8/P7/P7/8/8/6K1 w - - 0 1", Term::Quadrant), EIGHT);
}

/// A pawn that can be taken en passant has not got away; without that right it has.
#[test]
fn en_passant() {
    assert_eq!(quadrant("8/8/8/8/3pP3/8/8/k5K1 b - e3 0 1"), [NONE, NONE]);
    assert_eq!(quadrant("8/8/8/8/3pP3/8/8/k5K1 b - - 0 1"), [EIGHT, NONE]);
}

/// PAS-12, MISS-34: more than a ply ahead.
#[test]
fn clear_lead() {
    let race = "8/7k/P7/8/K6p/8/8/8";
    assert_eq!(quadrant(&format!("{race} w - - 0 1")), [EIGHT, NONE], "three plies");
    // With Black to move White still promotes first, by one ply, and controls h1.
    assert_eq!(quadrant(&format!("{race} b - - 0 1")), [EIGHT, NONE]);
    // From b6 it controls nothing: both promote.
    let race = "8/7k/1P6/8/K6p/8/8/8";
    assert_eq!(quadrant(&format!("{race} w - - 0 1")), [EIGHT, NONE]);
    assert_eq!(quadrant(&format!("{race} b - - 0 1")), [EIGHT, EIGHT]);
}

/// PAS-12: the first promotion gives check.
#[test]
fn race_with_check() {
    // b8 and the king on b1 see one another once the pawn has left b5.
    let race = "8/8/K7/1P6/6p1/8/8/1k6";
    assert_eq!(quadrant(&format!("{race} w - - 0 1")), [EIGHT, NONE]);
    // With Black to move g1 comes first, without check.
    assert_eq!(quadrant(&format!("{race} b - - 0 1")), [EIGHT, EIGHT]);
    assert_eq!(quadrant("8/8/K7/1P6/6p1/8/8/2k5 w - - 0 1"), [EIGHT, EIGHT]);
    // Another pawn between.
    assert_eq!(quadrant("8/8/K7/1P6/6p1/1p6/P7/1k6 w - - 0 1"), [EIGHT, EIGHT]);
    // The slower pawn on g2 covers its king on h1; the f-pawn does not.
    assert_eq!(quadrant("8/8/8/P7/K5p1/8/8/7k w - - 0 1"), [EIGHT, EIGHT]);
    assert_eq!(quadrant("8/8/8/P7/K4p2/8/8/7k w - - 0 1"), [EIGHT, NONE]);
    // A king that must leave its pawn's way will stand elsewhere by then.
    assert_eq!(quadrant("8/8/8/P7/K7/6p1/6k1/8 w - - 0 1"), [EIGHT, EIGHT]);
}

/// PAS-12: the first promotion controls the other's promotion square.
#[test]
fn race_for_the_corners() {
    assert_eq!(quadrant("8/7k/8/P7/K6p/8/8/8 w - - 0 1"), [EIGHT, NONE]);
    assert_eq!(quadrant("8/7k/8/P7/K6p/8/8/8 b - - 0 1"), [NONE, EIGHT]);
    // Something stands between, or the corner is protected.
    assert_eq!(quadrant("8/7k/2K5/P7/7p/8/8/8 w - - 0 1"), [EIGHT, EIGHT]);
    assert_eq!(quadrant("8/8/8/P7/K6p/8/8/6k1 w - - 0 1"), [EIGHT, EIGHT]);
    // Both on one file: it is open when both have gone.
    assert_eq!(quadrant("8/7k/8/P6K/p7/8/8/8 w - - 0 1"), [EIGHT, NONE]);
    // Without the rule both count.
    let judge = Judge::with(&[("quadrant.races", "false")]);
    let fen = "8/7k/8/P7/K6p/8/8/8 w - - 0 1";
    assert_eq!(judge.both(fen, Term::Quadrant), [EIGHT, EIGHT]);
    let judge = Judge::with(&[("quadrant.on", "false")]);
    assert_eq!(judge.both(fen, Term::Quadrant), [NONE, NONE]);
}

/// File and rank, from 0.
type At = (i32, i32);

/// King against pawn, played out: the pawn runs, the king tries everything.
fn escapes(pawn: At, king: At, king_to_move: bool) -> bool {
    let (file, rank) = pawn;
    let distance = |a: At, b: At| (a.0 - b.0).abs().max((a.1 - b.1).abs());
    if king_to_move {
        let neighbours = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (king.0 + x, king.1 + y)));
        let mut squares = neighbours.filter(|to| {
            let attacked = (to.0 - file).abs() == 1 && to.1 == rank + 1 && rank < 7;
            let on_board = (0..8).contains(&to.0) && (0..8).contains(&to.1);
            on_board && *to != king && !attacked
        });
        if rank == 7 {
            return distance(pawn, king) > 1;
        }
        squares.all(|to| to != pawn && escapes(pawn, to, false))
    } else {
        let next = (file, rank + 1);
        let twice = (file, rank + 2);
        next != king
            && (escapes(next, king, true)
                || rank == 1 && twice != king && escapes(twice, king, true))
    }
}

/// PAS-09: the geometry, for every pawn, every king and both sides to move, against playing it out.
#[test]
fn plain_rule_is_exact() {
    let judge = Judge::new();
    let mut counts = [0; 2];
    for index in 0..48 * 64 * 2 {
        let (pawn, king) = ((index % 8, index / 8 % 6 + 1), (index / 48 % 8, index / 384 % 8));
        let king_to_move = index >= 48 * 64;
        // The pawn's own king keeps out of it, on a square of the first rank.
        let far = |at: At, other: At| (at.0 - other.0).abs().max((at.1 - other.1).abs()) > 1;
        let homes = [(0, 0), (7, 0), (3, 0)];
        let Some(home) = homes.into_iter().find(|&home| far(home, king) && far(home, pawn)) else {
            panic!("no place for the king")
        };
        if pawn == king {
            continue;
        }
        let mut board = [b'1'; 64];
        for ((file, rank), man) in [(pawn, b'P'), (king, b'k'), (home, b'K')] {
            board[((7 - rank) * 8 + file) as usize] = man;
        }
        let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
        let turn = if king_to_move { 'b' } else { 'w' };
        let fen = format!("{} {turn} - - 0 1", ranks.join("/"));
        if Position::from_fen(&fen).is_err() {
            continue; // the pawn attacks the king and is on the move
        }
        let wanted = if escapes(pawn, king, king_to_move) { EIGHT } else { NONE };
        assert_eq!(judge.both(&fen, Term::Quadrant), [wanted, NONE], "{fen}");
        counts[usize::from(wanted == EIGHT)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}
