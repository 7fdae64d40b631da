//! The games of a PGN text: tags, moves, and the lines they stand on.
//!
//! [`parse`] finds the games and hands their parts to a [`GameText`]: here one that keeps what
//! makes an opening and passes over results and tags other than `FEN` and `Variant`; crosstables
//! have one that keeps the results. This is our own reader because pgn-reader silently leaves out
//! every word it does not know (a book in German would become a book of start positions) and knows
//! no line numbers.

mod block;
mod characters;
mod ends;
mod extent;
mod game;
mod moves;
mod openings;
mod plain;
#[cfg(test)]
mod plain_tests;
mod result;
mod short;
mod skip;
mod starts;
mod tag;
mod text;
mod words;

use std::io;

use super::lines::{LONGEST_LINE, Line, Lines};
use super::work::looked_at;
pub use extent::Extent;
pub use game::Variant;
pub use moves::WrongMove;
pub(super) use moves::{find_move, is_move};
pub(super) use openings::{read_game, read_games};
pub use result::{GameResult, ResultWords, Undecided};
pub use short::ShortWord;
pub(super) use starts::find_games;
use tag::{Tag, TagEnds, split_tag};
pub use text::{Passing, TextParser, begins_game};
use words::{Token, word_end};

/// Bytes of a game that is read; a longer one is bad, and passed over.
const LONGEST_GAME: u64 = 16 << 20;
/// What the next game begins with behind one that is passed over.
const FIRST_TAG: &[u8] = b"[Event \"";

/// What is made of the games of a text. Lines are numbered from 1.
///
/// The calls follow the text: tags, the beginning of the moves, words and comments, the result if there is one.
/// The last call of a game is [`GameText::finish`]; a comment may come before its first tag. Reading continues
/// after a mistake.
pub trait GameText {
    /// A line is about to be read; its first byte is at `offset`, from 0.
    fn place(&mut self, _line: u64, _offset: u64) {}
    /// A tag as it is written: neither quotes in its value nor its encoding are changed.
    fn tag(&mut self, _line: u64, _name: &[u8], _value: &[u8]) {}
    /// A move number or a move follows, or any word in the place of one.
    fn begin_moves(&mut self, _line: u64) {}
    /// A word in the place of a move, outside of comments and variations.
    fn san(&mut self, _line: u64, _word: &[u8]) {}
    /// The same of a word of at most eight bytes, as moves are.
    fn short(&mut self, line: u64, word: ShortWord) {
        self.san(line, word.as_bytes());
    }
    /// A comment, as far as its first line goes, outside of variations.
    fn comment(&mut self, _text: &[u8]) {}
    /// The token that ends the game, not necessarily there.
    fn result(&mut self, _line: u64, _word: &[u8]) {}
    /// A syntax error: what was expected on that line, and what was found, if anything.
    fn fail(&mut self, line: u64, expected: &str, found: &[u8]);
    /// The game is over; the next may follow.
    fn finish(&mut self, extent: &Extent);
    /// Whether it wants every move. Who wants none is spared most of them, which is faster; what
    /// else it is told stays the same.
    fn wants_moves(&self) -> bool {
        true
    }
}

/// Hands all games to `game`, one after the other. Fails when the text cannot be read; mistakes of games
/// are told to `game`.
pub fn parse(lines: &mut Lines<'_>, game: &mut impl GameText) -> io::Result<()> {
    let mut parser = Parser::new(game);
    lines.for_each(|line, ahead| {
        parser.line_that(line.bytes.starts_with(FIRST_TAG), line, ahead);
    })?;
    parser.finish();
    Ok(())
}

struct Parser<'a, G> {
    game: &'a mut G,
    extent: Extent,
    /// The line on which the comment began that we are in.
    comment: Option<u64>,
    /// How many variations we are in.
    depth: u32,
    /// The tag `Result` says `0-0`: both players have lost.
    lost_by_both: bool,
    /// The line of a `0-0` that castles if a move follows, and is such a result at the game's end.
    zeros: Option<u64>,
    /// Bytes of the game's lines so far.
    length: u64,
    /// The game is too long: what is left of it says nothing.
    is_passing: bool,
    tag_ends: TagEnds,
    /// The last word on the line is a move number.
    is_behind_number: bool,
}

