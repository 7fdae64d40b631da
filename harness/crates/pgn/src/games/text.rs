//! Games of a text that is in memory, with the places they begin at; where a text can be cut.

use serde::{Deserialize, Serialize};

use super::{FIRST_TAG, GameText, Parser};
use crate::scan::{Line, bare};

/// Longer lines are no tags.
const LONGEST_TAG: usize = 4096;

/// Whether a game begins with the line at `offset`, whatever stood before: its first tag does, and
/// no tag on the line before. Where that holds a text can be cut and read in parts.
pub fn begins_game(text: &[u8], offset: usize) -> bool {
    text[offset..].starts_with(FIRST_TAG) && !is_tag(line_before(text, offset))
}

/// The line that ends before `offset`, or the last of it.
fn line_before(text: &[u8], offset: usize) -> &[u8] {
    let before = &text[offset.saturating_sub(LONGEST_TAG)..offset];
    let before = before.strip_suffix(b"\n").unwrap_or(before);
    memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..])
}

/// Of long lines only the end is known, which is no tag either.
fn is_tag(line: &[u8]) -> bool {
    line.len() + 1 < LONGEST_TAG && line.trim_ascii_start().first() == Some(&b'[')
}

/// What is passed over of a text that is read on from somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Passing {
    /// The rest of a game that is too long.
    #[serde(rename = "is_passing", default, skip_serializing_if = "std::ops::Not::not")]
    pub game: bool,
    /// The rest of a line of it.
    #[serde(rename = "is_within_line", default, skip_serializing_if = "std::ops::Not::not")]
    pub line: bool,
}

/// Reads the games of a text that comes in parts, each of which goes on where the one before ends.
pub struct TextParser<'a, G> {
    parser: Parser<'a, G>,
    /// Lines so far.
    lines: u64,
    /// Where in the text the next byte is.
    offset: u64,
    /// The line before is a tag.
    is_behind_tag: bool,
    /// The last part ended within a line, too long to be read.
    is_within_line: bool,
}

impl<'a, G: GameText> TextParser<'a, G> {
    /// Of a text that is read from the byte at `offset` on. Lines are counted from there.
    pub fn new(game: &'a mut G, offset: u64, passing: Passing) -> TextParser<'a, G> {
        let parser = Parser { is_passing: passing.game, ..Parser::new(game) };
        let is_within_line = passing.line;
        TextParser { parser, lines: 0, offset, is_behind_tag: false, is_within_line }
    }

    /// Reads a part; `is_whole` says that it ends with a line. Only a line that is too long to be
    /// read may go on in the next part.
    pub fn read(&mut self, part: &[u8], is_whole: bool) {
        let mut rest = part;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map(|end| end + 1);
            let (line, behind) = rest.split_at(end.unwrap_or(rest.len()));
            let is_cut = end.is_none() && !is_whole;
            if !std::mem::replace(&mut self.is_within_line, is_cut) {
                self.lines += 1;
                self.line(line);
            }
            self.offset += line.len() as u64;
            rest = behind;
        }
    }

    fn line(&mut self, line: &[u8]) {
        let is_first_tag = line.starts_with(FIRST_TAG);
        if is_first_tag && !self.is_behind_tag {
            self.parser.finish();
        }
        self.is_behind_tag = is_tag(line.strip_suffix(b"\n").unwrap_or(line));
        let (number, offset, bytes) = (self.lines, self.offset, bare(line));
        self.parser.line_that(is_first_tag, Line { number, offset, bytes });
    }

    pub fn finish(&mut self) {
        self.parser.finish();
    }

    pub fn lines(&self) -> u64 {
        self.lines
    }

    pub fn game(&mut self) -> &mut G {
        self.parser.game
    }

    /// Whether reading can stop here: no game is open, or the open one is being skipped.
    pub fn can_rest(&self) -> bool {
        self.parser.is_passing || self.parser.is_between_games()
    }

    pub fn passing(&self) -> Passing {
        Passing { game: self.parser.is_passing, line: self.is_within_line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extent;
    use crate::games::LONGEST_GAME;
    use crate::quote;
    use crate::scan::LONGEST_LINE;
    use crate::work::bytes_of;

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
        for (piece, spares_moves) in pieces.iter().flat_map(|piece| [(piece, false), (piece, true)])
        {
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
}
