//! Polyglot's books: lines that meet, lines in circles, and books that are none.

use pgn::{BookFormat, ReadOptions};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use super::openings_read::{INITIAL, openings, read, read_with};

/// An entry of a Polyglot book: a key, a move in UCI, its weight.
fn polyglot(key: u64, mv: &str, weight: u16) -> Vec<u8> {
    let square = |at: usize| {
        let bytes = &mv.as_bytes()[at..at + 2];
        u16::from(bytes[0] - b'a') + 8 * u16::from(bytes[1] - b'1')
    };
    let promotion = mv.get(4..5).map_or(0, |role| 1 + "nbrq".find(role).map_or(9, |it| it as u16));
    let code = promotion << 12 | square(0) << 6 | square(2);
    [&key.to_be_bytes()[..], &code.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

/// The keys that Polyglot's description of its format gives as examples.
#[test]
fn polyglot_books() {
    let start = 0x463b_9618_1691_fc9c;
    let book = [
        polyglot(start, "g1h3", 0),
        polyglot(start, "e2e4", 10),
        polyglot(start, "a2a4", 20),
        polyglot(0x823c_9b50_fd11_4196, "d7d5", 1),
        polyglot(0x0756_b944_61c5_0fb0, "e4e5", 1),
        polyglot(0x662f_afb9_65db_29d4, "f7f5", 1),
        polyglot(0x22a4_8b5a_8e47_ff78, "e5f6", 1),
        polyglot(0x22a4_8b5a_8e47_ff78, "e1e2", 2),
        polyglot(0x652a_607c_a3f2_42c1, "e8f7", 1),
    ]
    .concat();
    let line = "e2e4 d7d5 e4e5 f7f5";
    let whole = [" a2a4".to_owned(), format!(" {line} e5f6"), format!(" {line} e1e2 e8f7")];
    let of_four = [" a2a4".to_owned(), format!(" {line}")];
    for (plies, expected) in [(None, &whole[..]), (Some(4), &of_four[..])] {
        let options = ReadOptions { max_plies: plies, ..ReadOptions::default() };
        let book = read_with("book.bin", &book, options).unwrap();
        assert_eq!(book.format(), BookFormat::Polyglot);
        let expected: Vec<_> = expected.iter().map(|moves| format!("{INITIAL}{moves}")).collect();
        assert_eq!(openings(&book), expected);
    }
}

/// A position that several orders of moves lead to is one opening; castling is king takes rook.
#[test]
fn polyglot_lines_that_meet() {
    let mut book = Vec::new();
    let mut add = |line: &str, moves: &[&str]| {
        let mut position = Chess::default();
        for mv in line.split_ascii_whitespace() {
            let mv = mv.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
        }
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
        moves.iter().for_each(|mv| book.extend(polyglot(key, mv, 1)));
    };
    add("", &["g1f3", "g2g3"]);
    add("g1f3", &["g8f6"]);
    add("g2g3", &["g8f6"]);
    add("g1f3 g8f6", &["g2g3"]);
    add("g2g3 g8f6", &["g1f3"]);
    add("g1f3 g8f6 g2g3", &["g7g6"]);
    add("g1f3 g8f6 g2g3 g7g6", &["f1g2"]);
    add("g1f3 g8f6 g2g3 g7g6 f1g2", &["f6g8"]);
    add("g1f3 g8f6 g2g3 g7g6 f1g2 f6g8", &["e1h1"]);
    let moves = "g1f3 g8f6 g2g3 g7g6 f1g2 f6g8 e1g1";
    assert_eq!(openings(&read("a.bin", &book).unwrap()), [format!("{INITIAL} {moves}")]);
}

/// A Polyglot book of these lines, each move known in the position before it.
fn polyglot_of(lines: &[&str]) -> Vec<u8> {
    let mut book = Vec::new();
    for line in lines {
        let mut position = Chess::default();
        for word in line.split_ascii_whitespace() {
            let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
            let entry = polyglot(key, word, 1);
            if !book.chunks(entry.len()).any(|known| known == entry) {
                book.extend(entry);
            }
            position.play_unchecked(word.parse::<UciMove>().unwrap().to_move(&position).unwrap());
        }
    }
    book
}

/// Lines that come back to where they were end before.
#[test]
fn polyglot_lines_in_circles() {
    let circle = "g1f3 g8f6 f3g1 f6g8";
    for (lines, expected) in [
        (vec![circle], vec!["g1f3 g8f6 f3g1"]),
        (vec!["e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3"], vec!["e2e4 e7e5 g1f3 g8f6 f3g1"]),
        // Another move leads out of the circle, and is an opening, too.
        (vec![circle, "g1f3 g8f6 d2d4 d7d5"], vec!["g1f3 g8f6 d2d4 d7d5", "g1f3 g8f6 f3g1"]),
        // Two circles that meet.
        (
            vec!["g1f3 g8f6 f3g1 f6g8 g1h3 g8h6 h3g1 h6g8", "g1h3 g8f6 h3g1"],
            vec!["g1f3 g8f6 f3g1", "g1h3 g8h6 h3g1"],
        ),
        // Lines that lead to each other's front, and nowhere else.
        (vec!["g1f3 g8f6 b1c3 f6g8 f3g1", "b1c3 b8c6 g1f3 c6b8 c3b1"], vec!["g1f3 g8f6 b1c3 f6g8"]),
        // A detour to a position that others reach in fewer moves is no opening of its own.
        (vec!["e2e4 e7e5 g1f3", "e2e3 e7e6 e3e4 e6e5"], vec!["e2e4 e7e5 g1f3"]),
    ] {
        let book = read("book.bin", polyglot_of(&lines)).unwrap();
        let expected: Vec<_> = expected.iter().map(|moves| format!("{INITIAL} {moves}")).collect();
        assert_eq!(openings(&book), expected, "{lines:?}");
    }
}

#[test]
fn polyglot_books_that_are_none() {
    let start = 0x463b_9618_1691_fc9c;
    let good = polyglot(start, "e2e4", 1);
    for (bytes, why) in [
        (vec![], "has no openings"),
        (polyglot(1, "e2e4", 1), "has no openings"),
        ([&good[..], &[1, 2, 3]].concat(), ":2: expected entries of 16 bytes, found 3 at the end"),
        (
            [good.clone(), polyglot(start, "e2e5", 1)].concat(),
            ":2: expected a legal move after \"\", found e2e5",
        ),
        (
            [good.clone(), polyglot(0x823c_9b50_fd11_4196, "a7a8x", 1)].concat(),
            ":2: expected a legal move after \"e2e4\", found 0xac38",
        ),
    ] {
        let error = read("book.bin", bytes).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
