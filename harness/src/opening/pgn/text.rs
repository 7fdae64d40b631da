//! Games of a text that is in memory, with the places they begin at; where a text can be cut.

use super::{FIRST_TAG, GameText, Parser};
use crate::opening::scan::bare;

/// Longer lines are no tags.
const LONGEST_TAG: usize = 4096;

/// Whether a game begins with the line at `offset`, whatever stood before: its first tag does, and
/// no tag on the line before. Where that holds a text can be cut and read in parts.
pub(crate) fn begins_game(text: &[u8], offset: usize) -> bool {
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

/// Reads the games of a text that comes in parts, each of which goes on where the one before ends.
pub(crate) struct TextParser<'a, G> {
    parser: Parser<'a, G>,
    lines: u64,
    offset: u64,
    /// The line before is a tag.
    is_behind_tag: bool,
    /// The last part ended within a line, too long to be read.
    is_within_line: bool,
}

impl<'a, G: GameText> TextParser<'a, G> {
    /// With `is_passing` the text begins within a game that is passed over.
    pub(crate) fn new(game: &'a mut G, is_passing: bool) -> TextParser<'a, G> {
        let parser = Parser { is_passing, ..Parser::new(game) };
        TextParser { parser, lines: 0, offset: 0, is_behind_tag: false, is_within_line: false }
    }

    /// Reads a part; `is_whole` says that it ends with a line. `place` is told of every line before the
    /// line is read: its number, from 1, and the offset of its first byte, both in the whole text.
    pub(crate) fn read(
        &mut self,
        part: &[u8],
        is_whole: bool,
        mut place: impl FnMut(&mut G, u64, u64),
    ) {
        let mut rest = part;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map(|end| end + 1);
            let (line, behind) = rest.split_at(end.unwrap_or(rest.len()));
            let is_cut = end.is_none() && !is_whole;
            if !std::mem::replace(&mut self.is_within_line, is_cut) {
                self.lines += 1;
                self.line(line, is_cut, &mut place);
            }
            self.offset += line.len() as u64;
            rest = behind;
        }
    }

    fn line(&mut self, line: &[u8], is_cut: bool, place: &mut impl FnMut(&mut G, u64, u64)) {
        if !self.is_behind_tag && line.starts_with(FIRST_TAG) {
            self.parser.finish();
        }
        self.is_behind_tag = is_tag(line.strip_suffix(b"\n").unwrap_or(line));
        place(self.parser.game, self.lines, self.offset);
        if !is_cut {
            self.parser.line(self.lines, bare(line));
        } else if !self.parser.is_passing {
            self.parser.give_up(self.lines);
        }
    }

    /// The text has ended.
    pub(crate) fn finish(&mut self) {
        self.parser.finish();
    }

    /// Lines so far.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// What the games are handed to.
    pub(crate) fn game(&mut self) -> &mut G {
        self.parser.game
    }

    /// Whether what was read so far says all of its games: nothing is open, or only what is passed over.
    pub(crate) fn can_rest(&self) -> bool {
        self.parser.is_passing || (self.parser.is_between_games() && !self.is_within_line)
    }

    /// Whether a game is passed over here.
    pub(crate) fn is_passing(&self) -> bool {
        self.parser.is_passing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Extent;
    use crate::opening::pgn::LONGEST_GAME;

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

    /// What a text's games come to, and how many bytes were said to be wrong.
    #[derive(Default)]
    struct Heard {
        games: u64,
        moves: u64,
        faults: Vec<u64>,
        quoted: usize,
    }

    impl GameText for Heard {
        fn tag(&mut self, _line: u64, _name: &[u8], _value: &[u8]) {}
        fn begin_moves(&mut self, _line: u64) {}
        fn san(&mut self, _line: u64, _word: &[u8]) {
            self.moves += 1;
        }
        fn result(&mut self, _line: u64, _word: &[u8]) {}
        fn fail(&mut self, line: u64, _expected: &str, found: &[u8]) {
            self.faults.push(line);
            self.quoted += found.len();
        }
        fn finish(&mut self, _extent: &Extent) {
            self.games += 1;
        }
    }

    fn heard(parts: &[&[u8]]) -> Heard {
        let mut heard = Heard::default();
        let mut parser = TextParser::new(&mut heard, false);
        for (number, part) in parts.iter().enumerate() {
            parser.read(part, number + 1 == parts.len(), |_, _, _| ());
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
        let heard = heard(&[
            b"[Event \"a\"]\n1. e4 ",
            b"[Event \"b\"] 1-0",
            b" e5\n[Event \"c\"]\n1. d4 *\n",
        ]);
        assert_eq!((heard.games, heard.moves, heard.faults), (2, 1, vec![2]));
    }

    /// Each mistake of a line is told by its own place, not by the whole line.
    #[test]
    fn mistakes_are_quoted_in_short() {
        let quoted = |count: usize| heard(&[&b")".repeat(count)]).quoted;
        let (few, many) = (quoted(10_000), quoted(20_000));
        assert!(few > 0 && many < 3 * few, "{few} and {many}");
    }
}
