//! An indexed book has the openings that the packed one has, whatever the file looks like.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;

use super::book::{Book, ReadOptions};
use super::error::BookError;
use super::indexed::Indexed;
use super::places::Places;
use super::scan::scan;
use super::source::{BookFormat, Origin, large_text};

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../openings/balanced_8ply.epd");

fn file(name: &str, text: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn indexed(path: &Path, places: Places) -> Result<Book, BookError> {
    Book::read_indexing(path, &ReadOptions::default(), 0, || places)
}

/// Each entry, good or bad, as scanning finds it and as it is read by places of several densities.
fn assert_alike(name: &str, text: &[u8], max_plies: Option<u32>) {
    let (_folder, path) = file(name, text);
    let mut scanned = Vec::new();
    let facts = scan(Origin::File(&path), max_plies, &mut |entry| {
        scanned.push(format!("{entry:?}"));
    });
    let facts = facts.unwrap();
    for (stride, most) in [(1, usize::MAX), (1, 2), (3, 5), (16, 1000)] {
        let (file, format) = large_text(&path, 0).unwrap().unwrap();
        assert_eq!(BookFormat::from(format), facts.format);
        let places = Places::sparse(stride, most);
        let (book, sha256) = Indexed::new(&path, file, format, max_plies, places).unwrap();
        assert_eq!(sha256, facts.sha256);
        assert_eq!(book.len, scanned.len(), "{}", String::from_utf8_lossy(text));
        for (index, expected) in scanned.iter().enumerate() {
            let entry = match book.entry(index) {
                Err(BookError::Drawn { defect, .. }) => Err(defect),
                Err(error) => panic!("{error}"),
                Ok(entry) => Ok(entry),
            };
            let entry = format!("{entry:?}");
            assert_eq!(&entry, expected, "{index} of {:?}", String::from_utf8_lossy(text));
        }
    }
}

/// Texts made of what means something in a format, in any order.
fn soup(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(words), 0..60).prop_map(|words| words.concat())
}

const LINES: &[&str] =
    &[INITIAL, MATED, "\n", "\n", "\n", "\r\n", "#", " ", "\t", "\u{feff}", "x", "# a\n", "\r"];

const GAMES: &[&str] = &[
    "[Event \"x\"]",
    "\n[Event \"x\"]\n",
    "\n\n[Event \"x\"]\n\n",
    "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 12 34\"]\n",
    "[FEN \"4k3",
    "[Site \"x]",
    "[Variant \"Chess960\"]",
    "[",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "{",
    "}",
    "{ a }",
    "(",
    ")",
    "( 1. d4 )",
    ";",
    "\n%",
    "$1",
    "$",
    "*",
    "\n*",
    "1-0",
    " 1/2-1/2\n",
    "½-½ ",
    "0–1",
    "1. ",
    "1... ",
    "2.",
    "e4 ",
    "e5 ",
    "d4",
    "O-O ",
    "0-0",
    "!?",
    "± ",
    " = ",
    "N ",
    " e.p.",
    "e2-e4 ",
    "(Q)",
    "[Result \"0-0\"]\n",
    " 0-0\n",
    "-",
    "/",
    "é",
    "\u{feff}",
    "1. e4 e5 2. Nf3 *\n\n",
];

proptest! {
    #[test]
    fn soups_of_positions(text in soup(LINES)) {
        assert_alike("book.epd", text.as_bytes(), None);
    }

    #[test]
    fn soups_of_games(text in soup(GAMES), plies in prop::option::of(0u32..3)) {
        assert_alike("book.pgn", text.as_bytes(), plies);
    }
}

#[test]
fn a_real_book_is_the_same_both_ways() {
    let shipped = Path::new(SHIPPED);
    let packed = Book::read(shipped).unwrap();
    let indexed = indexed(shipped, Places::sparse(16, 50)).unwrap();
    assert!(!packed.is_indexed() && indexed.is_indexed());
    assert_eq!(packed.len(), indexed.len());
    assert_eq!(packed.sha256(), indexed.sha256());
    assert_eq!(packed.format(), indexed.format());
    for (one, other) in packed.openings().zip(indexed.openings()) {
        assert_eq!(one.unwrap(), other.unwrap());
    }
}

#[test]
fn lines_longer_than_any_buffer_and_files_of_many() {
    // Lines of all lengths, so that buffers end everywhere.
    let epd: String = (0..3000).map(|n| format!("{INITIAL}; {}\n", "x".repeat(n % 700))).collect();
    assert_alike("book.epd", epd.as_bytes(), None);
    let long = "x ".repeat(400_000);
    let pgn: String = (0..600)
        .map(|n| format!("[Event \"{n}\"]\n\n1. e4 {{{}\n}} e5 *\n\n", &long[..n * 3]))
        .collect();
    let text = format!("{pgn}[Event \"long\"]\n\n1. c4 {{{long}}} c5 *\n{pgn}");
    assert_alike("book.pgn", text.as_bytes(), Some(1));
}

