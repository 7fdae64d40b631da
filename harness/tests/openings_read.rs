//! Books as they are found: every odd form that is read, and what is said of those that are not.

use std::fs;
use std::path::PathBuf;

use pgn::{
    Book, BookError, BookFormat, CheckOptions, OpeningOrder, OrderKind, ReadOptions, Terminal,
    check,
};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

pub(super) const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub(super) const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

pub(super) fn read(name: &str, text: impl AsRef<[u8]>) -> Result<Book, BookError> {
    read_with(name, text, ReadOptions::default())
}

pub(super) fn read_with(
    name: &str,
    text: impl AsRef<[u8]>,
    options: ReadOptions,
) -> Result<Book, BookError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    Book::read_with(path, &options)
}

/// Each opening as its FEN and moves, once all its moves have been played.
pub(super) fn openings(book: &Book) -> Vec<String> {
    let mut all = Vec::new();
    for (place, opening) in book.openings().enumerate() {
        let opening = opening.unwrap();
        assert_eq!(opening.index, place);
        play(opening.start, &opening.moves);
        let moves: String = opening.moves.iter().map(|mv| format!(" {mv}")).collect();
        all.push(format!("{}{moves}", opening.fen));
    }
    assert_eq!(all.len(), book.len());
    all
}

fn play(mut position: Chess, moves: &[UciMove]) {
    for mv in moves {
        let mv = mv.to_move(&position).expect("book moves are legal");
        position.play_unchecked(mv);
    }
}

