//! Games of a text that is in memory, with the places they begin at; where a text can be cut.

use serde::{Deserialize, Serialize};

use super::tag::{Tag, plain_line};
use super::{FIRST_TAG, GameText, Parser};
use crate::lines::{Line, bare};

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
            if rest[0] == b'['
                && !self.is_within_line
                && self.parser.may_take_tags()
                && let Some((tag, len)) = plain_line(rest)
            {
                self.tag_line(tag, &rest[..len]);
                rest = &rest[len..];
                continue;
            }
            let end = memchr::memchr(b'\n', rest).map(|end| end + 1);
            let (line, behind) = rest.split_at(end.unwrap_or(rest.len()));
            let is_cut = end.is_none() && !is_whole;
            if !std::mem::replace(&mut self.is_within_line, is_cut) {
                self.lines += 1;
                self.line(line, rest);
            }
            self.offset += line.len() as u64;
            rest = behind;
        }
    }

    fn tag_line(&mut self, tag: Tag<'_>, line: &[u8]) {
        self.lines += 1;
        if !std::mem::replace(&mut self.is_behind_tag, true) && line.starts_with(FIRST_TAG) {
            self.parser.finish();
        }
        self.parser.tag_line(self.lines, self.offset, bare(line).len() + 1, tag);
        self.offset += line.len() as u64;
    }

    /// Reads the line at the front of `ahead`.
    fn line(&mut self, line: &[u8], ahead: &[u8]) {
        let is_first_tag = line.starts_with(FIRST_TAG);
        if is_first_tag && !self.is_behind_tag {
            self.parser.finish();
        }
        self.is_behind_tag = is_tag(line.strip_suffix(b"\n").unwrap_or(line));
        let (number, offset, bytes) = (self.lines, self.offset, bare(line));
        self.parser.line_that(is_first_tag, Line { number, offset, bytes }, ahead);
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
mod tests;