#[test]
fn nearly_every_tidy_game_has_a_place() {
    for game in ["[Event \"x\"]\n\n1. e4 *\n\n", "[Event \"x\"]\n\n1. e4\n\n", "1. e4 e5\n\n"] {
        let (_folder, path) = file("book.pgn", game.repeat(50).as_bytes());
        let file = File::open(path).unwrap();
        let mut places = Places::sparse(1, 1000);
        let mut lines = super::places::PlacedLines::new(&file);
        assert_eq!(crate::games::find_games(&mut lines, &mut places).unwrap(), 50);
        assert!((0..50).all(|entry| places.before(entry).entry == entry), "{game}");
    }
}

#[test]
fn a_bad_entry_is_found_when_it_is_drawn() {
    let (_folder, path) = file("book.epd", format!("\n{INITIAL}\nhello\n{MATED}\n").as_bytes());
    let book = indexed(&path, Places::new()).unwrap();
    assert_eq!((book.len(), book.terminal(), book.chess960()), (3, None, None));
    assert_eq!(book.opening(0).unwrap().fen, INITIAL);
    assert_eq!(book.opening(2).unwrap().fen, MATED);
    let error = book.opening(1).unwrap_err().to_string();
    let path = path.display();
    assert!(error.starts_with(&format!("{path}:3: expected a FEN of four to six")), "{error}");
    assert!(error.contains(&format!("`verdict openings check {path}`")), "{error}");
    assert!(matches!(book.opening(3), Err(BookError::Missing { index: 3, .. })));
}

#[test]
fn a_book_that_was_written_to_is_no_longer_that_book() {
    let (_folder, path) = file("book.epd", format!("{INITIAL}\n{INITIAL}\n").as_bytes());
    let book = indexed(&path, Places::new()).unwrap();
    book.opening(1).unwrap();
    let mut open = OpenOptions::new().append(true).open(&path).unwrap();
    open.write_all(b"x").unwrap();
    assert!(matches!(book.opening(0), Err(BookError::Changed { .. })));
    // Another file in its place is none of its business.
    let book = indexed(&path, Places::new()).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, "hello").unwrap();
    assert_eq!(book.opening(0).unwrap().fen, INITIAL);
}

#[test]
fn some_files_are_never_indexed() {
    let text = format!("{INITIAL}\nhello\n");
    let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
    let (_folder, path) = file("book.epd", text.as_bytes());
    let book = Book::read_indexing(&path, &lenient, 0, Places::new).unwrap();
    assert_eq!((book.is_indexed(), book.len(), book.defects()), (false, 1, 1));
    let (_folder, path) = file("book.epd.zst", &zstd::encode_all(INITIAL.as_bytes(), 1).unwrap());
    assert!(!indexed(&path, Places::new()).unwrap().is_indexed());
    let (_folder, path) = file("book.epd", INITIAL.as_bytes());
    assert!(!Book::read(&path).unwrap().is_indexed());
    for (text, expected) in [(b"".as_slice(), "has no openings"), (b"\xff\xfe", "UTF-16")] {
        let (_folder, path) = file("book.epd", text);
        let error = indexed(&path, Places::new()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// A line that is too long spoils one entry, told by its place, however the book is read.
#[test]
fn a_line_too_long_is_one_bad_entry() {
    let blanks = " ".repeat(5 << 20);
    let games = format!(
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4{blanks}d5 *\n\n[Event \"c\"]\n\n1. c4 *\n"
    );
    let positions = format!("{INITIAL}\n{INITIAL}{blanks}\n{INITIAL}\n");
    for (name, text, line) in [("book.pgn", games, 7), ("book.epd", positions, 2)] {
        let (_folder, path) = file(name, text.as_bytes());
        let book = indexed(&path, Places::new()).unwrap();
        assert_eq!(book.len(), 3, "{name}");
        let error = book.opening(1).unwrap_err().to_string();
        assert!(error.contains(&format!("{name}:{line}:")), "{error}");
        assert!(error.contains("less than 4 MiB"), "{error}");
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        let packed = Book::read_with(&path, &lenient).unwrap();
        assert_eq!((packed.len(), packed.defects()), (2, 1), "{name}");
        for (whole, good) in [(0, 0), (2, 1)] {
            assert_eq!(book.opening(whole).unwrap().moves, packed.opening(good).unwrap().moves);
        }
        let error = Book::read(&path).unwrap_err().to_string();
        assert!(error.contains(&format!("{name}:{line}:")), "{error}");
    }
}
