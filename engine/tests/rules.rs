//! Random games against shakmaty: the same legal moves, the same key, and nothing left behind by
//! make and unmake; the draw rules of `data/draw_rules.txt`.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::movegen::Select;
use engine::position::{Position, SquareTable};
use engine::types::{Move, Role, Score};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

/// A table in which every square of every role has its own value, so that a wrong square shows.
fn distinct_values() -> Arc<SquareTable> {
    Arc::new(SquareTable::new(
        |role| [0, 256, 800, 850, 1280, 2304, 0][role as usize],
        |role, sq| {
            let unique = role as i32 * 64 + sq as i32;
            Score::new(unique - 200, 150 - unique)
        },
    ))
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The pseudo-legal generators' moves, filtered by the legality test.
fn filtered(position: &Position, selects: &[Select]) -> Vec<Move> {
    let pins = position.pins();
    let mut moves = Vec::new();
    for &select in selects {
        if pins.checkers().is_empty() {
            position.generate(select, &mut moves);
        } else {
            position.evasions(select, pins.checkers(), &mut moves);
        }
    }
    moves.retain(|&mv| position.is_legal(mv, &pins));
    moves
}

fn texts(position: &Position, moves: &[Move], chess960: bool) -> BTreeSet<String> {
    let set: BTreeSet<String> = moves.iter().map(|&mv| position.uci(mv, chess960)).collect();
    assert_eq!(set.len(), moves.len(), "a move was generated twice in {}", position.fen());
    set
}

/// Everything the two rule books must agree on in one position.
fn compare(ours: &Position, theirs: &Chess, mode: CastlingMode) {
    let fen = ours.fen();
    let chess960 = mode.is_chess960();
    let expected: BTreeSet<String> =
        theirs.legal_moves().iter().map(|&m| UciMove::from_move(m, mode).to_string()).collect();
    assert_eq!(texts(ours, &legal(ours), chess960), expected, "legal moves of {fen}");
    let all = filtered(ours, &[Select::All]);
    assert_eq!(texts(ours, &all, chess960), expected, "filtered moves of {fen}");
    let split = filtered(ours, &[Select::Captures, Select::Quiets]);
    let loud = filtered(ours, &[Select::Loud]);
    let tactical: Vec<Move> =
        all.into_iter().filter(|mv| mv.is_capture() || mv.is_promotion()).collect();
    let [loud, tactical] = [loud, tactical].map(|moves| texts(ours, &moves, chess960));
    assert_eq!(loud, tactical, "captures and promotions of {fen}");
    assert_eq!(texts(ours, &split, chess960), expected, "captures and quiets of {fen}");
    // HSH-03
    let key = theirs.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
    assert_eq!(ours.key(), key, "key of {fen}");
    assert_eq!(ours.in_check(), theirs.is_check(), "check in {fen}");
    assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{fen}");
    let reread = Position::from_fen(&fen).expect("our own FEN can be read");
    assert_eq!(reread.key(), ours.key(), "reread {fen}");
    assert_eq!(reread.fen(), fen);
}

fn play_randomly(fen: &str, choices: &[u16]) {
    let parsed: Fen = fen.parse().expect("a FEN");
    let mode = CastlingMode::detect(parsed.as_setup());
    let mut theirs: Chess = parsed.into_position(mode).expect("a position");
    let table = distinct_values();
    let mut ours = Position::from_fen(fen).expect("a position");
    ours.set_table(&table);
    let mut line = Vec::new();
    let mut snapshots = vec![format!("{ours:?}")];
    for &choice in choices {
        compare(&ours, &theirs, mode);
        let moves = legal(&ours);
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        let text = ours.uci(mv, mode.is_chess960());
        assert_eq!(ours.parse_uci(&text).expect("our own text"), mv);
        let uci: UciMove = text.parse().expect("UCI");
        theirs.play_unchecked(uci.to_move(&theirs).expect("legal for both"));
        ours.make(mv);
        let mut fresh = Position::from_fen(&ours.fen()).expect("a position");
        fresh.set_table(&table);
        assert_eq!(
            (fresh.i_score(), fresh.material(), fresh.phase_material()),
            (ours.i_score(), ours.material(), ours.phase_material()),
            "sums after {text}"
        );
        line.push(mv);
        snapshots.push(format!("{ours:?}"));
    }
    for mv in line.into_iter().rev() {
        assert_eq!(snapshots.pop().expect("a snapshot a ply"), format!("{ours:?}"));
        ours.unmake(mv);
    }
    assert_eq!(snapshots.pop().expect("the first"), format!("{ours:?}"));
}

const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn random_games_agree_with_shakmaty(
        start in 0..STARTS.len(),
        choices in proptest::collection::vec(any::<u16>(), 1..160),
    ) {
        play_randomly(STARTS[start], &choices);
    }

    /// GEN-17: of any 16 bits, exactly the generated moves are called pseudo-legal.
    #[test]
    fn verification_equals_generation(
        start in 0..STARTS.len(),
        choices in proptest::collection::vec(any::<u16>(), 0..60),
    ) {
        let mut position = Position::from_fen(STARTS[start]).expect("a position");
        for choice in choices {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.make(moves[usize::from(choice) % moves.len()]);
        }
        let mut generated = Vec::new();
        position.generate(Select::All, &mut generated);
        let generated: BTreeSet<u16> = generated.into_iter().map(Move::to_bits).collect();
        let verified: BTreeSet<u16> = (0..=u16::MAX)
            .filter(|&bits| position.is_pseudo_legal(Move::from_bits(bits)))
            .collect();
        prop_assert_eq!(verified, generated);
    }

    #[test]
    fn nonsense_fens_are_refused_politely(text in "[ -~]{0,90}") {
        if let Ok(position) = Position::from_fen(&text) {
            prop_assert!(position.by_role(Role::King).count() == 2);
        }
    }
}