#[test]
fn odd_lines_of_positions() {
    let e4 = AFTER_E4.trim_end_matches(" 0 1");
    let cases: [(&str, String, &[&str]); 15] = [
        ("six fields", format!("{INITIAL}\n"), &[INITIAL]),
        ("four fields, no last line end", e4.into(), &[AFTER_E4]),
        ("five fields", format!("{e4} 7\n"), &[&format!("{e4} 7 1")]),
        (
            "trailing blanks, tabs, CRLF",
            format!("{INITIAL} \t \r\n{e4}  \r\n"),
            &[INITIAL, AFTER_E4],
        ),
        ("byte-order mark", format!("\u{feff}{INITIAL}\n"), &[INITIAL]),
        (
            "joined files",
            format!(
                "{e4} id \"x\";\n\u{feff}{INITIAL}\n# end\u{feff}# next\n{INITIAL}\u{feff}{e4}\u{feff}"
            ),
            &[AFTER_E4, INITIAL, INITIAL, AFTER_E4],
        ),
        ("blank and comment lines", format!("\n# book\n   \n{INITIAL}\n\r\n#\n"), &[INITIAL]),
        ("duplicate lines stay", format!("{INITIAL}\n{INITIAL}\n"), &[INITIAL, INITIAL]),
        ("operations", format!("{e4} bm e5; id \"KP; 1\"; c0 \"x\";\n"), &[AFTER_E4]),
        (
            "counters as operations",
            format!("{e4} hmvc 3; fmvn 12; id \"x\";\n"),
            &[&format!("{e4} 3 12")],
        ),
        ("operations after six fields", format!("{INITIAL}; e4 e5\n"), &[INITIAL]),
        ("moves counted from 0", INITIAL.replace(" 0 1", " 0 0"), &[INITIAL]),
        ("several blanks", INITIAL.replace(' ', "  "), &[INITIAL]),
        ("castling rights in any order", INITIAL.replace("KQkq", "kqKQ"), &[INITIAL]),
        ("en passant square without a capture", AFTER_E4.replace(" - ", " e3 "), &[AFTER_E4]),
    ];
    for (what, text, expected) in cases {
        let book = read("book.epd", text).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(openings(&book), expected, "{what}");
        assert_eq!(book.format(), BookFormat::Epd);
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    let line = [INITIAL.as_bytes(), b" id \"Gr\xfcnfeld\";\n"].concat();
    assert_eq!(openings(&read("book.epd", line).unwrap()), [INITIAL]);
    let game = b"[White \"S\xe4misch\"]\n\n1. e4 {gr\xfc\xdfe} e5 *\n";
    assert_eq!(openings(&read("book.pgn", game).unwrap()), [format!("{INITIAL} e2e4 e7e5")]);
}

#[test]
fn chess960_starts() {
    let shredder = "bbqrknrn/pppppppp/8/8/8/8/PPPPPPPP/BBQRKNRN w GDgd - 0 1";
    let x_fen = "bbqrknrn/pppppppp/8/8/8/8/PPPPPPPP/BBQRKNRN w KQkq - 0 1";
    // The a-rook stands outside the c-rook, so the right of the c-rook is named by its file.
    let inner = "1r2k1r1/8/8/8/8/8/8/R1R1K2R w HC - 0 1";
    let inner_x_fen = "1r2k1r1/8/8/8/8/8/8/R1R1K2R w KC - 0 1";
    let book = read("book.epd", [shredder, x_fen, INITIAL, inner].join("\n")).unwrap();
    assert_eq!(openings(&book), [x_fen, x_fen, INITIAL, inner_x_fen]);
    assert_eq!(book.chess960(), Some(3));
    let modes: Vec<_> = book.openings().map(|o| o.unwrap().start.castles().mode()).collect();
    let (standard, chess960) = (CastlingMode::Standard, CastlingMode::Chess960);
    assert_eq!(modes, [chess960, chess960, standard, chess960]);

    for (variant, castling) in
        [("Chess960", " e1h1"), ("fischerandom", " e1h1"), ("Standard", " e1g1")]
    {
        let moves = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *";
        let game = format!("[Variant \"{variant}\"]\n[FEN \"{INITIAL}\"]\n\n{moves}\n");
        let castled = openings(&read("book.pgn", game).unwrap());
        assert!(castled[0].ends_with(castling), "{variant}: {castled:?}");
    }
}

#[test]
fn odd_games() {
    let cases: [(&str, &str, &[&str]); 32] = [
        (
            "signs of evaluation",
            "1. e4 ± e5 += 2. Nf3 +/- N Nc6 = 3. Bb5⩲ a6 -+ D 4. Ba4 +- ∞ Nf6 \\$14 5. O-O □ Be7=",
            &["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7"],
        ),
        (
            "marks of check set apart",
            "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7 # 1-0\n\n1. e4 f5 2. Qh5 + g6 *",
            &["e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "e2e4 f7f5 d1h5 g7g6"],
        ),
        (
            "signs on lines of their own",
            "1. e4 e5\n\n+-\n\n2. Nf3\n=\n*\n\n=====\n\n1. d4 *",
            &["e2e4 e7e5 g1f3", "d2d4"],
        ),
        (
            "en passant told, attached and apart",
            "1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 *\n\n1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 *\n\n\
             1. e4 a6 2. e5 f5 3. exf6ep+ exf6 *\n\n1. e4 a6 2. e5 f5 3. exf6 ep exf6 *",
            &[
                "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6",
                "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6",
                "e2e4 a7a6 e4e5 f7f5 e5f6 e7f6",
                "e2e4 a7a6 e4e5 f7f5 e5f6 e7f6",
            ],
        ),
        (
            "long algebraic",
            "1. e2-e4 d7-d5 2. e4xd5 Qd8xd5 3. Nb1-c3 Qd5-a5+ 4. Ng1f3 Ng8f6 5. Bf1-b5+ c7-c6 6. 0-0 *",
            &["e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 g8f6 f1b5 c7c6 e1g1"],
        ),
        (
            "UCI",
            "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. e1g1 a6b5 *\n\ng2g4 h7h5 g4h5 g7g6 h5g6 a7a6 g6g7 \
             a6a5 g7h8q *",
            &[
                "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 a6b5",
                "g2g4 h7h5 g4h5 g7g6 h5g6 a7a6 g6g7 a6a5 g7h8q",
            ],
        ),
        (
            "promotions",
            "1. g4 h5 2. gxh5 g6 3. hxg6 a6 4. g7 a5 5. gxh8(Q) *\n\n\
             1. g4 h5 2. gxh5 g6 3. hxg6 a6 4. g7 a5 5. gxh8/N (5. gxf8(B)) Ra6 *",
            &[
                "g2g4 h7h5 g4h5 g7g6 h5g6 a7a6 g6g7 a6a5 g7h8q",
                "g2g4 h7h5 g4h5 g7g6 h5g6 a7a6 g6g7 a6a5 g7h8n a8a6",
            ],
        ),
        (
            "figurines, hard blanks, other signs of capture",
            "1.\u{a0}e4\u{a0}d5 2. e:d5 ♛×d5 3. ♘c3 Qa5 *",
            &["e2e4 d7d5 e4d5 d8d5 b1c3 d5a5"],
        ),
        (
            "lost by both",
            "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 5. d3 0-0\n\n1. d4 *\n\n\
             [Result \"0-0\"]\n\n0-0\n\n[Result \"0-0\"]\n\n1. c4 0–0",
            &["e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 d2d3", "d2d4", "", "c2c4"],
        ),
        (
            "castling as the last move",
            "[Result \"1-0\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0",
            &["g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1"],
        ),
        (
            "joined files",
            "1. e4 *\n\u{feff}1. d4 *\n\u{feff}[Event \"x\"]\n\n1. c4 *\u{feff}[Event \"y\"]\n\n1. f4",
            &["e2e4", "d2d4", "c2c4", "f2f4"],
        ),
        ("no tags", "1. e4 e5 2. Nf3 *\n", &["e2e4 e7e5 g1f3"]),
        (
            "no tags, no results",
            "1. e4 e5\n\n1. d4\nd5\n\n\n1. c4\n",
            &["e2e4 e7e5", "d2d4 d7d5", "c2c4"],
        ),
        ("no move numbers", "e4 e5\n\nd4 d5\n", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("several on a line", "1. e4 * 1. d4 1-0 1.c4 1/2-1/2", &["e2e4", "d2d4", "c2c4"]),
        ("a blank line inside", "1. e4 e5\n\n2. Nf3 *\n", &["e2e4 e7e5 g1f3"]),
        ("a blank line before Black's number", "1. e4 {x}\n\n1... e5 *\n", &["e2e4 e7e5"]),
        ("CRLF", "[Event \"x\"]\r\n\r\n1. e4\r\ne5 *\r\n\r\n1. d4 *\r\n", &["e2e4 e7e5", "d2d4"]),
        ("byte-order mark", "\u{feff}[Event \"x\"]\n\n1. e4 *\n", &["e2e4"]),
        (
            "comments",
            "{a} 1. e4 {b (c\n\n[d] 1. d4} e5 ; 2. Nc3 ( \n% 2. h4\n2. Nf3 *",
            &["e2e4 e7e5 g1f3"],
        ),
        (
            "variations",
            "1. e4 (1. d4 d5 (1... Nf6 {)}) 2. c4) e5 (1... c5) 2. Nf3 *",
            &["e2e4 e7e5 g1f3"],
        ),
        (
            "NAGs and marks",
            "1. e4! $1 e5?! $14 2. Nf3!? Nc6?? 3.Bb5+ *",
            &["e2e4 e7e5 g1f3 b8c6 f1b5"],
        ),
        ("no blanks", "1.e4 e5 2.Nf3{x}Nc6(2...d6)3.Bb5 a6*", &["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"]),
        (
            "numbers before Black's moves",
            "1. e4 1... e5 2. Nf3 2... Nc6 *",
            &["e2e4 e7e5 g1f3 b8c6"],
        ),
        (
            "castling with zeros, two marks of check",
            "1. e4 e5 2. Nf3 f6 3. Bc4 c6 4. 0-0 Qb6 5. Qe2 Qxf2++",
            &["e2e4 e7e5 g1f3 f7f6 f1c4 c7c6 e1g1 d8b6 d1e2 b6f2"],
        ),
        ("results with long dashes", "1. e4 1–0\n\n1. d4 ½-½\n", &["e2e4", "d2d4"]),
        ("tags on one line", "[Event \"x\"][Result \"*\"] 1. e4 *", &["e2e4"]),
        ("quotes inside a tag", "[Event \"the \"open\" [x]\"]\n\n1. e4 *", &["e2e4"]),
        ("an unclosed tag of no use", "[Site \"x]\n[Event \"y\"]\n\n1. e4 *", &["e2e4"]),
        ("tags alone", "[Event \"x\"]\n[Result \"*\"]\n\n[Event \"y\"]\n\n1. e4 *", &["", "e2e4"]),
        ("tag names in small letters", "[event \"x\"]\n\n[event \"y\"]\n\n1. e4", &["", "e2e4"]),
        ("results alone", "*\n\n1-0\n1. e4 *", &["e2e4"]),
    ];
    for (what, text, expected) in cases {
        let book = read("book.pgn", text).unwrap_or_else(|e| panic!("{what}: {e}"));
        let expected =
            expected.iter().map(|moves| format!("{INITIAL} {moves}").trim_end().to_owned());
        assert_eq!(openings(&book), expected.collect::<Vec<_>>(), "{what}");
        assert_eq!(book.format(), BookFormat::Pgn);
    }
}

#[test]
fn games_from_set_up_positions() {
    let rook = "4k3/8/8/8/8/8/8/4K2R w K - 12 34";
    let game = format!("[SetUp \"1\"]\n[FEN \"{rook}\"]\n\n34. O-O Ke7 *\n\n1. e4 *\n");
    let book = read("book.pgn", game).unwrap();
    assert_eq!(openings(&book), [format!("{rook} e1g1 e8e7"), format!("{INITIAL} e2e4")]);
    for promotion in ["a8=Q+", "a8Q+"] {
        let game = format!("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - -\"]\n\n1. {promotion} Kd7 *\n");
        let expected = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 a7a8q e8d7";
        assert_eq!(openings(&read("book.pgn", game).unwrap()), [expected]);
    }
}

#[test]
fn games_are_cut_at_the_wanted_ply() {
    let text = "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 *\n\n1. c4 c5 2. Nonsense *\n";
    let cut = ReadOptions { max_plies: Some(2), lenient: false };
    let book = read_with("book.pgn", text, cut).unwrap();
    let expected = ["e2e4 e7e5", "d2d4", "c2c4 c7c5"].map(|moves| format!("{INITIAL} {moves}"));
    assert_eq!(openings(&book), expected);
}

#[test]
fn bad_entries_are_named_with_their_line() {
    let bad = |from: &str, to: &str| {
        assert!(INITIAL.contains(from));
        INITIAL.replacen(from, to, 1)
    };
    let cases: [(&str, String, &str); 28] = [
        (
            "epd",
            format!("{INITIAL}\n\nhello\n"),
            "book.epd:3: expected a FEN of four to six fields, found no side to move in 'hello'",
        ),
        ("epd", "8/8/8/8/8/8/8/8 w -".into(), "found no en passant square"),
        (
            "epd",
            bad("8/8/8/8", "8/8/8/9"),
            "book.epd:1: expected a FEN of four to six fields: invalid board part",
        ),
        ("epd", bad(" w ", " x "), "invalid turn part"),
        ("epd", bad(" 0 1", " -1 1"), "expected a half-move clock"),
        ("epd", bad(" 0 1", " 0 1x"), "expected a move number"),
        ("epd", bad("0 1", "hmvc x;"), "expected a half-move clock"),
        ("epd", "8/8/8/8/8/8/8/8 w - - 0 1".into(), "illegal position: empty board, missing king"),
        ("epd", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1".into(), "opposite check"),
        ("epd", "4k3/8/8/8/8/8/8/4K3 w K - 0 1".into(), "invalid castling rights"),
        ("epd", bad("RNBQKBNR ", "RNBQKBNR[Qq] "), "expected standard chess or Chess960"),
        (
            "epd",
            format!("x\n{INITIAL}\ny\n"),
            "(and 1 more bad entry; `verdict openings check` lists them)",
        ),
        ("epd", "x\ny\nz\n".into(), "(and 2 more bad entries"),
        ("epd", format!("{}\n", "x ".repeat(5000)), "…'"),
        (
            "pgn",
            "[Event \"x\"]\n\n1. e4 e5\n2. Ke3 *".into(),
            "book.pgn:4: game 1: expected a legal move for White at move 2, found 'Ke3'",
        ),
        (
            "pgn",
            "1. e4 *\n\n1. Sf3 Sf6 *".into(),
            "book.pgn:3: game 2: expected a move in SAN for White at move 1, found 'Sf3'",
        ),
        ("pgn", "1. e4 e5 2. N".into(), "expected a move in SAN for White at move 2, found 'N'"),
        (
            "pgn",
            "1. Nf3 a6 2. d3 a5 3. Nd2 *".into(),
            "expected an unambiguous move for White at move 3",
        ),
        ("pgn", "1. e4 -- 2. d4 *".into(), "expected a move, not a null move, for Black at move 1"),
        ("pgn", "1. e4\n0000 *".into(), "book.pgn:2: game 1: expected a move, not a null move,"),
        ("pgn", "1. e4 e5 2. e4e6 *".into(), "expected a legal move for White at move 2"),
        (
            "pgn",
            "1. e4 e5 2. N f3 *".into(),
            "expected a move in SAN for White at move 2, found 'N'",
        ),
        ("pgn", "1. e4 e5 2. \u{fffd}f3 *".into(), "expected a move in SAN for White at move 2"),
        ("pgn", "1. e4 e5 2. △Nf3 *".into(), "expected a move in SAN for White at move 2"),
        ("pgn", "1. e4 e5 2. Ng1-\nf3 *".into(), "expected a move in SAN for White at move 2"),
        (
            "pgn",
            "[Variant \"Atomic\"]\n\n1. e4 *".into(),
            "expected standard chess or Chess960 as Variant, found 'Atomic'",
        ),
        (
            "pgn",
            "\n[FEN \"8/8 w - -\"]\n\n1. e4 *".into(),
            "book.pgn:2: game 1: expected a FEN of four to six fields: invalid board part",
        ),
        (
            "pgn",
            "[FEN \"8/8 w - -]\n\n1. e4 *".into(),
            "book.pgn:1: game 1: expected a tag like [FEN",
        ),
    ];
    for (ending, text, expected) in cases {
        let error = read(&format!("book.{ending}"), &text).expect_err(&text);
        assert!(matches!(error, BookError::Defects { .. }), "{text}: {error:?}");
        let message = error.to_string();
        assert!(message.contains(expected), "{expected:?} in {message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

/// The byte at which a bad entry begins, in every format.
#[test]
fn bad_entries_are_named_with_their_byte() {
    let games = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 d5\n2. e9 *\n";
    let unclosed =
        format!("{}1. e4 {{ [Event \"c\"]\n\n[Event \"d\"]\n\n1. e4 *\n", "\n".repeat(7));
    for (name, text, expected) in [
        (
            "book.epd",
            format!("{INITIAL}\r\n\nhello\n").into_bytes(),
            ["book.epd:3:", "at byte 59)"],
        ),
        ("book.pgn", games.into(), ["book.pgn:8: game 2:", "at byte 22)"]),
        ("book.pgn", unclosed.into(), ["book.pgn:8: game 1:", "at byte 7)"]),
        ("book.bin", [0; 35].into(), ["book.bin:3:", "at byte 32)"]),
    ] {
        let error = read(name, text).unwrap_err().to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{expected:?} in {error}");
    }
}

#[test]
fn what_nobody_closed_costs_one_game() {
    for open in ["{ never closed", "( never closed", "1... e5)"] {
        let text = format!("[Event \"x\"]\n\n1. e4 {open}\n2. Nf3\n\n[Event \"y\"]\n\n1. d4 *\n");
        let error = read("book.pgn", &text).expect_err(open);
        assert!(matches!(error, BookError::Defects { others: 0, .. }), "{open}: {error}");
        let lenient = ReadOptions { lenient: true, max_plies: None };
        let book = read_with("book.pgn", &text, lenient).unwrap();
        assert_eq!((openings(&book), book.defects()), (vec![format!("{INITIAL} d2d4")], 1));
    }
    let error = read("book.pgn", "1. e4 *\n\n1. d4 { never closed\n").unwrap_err();
    assert!(error.to_string().contains("book.pgn:3: game 2: expected '}'"), "{error}");
}

#[test]
fn books_without_a_playable_opening() {
    for text in ["", "\n\n", "# nothing\n", "\u{feff}"] {
        for name in ["book.epd", "book.txt", "book.pgn"] {
            if name == "book.pgn" && text.starts_with('#') {
                continue;
            }
            let result = read(name, text);
            assert!(matches!(result, Err(BookError::Empty { .. })), "{name}: {text:?}: {result:?}");
        }
    }
    assert!(matches!(read("book.pgn", "\n\n*\n"), Err(BookError::Empty { .. })));
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n8/8/8/8/8/8/8/K1k5 w - - 0 1\n";
    let error = read("book.epd", over).unwrap_err();
    assert!(error.to_string().starts_with("in all 2 openings of the book"), "{error}");
    let book = read("book.epd", format!("{over}{INITIAL}\n")).unwrap();
    assert_eq!((book.len(), book.terminal()), (3, Some(2)));
}

/// What ends a game only by the moves that led there.
#[test]
fn openings_that_end_by_their_history() {
    let dance = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let fifty = "[FEN \"4k3/4r3/8/8/8/8/4R3/4K3 w - - 98 90\"]\n\n1. Kd1 Kd8";
    let folder = tempfile::tempdir().unwrap();
    for (text, why) in [
        (dance.to_owned(), Some(Terminal::Repetition)),
        // The same position again, after a pawn move that lies behind.
        (format!("e4 e5 {dance}"), Some(Terminal::Repetition)),
        (dance[..dance.len() - 4].to_owned(), None),
        // Three times, but with castling rights lost between.
        (format!("Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Ng1 Ng8 {}", &dance[..16]), None),
        // It was there three times, and the line went on.
        (format!("{dance} e4"), None),
        (fifty.to_owned(), Some(Terminal::FiftyMoves)),
        (fifty.replace(" Kd8", ""), None),
    ] {
        let path = folder.path().join("book.pgn");
        fs::write(&path, format!("1. d4 *\n\n{text} *\n")).unwrap();
        let report = check(&path, &CheckOptions { max_plies: None, limit: 9 }).unwrap();
        let found: Vec<_> = report.terminal.listed.iter().map(|entry| entry.why).collect();
        assert_eq!(found, Vec::from_iter(why), "{text}");
        assert_eq!(report.clean, why.is_none());
        let book = Book::read(&path).unwrap();
        assert_eq!(book.terminal(), Some(found.len()), "{text}");
        assert_eq!(book.opening(1).unwrap().terminal(), why, "{text}");
    }
}

#[test]
fn any_order_stays_inside_the_book() {
    let book = read("book.epd", format!("{INITIAL}\n{AFTER_E4}\n")).unwrap();
    for beyond in [2, 3, usize::MAX] {
        let error = book.opening(beyond).unwrap_err();
        assert!(matches!(error, BookError::Missing { .. }), "{error}");
    }
    for kind in [OrderKind::Sequential, OrderKind::Random { seed: 1 }] {
        let mut order = OpeningOrder::new(kind, book.len());
        assert!((0..10).all(|k| book.opening(order.at(k)).is_ok()));
    }
    assert_eq!(book.path().file_name(), Some(PathBuf::from("book.epd").as_os_str()));
}
