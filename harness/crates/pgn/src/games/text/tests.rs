use super::*;
use crate::games::LONGEST_GAME;
use crate::lines::LONGEST_LINE;
use crate::work::bytes_of;
use crate::{Extent, quote};

#[test]
fn a_text_can_be_cut_before_first_tags() {
    let text = b"[Site \"a\"]\n[Event \"b\"]\n\n1. e4 {\n[Event \"c\"]\r\n[Event \"d\"]\n1-0\n [Event \"e\"]\n";
    let lines: Vec<usize> = memchr::memchr_iter(b'\n', text).map(|end| end + 1).collect();
    let cuts: Vec<usize> =
        lines[..lines.len() - 1].iter().copied().filter(|&at| begins_game(text, at)).collect();
    let c = text.windows(3).position(|word| word == b"\"c\"").expect("there");
    assert_eq!(cuts, [c - 7], "neither after another tag nor in the midst of a line");
    let mut long = vec![b'x'; 2 * LONGEST_TAG];
    long[0] = b'[';
    long.push(b'\n');
    let end = long.len();
    long.extend_from_slice(FIRST_TAG);
    assert!(begins_game(&long, end), "so long a line is no tag");
}

/// What a text's games come to.
#[derive(Debug, PartialEq, Eq, Default)]
struct Heard {
    spares_moves: bool,
    games: u64,
    moves: u64,
    /// The lines of mistakes.
    faults: Vec<u64>,
    /// The last line, and its offset.
    place: (u64, u64),
}

impl GameText for Heard {
    fn place(&mut self, line: u64, offset: u64) {
        self.place = (line, offset);
    }
    fn san(&mut self, _line: u64, _word: &[u8]) {
        self.moves += 1;
    }
    fn fail(&mut self, line: u64, _expected: &str, found: &[u8]) {
        self.faults.push(line);
        let _ = quote(found);
    }
    fn finish(&mut self, _extent: &Extent) {
        self.games += 1;
    }
    fn wants_moves(&self) -> bool {
        !self.spares_moves
    }
}

fn heard(parts: &[&[u8]]) -> Heard {
    let mut heard = Heard::default();
    let mut parser = TextParser::new(&mut heard, 0, Passing::default());
    for (number, part) in parts.iter().enumerate() {
        parser.read(part, number + 1 == parts.len());
    }
    parser.finish();
    heard
}

/// A game longer than is read is one bad game, told where it becomes too long; the next is read.
#[test]
fn a_long_game_is_one_game() {
    let pair = b"Nf3 Nf6 Ng1 Ng8\n";
    let lines = LONGEST_GAME as usize / pair.len();
    let first = b"[Event \"long\"]\n\n".to_vec();
    let last = b"{ [Event \"no game\"] 1-0 }\n\n[Event \"next\"]\n\n1. e4 1-0\n".as_slice();
    let fits = [&first, &pair.repeat(lines / 2)[..], b"1-0\n", last].concat();
    let heard_fits = heard(&[&fits]);
    assert_eq!((heard_fits.games, heard_fits.faults.len()), (2, 0));
    let long = [&first, &pair.repeat(lines + 9)[..], last].concat();
    let whole = heard(&[&long]);
    assert_eq!((whole.games, whole.faults.len()), (2, 1));
    assert!(whole.faults[0].abs_diff(lines as u64) < 9, "{:?}", whole.faults);
    let (one, other) = long.split_at(pair.len() * 7 + first.len());
    let in_parts = heard(&[one, other]);
    assert_eq!((in_parts.games, in_parts.moves), (whole.games, whole.moves));
}

/// So is one with a line that is too long to be read, whatever the rest of that line says.
#[test]
fn a_line_in_parts_is_no_game() {
    let long = [b"1. e4 ".to_vec(), b" ".repeat(LONGEST_LINE)].concat();
    let parts = [
        &[b"[Event \"a\"]\n", &long[..]].concat()[..],
        b"[Event \"b\"] 1-0",
        b" e5\n[Event \"c\"]\n1. d4 *\n",
    ];
    let whole = heard(&parts);
    assert_eq!((whole.games, whole.moves, &whole.faults[..]), (2, 1, &[2][..]));
    assert_eq!(heard(&[&parts.concat()]), whole, "nor where it is in one part");

    // Reading stops within that line, and goes on there.
    for count in 1..parts.len() {
        let mut front = Heard::default();
        let mut parser = TextParser::new(&mut front, 0, Passing::default());
        let mut offset = 0;
        for part in &parts[..count] {
            parser.read(part, false);
            offset += part.len() as u64;
        }
        let (lines, passing) = (parser.lines(), parser.passing());
        assert!(parser.can_rest() && passing.line && lines == 2);
        let mut back = Heard::default();
        let mut parser = TextParser::new(&mut back, offset, passing);
        parser.read(&parts[count..].concat(), true);
        parser.finish();
        assert_eq!((front.games + back.games, back.faults.len()), (2, 0));
        assert_eq!((lines + back.place.0, back.place.1), whole.place);
    }
}

/// However a line is made, twice as long a one takes twice the work: of who wants moves, and of who
/// does not.
#[test]
fn work_grows_with_the_text() {
    let pieces = [
        ")",
        "( ",
        "[",
        "[a \"",
        "[a \"\\\"]",
        "{",
        "{}",
        "}",
        "N!",
        "N ",
        "3.N ",
        "D.",
        "e.p.",
        "e4 ",
        "e4-",
        "±",
        "±a",
        "a±",
        "0-0 ",
        "1-0 ",
        "\"",
        "\\",
        "/\\",
        "-",
        "$1",
        ";",
        "e",
        "é",
        "\u{feff}",
    ];
    for (piece, spares_moves) in pieces.iter().flat_map(|piece| [(piece, false), (piece, true)]) {
        let bytes = |count: usize| {
            let text = format!("[Event \"a\"]\n\n1. e4 {}", piece.repeat(count));
            let mut heard = Heard { spares_moves, ..Heard::default() };
            bytes_of(|| {
                let mut parser = TextParser::new(&mut heard, 0, Passing::default());
                parser.read(text.as_bytes(), true);
                parser.finish();
            })
        };
        let (few, many) = (bytes(4_000), bytes(8_000));
        // The last quotes are shorter.
        assert!(many <= 2 * few + (1 << 16), "{piece}: {few} and {many}");
        let is_passed_over = *piece == ";" || few >= 4_000;
        assert!(is_passed_over, "{piece}: {few}, not counted");
    }
}
