//! Games of a text that is in memory, with the places they begin at; where a text can be cut.

use super::{GameText, Parser};
use crate::opening::scan::bare;

/// What a game's first tag looks like.
const FIRST_TAG: &[u8] = b"[Event \"";
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

/// Hands all games of a text to `game`. `place` is told of every line before the line is read: its
/// number, from 1, and the offset of its first byte. Returns the number of lines.
pub(crate) fn parse_text<G: GameText>(
    text: &[u8],
    game: &mut G,
    mut place: impl FnMut(&mut G, u64, usize),
) -> u64 {
    let mut parser = Parser::new(game);
    let (mut number, mut offset) = (0, 0);
    while offset < text.len() {
        let end = memchr::memchr(b'\n', &text[offset..]);
        let end = end.map_or(text.len(), |end| offset + end + 1);
        number += 1;
        if text[offset] == b'[' && offset > 0 && begins_game(text, offset) {
            parser.finish();
        }
        place(parser.game, number, offset);
        parser.line(number, bare(&text[offset..end]));
        offset = end;
    }
    parser.finish();
    number
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