impl<'a, G: GameText> Parser<'a, G> {
    fn new(game: &'a mut G) -> Parser<'a, G> {
        Parser {
            game,
            extent: Extent::default(),
            comment: None,
            depth: 0,
            lost_by_both: false,
            zeros: None,
            length: 0,
            is_passing: false,
            tag_ends: TagEnds::default(),
            is_behind_number: false,
        }
    }

    /// Nothing is open: what comes next would be the same if the text began with it.
    fn is_between_games(&self) -> bool {
        !(self.extent.has_begun() || self.comment.is_some() || self.depth > 0 || self.is_passing)
    }

    /// Ends the game on this line for its length; what is left of it is passed over.
    fn give_up(&mut self, number: u64) {
        (self.comment, self.depth) = (None, 0);
        let expected = format!(
            "expected a game of at most {} MiB, in lines of less than {} MiB",
            LONGEST_GAME >> 20,
            LONGEST_LINE >> 20
        );
        self.fail(number, &expected, b"");
        self.finish();
        self.is_passing = true;
    }

    fn line(&mut self, line: Line<'_>) {
        self.line_that(line.bytes.starts_with(FIRST_TAG), line, line.bytes);
    }

    /// Reads a line that begins with a first tag, or does not. `ahead` is a text that holds the line
    /// and, better, more behind it.
    fn line_that(&mut self, is_first_tag: bool, line: Line<'_>, ahead: &[u8]) {
        let Line { number, offset, bytes: line } = line;
        self.game.place(number, offset);
        self.is_passing &= !is_first_tag;
        if self.is_passing {
            return;
        }
        if self.is_between_games() {
            self.length = 0;
        }
        // With its end.
        self.length += line.len() as u64 + 1;
        if self.length > LONGEST_GAME || line.len() >= LONGEST_LINE {
            return self.give_up(number);
        }
        (self.tag_ends, self.is_behind_number) = (TagEnds::default(), false);
        let mut rest = line;
        if self.comment.is_some() {
            // A comment that nobody closed must not swallow the games that follow.
            if !is_first_tag {
                let Some(end) = find(line, b'}') else { return };
                self.comment = None;
                rest = &line[end + 1..];
            }
        } else if line.first() == Some(&b'%') {
            return;
        } else if line.trim_ascii().is_empty() {
            self.extent.blank_line();
            return;
        }
        rest = rest.trim_ascii();
        while rest.first() == Some(&b'[') {
            let Some(tag) = split_tag(rest, &mut self.tag_ends) else {
                return self.broken_tag(number, rest);
            };
            rest = self.tag(number, tag);
        }
        // Both are parts of the same memory.
        let ahead =
            rest.as_ptr().addr().checked_sub(ahead.as_ptr().addr()).and_then(|at| ahead.get(at..));
        self.movetext(number, rest, ahead.unwrap_or(rest));
    }

    /// Whether a line that looks like a tag is one: no comment or skipped game is open.
    fn may_take_tags(&self) -> bool {
        self.comment.is_none() && !self.is_passing
    }

    /// The same as `line_that` of a line that has only this tag; `length` includes its end.
    fn tag_line(&mut self, number: u64, offset: u64, length: usize, tag: Tag<'_>) {
        self.game.place(number, offset);
        if self.is_between_games() {
            self.length = 0;
        }
        self.length += length as u64;
        if self.length > LONGEST_GAME {
            return self.give_up(number);
        }
        self.is_behind_number = false;
        self.tag(number, tag);
    }

    /// A line like a tag that is none. Such lines occur among tags that say nothing of the opening.
    fn broken_tag(&mut self, number: u64, text: &[u8]) {
        let name = text[1..].trim_ascii_start();
        if name.get(..3).is_some_and(|name| name.eq_ignore_ascii_case(b"FEN")) {
            self.finish_before_tag(b"FEN");
            self.fail(number, "expected a tag like [FEN \"…\"]", text);
        }
    }

    /// Takes a tag and returns what follows it.
    fn tag<'t>(&mut self, number: u64, tag: Tag<'t>) -> &'t [u8] {
        let Tag { name, value, rest } = tag;
        self.finish_before_tag(name);
        self.extent.tag(number, name);
        if name.eq_ignore_ascii_case(b"result") {
            self.lost_by_both = GameResult::of(value.trim_ascii()) == Some(GameResult::LostByBoth);
        }
        self.game.tag(number, name, value);
        rest
    }

    fn finish_before_tag(&mut self, name: &[u8]) {
        if self.comment.is_some() || self.depth > 0 || self.extent.ends_before_tag(name) {
            self.finish();
        }
    }

    /// `ahead` begins with `text`, and may go on behind it.
    fn movetext(&mut self, number: u64, text: &[u8], ahead: &[u8]) {
        let mut rest = text;
        loop {
            let ahead = &ahead[text.len() - rest.len()..];
            let read = match self.may_skip() {
                true => self.skip_words(number, rest, ahead),
                false => self.plain_words(number, rest, ahead),
            };
            rest = &rest[read..];
            let Some((&first, tail)) = rest.split_first() else { return };
            looked_at(1);
            rest = match first {
                b'{' => &tail[self.take_comment(number, tail)..],
                b';' => return,
                b'(' => {
                    self.depth += 1;
                    tail
                }
                b')' => {
                    match self.depth.checked_sub(1) {
                        Some(depth) => self.depth = depth,
                        None => self.fail(number, "expected '(' before", rest),
                    }
                    tail
                }
                b'*' => {
                    if self.depth == 0 {
                        self.result(number, b"*");
                    }
                    tail
                }
                b'$' => &tail[tail.iter().take_while(|b| b.is_ascii_digit()).count()..],
                b'!' | b'?' | b'.' | b'}' => tail,
                // The next game, without a line end between.
                b'[' if self.depth == 0 => match split_tag(rest, &mut self.tag_ends) {
                    Some(tag) => self.tag(number, tag),
                    None => self.first_word(number, rest),
                },
                // Some programs fill up blocks with NUL.
                _ if first.is_ascii_whitespace() || first == 0 => tail,
                _ => self.first_word(number, rest),
            };
        }
    }

    /// Takes the comment at the front, which may go on beyond the line, and returns how many bytes it has;
    /// `text` begins behind its brace.
    fn take_comment(&mut self, number: u64, text: &[u8]) -> usize {
        let end = find(text, b'}');
        if self.depth == 0 {
            self.game.comment(&text[..end.unwrap_or(text.len())]);
        }
        if end.is_none() {
            self.comment = Some(number);
        }
        end.map_or(text.len(), |end| end + 1)
    }

    /// Takes the word at the front and returns what follows it.
    #[inline]
    fn first_word<'t>(&mut self, number: u64, text: &'t [u8]) -> &'t [u8] {
        let (word, tail) = text.split_at(word_end(text));
        if self.depth == 0 {
            self.word(number, word, tail);
        }
        // What most words end with.
        tail.strip_prefix(b" ").unwrap_or(tail)
    }

    /// A word outside comments and variations, and what stands behind it on its line.
    fn word(&mut self, line: u64, word: &[u8], tail: &[u8]) {
        let what = Token::of(word, self.extent.is_among_moves() && !self.is_behind_number);
        if what == Token::Sign {
            return;
        }
        let is_number = what == Token::Number;
        self.is_behind_number = is_number;
        match what {
            Token::Result => return self.result(line, word),
            Token::Zeros if !self.extent.may_castle() || self.extent.ends_before_moves(true) => {
                return self.result(line, word);
            }
            Token::Zeros if self.lost_by_both => {
                self.castle_by_zeros();
                self.begin_moves(line);
                self.zeros = Some(line);
                return;
            }
            Token::Zeros | Token::Move | Token::Number | Token::Sign => (),
        }
        // Not `1...`: that goes on with Black's move.
        let is_first = word == b"1" && !tail.starts_with(b"..");
        if self.extent.ends_before_moves(!is_number || is_first) {
            self.finish();
        }
        self.castle_by_zeros();
        self.begin_moves(line);
        if !is_number {
            self.game.san(line, word);
        }
    }

    #[inline]
    fn begin_moves(&mut self, line: u64) {
        self.extent.begin_moves(line);
        self.game.begin_moves(line);
    }

    /// The `0-0` before is no result.
    #[inline]
    fn castle_by_zeros(&mut self) {
        if let Some(line) = self.zeros.take() {
            self.game.san(line, b"0-0");
        }
    }

    fn result(&mut self, line: u64, word: &[u8]) {
        self.castle_by_zeros();
        if self.extent.has_begun() {
            self.game.result(line, word);
        }
        self.finish();
    }

    fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
        self.extent.touch(line);
        self.game.fail(line, expected, found);
    }

    /// Hands over the game that ends here, if there is one.
    fn finish(&mut self) {
        if let Some(line) = self.comment.take() {
            self.fail(line, "expected '}' to end the comment", b"");
        } else if self.depth > 0 {
            self.fail(self.extent.last_line(), "expected ')' to end the variation", b"");
        }
        (self.depth, self.length) = (0, 0);
        self.lost_by_both = false;
        if let Some(line) = self.zeros.take() {
            self.game.result(line, b"0-0");
        }
        let extent = std::mem::take(&mut self.extent);
        if extent.has_begun() {
            self.game.finish(&extent);
        }
    }
}

fn find(text: &[u8], byte: u8) -> Option<usize> {
    let found = memchr::memchr(byte, text);
    looked_at(found.unwrap_or(text.len()));
    found
}