#[test]
fn absurd_fens_say_what_is_wrong() {
    for (fen, reason) in [
        ("", "FEN"),
        ("hello", "FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "empty"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "a king is missing"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "more than one king"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "first or last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "castling rights"),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "has just moved is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant"),
        ("qqqqkqqq/qqqqqqqq/8/8/8/8/8/4K3 b - - 0 1", "promotions allow"),
        ("4k3/8/8/8/8/8/8/4K3[QRRqn] w - - 0 1", "in hand"),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "in hand"),
        ("4k3/8/8/8/8/8/8/4K3/QRRqn w - - 0 1", "eight ranks separated by '/', found 9"),
        ("k7/8/8/8/8/8/8/8/K7 w - - 0 1", "eight ranks separated by '/', found 9"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "eight ranks separated by '/', found 7"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", "no count of checks"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 +0+0", "no count of checks"),
        ("4k3/8/8/8/8/8/8/3QK2Q~ w - - 0 1", "promoted"),
        ("4k3/8/8/8/8/8/8/4K3", "four to six fields"),
        ("4k3/8/8/8/8/8/8/4K3 w", "found 2"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "found 3"),
    ] {
        let error = Position::from_fen(fen).expect_err(fen).to_string();
        assert!(error.contains(reason), "{fen}: {error}");
    }
}

#[test]
fn four_fields_are_enough() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").expect("an EPD position");
    assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
}

#[test]
fn absurd_counts_leave_room_for_a_game() {
    for count in ["32767", "65535", "65536", "4294967295"] {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w Q - {count} {count}");
        let mut position = Position::from_fen(&fen).expect(&fen);
        for text in ["e1c1", "e8e7", "d1d2"] {
            position.play(position.parse_uci(text).expect(text));
        }
        assert!(position.is_fifty_moves() && position.halfmoves() >= 32_767, "{fen}");
    }
}

#[test]
fn draw_rules() {
    let mut checked = 0;
    for line in include_str!("data/draw_rules.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, start, moves, facts, final_fen] = fields[..] else {
            panic!("expected five fields: {line}");
        };
        let fact = |key: &str| {
            let value = facts.split_whitespace().find_map(|fact| fact.strip_prefix(key));
            value.and_then(|value| value.strip_prefix('=')).expect(key) == "1"
        };
        let mut position = Position::from_fen(start).expect(start);
        for text in moves.split_whitespace() {
            let mv = position.parse_uci(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            position.play(mv);
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let stuck = moves.is_empty();
        let repetitions = position.repetitions();
        assert_eq!(repetitions >= 1, fact("rep2"), "{name}: second occurrence");
        assert_eq!(repetitions >= 2, fact("rep3"), "{name}: third occurrence");
        assert_eq!(position.is_fifty_moves() && !stuck, fact("fifty"), "{name}: fifty moves");
        assert_eq!(stuck && position.in_check(), fact("mate"), "{name}: mate");
        assert_eq!(stuck && !position.in_check(), fact("stale"), "{name}: stalemate");
        assert_eq!(position.is_insufficient_material(), fact("insuf"), "{name}: material");
        let board = |fen: &str| fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
        assert_eq!(board(&position.fen()), board(final_fen), "{name}: final position");
        checked += 1;
    }
    assert!(checked >= 60, "only {checked} lines");
}
